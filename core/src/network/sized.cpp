#include "network/sized.hpp"

#include <cmath>

namespace roofline {

TensorType element_type(std::string_view format_id) {
  const auto id = Formats::catalogue().find(format_id);
  if (!id) return {};
  const Format& format = Formats::catalogue()[*id];
  return {format.bits, *id, format.family == FormatFamily::integer};
}

double SizedTensor::elements() const {
  if (!has_shape) return unknown;
  double product = 1;
  for (const double length : shape) {
    if (length == 0) return 0;
    product *= length;
  }
  return product;
}

double SizedTensor::bytes() const { return known(stored_bytes) ? stored_bytes : std::ceil(elements() * type.bits / 8); }

}  // namespace roofline
