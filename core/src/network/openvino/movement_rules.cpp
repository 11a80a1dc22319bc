// Layers that move elements, or only look at them in another shape. What they move where is in the weights' file: open lengths follow where
// the lengths that the XML states leave one way.
#include <algorithm>
#include <cmath>
#include <optional>

#include "network/openvino/rules.hpp"

namespace roofline::openvino {
namespace {

bool same(double a, double b) { return a == b || (!known(a) && !known(b)); }
bool same(const Lengths& a, const Lengths& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}

/// The lengths of `in` that its file leaves open, in their order.
Lengths open_of(const TensorSize& in) {
  Lengths out;
  for (std::size_t i = 0; i < in.stored.size(); ++i)
    if (!known(in.stored[i])) out.push_back(in.shape[i]);
  return out;
}

/// `stored` with its open lengths put in, in their order. Empty where there are more or fewer.
Lengths in_order(const Lengths& stored, const Lengths& open) {
  Lengths out = stored;
  std::size_t next = 0;
  for (double& length : out)
    if (!known(length)) {
      if (next == open.size()) return {};
      length = open[next++];
    }
  return next == open.size() ? out : Lengths();
}

double known_product(const Lengths& lengths) {
  double out = 1;
  for (const double length : lengths) out *= known_or(length, 1);
  return out;
}

/// As many elements as before. Several open lengths are taken to stay as they are, in their order, where all else stays as long, too.
void reshape(LayerSizes& n) {
  const TensorSize &in = n.in(0), &out = n.out();
  const auto open = std::count_if(out.shape.begin(), out.shape.end(), [](double length) { return !known(length); });
  if (open == 1 && !is_open(in.shape)) {
    Lengths filled = out.shape;
    const double rest = known_product(filled), length = elements_of(in.shape) / rest;
    if (rest > 0 && length == std::floor(length))
      for (double& l : filled)
        if (!known(l)) l = length;
    return n.follow(0, filled);
  }
  if (open > 1 && known_product(in.stored) == known_product(out.stored)) n.guess(0, in_order(out.stored, open_of(in)));
}

/// Lengths of 1 come or go, the others keep their order.
void unsqueeze(LayerSizes& n) { n.follow(0, in_order(n.out().stored, open_of(n.in(0)))); }

/// One open length, or all of them as long, can only go one way. Several are taken to keep their order, where the others show a
/// transposition.
void transpose(LayerSizes& n) {
  const TensorSize &in = n.in(0), &out = n.out();
  const Lengths open = open_of(in), filled = in_order(out.stored, open);
  if (std::adjacent_find(open.begin(), open.end(), [](double a, double b) { return !(a == b); }) == open.end())
    n.follow(0, filled);
  else if (!same(in.stored, out.stored))
    n.guess(0, filled);
}

/// Only one dimension changes, and the stated lengths show which.
void one_dimension(LayerSizes& n) {
  const TensorSize& in = n.in(0);
  for (std::size_t output = 0; output < n.outputs(); ++output) {
    const Lengths& out = n.out(output).stored;
    if (out.size() != in.stored.size()) continue;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (known(out[i]) && known(in.stored[i]) && out[i] != in.stored[i]) {
        n.follow(output, in.shape);
        break;
      }
  }
}

/// Several axes may be cut; a list of one start cuts one.
void slice(LayerSizes& n) {
  if (n.shape(1).size() == 1 && n.shape(1)[0] == 1) one_dimension(n);
}

/// Masks name the dimensions that stay whole, and those behind the list of starts do.
void strided_slice(LayerSizes& n) {
  const auto any = [&](const char* mask) {
    const Lengths bits = n.layer().numbers(mask);
    return std::any_of(bits.begin(), bits.end(), [](double bit) { return bit != 0; });
  };
  const Lengths &in = n.shape(0), begin = n.layer().numbers("begin_mask"), end = n.layer().numbers("end_mask");
  if (in.size() != n.out().shape.size() || any("new_axis_mask") || any("shrink_axis_mask") || any("ellipsis_mask")) return slice(n);
  const double starts = n.shape(1).size() == 1 ? n.shape(1)[0] : unknown;
  Lengths out(in.size(), unknown);
  for (std::size_t i = 0; i < in.size(); ++i)
    if (static_cast<double>(i) >= starts || (i < begin.size() && begin[i] == 1 && i < end.size() && end[i] == 1)) out[i] = in[i];
  n.follow(0, out);
  slice(n);
}

/// A length other than 1 stays. One that is 1 now is taken to stay, too.
void broadcast_to(LayerSizes& n) {
  const Lengths& in = n.shape(0);
  if (in.size() != n.out().shape.size()) return;
  Lengths longer = in;
  for (double& length : longer)
    if (length == 1) length = unknown;
  n.follow(0, longer);
  Lengths open = in;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (known(n.in(0).stored[i])) open[i] = unknown;
  n.guess(0, open);
}

void concat(LayerSizes& n) {
  const Lengths& first = n.shape(0);
  double axis = n.layer().number("axis", unknown);
  axis += axis < 0 ? static_cast<double>(first.size()) : 0;
  if (!(axis >= 0 && axis < static_cast<double>(first.size()))) return;
  Lengths out(first.size(), unknown);
  double sum = 0;
  for (const Lengths& shape : n.shapes()) {
    if (shape.size() != out.size()) return;
    sum += shape[static_cast<std::size_t>(axis)];
    for (std::size_t i = 0; i < out.size(); ++i)
      if (known(shape[i])) out[i] = shape[i];
  }
  out[static_cast<std::size_t>(axis)] = sum;
  n.follow(0, out);
}

/// The lengths of a table with those of the indices in place of one of them. Empty where that cannot be.
Lengths gathered(const Lengths& table, const Lengths& indices, std::size_t axis) {
  Lengths out(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(out.end(), indices.begin(), indices.end());
  out.insert(out.end(), table.begin() + static_cast<std::ptrdiff_t>(axis) + 1, table.end());
  return out;
}

/// The axis that the stated lengths fit, the first of them. nullopt: none does.
std::optional<std::size_t> gather_axis(const LayerSizes& n) {
  const TensorSize &table = n.in(0), &indices = n.in(1);
  if (n.layer().number("batch_dims", 0) != 0) return std::nullopt;
  for (std::size_t axis = 0; axis < table.stored.size(); ++axis)
    if (same(gathered(table.stored, indices.stored, axis), n.out().stored)) return axis;
  return std::nullopt;
}

void gather(LayerSizes& n) {
  if (const auto axis = gather_axis(n)) n.follow(0, gathered(n.shape(0), n.shape(1), *axis));
}

void gather_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  if (const auto axis = gather_axis(n))
    work::look_up(out, n.shape(0), n.shape(1), static_cast<double>(*axis), n.in(0).constant, {n.out().type, n.in(0).type, n.out().type});
  else
    work::movement(out, "copy", {n.out().shape}, n.out().shape, n.out().type);
}

void depth_to_space(LayerSizes& n) {
  const double block = n.layer().number("block_size", 1);
  Lengths out = n.shape(0);
  for (std::size_t i = 2; i < out.size(); ++i) out[i] *= n.layer().type == "DepthToSpace" ? block : 1 / block;
  n.follow(0, out);
}

void moved(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::movement(out, rule.as, {n.shape(0)}, n.out().shape, n.in(0).type);
}
void written(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::movement(out, rule.as, {n.out().shape}, n.out().shape, n.out().type);
}
void concat_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::movement(out, "concat", n.shapes(), n.out().shape, n.out().type);
}
void read_again(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::movement(out, "copy", {n.shape(0)}, n.shape(0), n.in(0).type);
}
/// What is scattered is read and written; the rest stays where it is.
void updates(const LayerSizes& n, const LayerRule&, SizedNode& out) { work::movement(out, "copy", {n.shape(2)}, n.shape(2), n.in(2).type); }

constexpr LayerRule movement_table[] = {
    {"Reshape", reshape, nullptr, {}, Fusing::vanishes},
    {"Squeeze", unsqueeze, nullptr, {}, Fusing::vanishes},
    {"Unsqueeze", unsqueeze, nullptr, {}, Fusing::vanishes},
    {"Identity", as_first, nullptr, {}, Fusing::vanishes},
    {"Transpose", transpose, moved, "transpose", Fusing::vanishes},
    {"ShapeOf"},
    {"Concat", concat, concat_work},
    {"Split", one_dimension, read_again},
    {"VariadicSplit", one_dimension, read_again},
    {"Slice", slice, moved, "copy"},
    {"StridedSlice", strided_slice, moved, "copy"},
    {"Crop", nullptr, moved, "copy"},
    {"Gather", gather, gather_work},
    {"GatherND", nullptr, written, "copy"},
    {"GatherElements", nullptr, written, "copy"},
    {"GatherTree", as_first, moved, "copy"},
    {"ScatterUpdate", as_first, updates},
    {"ScatterElementsUpdate", as_first, updates},
    {"ScatterNDUpdate", as_first, updates},
    {"Broadcast", broadcast_to, moved, "repeat"},
    {"Tile", nullptr, moved, "repeat"},
    {"Pad", nullptr, moved, "copy"},
    {"DepthToSpace", depth_to_space, moved, "copy"},
    {"SpaceToDepth", depth_to_space, moved, "copy"},
    {"BatchToSpace", nullptr, moved, "copy"},
    {"SpaceToBatch", nullptr, moved, "copy"},
    {"ShuffleChannels", as_first, moved, "copy"},
    {"Reverse", as_first, moved, "copy"},
    {"ReverseSequence", as_first, moved, "copy"},
    {"Roll", as_first, moved, "copy"},
    {"ReorgYolo", nullptr, moved, "copy"},
    {"ExtractImagePatches", nullptr, moved, "copy"},
    {"OneHot", nullptr, written, "fill"},
    {"Range", nullptr, written, "fill"},
    {"Eye", nullptr, written, "fill"},
    {"RandomUniform", nullptr, written, "fill"},
    {"NonZero", nullptr, read_again},
    {"Unique", nullptr, read_again},
    {"TopK", one_dimension, read_again},
    {"NonMaxSuppression"},
    {"MulticlassNms"},
    {"MatrixNms"},
    {"PriorBox"},
    {"PriorBoxClustered"},
    {"ReadValue", as_first},
    {"Assign", as_first},
};

}  // namespace

std::span<const LayerRule> movement_rules() { return movement_table; }

}  // namespace roofline::openvino
