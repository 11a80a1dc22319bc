#include "network/onnx/elements.hpp"

namespace roofline::onnx {

std::optional<std::size_t> element_number(const Lengths& shape, const Place& place) {
  if (shape.size() != place.size()) return std::nullopt;
  std::size_t out = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!(place[i] >= 0 && place[i] < shape[i])) return std::nullopt;
    out = out * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(place[i]);
  }
  return out;
}

double element_at(const NodeSizes& n, std::size_t input, const Place& place) {
  const Values* values = n.values(input);
  if (!values || !n.shape(input)) return unknown;
  const std::optional<std::size_t> at = element_number(n.lengths(input), place);
  return at && *at < values->size() ? (*values)[*at] : unknown;
}

double broadcast_element_at(const NodeSizes& n, std::size_t input, const Place& place) {
  const Lengths& shape = n.lengths(input);
  if (shape.size() > place.size()) return unknown;
  Place own(place.end() - static_cast<std::ptrdiff_t>(shape.size()), place.end());
  for (std::size_t i = 0; i < own.size(); ++i)
    if (shape[i] == 1) own[i] = 0;
  return element_at(n, input, own);
}

void set_elements(NodeSizes& n, std::size_t output, const std::function<double(const Place&)>& value) {
  const Lengths& shape = n.out_lengths(output);
  if (!n.out(output).shape || !(elements_of(shape) <= followed_values)) return;
  Values values;
  each_place(shape, [&](const Place& place) { values.push_back(value(place)); });
  n.set_values(output, std::move(values));
}

}  // namespace roofline::onnx
