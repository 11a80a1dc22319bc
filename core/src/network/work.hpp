// The operations that nodes come to, as records of commands.json: one function for each family of operators, whatever file the node is
// from. Shapes are outermost first, images [N, C, spatial...]. Where a length is not known, the node is not counted, and says so; where
// nothing is computed and nothing moved, it gets no record.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "network/sized.hpp"

namespace roofline::work {

/// Formats of an operation's activations, its weights and what it writes.
struct Types {
  TensorType data, weight, output;
};

struct Window {
  Lengths stride, dilation;  ///< one for each spatial dimension; empty: 1
  Lengths before, after;     ///< padding, likewise; empty: 0
  double groups = 1;
  bool bias = false;
};

/// The padding with which a window comes from the lengths of an image to those of another, its larger half behind: of formats that state
/// both. `transposed`: of a transposed convolution, whose input is the smaller one.
void pad_between(Window& window, const Lengths& input, const Lengths& kernel, const Lengths& output, bool transposed = false);

/// `weight`: [Co, Ci / groups, kernel...]; of a transposed one [Ci, Co / groups, kernel...].
void convolution(SizedNode& node, const Lengths& input, const Lengths& weight, const Lengths& output, const Window& window, bool transposed,
                 const Types& types);
/// Products of the last two dimensions; batches broadcast. `added`: a tensor that is added to the product; empty: none.
void matrix_product(SizedNode& node, const Lengths& a, const Lengths& b, const Types& types, std::string_view part = {},
                    const Lengths& added = {});
/// [..., k] times a weight of n x k.
void linear(SizedNode& node, const Lengths& input, double n, double k, bool bias, const Types& types, std::string_view part = {});
/// An equation without spaces and dots, with an arrow: "...ij,...jk" of matrices in batches is "Aij,Ajk->Aik". The dimensions behind "..."
/// get unused letters, aligned at the last one as in broadcasting. Without an arrow, the result is these letters, then those that occur
/// once. `ranks`: of the operands, NaN: not known. `last_letters`: dots get the last unused letters of the alphabet, not the first.
/// Empty where a rank is not known or the letters run out.
[[nodiscard]] std::string plain_equation(std::string_view equation, const std::vector<double>& ranks, bool last_letters = false);
/// `equation`: of plain_equation(). Not counted if it is empty.
void einsum(SizedNode& node, std::string_view equation, const std::vector<Lengths>& inputs, const Types& types);

struct AttentionSizes {
  double batch = unknown, heads = unknown, kv_heads = unknown, head_dim = unknown, head_dim_v = unknown;
  double query_length = unknown, context = unknown;  ///< tokens: new ones, and those attended to
};
/// Every pair of query and key counts, masked or not.
void attention(SizedNode& node, const AttentionSizes& sizes, const Types& types, std::string_view part = {});
/// The rotary embedding that an attention applies itself: to its queries and the keys of new tokens.
void rotation(SizedNode& node, const AttentionSizes& sizes, TensorType data);

void pool(SizedNode& node, const Lengths& input, const Lengths& kernel, const Lengths& output, const Window& window, const Types& types);
void global_pool(SizedNode& node, const Lengths& input, const Lengths& output, const Types& types);
/// `type`: an operator's name; `inputs`: shapes that broadcast to the output's.
void elementwise(SizedNode& node, std::string_view type, const std::vector<Lengths>& inputs, const Lengths& output, TensorType data,
                 TensorType written, std::string_view part = {});
void reduction(SizedNode& node, std::string_view type, const Lengths& input, const Lengths& axes, const Lengths& output, TensorType data,
               TensorType written);
void softmax(SizedNode& node, const Lengths& input, TensorType data, TensorType written);
/// `type`: layer_norm, rms_norm, batch_norm or group_norm. `normalized`: the last lengths, of a layer's norm. `affine`: whether it reads a
/// scale.
void norm(SizedNode& node, std::string_view type, const Lengths& input, const Lengths& normalized, const Types& types,
          std::string_view part = {}, bool affine = true);
/// transpose, split, concat, slice, pad, repeat, copy: elements read and written.
void movement(SizedNode& node, std::string_view type, const std::vector<Lengths>& inputs, const Lengths& output, TensorType data);
/// Rows of a table that `indices` name. `weight`: the table is a parameter.
void look_up(SizedNode& node, const Lengths& table, const Lengths& indices, double axis, bool weight, const Types& types);
/// `mode`: "nearest", "cubic" or "bicubic"; all others are linear. `grid`: the shape of a sampling grid, which is read, too.
void resize(SizedNode& node, std::string_view mode, const Lengths& input, const Lengths& output, TensorType data, const Lengths& grid = {});
/// Work that is stated as it is: multiply-adds, and bytes read and written.
void stated(SizedNode& node, std::string_view type, double macs, double bytes, const Types& types, std::string_view part = {});

}  // namespace roofline::work
