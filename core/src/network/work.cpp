#include "network/work.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <roofline/base/names.hpp>
#include <roofline/operators/operator.hpp>
#include <set>

namespace roofline::work {
namespace {

/// Whether there is something to count. Where a length is not known, the node says so.
bool countable(SizedNode& node, std::initializer_list<const Lengths*> shapes) {
  bool some = true;
  for (const Lengths* shape : shapes)
    for (const double length : *shape) {
      if (!std::isfinite(length)) return node.not_counted = reason::no_shape, false;
      some = some && length > 0;
    }
  return some;
}
bool countable(SizedNode& node, const std::vector<Lengths>& shapes) {
  return std::all_of(shapes.begin(), shapes.end(), [&](const Lengths& shape) { return countable(node, {&shape}); });
}

/// Whether shapes broadcast to one.
bool fit(const std::vector<Lengths>& shapes) {
  Lengths all;
  for (const Lengths& shape : shapes) all = broadcast(all, shape);
  return std::all_of(all.begin(), all.end(), [](double length) { return known(length); });
}

RecordText record(std::string_view type, const Types& types) {
  RecordText out(type);
  const auto put = [&](const char* key, const TensorType& of) {
    if (of.format != no_format) out.set(key, Formats::catalogue()[of.format].id);
  };
  put("data_type", types.data);
  if (types.weight.format != types.data.format) put("weight_type", types.weight);
  if (types.output.format != types.data.format) put("output_type", types.output);
  return out;
}

/// The type of a complex number's two parts; nullopt: the type is not complex.
std::optional<TensorType> part_of_complex(const TensorType& type) {
  constexpr std::pair<double, std::string_view> parts[] = {{32, "fp16"}, {64, "fp32"}, {128, "fp64"}};
  for (const auto& [bits, part] : parts)
    if (type.format == no_format && type.bits == bits) return element_type(part);
  return std::nullopt;
}

/// The shapes with a dimension more, for the real and the imaginary part.
std::vector<Lengths> in_parts(std::vector<Lengths> shapes) {
  for (Lengths& shape : shapes) shape.push_back(2);
  return shapes;
}

void add(SizedNode& node, RecordText record, std::string_view part = {}) {
  if (!part.empty()) record.part(part);
  node.records.push_back(std::move(record));
}

Lengths filled(const Lengths& given, std::size_t size, double otherwise) { return given.size() == size ? given : Lengths(size, otherwise); }

/// Stride, padding and dilation of an operator that slides over images.
void put_window(RecordText& out, const Window& window, std::size_t spatial) {
  out.set("stride", filled(window.stride, spatial, 1));
  const Lengths before = filled(window.before, spatial, 0), after = filled(window.after, spatial, 0);
  std::vector<Lengths> padding;
  for (std::size_t i = 0; i < spatial; ++i) padding.push_back({before[i], after[i]});
  out.set("padding", padding);
  if (!window.dilation.empty()) out.set("dilation", filled(window.dilation, spatial, 1));
}

/// Operators of any format that count as another one, by normalised() name. An alias of one format alone is in its reader's table.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {{"bitshift", "mul"},
                                                                     {"bitwiseleftshift", "mul"},
                                                                     {"bitwiserightshift", "mul"},
                                                                     {"rightshift", "mul"},
                                                                     {"floormod", "mod"},
                                                                     {"atan2", "div"},
                                                                     {"greaterorequal", "compare"},
                                                                     {"lessorequal", "compare"},
                                                                     {"thresholdedrelu", "relu"},
                                                                     {"bernoulli", "relu"},
                                                                     {"softsign", "elu"},  // x / (1 + |x|): three functions
                                                                     {"shrink", "clamp"},
                                                                     {"tan", "sin"},
                                                                     {"asin", "sin"},
                                                                     {"acos", "sin"},
                                                                     {"atan", "sin"},
                                                                     {"sinh", "exp"},
                                                                     {"cosh", "exp"},
                                                                     {"asinh", "log"},
                                                                     {"acosh", "log"},
                                                                     {"atanh", "log"},
                                                                     {"isnan", "not"},
                                                                     {"isinf", "not"},
                                                                     {"isfinite", "not"},
                                                                     {"ceiling", "round"},
                                                                     {"bucketize", "round"},
                                                                     {"castlike", "cast"},
                                                                     {"convertlike", "cast"},
                                                                     {"quantize", "cast"},
                                                                     {"dequantize", "cast"},
                                                                     {"fakequant", "cast"},
                                                                     {"fakequantize", "cast"},
                                                                     {"fakeconvert", "cast"},
                                                                     {"reducel1", "sum"},
                                                                     {"reducel2", "sum"},
                                                                     {"reducelogsum", "sum"},
                                                                     {"reducelogsumexp", "sum"},
                                                                     {"reducesumsquare", "sum"}};

std::string_view operator_id(std::string_view type) {
  const std::string name = normalised(type);
  for (const auto& [alias, id] : aliases)
    if (alias == name) return id;
  const Operator* op = find_operator(type);
  return op ? op->id : type;
}

/// The letters that occur once, in alphabetical order.
std::string single_letters(const std::string& terms) {
  std::set<char> out;
  for (const char c : terms)
    if (c != ',' && c != '.' && std::count(terms.begin(), terms.end(), c) == 1) out.insert(c);
  return {out.begin(), out.end()};
}

/// Of one operand: the labels that the result lacks are summed over.
void sum_of_labels(SizedNode& node, std::string_view equation, const Lengths& input, const Types& types) {
  const std::size_t arrow = equation.find("->");
  Lengths summed, kept;
  for (std::size_t i = 0; i < std::min(input.size(), arrow); ++i)
    if (equation.find(equation[i], arrow) == std::string_view::npos)
      summed.push_back(static_cast<double>(i));
    else
      kept.push_back(input[i]);
  reduction(node, "sum", input, summed, kept, types.data, types.output);
}

/// Of several operands: a multiply-add for each combination of the labels, as of two.
void product_of_labels(SizedNode& node, std::string_view equation, const std::vector<Lengths>& inputs, const Types& types) {
  std::map<char, double> lengths;
  std::size_t operand = 0, axis = 0;
  double bytes = 0;
  const std::size_t arrow = equation.find("->");
  for (const char c : equation.substr(0, arrow)) {
    if (c == ',')
      ++operand, axis = 0;
    else if (const double length = operand < inputs.size() ? roofline::length(inputs[operand], static_cast<std::int64_t>(axis++)) : unknown;
             !(lengths[c] >= length))  // a length of 1 is broadcast
      lengths[c] = length;
  }
  double macs = 1, written = 1;
  for (const auto& [label, length] : lengths) {
    macs *= length;
    if (equation.find(label, arrow) != std::string_view::npos) written *= length;
  }
  for (const Lengths& input : inputs) bytes += elements_of(input) * types.data.bits / 8;
  stated(node, "contraction", macs, bytes + written * types.output.bits / 8, types);
}

}  // namespace

