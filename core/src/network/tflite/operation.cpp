#include "network/tflite/operation.hpp"

#include <algorithm>

namespace roofline::tflite {

Lengths channels_first(Lengths shape) {
  if (shape.size() > 2) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return shape;
}

double Operation::elements(std::size_t input) const { return has(input) ? elements_of(shape(input)) : unknown; }

std::vector<Lengths> Operation::shapes() const {
  std::vector<Lengths> out;
  for (std::size_t i = 0; i < inputs(); ++i)
    if (has(i)) out.push_back(shape(i));
  return out;
}

}  // namespace roofline::tflite
