#include "read/trace/pytorch/convolutions.hpp"

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/operations/arguments.hpp"

namespace roofline {
namespace {

struct Shapes {
  Json input, output, weight;
  bool transposed = false;
};

bool is_tensor(const Json& shape) { return shape.is_array() && shape.size() >= 3; }

double elements(const Json& shape, std::size_t from = 0) {
  double product = 1;
  for (std::size_t i = from; i < shape.size(); ++i) product *= number_of(shape[i]);
  return product;
}

/// By the shapes: a transposed weight is [Ci, Co / groups, kernel...]. False where Ci = Co: they do not tell.
bool is_transposed(const Json& input, const Json& output, const Json& weight) { return weight[0] == input[1] && weight[0] != output[1]; }

/// Of aten::convolution_backward(grad_output, input, weight, ...), or of its predecessors (input, grad_output, weight, ...).
std::optional<Shapes> shapes_of_backward(std::string_view name, std::string_view text) {
  if (!contains(name, "convolution_backward") || !name.ends_with("backward")) return std::nullopt;
  const Result<Json> list = parse_json(text, "shapes");
  if (!list || !list->is_array() || list->size() < 3) return std::nullopt;
  const bool output_first = name == "aten::convolution_backward";
  Shapes s{(*list)[output_first ? 1 : 0], (*list)[output_first ? 0 : 1], (*list)[2]};
  if (!is_tensor(s.input) || !is_tensor(s.output) || !is_tensor(s.weight)) return std::nullopt;
  s.transposed = is_transposed(s.input, s.output, s.weight);
  return s;
}

/// Every kernel is applied at each position of the output; of a transposed convolution at each of the input.
double product_of(const Shapes& s) { return 2 * elements(s.transposed ? s.input : s.output) * elements(s.weight, 1); }

Work of_input(const Shapes& s) {
  Work work;
  work.matrix_flops = product_of(s);
  work.weight = elements(s.weight);
  work.activation = elements(s.output);
  work.output = elements(s.input);
  return work;
}

Work of_weight(const Shapes& s) {
  Work work;
  work.matrix_flops = product_of(s);
  work.activation = elements(s.input) + elements(s.output);
  work.output = elements(s.weight);
  return work;
}

}  // namespace

std::optional<Work> Convolutions::backward(std::string_view name, std::string_view shapes, std::string_view values) {
  std::optional<Shapes> s = shapes_of_backward(name, shapes);
  if (!s) return std::nullopt;
  constexpr std::size_t transposed = 7;  // of aten::convolution_backward's arguments
  if (const auto words = quoted(values); name == "aten::convolution_backward" && words.size() > transposed)
    s->transposed = words[transposed] == "True";
  const Output output{compact(s->output), s->transposed};
  const auto [found, is_new] = output_.emplace(compact(s->input) + compact(s->weight), output);
  if (!is_new && found->second != output) found->second = {};
  const std::size_t flags = values.rfind("[");  // "[True, True, False]": input, weight, bias
  const std::string_view mask = flags == std::string_view::npos ? std::string_view() : values.substr(flags);
  const bool stated = mask.starts_with("[True") || mask.starts_with("[False");
  const bool input = !stated || mask.starts_with("[True"), weight = !stated || mask.substr(mask.find(',') + 1).starts_with(" True");
  if (input && weight) {
    Work work = of_input(*s);
    const Work second = of_weight(*s);
    work.matrix_flops += second.matrix_flops;
    work.activation += second.activation;
    work.output += second.output;
    return work;
  }
  return input ? of_input(*s) : of_weight(*s);
}

std::optional<Work> Convolutions::gradient(std::string_view name, std::string_view around, std::string_view shapes) {
  const bool input = name.ends_with("_backward_input"), weight = name.ends_with("_backward_weight");
  if (!input && !weight) return std::nullopt;
  const std::optional<Shapes> s = shapes_of_backward(around, shapes);
  if (!s) return std::nullopt;
  return input ? of_input(*s) : of_weight(*s);
}

std::optional<Work> Convolutions::forward(std::string_view shapes) const {
  const Result<Json> list = parse_json(shapes, "shapes");
  if (!list || !list->is_array() || list->size() < 2) return std::nullopt;
  const auto found = output_.find(compact((*list)[0]) + compact((*list)[1]));
  if (found == output_.end() || found->second.shape.empty()) return std::nullopt;
  const Result<Json> output = parse_json(found->second.shape, "a shape");
  if (!output) return std::nullopt;
  const Shapes s{(*list)[0], *output, (*list)[1], found->second.transposed};
  Work work;
  work.matrix_flops = product_of(s);
  work.weight = elements(s.weight);
  work.activation = elements(s.input);
  work.output = elements(s.output);
  return work;
}

}  // namespace roofline