void pad_between(Window& window, const Lengths& input, const Lengths& kernel, const Lengths& output, bool transposed) {
  window.before.clear();
  window.after.clear();
  for (std::size_t i = 0; i < kernel.size() && i + 2 < std::min(input.size(), output.size()); ++i) {
    const double reach = filled(window.dilation, kernel.size(), 1)[i] * (kernel[i] - 1) + 1,
                 stride = filled(window.stride, kernel.size(), 1)[i];
    const double both =
        transposed ? (input[i + 2] - 1) * stride + reach - output[i + 2] : (output[i + 2] - 1) * stride + reach - input[i + 2];
    window.before.push_back(std::floor(std::max(0.0, both) / 2));
    window.after.push_back(std::max(0.0, both) - window.before.back());
  }
}

void convolution(SizedNode& node, const Lengths& input, const Lengths& weight, const Lengths& output, const Window& window, bool transposed,
                 const Types& types) {
  if (!countable(node, {&input, &weight, &output})) return;
  if (weight.size() != input.size() || output.size() != input.size()) {
    node.not_counted = "its shapes do not belong together";
    return;
  }
  const std::size_t spatial = input.size() < 2 ? 0 : input.size() - 2;
  RecordText out = record(transposed ? "conv_transpose" : "conv", types);
  out.set("input_shape", input).set("weight_shape", weight).set("groups", window.groups);
  put_window(out, window, spatial);
  if (transposed) {
    // What the output has beyond what the window's steps make.
    Lengths beyond(spatial);
    for (std::size_t i = 0; i < spatial; ++i) {
      const double reach = filled(window.dilation, spatial, 1)[i] * (weight[i + 2] - 1) + 1;
      beyond[i] = output[i + 2] - ((input[i + 2] - 1) * filled(window.stride, spatial, 1)[i] - filled(window.before, spatial, 0)[i] -
                                   filled(window.after, spatial, 0)[i] + reach);
    }
    if (std::any_of(beyond.begin(), beyond.end(), [](double b) { return b > 0; })) out.set("output_padding", beyond);
  }
  if (window.bias) out.set("bias", true);
  add(node, std::move(out));
}

