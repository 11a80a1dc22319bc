#include "network/onnx/sizes.hpp"

#include <algorithm>

namespace roofline::onnx {

const TensorSize& NodeSizes::in(std::size_t input) const {
  static const TensorSize none;
  const TensorId id = node_.input(input);
  return id == no_tensor ? none : tensors_[id];
}

const TensorSize& NodeSizes::out(std::size_t output) const {
  static const TensorSize none;
  const TensorId id = node_.output(output);
  return id == no_tensor ? none : tensors_[id];
}

TensorType NodeSizes::compute_type(TensorId tensor) const {
  for (const auto& [id, type] : compute_types_)
    if (id == tensor) return type;
  return tensor == no_tensor ? TensorType() : tensors_[tensor].type;
}

namespace {
const Lengths scalar_shape;
}

const Lengths& NodeSizes::lengths(std::size_t input) const { return in(input).shape ? *in(input).shape : scalar_shape; }
const Lengths& NodeSizes::out_lengths(std::size_t output) const { return out(output).shape ? *out(output).shape : scalar_shape; }

std::size_t NodeSizes::dimension(std::size_t rank, double otherwise) const {
  const double at = axis(static_cast<double>(rank), otherwise);
  return at >= 0 && at < static_cast<double>(rank) ? static_cast<std::size_t>(at) : rank;
}

std::optional<Values> NodeSizes::list(std::string_view attribute, std::size_t input) const {
  if (const Attribute* a = node_.find(attribute)) return a->number && a->numbers.empty() ? Values{*a->number} : a->numbers;
  if (!has(input)) return Values();
  return in(input).values;
}

double NodeSizes::axis(double rank, double otherwise) const {
  const double axis = number("axis", otherwise);
  return axis < 0 ? axis + rank : axis;
}

void NodeSizes::set(std::size_t output, Lengths shape) {
  const TensorId id = node_.output(output);
  if (id != no_tensor) tensors_[id].shape = std::move(shape);
}

void NodeSizes::set_rank(std::size_t output, double rank) {
  if (rank >= 0 && rank <= 32) set(output, Lengths(static_cast<std::size_t>(rank), unknown));
}

void NodeSizes::set_values(std::size_t output, Values values) {
  const TensorId id = node_.output(output);
  if (id != no_tensor && static_cast<double>(values.size()) <= followed_values) tensors_[id].values = std::move(values);
}

void NodeSizes::fill(std::size_t output, double value) {
  const double count = elements_of(out_lengths(output));
  if (count >= 0 && count <= followed_values) set_values(output, Values(static_cast<std::size_t>(count), value));
}

void NodeSizes::set_type(std::size_t output, TensorType type) {
  const TensorId id = node_.output(output);
  if (id != no_tensor) tensors_[id].type = type;
}

void NodeSizes::set_of_table(std::size_t output, bool past_end) {
  const TensorId id = node_.output(output);
  if (id == no_tensor) return;
  tensors_[id].of_table = true;
  tensors_[id].past_end = past_end;
}

double NodeSizes::decided_by_data(std::size_t output, double most) const {
  for (const Dimension& d : dimensions_)
    if (d.decided_by_data && output < node_.node->outputs.size() && d.name == node_.node->outputs[output] && known(d.value)) return d.value;
  return most;
}

}  // namespace roofline::onnx
