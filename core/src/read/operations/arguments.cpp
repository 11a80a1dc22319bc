#include "read/operations/arguments.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/json.hpp"
#include "read/text/csv.hpp"

namespace roofline {

// The arguments are at the first depth of brackets, round or square; shapes at the second, or in a list at the third.
std::vector<ArgumentShapes> argument_shapes(std::string_view text) {
  std::vector<ArgumentShapes> out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '(' || c == '[') {
      ++depth;
      if (depth == 2) out.push_back({{{}}});
      if (depth == 3 && !out.empty()) {
        if (out.back().shapes.size() == 1 && out.back().shapes[0].empty()) out.back().shapes.clear();
        out.back().shapes.emplace_back();
      }
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c >= '0' && c <= '9') {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
      if (depth >= 2 && !out.empty()) out.back().shapes.back().push_back(exact_number(text.substr(i, end - i)).value_or(0));
      i = end;
      continue;
    }
    ++i;
  }
  return out;
}

bool is_tensor_type(std::string_view type) {
  constexpr std::array others = {"Int", "SymInt", "Double", "Bool", "GenericList", "String", "Device", "None"};
  return !type.empty() && !type.starts_with("Scalar") && std::find(others.begin(), others.end(), type) == others.end();
}

std::vector<std::string_view> quoted(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = text.find('\''); at != std::string_view::npos;) {
    const std::size_t end = text.find('\'', at + 1);
    if (end == std::string_view::npos) break;
    out.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('\'', end + 1);
  }
  return out;
}

namespace {

/// Where an operator's further arguments stand; 0: it has none such.
struct Signature {
  std::string_view name;
  std::size_t stride = 0, padding = 0, dilation = 0, groups = 0;
  std::size_t transposed = 0;  ///< output_padding is the next argument
  std::size_t causal = 0, normalized = 0;
  std::size_t axes = 0;    ///< a list in brackets, or a number; an overload without axes has another argument there
  std::size_t packed = 0;  ///< cum_seq_q; cum_seq_k, max_q and max_k follow
  bool bshd = false;
};
constexpr std::array signatures = {
    Signature{.name = "convolution", .stride = 3, .padding = 4, .dilation = 5, .groups = 8, .transposed = 6},
    Signature{.name = "_convolution", .stride = 3, .padding = 4, .dilation = 5, .groups = 8, .transposed = 6},
    Signature{.name = "convolution_overrideable", .stride = 3, .padding = 4, .dilation = 5, .groups = 8, .transposed = 6},
    Signature{.name = "conv1d", .stride = 3, .padding = 4, .dilation = 5, .groups = 6},
    Signature{.name = "conv2d", .stride = 3, .padding = 4, .dilation = 5, .groups = 6},
    Signature{.name = "conv3d", .stride = 3, .padding = 4, .dilation = 5, .groups = 6},
    Signature{.name = "cudnn_convolution", .stride = 3, .padding = 2, .dilation = 4, .groups = 5},
    Signature{.name = "miopen_convolution", .stride = 4, .padding = 3, .dilation = 5, .groups = 6},
    Signature{.name = "mkldnn_convolution", .stride = 4, .padding = 3, .dilation = 5, .groups = 6},
    Signature{.name = "scaled_dot_product_attention", .causal = 5},
    Signature{.name = "_scaled_dot_product_flash_attention", .causal = 4},
    Signature{.name = "_scaled_dot_product_efficient_attention", .causal = 6},
    Signature{.name = "_scaled_dot_product_cudnn_attention", .causal = 6},
    Signature{.name = "_flash_attention_forward", .causal = 8, .packed = 3, .bshd = true},
    Signature{.name = "layer_norm", .normalized = 1},
    Signature{.name = "native_layer_norm", .normalized = 1},
    Signature{.name = "sum", .axes = 1},
    Signature{.name = "mean", .axes = 1},
    Signature{.name = "amax", .axes = 1},
    Signature{.name = "amin", .axes = 1},
    Signature{.name = "max", .axes = 1},
    Signature{.name = "min", .axes = 1},
    Signature{.name = "argmax", .axes = 1},
    Signature{.name = "argmin", .axes = 1},
    Signature{.name = "prod", .axes = 1},
    Signature{.name = "any", .axes = 1},
    Signature{.name = "all", .axes = 1},
};

/// "max" of "aten::max".
std::string_view without_namespace(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

const Signature* signature_of(std::string_view name) {
  name = without_namespace(name);
  for (const Signature& s : signatures)
    if (s.name == name) return &s;
  return nullptr;
}

/// Without types, a shape of at least one dimension is a tensor's.
bool is_tensor(const std::vector<ArgumentShapes>& arguments, const std::vector<std::string_view>& types, std::size_t i) {
  return i < arguments.size() && (i < types.size() ? is_tensor_type(types[i]) : !arguments[i].shapes[0].empty());
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> out;
  for (std::size_t i = text.find_first_of("-0123456789"); i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("-0123456789", i), text.size());
    if (const auto number = exact_number(text.substr(i, end - i))) out.push_back(*number);
    i = text.find_first_of("-0123456789", end);
  }
  return out;
}

/// Sequences of attention that are packed one after another, [tokens, heads, width], become [sequences, tokens of each, heads, width].
/// False where their lengths may differ: only the sum and the longest are stated.
bool unpack_sequences(std::vector<ArgumentShapes>& arguments, const std::vector<std::string_view>& values, std::size_t packed) {
  if (values.size() < packed + 4) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t side = i == 0 ? 0 : 1;  // of the query, or of key and value
    std::vector<double>&tensor = arguments[i].shapes[0], &begins = arguments[packed + side].shapes[0];
    const std::vector<double> longest = numbers_in(values[packed + 2 + side]);
    if (tensor.size() != 3 || begins.size() != 1 || longest.size() != 1) return false;
    const double sequences = begins[0] - 1;
    if (!(sequences >= 1) || longest[0] * sequences != tensor[0]) return false;
    tensor = {sequences, longest[0], tensor[1], tensor[2]};
  }
  return true;
}

