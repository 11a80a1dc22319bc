// Elements of small integer tensors, row by row: operators compute them because later shapes depend on them.
#pragma once

#include <functional>

#include "network/onnx/sizes.hpp"

namespace roofline::onnx {

using Place = std::vector<double>;  ///< of an element: an index for each dimension

/// Visits each place of a tensor of known lengths, the last dimension fastest.
template <class Visit>
void each_place(const Lengths& shape, const Visit& visit) {
  Place place(shape.size(), 0);
  const double count = elements_of(shape);
  for (double i = 0; i < count; ++i) {
    visit(static_cast<const Place&>(place));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++place[d] < shape[d]) break;
      place[d] = 0;
    }
  }
}

/// The number of an element, counted row by row; nullopt: there is no such place.
[[nodiscard]] std::optional<std::size_t> element_number(const Lengths& shape, const Place& place);
/// NaN: not known, or there is no such place.
[[nodiscard]] double element_at(const NodeSizes& n, std::size_t input, const Place& place);
/// The same of an input that is broadcast to the shape that `place` is in.
[[nodiscard]] double broadcast_element_at(const NodeSizes& n, std::size_t input, const Place& place);
/// Sets the values of an output whose shape is set, if it is small enough: `value` of each place.
void set_elements(NodeSizes& n, std::size_t output, const std::function<double(const Place&)>& value);

}  // namespace roofline::onnx
