#include "network/sized.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roofline {

TensorType element_type(std::string_view format_id) {
  const auto id = Formats::catalogue().find(format_id);
  if (!id) return {};
  const Format& format = Formats::catalogue()[*id];
  return {format.bits, *id, format.family == FormatFamily::integer};
}

double elements_of(const Lengths& lengths) {
  double elements = 1;
  for (const double length : lengths) {
    if (length == 0) return 0;
    elements *= length;
  }
  return elements;
}

double length(const Lengths& shape, std::int64_t dimension) {
  const auto rank = static_cast<std::int64_t>(shape.size()), at = dimension < 0 ? dimension + rank : dimension;
  return at >= 0 && at < rank ? shape[static_cast<std::size_t>(at)] : unknown;
}

Lengths tail(const Lengths& shape, std::size_t from) {
  return shape.size() < from ? Lengths() : Lengths(shape.begin() + static_cast<std::ptrdiff_t>(from), shape.end());
}

Lengths transposed(Lengths shape, bool swap) {
  if (swap && shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

Lengths broadcast(const Lengths& a, const Lengths& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Lengths out(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const double x = i + a.size() < rank ? 1 : a[i + a.size() - rank], y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    out[i] = x == 1 ? y : y == 1 || x == y ? x : !known(x) ? y : !known(y) ? x : unknown;
  }
  return out;
}

double SizedTensor::elements() const { return has_shape ? elements_of(shape) : unknown; }

double SizedTensor::bytes() const { return known(stored_bytes) ? stored_bytes : std::ceil(elements() * type.bits / 8); }

}  // namespace roofline
