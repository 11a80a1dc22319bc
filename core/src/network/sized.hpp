// A network whose open lengths are set: what every reader makes of its file, and what its commands.json follows from.
#pragma once

#include <cstdint>
#include <roofline/base/number.hpp>
#include <roofline/machine/format.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "network/record_text.hpp"

namespace roofline {

using TensorId = std::uint32_t;
inline constexpr TensorId no_tensor = 0xffffffff;

/// Of one element, as it is stored.
struct TensorType {
  double bits = unknown;
  FormatId format = no_format;  ///< no_format: of no arithmetic (text, complex numbers)
  bool integer = false;
};
/// By a format's id ("fp16"); integers and truth values likewise ("int64", "int8").
[[nodiscard]] TensorType element_type(std::string_view format_id);

using Lengths = std::vector<double>;  ///< of a tensor's dimensions; NaN: not known

/// The elements of a tensor of these lengths: 0 if a length is 0, else NaN if one is not known.
[[nodiscard]] double elements_of(const Lengths& lengths);
/// The length of a dimension; negative ones count from the end. NaN: not known, or there is no such dimension.
[[nodiscard]] double length(const Lengths& shape, std::int64_t dimension);
/// The lengths from the dimension `from` on; empty if there are fewer.
[[nodiscard]] Lengths tail(const Lengths& shape, std::size_t from);
/// A matrix with its last two dimensions swapped, if `swap`.
[[nodiscard]] Lengths transposed(Lengths shape, bool swap);
/// Shapes are taken to fit: of two lengths that are not 1, one that is not known is the other. Two that differ: NaN.
[[nodiscard]] Lengths broadcast(const Lengths& a, const Lengths& b);

struct SizedTensor {
  std::string_view name;
  TensorType type;
  Lengths shape;
  bool has_shape = false;                    ///< its rank is known
  bool constant = false;                     ///< of the file, not computed
  bool weight = false;                       ///< likewise, and kept apart from the nodes: one of its parameters
  bool generated = false;                    ///< a constant that ConstantOfShape fills with one value, as in files without their weights
  bool learnt = true;                        ///< a weight that counts as a parameter; false: a buffer or a constant
  bool always_alive = false;                 ///< state from one run to the next
  TensorId view_of = no_tensor;              ///< its elements are those of another, which is no view itself: it takes no memory
  TensorType compiled_type = {};             ///< in which a compiler stores it between layers that run on integers; bits NaN: `type`
  TensorId alias_when_compiled = no_tensor;  ///< the tensor whose elements it shares once a compiler drops the node that (de)quantises it
  double stored_bytes = unknown;             ///< of a constant, as the file says
  std::uint64_t data = 0;  ///< where the bytes of a weight are in the file, one element after another; 0: not known, or elsewhere

  /// Elements and bytes. NaN where a length is not known.
  [[nodiscard]] double elements() const;
  [[nodiscard]] double bytes() const;
};

/// How a compiler treats a node that could be part of another.
enum class Fusing : std::uint8_t {
  none,      ///< it stays an operation of its own
  follows,   ///< into what produces its first input: element-wise operations, norms, quantisation
  vanishes,  ///< it moves nothing once tensors may be stored as their readers want them: reshapes and other views
};

/// Why the work of a node is not known, where several readers say so.
namespace reason {
inline constexpr std::string_view no_rule = "no rule for this operator";
inline constexpr std::string_view body_apart = "its body is listed apart, once for each run of it";
inline constexpr std::string_view compiled = "compiled: its work is not in the file";
inline constexpr std::string_view unequal_operands = "its operands do not broadcast to one shape";
inline constexpr std::string_view no_shape = "the shapes of its tensors are not known";
}  // namespace reason

struct SizedNode {
  std::string name, type;
  bool unnamed = false;  ///< a node of the main graph without a name in its file: `name` is generated
  std::string module;    ///< the path of the module that it belongs to ("layers.0.attention"); empty: not stated
  std::string body;      ///< of the body of another node: that node's name; empty: it is part of the main graph
  std::vector<TensorId> reads, writes;
  std::vector<RecordText> records;  ///< the work, as operations of commands.json. None: it does none
  std::string not_counted;          ///< why its work is not known; empty: it is
  Fusing fusing = Fusing::none;
};

struct SizedNetwork {
  std::string format;    ///< "ONNX"
  std::string producer;  ///< "pytorch 2.6.0"
  std::vector<SizedTensor> tensors;
  std::vector<SizedNode> nodes;  ///< in execution order, those of a body behind the node that has it
  std::vector<TensorId> inputs, outputs;
  std::vector<std::string> notes;  ///< what the user should know of the whole file
};

}  // namespace roofline
