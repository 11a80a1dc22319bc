// Operators that make values and shapes, and views, which move nothing. What shapes are made of is followed.
#include <algorithm>
#include <cmath>
#include <set>

#include "network/onnx/rules.hpp"

namespace roofline::onnx {
namespace {

void constant(NodeSizes& n) {
  const PlacedNode& node = n.node();
  if (const Attribute* value = node.find("value"); value && value->tensor) {
    n.set(0, value->tensor->shape);
    n.set_type(0, value->tensor->type);
    if (!value->tensor->values.empty() || elements_of(value->tensor->shape) == 0) n.set_values(0, value->tensor->values);
    return;
  }
  if (const Attribute* sparse = node.find("sparse_value"); sparse && sparse->tensor) {
    n.set(0, sparse->tensor->shape);
    n.set_type(0, sparse->tensor->type);
    return;
  }
  for (const char* list : {"value_ints", "value_floats"})
    if (const Attribute* value = node.find(list)) {
      n.set(0, {static_cast<double>(value->numbers.size())});
      n.set_values(0, value->numbers);
      n.set_type(0, element_type(list == std::string_view("value_ints") ? "int64" : "fp32"));
    }
  for (const char* one : {"value_int", "value_float"})
    if (const Attribute* value = node.find(one); value && value->number) {
      n.set(0, {});
      n.set_values(0, {*value->number});
      n.set_type(0, element_type(one == std::string_view("value_int") ? "int64" : "fp32"));
    }
}

void shape_of(NodeSizes& n) {
  n.set_type(0, element_type("int64"));
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  const auto rank = static_cast<double>(shape->size());
  const auto place = [&](double at) { return at >= -rank && at <= rank ? std::floor(at < 0 ? at + rank : at) : at < 0 ? 0 : rank; };
  const double begin = place(n.number("start", 0)), end = std::max(begin, place(n.number("end", rank)));
  n.set(0, {end - begin});
  n.set_values(0, Values(shape->begin() + static_cast<std::ptrdiff_t>(begin), shape->begin() + static_cast<std::ptrdiff_t>(end)));
}

void size_of(NodeSizes& n) {
  n.set_type(0, element_type("int64"));
  n.set(0, {});
  if (n.shape(0)) n.set_values(0, {elements_of(n.lengths(0))});
}

void constant_of_shape(NodeSizes& n) {
  const Attribute* value = n.node().find("value");
  n.set_type(0, value && value->tensor ? value->tensor->type : element_type("fp32"));
  if (!n.values(0)) return n.set_rank(0, n.length(0, 0));
  n.set(0, *n.values(0));
  n.fill(0, !value || !value->tensor ? 0 : value->tensor->values.empty() ? unknown : value->tensor->values[0]);
}

void range(NodeSizes& n) {
  const double start = n.scalar(0), limit = n.scalar(1), delta = n.scalar(2);
  const bool all = known(start) && known(limit) && known(delta) && delta != 0;
  const double count = all ? std::max(0.0, std::ceil((limit - start) / delta)) : unknown;
  n.set(0, {count});
  if (!(count <= followed_values)) return;
  Values values;
  for (double i = 0; i < count; ++i) values.push_back(start + i * delta);
  n.set_values(0, std::move(values));
}

/// The first input's elements in their order under another shape.
void set_view(NodeSizes& n, Lengths shape) {
  n.set(0, std::move(shape));
  if (n.values(0)) n.set_values(0, *n.values(0));
}

void reshape(NodeSizes& n) {
  const std::optional<Values> target = n.list("shape", 1);
  if (!target) return n.set_rank(0, n.length(1, 0));
  Lengths out = *target;
  std::size_t open = out.size(), opens = 0;
  double others = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == 0 && !n.flag("allowzero")) out[i] = n.length(0, static_cast<int>(i));
    if (out[i] == -1 || !known(out[i])) {
      open = i, ++opens;
      out[i] = unknown;
    } else {
      others *= out[i];
    }
  }
  // One length that is left follows from the elements.
  if (opens == 1 && n.shape(0)) out[open] = others > 0 ? elements_of(n.lengths(0)) / others : unknown;
  set_view(n, std::move(out));
}

void flatten(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  const double rank = static_cast<double>(shape->size()), first = n.number("axis", 1);
  if (!(first >= -rank && first <= rank)) return;
  const auto axis = static_cast<std::ptrdiff_t>(first < 0 ? first + rank : first);
  set_view(n, {elements_of(Lengths(shape->begin(), shape->begin() + axis)), elements_of(tail(*shape, static_cast<std::size_t>(axis)))});
}

void squeeze(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  const std::optional<Values> axes = n.list("axes", 1);
  if (!shape || !axes) return;
  std::set<double> removed;
  for (const double axis : *axes) removed.insert(axis < 0 ? axis + static_cast<double>(shape->size()) : axis);
  Lengths out;
  for (std::size_t i = 0; i < shape->size(); ++i)
    if (axes->empty() ? (*shape)[i] != 1 : !removed.contains(static_cast<double>(i))) out.push_back((*shape)[i]);
  set_view(n, std::move(out));
}

void unsqueeze(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  const std::optional<Values> axes = n.list("axes", 1);
  if (!shape || !axes) return;
  const std::size_t rank = shape->size() + axes->size();
  if (rank > 64) return;
  std::set<double> added;
  for (const double axis : *axes) added.insert(axis < 0 ? axis + static_cast<double>(rank) : axis);
  Lengths out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i)
    if (added.contains(static_cast<double>(i)))
      out.push_back(1);
    else
      out.push_back(next < shape->size() ? (*shape)[next++] : unknown);
  set_view(n, std::move(out));
}

constexpr OperatorRule shape_table[] = {
    {"Constant", constant},
    {"Shape", shape_of},
    {"Size", size_of},
    {"ConstantOfShape", constant_of_shape},
    {"Range", range},
    {"EyeLike", as_first},
    {"RandomNormalLike", as_first},
    {"RandomUniformLike", as_first},
    {"Reshape", reshape, nullptr, Fusing::vanishes},
    {"Flatten", flatten, nullptr, Fusing::vanishes},
    {"Squeeze", squeeze, nullptr, Fusing::vanishes},
    {"Unsqueeze", unsqueeze, nullptr, Fusing::vanishes},
};

}  // namespace

std::span<const OperatorRule> shape_rules() { return shape_table; }

}  // namespace roofline::onnx