/// Fills `record` with the call's tensors and, where the order of its arguments is known, what else its work depends on.
bool fill_arguments(Record& record, const Operator& op, std::string_view name, const ArgumentLists& lists) {
  const Signature* signature = signature_of(name);
  const bool convolution = op.family == OpFamily::convolution, attention = op.family == OpFamily::attention;
  if (((convolution || attention) && !signature) || op.id == "gather") return false;

  std::vector<ArgumentShapes> arguments = argument_shapes(lists.shapes);
  const std::vector<std::string_view> types = quoted(lists.types), values = quoted(lists.values);
  if (attention && signature->packed > 0 && is_tensor(arguments, types, signature->packed) &&
      !unpack_sequences(arguments, values, signature->packed))
    return false;
  const bool copies = op.id == "copy" && arguments.size() > 1;  // copy_(to, from); contiguous(x, layout) names no source
  if (copies && !is_tensor(arguments, types, 1)) return false;
  record.begin_list(key::inputs);
  std::size_t tensors = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool scalar = i < types.size() && types[i].starts_with("Scalar");
    const bool tensor = i < types.size() ? !types[i].empty() && !scalar : !arguments[i].shapes[0].empty();
    // A number may be one of the two operands, as in x ** 2. Later numbers, such as the alpha of add, are none.
    const bool operand = tensor || (scalar && i < 2 && op.family == OpFamily::elementwise);
    if (!operand || (copies && i != 1)) continue;
    if (signature && signature->axes == i && !is_tensor(arguments, types, i)) continue;  // max(x, dim), unlike max(x, y)
    for (const std::vector<double>& shape : arguments[i].shapes) {
      record.begin_inner_list();
      for (const double length : shape) record.add_number(length);
      record.end_inner_list();
      ++tensors;
    }
  }
  record.end_list();
  if (tensors == 0) return false;
  if (copies) record.set_list(key::output_shape, arguments[0].shapes[0]);
  if (!signature) return true;

  const auto value = [&](std::size_t at) { return at > 0 && at < values.size() ? values[at] : std::string_view(); };
  const auto set = [&](Key key, std::size_t at) {
    if (const std::vector<double> numbers = numbers_in(value(at)); numbers.size() == 1 && key == key::groups)
      record.set_number(key, numbers[0]);
    else if (!numbers.empty())
      record.set_list(key, numbers);
    else if (at > 0 && convolution)
      return false;
    return true;
  };
  if (convolution && !(set(key::stride, signature->stride) && set(key::padding, signature->padding) &&
                       set(key::dilation, signature->dilation) && set(key::groups, signature->groups)))
    return false;
  if (signature->transposed > 0 && value(signature->transposed) == "True") {
    record.set_boolean(key::transposed, true);
    if (!set(key::output_padding, signature->transposed + 1)) return false;
  }
  if (signature->normalized > 0) (void)set(key::normalized_shape, signature->normalized);
  if (op.family == OpFamily::elementwise && tensors == 1) {  // max or min of one tensor: a reduction of all axes
    std::vector<double> all(arguments[0].shapes[0].size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(i);
    record.set_list(key::axis, all);
  }
  // prod(x, dtype) has a number there too, and no further argument.
  if (value(signature->axes).starts_with('[') || arguments.size() > 2) (void)set(key::axis, signature->axes);
  if (attention) {
    record.set_boolean(key::causal, value(signature->causal) == "True");
    if (signature->bshd) record.set_string(key::data_format, "BSHD");
  }
  return true;
}

}  // namespace

const Operator* operator_of_call(std::string_view name, const ArgumentLists& lists) {
  const Operator* op = find_operator(name);
  const std::string_view called = without_namespace(name);
  if (!op || (called != "max" && called != "min")) return op;
  const std::vector<ArgumentShapes> arguments = argument_shapes(lists.shapes);
  if (arguments.empty() || is_tensor(arguments, quoted(lists.types), 1)) return op;
  return find_operator(called == "max" ? "reduce_max" : "reduce_min");
}

std::optional<Work> work_of_call(const Operator& op, std::string_view name, const ArgumentLists& arguments, Trace* trace) {
  Record record;
  if (!fill_arguments(record, op, name, arguments)) return std::nullopt;
  const Result<Work> work = op.derive(record, trace);
  return work ? std::optional<Work>(*work) : std::nullopt;
}

std::string quoted_words(std::string_view json) {
  const Result<Json> list = parse_json(json, "a list");
  std::string out = "(";
  if (list)
    for (const Json& item : *list) out += (out.size() > 1 ? ", '" : "'") + text_of(item) + '\'';
  return out + ')';
}

}  // namespace roofline
