// A network whose open lengths are set: what every reader makes of its file, and what its commands.json follows from.
#pragma once

#include <cstdint>
#include <roofline/base/number.hpp>
#include <roofline/machine/format.hpp>
#include <string>
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

/// The elements of a tensor of these lengths: 0 if a length is 0, else NaN if one is not known.
[[nodiscard]] double elements_of(const std::vector<double>& lengths);
/// A matrix with its last two dimensions swapped, if `swap`.
[[nodiscard]] std::vector<double> transposed(std::vector<double> shape, bool swap);

struct SizedTensor {
  std::string_view name;
  TensorType type;
  std::vector<double> shape;      ///< NaN: a length that is not known
  bool has_shape = false;         ///< its rank is known
  bool constant = false;          ///< of the file, not computed
  bool weight = false;            ///< likewise, and kept apart from the nodes: one of its parameters
  bool generated = false;         ///< a constant that ConstantOfShape fills with one value, as in files without their weights
  bool learnt = true;             ///< a weight that counts as a parameter; false: a buffer or a constant
  bool always_alive = false;      ///< state from one run to the next
  TensorId view_of = no_tensor;   ///< its elements are those of another, which is no view itself: it takes no memory
  double stored_bytes = unknown;  ///< of a constant, as the file says
  std::uint64_t data = 0;         ///< where the bytes of a weight are in the file, one element after another; 0: not known, or elsewhere

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
