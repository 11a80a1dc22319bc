#include "network/openvino/layer_sizes.hpp"

#include <algorithm>

namespace roofline::openvino {

bool is_open(const Lengths& lengths) {
  return std::any_of(lengths.begin(), lengths.end(), [](double length) { return !known(length); });
}

std::vector<Lengths> LayerSizes::shapes() const {
  std::vector<Lengths> out;
  for (std::size_t i = 0; i < inputs(); ++i)
    if (has(i)) out.push_back(shape(i));
  return out;
}

work::Types LayerSizes::types(std::size_t data, std::size_t weight) const { return {in(data).type, in(weight).type, out().type}; }

void LayerSizes::follow(std::size_t output, const Lengths& lengths) {
  if (output >= outputs_.size()) return;
  Lengths& shape = tensors_[outputs_[output]].shape;
  for (std::size_t i = 0; i < shape.size() && shape.size() == lengths.size(); ++i)
    if (!known(shape[i]) && lengths[i] >= 0) shape[i] = lengths[i];
}

void LayerSizes::follow_all(const Lengths& lengths) {
  for (std::size_t i = 0; i < outputs(); ++i) follow(i, lengths);
}

void LayerSizes::guess(std::size_t output, const Lengths& lengths) {
  const bool open = is_open(out(output).shape);
  follow(output, lengths);
  guessed_ = guessed_ || (open && !is_open(out(output).shape));
}

}  // namespace roofline::openvino