void matrix_product(SizedNode& node, const Lengths& a, const Lengths& b, const Types& types, std::string_view part, const Lengths& added) {
  if (!countable(node, {&a, &b, &added})) return;
  RecordText out = record(added.empty() ? "matmul" : "addmm", types);
  out.set("input_mat1", a).set("input_mat2", b);
  if (!added.empty()) out.set("input_input", added);
  add(node, std::move(out), part);
}

void linear(SizedNode& node, const Lengths& input, double n, double k, bool bias, const Types& types, std::string_view part) {
  const Lengths sizes{n, k};
  if (!countable(node, {&input, &sizes})) return;
  RecordText out = record("linear", types);
  out.set("input_shape", input).set("weight_shape", sizes);
  if (bias) out.set("bias", true);
  add(node, std::move(out), part);
}

std::string plain_equation(std::string_view equation, const std::vector<double>& ranks, bool last_letters) {
  std::string terms(equation);
  terms.erase(std::remove(terms.begin(), terms.end(), ' '), terms.end());
  std::string unused;
  for (char letter = 'A'; letter <= 'Z'; ++letter)
    if (terms.find(letter) == std::string::npos) unused += letter;
  const std::size_t arrow = terms.find("->");
  std::string result = arrow == std::string::npos ? "..." + single_letters(terms) : terms.substr(arrow + 2);
  terms.resize(std::min(arrow, terms.size()));

  std::vector<std::size_t> hidden;  // of each term with dots: the dimensions that they stand for
  for (std::size_t dots = terms.find("..."); dots != std::string::npos; dots = terms.find("...", dots + 3)) {
    const auto operand = static_cast<std::size_t>(std::count(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(dots), ','));
    if (operand >= ranks.size() || !known(ranks[operand])) return {};
    const std::size_t comma = terms.rfind(',', dots), begin = comma == std::string::npos ? 0 : comma + 1;
    const std::size_t named = std::min(terms.find(',', dots), terms.size()) - begin - 3, rank = static_cast<std::size_t>(ranks[operand]);
    hidden.push_back(rank - std::min(rank, named));
    if (hidden.back() > unused.size()) return {};
  }
  const std::size_t most = hidden.empty() ? 0 : *std::max_element(hidden.begin(), hidden.end());
  const std::string letters = unused.substr(last_letters ? unused.size() - most : 0, most);
  for (const std::size_t count : hidden) terms.replace(terms.find("..."), 3, letters.substr(most - count));
  if (const std::size_t dots = result.find("..."); dots != std::string::npos) result.replace(dots, 3, letters);
  return terms + "->" + result;
}

