#include "network/torch/sized_call.hpp"

#include <algorithm>

namespace roofline::torch_export {

TensorId SizedCall::id(std::string_view argument, std::size_t place) const {
  const Argument* a = call_.find(argument);
  return a && place < a->tensors.size() ? a->tensors[place] : no_tensor;
}

std::vector<TensorId> SizedCall::tensors() const {
  std::vector<TensorId> out;
  for (const Argument& a : call_.arguments)
    for (const TensorId tensor : a.tensors)
      if (tensor != no_tensor) out.push_back(tensor);
  return out;
}

const Lengths& SizedCall::shape_of(TensorId id) const {
  static const Lengths none;
  return id == no_tensor ? none : tensors_[id].shape;
}

const Lengths& SizedCall::out(std::size_t place) const { return shape_of(place < call_.outputs.size() ? call_.outputs[place] : no_tensor); }

TensorType SizedCall::out_type(std::size_t place) const { return type_of(place < call_.outputs.size() ? call_.outputs[place] : no_tensor); }

bool SizedCall::writes_something() const { return std::find(out().begin(), out().end(), 0.0) == out().end(); }

double SizedCall::number(std::string_view argument, double otherwise) const {
  const Lengths values = list(argument);
  return values.empty() ? otherwise : values[0];
}

Lengths SizedCall::list(std::string_view argument) const {
  Lengths out;
  if (const Argument* a = call_.find(argument))
    for (const Number& n : a->numbers) out.push_back(n.expression == Number::stated ? n.value : expressions_[n.expression]);
  return out;
}

Lengths SizedCall::list(std::string_view argument, std::size_t size, double otherwise) const {
  Lengths out = list(argument);
  if (out.size() == 1) out.resize(size, out[0]);
  return out.size() == size ? out : Lengths(size, otherwise);
}

std::string_view SizedCall::text(std::string_view argument) const {
  const Argument* a = call_.find(argument);
  return a ? std::string_view(a->text) : std::string_view();
}

}  // namespace roofline::torch_export
