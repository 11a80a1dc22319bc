#include "network/sized.hpp"

#include <cmath>
#include <utility>

namespace roofline {

TensorType element_type(std::string_view format_id) {
  const auto id = Formats::catalogue().find(format_id);
  if (!id) return {};
  const Format& format = Formats::catalogue()[*id];
  return {format.bits, *id, format.family == FormatFamily::integer};
}

double elements_of(const std::vector<double>& lengths) {
  double elements = 1;
  for (const double length : lengths) {
    if (length == 0) return 0;
    elements *= length;
  }
  return elements;
}

std::vector<double> transposed(std::vector<double> shape, bool swap) {
  if (swap && shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

double SizedTensor::elements() const { return has_shape ? elements_of(shape) : unknown; }

double SizedTensor::bytes() const { return known(stored_bytes) ? stored_bytes : std::ceil(elements() * type.bits / 8); }

}  // namespace roofline