void einsum(SizedNode& node, std::string_view equation, const std::vector<Lengths>& inputs, const Types& types) {
  if (equation.empty()) {
    node.not_counted = "its equation does not match its operands, or needs more letters than there are";
    return;
  }
  if (!countable(node, inputs)) return;
  if (inputs.size() == 1) return sum_of_labels(node, equation, inputs[0], types);
  if (inputs.size() > 2) return product_of_labels(node, equation, inputs, types);
  add(node, record("einsum", types).set("equation", equation).set("inputs", inputs));
}

void attention(SizedNode& node, const AttentionSizes& s, const Types& types, std::string_view part) {
  const Lengths sizes{s.batch, s.heads, s.kv_heads, s.head_dim, s.head_dim_v, s.query_length, s.context};
  if (!countable(node, {&sizes})) return;
  RecordText out = record("attention", types);
  out.set("batch", s.batch).set("heads", s.heads);
  if (s.kv_heads != s.heads) out.set("kv_heads", s.kv_heads);
  out.set("head_dim", s.head_dim);
  if (s.head_dim_v != s.head_dim) out.set("head_dim_v", s.head_dim_v);
  add(node, std::move(out.set("query_length", s.query_length).set("context", s.context)), part);
}

void rotation(SizedNode& node, const AttentionSizes& s, TensorType data) {
  const Lengths rotated{s.batch, s.query_length, (s.heads + s.kv_heads) * s.head_dim};
  elementwise(node, "rope", {rotated}, rotated, data, data, "rotation");
}

void pool(SizedNode& node, const Lengths& input, const Lengths& kernel, const Lengths& output, const Window& window, const Types& types) {
  if (!countable(node, {&input, &kernel, &output})) return;
  if (kernel.size() + 2 != input.size() || output.size() != input.size()) return movement(node, "copy", {input}, output, types.data);
  RecordText out = record("pool", types);
  out.set("input_shape", input).set("kernel_size", kernel);
  put_window(out, window, kernel.size());
  for (std::size_t i = 0; i < kernel.size() && i + 2 < output.size(); ++i) {
    const double reach = filled(window.dilation, kernel.size(), 1)[i] * (kernel[i] - 1) + 1;
    const double steps = (input[i + 2] + filled(window.before, kernel.size(), 0)[i] + filled(window.after, kernel.size(), 0)[i] - reach) /
                         filled(window.stride, kernel.size(), 1)[i];
    if (output[i + 2] > steps + 1) {
      out.set("ceil_mode", true);
      break;
    }
  }
  add(node, std::move(out));
}

void global_pool(SizedNode& node, const Lengths& input, const Lengths& output, const Types& types) {
  if (!countable(node, {&input, &output})) return;
  if (output.size() < 2) return movement(node, "copy", {input}, output, types.data);
  add(node, record("adaptive_pool", types).set("input_shape", input).set("output_size", tail(output, 2)));
}

void elementwise(SizedNode& node, std::string_view type, const std::vector<Lengths>& inputs, const Lengths& output, TensorType data,
                 TensorType written, std::string_view part) {
  if (const auto part_type = part_of_complex(data); part_type && part_of_complex(written))
    return elementwise(node, type, in_parts(inputs), in_parts({output})[0], *part_type, *part_type, part);
  if (!countable(node, inputs)) return;
  if (!fit(inputs)) {
    node.not_counted = reason::unequal_operands;
    return;
  }
  if (!countable(node, {&output})) return;
  const std::string_view id = operator_id(type);
  add(node, record(id, {data, data, written}).set("inputs", inputs).set("output_shape", output), part);
}

void reduction(SizedNode& node, std::string_view type, const Lengths& input, const Lengths& axes, const Lengths& output, TensorType data,
               TensorType written) {
  if (!countable(node, {&input, &output})) return;
  if (axes.empty()) return movement(node, "copy", {input}, output, data);
  add(node, record(operator_id(type), {data, data, written}).set("input_shape", input).set("axis", axes));
}

void softmax(SizedNode& node, const Lengths& input, TensorType data, TensorType written) {
  if (countable(node, {&input})) add(node, record("softmax", {data, data, written}).set("input_shape", input));
}

void norm(SizedNode& node, std::string_view type, const Lengths& input, const Lengths& normalized, const Types& types,
          std::string_view part, bool affine) {
  if (!countable(node, {&input, &normalized})) return;
  RecordText out = record(type, types);
  out.set("input_shape", input);
  if (!affine) out.set("affine", false);
  if (!normalized.empty()) out.set("normalized_shape", normalized);
  add(node, std::move(out), part);
}

void movement(SizedNode& node, std::string_view type, const std::vector<Lengths>& inputs, const Lengths& output, TensorType data) {
  if (const auto part_type = part_of_complex(data)) return movement(node, type, in_parts(inputs), in_parts({output})[0], *part_type);
  std::vector<Lengths> some;
  for (const Lengths& input : inputs)
    if (std::find(input.begin(), input.end(), 0.0) == input.end()) some.push_back(input);
  if (some.empty() || !countable(node, some) || !countable(node, {&output})) return;
  // A copy that is no longer as large as what it is of: a part of it, or it with more around it.
  double read = 0, written = 1;
  for (const Lengths& input : some) read += std::accumulate(input.begin(), input.end(), 1.0, std::multiplies<>());
  for (const double length : output) written *= length;
  if (type == "copy" && read != written) {
    const bool pads = written > read && operator_id(node.type) == "pad";
    if (!pads && (written > read || some.size() > 1))
      return stated(node, node.type, 0, (read + written) * data.bits / 8, {data, data, data});
    type = pads ? "pad" : "slice";
  }
  if (type == "pad" && written < read) type = "slice";  // negative padding crops
  RecordText out = record(type, {data, data, data});
  if (type == "concat" || some.size() > 1)
    out.set("inputs", some);
  else
    out.set("input_shape", some[0]);
  add(node, std::move(out.set("output_shape", output)));
}

void look_up(SizedNode& node, const Lengths& table, const Lengths& indices, double axis, bool weight, const Types& types) {
  if (!countable(node, {&table, &indices})) return;
  if (weight && table.size() == 2 && axis == 0)
    return add(node, record("embedding", types).set("indices_shape", indices).set("weight_shape", table));
  add(node, record("gather", types).set("input_shape", table).set("indices_shape", indices).set("axis", axis));
}

void resize(SizedNode& node, std::string_view mode, const Lengths& input, const Lengths& output, TensorType data, const Lengths& grid) {
  if (!countable(node, {&input, &output, &grid})) return;
  if (input.size() < 3 || output.size() != input.size()) return movement(node, "copy", {input}, output, data);
  if (input[0] != output[0] || input[1] != output[1]) {
    // Channels last, or no batch: the dimensions that keep their lengths count as channels.
    Lengths from{1, 1}, to{1, 1};
    for (std::size_t i = 0; i < input.size(); ++i)
      if (input[i] == output[i])
        from[1] = to[1] = from[1] * input[i];
      else
        from.push_back(input[i]), to.push_back(output[i]);
    return resize(node, mode, from, to, data, grid);
  }
  const bool cubic = mode.find("cubic") != std::string_view::npos;
  RecordText out = record(cubic ? "resize_cubic" : mode == "nearest" ? "resize" : "resize_linear", {data, data, data});
  if (!grid.empty()) out.add("fused_elements", elements_of(grid));
  add(node, std::move(out.set("input_shape", input).set("output_size", tail(output, 2))));
}

void stated(SizedNode& node, std::string_view type, double macs, double bytes, const Types& types, std::string_view part) {
  if (!known(macs) || !known(bytes)) {
    node.not_counted = reason::no_shape;
    return;
  }
  add(node, record(type, types).set("macs", macs).set("bytes", bytes), part);
}

}  // namespace roofline::work
