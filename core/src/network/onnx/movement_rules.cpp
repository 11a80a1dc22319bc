// Operators that reorder, split, join and select elements. Small values are tracked, because shapes are made of them.
#include <algorithm>
#include <cmath>

#include "network/onnx/elements.hpp"
#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

void transpose(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  Values order = n.node().numbers("perm");
  if (order.empty())
    for (std::size_t i = shape->size(); i-- > 0;) order.push_back(static_cast<double>(i));
  Lengths out;
  for (const double axis : order)
    out.push_back(axis >= 0 && axis < static_cast<double>(shape->size()) ? (*shape)[static_cast<std::size_t>(axis)] : unknown);
  n.set(0, std::move(out));
  if (!n.values(0)) return;
  set_elements(n, 0, [&](const Place& at) {
    Place from(at.size(), unknown);
    for (std::size_t i = 0; i < at.size(); ++i)
      if (order[i] >= 0 && order[i] < static_cast<double>(from.size())) from[static_cast<std::size_t>(order[i])] = at[i];
    return element_at(n, 0, from);
  });
}

void expand(NodeSizes& n) {
  if (!n.shape(0)) return;
  if (n.values(1)) {
    n.set(0, broadcast(n.lengths(0), *n.values(1)));
    if (n.values(0)) set_elements(n, 0, [&](const Place& at) { return broadcast_element_at(n, 0, at); });
  } else if (known(n.length(1, 0))) {
    n.set_rank(0, std::max(n.length(1, 0), static_cast<double>(n.shape(0)->size())));
  }
}

void tile(NodeSizes& n) {
  if (!n.shape(0)) return;
  Lengths out = n.lengths(0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= n.values(1) && i < n.values(1)->size() ? (*n.values(1))[i] : unknown;
  n.set(0, std::move(out));
  if (!n.values(0)) return;
  set_elements(n, 0, [&](Place at) {
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::fmod(at[i], n.lengths(0)[i]);
    return element_at(n, 0, at);
  });
}

// --- parts and wholes -------------------------------------------------------------------------------------------------------------------

/// The length of the dimension `axis`, which may count from the end; null: there is no such dimension.
double* length_at(Lengths& shape, double axis) {
  axis += axis < 0 ? static_cast<double>(shape.size()) : 0;
  return axis >= 0 && axis < static_cast<double>(shape.size()) ? &shape[static_cast<std::size_t>(axis)] : nullptr;
}

void concat(NodeSizes& n) {
  std::optional<Lengths> out;
  std::size_t axis = 0;
  bool some_values = false;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    const Lengths* shape = n.shape(i);
    if (!shape) return;
    some_values = some_values || n.values(i);
    if (!out) {
      out = *shape;
      axis = n.dimension(shape->size(), 0);
      if (axis == shape->size()) return;
    } else {
      if (shape->size() != out->size()) return;
      for (std::size_t d = 0; d < out->size(); ++d)
        if (d == axis)
          (*out)[d] += (*shape)[d];
        else if (!known((*out)[d]))
          (*out)[d] = (*shape)[d];
    }
  }
  if (!out) return;
  n.set(0, std::move(*out));
  if (!some_values) return;
  set_elements(n, 0, [&](Place at) {
    std::size_t part = 0;
    while (part + 1 < n.inputs() && at[axis] >= n.lengths(part)[axis]) at[axis] -= n.lengths(part++)[axis];
    return element_at(n, part, at);
  });
}

/// An end from here on stands for "to the end".
constexpr double to_the_end = 0x7fffffff;

void slice(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  Lengths out = *shape;
  const std::optional<Values> starts = n.list("starts", 1), ends = n.list("ends", 2);
  std::optional<Values> axes = n.list("axes", 3), steps = n.list("steps", 4);
  if (!starts || !ends || !axes || !steps) {
    // Where it cuts is not known: only the axes that it names lose their lengths.
    if (axes && !axes->empty())
      for (const double axis : *axes) {
        if (double* length = length_at(out, axis)) *length = unknown;
      }
    else
      std::fill(out.begin(), out.end(), unknown);
    return n.set(0, std::move(out));
  }
  // A table of the file does not bound a length that the user sets: past its end the length is the one asked for.
  const bool of_table = n.is_constant(0) || n.in(0).of_table;
  const bool bounded = !of_table || !n.has(2) || (n.is_constant(1) && n.is_constant(2));
  bool past_end = false;
  Place first(out.size(), 0), step_of(out.size(), 1);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    double* length = length_at(out, i < axes->size() ? (*axes)[i] : static_cast<double>(i));
    if (!length) return;
    const double step = i < steps->size() ? (*steps)[i] : 1, full = *length;
    const auto place = [&](double at, double least, double most) {
      if (!bounded && step > 0 && at > most && at < to_the_end) return past_end = true, at;
      return std::clamp(at < 0 ? at + full : at, least, std::max(least, most));
    };
    const double from = (*starts)[i], to = i < ends->size() ? (*ends)[i] : unknown;
    if (!known(full) || !known(from) || !known(to) || !(std::fabs(step) >= 1)) {
      *length = unknown;
      continue;
    }
    const double begin = step > 0 ? place(from, 0, full) : place(from, -1, full - 1);
    const double end = step > 0 ? place(to, 0, full) : place(to, -1, full - 1);
    *length = std::max(0.0, std::ceil((end - begin) / step));
    first[static_cast<std::size_t>(length - out.data())] = begin;
    step_of[static_cast<std::size_t>(length - out.data())] = step;
  }
  n.set(0, std::move(out));
  if (of_table) n.set_of_table(0, past_end);
  if (!n.values(0)) return;
  set_elements(n, 0, [&](Place at) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = first[d] + at[d] * step_of[d];
    return element_at(n, 0, at);
  });
}

void gather(NodeSizes& n) {
  const Lengths *data = n.shape(0), *indices = n.shape(1);
  if (!data || !indices) return;
  const std::size_t axis = n.dimension(data->size(), 0);
  if (axis == data->size()) return;
  const auto at = static_cast<std::ptrdiff_t>(axis), behind = at + static_cast<std::ptrdiff_t>(indices->size());
  Lengths out(data->begin(), data->begin() + at);
  out.insert(out.end(), indices->begin(), indices->end());
  out.insert(out.end(), data->begin() + at + 1, data->end());
  n.set(0, std::move(out));
  if (!n.values(1)) return;
  if (n.is_constant(0) && std::any_of(n.values(1)->begin(), n.values(1)->end(), [&](double i) { return i >= (*data)[axis]; }))
    n.set_of_table(0, true);
  if (!n.values(0)) return;
  set_elements(n, 0, [&](const Place& place) {
    double index = element_at(n, 1, Place(place.begin() + at, place.begin() + behind));
    index += index < 0 ? (*data)[axis] : 0;
    Place from(place.begin(), place.begin() + at);
    from.push_back(index);
    from.insert(from.end(), place.begin() + behind, place.end());
    return element_at(n, 0, from);
  });
}

void gather_nd(NodeSizes& n) {
  const Lengths *data = n.shape(0), *indices = n.shape(1);
  if (!data || !indices || indices->empty() || !known(indices->back())) return;
  const double batches = n.number("batch_dims", 0);
  if (!(batches >= 0 && batches <= static_cast<double>(data->size()) && indices->back() <= static_cast<double>(data->size()))) return;
  const auto batch = static_cast<std::size_t>(batches), depth = static_cast<std::size_t>(indices->back());
  Lengths out(indices->begin(), indices->end() - 1);
  for (std::size_t i = batch + depth; i < data->size(); ++i) out.push_back((*data)[i]);
  n.set(0, std::move(out));
}

/// The first input with some of its elements replaced: each row of the indices names where a row of the updates goes.
void scatter_nd(NodeSizes& n) {
  as_first(n);
  if (!n.values(0) || !n.values(1) || !n.values(2) || !n.shape(1) || n.shape(1)->empty()) return;
  const Lengths &shape = n.lengths(0), &indices = n.lengths(1);
  const auto depth = static_cast<std::size_t>(indices.back());
  if (depth == 0 || depth > shape.size() || n.node().text("reduction", "none") != "none") return;
  const auto row = static_cast<std::size_t>(elements_of(tail(shape, depth)));
  const Lengths outer(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(depth));
  Values values = *n.values(0);
  for (std::size_t i = 0; (i + 1) * depth <= n.values(1)->size(); ++i) {
    Place at(n.values(1)->begin() + static_cast<std::ptrdiff_t>(i * depth),
             n.values(1)->begin() + static_cast<std::ptrdiff_t>((i + 1) * depth));
    for (std::size_t d = 0; d < depth; ++d) at[d] += at[d] < 0 ? outer[d] : 0;
    const std::optional<std::size_t> to = element_number(outer, at);
    if (!to || (i + 1) * row > n.values(2)->size()) return;
    std::copy_n(n.values(2)->begin() + static_cast<std::ptrdiff_t>(i * row), row, values.begin() + static_cast<std::ptrdiff_t>(*to * row));
  }
  n.set_values(0, std::move(values));
}

void as_indices(NodeSizes& n) {
  if (n.shape(1)) n.set(0, n.lengths(1));
}

void split(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  const std::size_t axis = n.dimension(shape->size(), 0);
  if (axis == shape->size()) return;
  const std::optional<Values> sizes = n.list("split", 1);
  const auto parts = static_cast<double>(n.outputs());
  const double whole = (*shape)[axis];
  double begin = 0;
  for (std::size_t i = 0; i < n.outputs(); ++i) {
    Lengths out = *shape;
    const double even = std::ceil(whole / parts);  // the last part is what is left
    out[axis] = !sizes              ? unknown
                : sizes->empty()    ? (i + 1 < n.outputs() ? even : whole - even * (parts - 1))
                : i < sizes->size() ? (*sizes)[i]
                                    : unknown;
    n.set_type(i, n.type(0));
    const double part = out[axis];
    n.set(i, std::move(out));
    if (n.values(0))
      set_elements(n, i, [&](Place at) {
        at[axis] += begin;
        return element_at(n, 0, at);
      });
    begin += part;
  }
}

void pad(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  const std::optional<Values> pads = n.list("pads", 1), axes = n.list("axes", 3);
  Lengths out = *shape;
  if (!pads || !axes) {
    std::fill(out.begin(), out.end(), unknown);
    return n.set(0, std::move(out));
  }
  const std::size_t padded = pads->size() / 2;
  for (std::size_t i = 0; i < padded; ++i) {
    double* length = length_at(out, i < axes->size() ? (*axes)[i] : static_cast<double>(i));
    if (length) *length += (*pads)[i] + (*pads)[i + padded];
  }
  n.set(0, std::move(out));
}

void one_hot(NodeSizes& n) {
  n.set_type(0, n.type(2));
  if (!n.shape(0)) return;
  Lengths out = n.lengths(0);
  const double axis = n.number("axis", -1), rank = static_cast<double>(out.size()) + 1;
  const double at = axis < 0 ? axis + rank : axis;
  if (at >= 0 && at < rank) out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), n.scalar(1));
  n.set(0, std::move(out));
}

template <bool to_space>
void space_and_depth(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  const double block = n.number("blocksize", unknown);
  if (!shape || shape->size() != 4) return;
  const double area = block * block, factor = to_space ? 1 / area : area, side = to_space ? block : 1 / block;
  n.set(0, {(*shape)[0], (*shape)[1] * factor, (*shape)[2] * side, (*shape)[3] * side});
}

// --- what the data decide ---------------------------------------------------------------------------------------------------------------

void nonzero(NodeSizes& n) {
  n.set_type(0, element_type("int64"));
  if (n.shape(0)) n.set(0, {static_cast<double>(n.shape(0)->size()), n.decided_by_data(0, elements_of(n.lengths(0)))});
}

void unique(NodeSizes& n) {
  for (std::size_t i = 1; i < n.outputs(); ++i) n.set_type(i, element_type("int64"));
  if (!n.shape(0)) return;
  const double axis = n.number("axis", unknown);
  const double most = known(axis) ? n.length(0, static_cast<int>(axis)) : elements_of(n.lengths(0)), count = n.decided_by_data(0, most);
  Lengths out = n.lengths(0);
  if (!known(axis))
    out = {count};
  else if (const std::size_t at = n.dimension(out.size(), 0); at < out.size())
    out[at] = count;
  n.set(0, out);
  for (std::size_t i = 1; i < n.outputs(); ++i) n.set(i, {i == 2 ? most : count});
}

void compress(NodeSizes& n) {
  if (!n.shape(0)) return;
  const double axis = n.number("axis", unknown);
  Lengths out = n.lengths(0);
  if (!known(axis)) {
    out = {n.decided_by_data(0, elements_of(out))};
  } else {
    const std::size_t at = n.dimension(out.size(), 0);
    if (at == out.size()) return;
    out[at] = n.decided_by_data(0, out[at]);
  }
  n.set(0, std::move(out));
}

void top_k(NodeSizes& n) {
  n.set_type(1, element_type("int64"));
  if (!n.shape(0)) return;
  Lengths out = n.lengths(0);
  const std::size_t at = n.dimension(out.size(), -1);
  if (at == out.size()) return;
  const double k = n.has(1) ? n.scalar(1) : n.number("k", unknown);
  out[at] = known(k) ? k : n.decided_by_data(0, out[at]);
  n.set(0, out);
  n.set(1, std::move(out));
}

/// The output is [selected, 3]. Input 2 limits how many are selected for each class and image.
void non_max_suppression(NodeSizes& n) {
  n.set_type(0, element_type("int64"));
  const double boxes = n.length(0, 1), classes = n.length(1, 0) * n.length(1, 1), each = n.has(2) ? n.scalar(2) : 0;
  n.set(0, {n.decided_by_data(0, classes * (known(each) ? std::min(each, boxes) : boxes)), 3});
}

// --- work -------------------------------------------------------------------------------------------------------------------------------

void move_work(const NodeSizes& n, SizedNode& out, std::string_view type) {
  work::movement(out, type, {n.lengths(0)}, n.out_lengths(0), n.type(0));
}
void transpose_work(const NodeSizes& n, SizedNode& out) { move_work(n, out, "transpose"); }
void slice_work(const NodeSizes& n, SizedNode& out) {
  const Lengths& input = n.out(0).past_end ? n.out_lengths(0) : n.lengths(0);
  work::movement(out, "slice", {input}, n.out_lengths(0), n.type(0));
}
void repeat_work(const NodeSizes& n, SizedNode& out) { move_work(n, out, "repeat"); }
void copy_work(const NodeSizes& n, SizedNode& out) { move_work(n, out, "copy"); }
void concat_work(const NodeSizes& n, SizedNode& out) {
  std::vector<Lengths> inputs;
  for (std::size_t i = 0; i < n.inputs(); ++i)
    if (n.shape(i)) inputs.push_back(n.lengths(i));
  work::movement(out, "concat", inputs, n.out_lengths(0), n.type(0));
}
void split_work(const NodeSizes& n, SizedNode& out) { work::movement(out, "copy", {n.lengths(0)}, n.lengths(0), n.type(0)); }
void gather_work(const NodeSizes& n, SizedNode& out) {
  const bool weight = n.is_constant(0);
  work::look_up(out, n.lengths(0), n.lengths(1), n.axis(static_cast<double>(n.shape(0)->size()), 0), weight,
                {n.type(0), n.type(0), n.out_type(0)});
}
/// What is gathered or scattered is read and written; the rest stays where it is.
void updates_work(const NodeSizes& n, SizedNode& out) {
  const Lengths* updates = n.shape(2);
  if (updates) work::movement(out, "copy", {*updates}, *updates, n.type(0));
}
/// Each index is read once, and a row written for it.
void one_hot_work(const NodeSizes& n, SizedNode& out) { work::movement(out, "repeat", {n.lengths(0)}, n.out_lengths(0), n.out_type(0)); }
/// All of the first `inputs` is read, however little is found.
template <std::size_t inputs = 1>
void search_work(const NodeSizes& n, SizedNode& out) {
  double bytes = 0;
  for (std::size_t i = 0; i < inputs; ++i)
    if (n.has(i)) bytes += elements_of(n.lengths(i)) * n.type(i).bits / 8;
  for (std::size_t i = 0; i < n.outputs(); ++i)
    if (n.node().output(i) != no_tensor) bytes += elements_of(n.out_lengths(i)) * n.out_type(i).bits / 8;
  work::stated(out, out.type, 0, bytes, types_of(n, 0));
}
void output_work(const NodeSizes& n, SizedNode& out) { work::movement(out, "copy", {n.out_lengths(0)}, n.out_lengths(0), n.out_type(0)); }

constexpr OperatorRule movement_table[] = {
    {"Transpose", transpose, transpose_work, Fusing::vanishes},
    {"Expand", expand, repeat_work},
    {"Tile", tile, repeat_work},
    {"Concat", concat, concat_work},
    {"Slice", slice, slice_work},
    {"Gather", gather, gather_work},
    {"GatherElements", as_indices, output_work},
    {"GatherND", gather_nd, output_work},
    {"Scatter", as_first, updates_work},
    {"ScatterElements", as_first, updates_work},
    {"ScatterND", scatter_nd, updates_work},
    {"TensorScatter", as_first, updates_work},
    {"Split", split, split_work},
    {"Pad", pad, copy_work},
    {"OneHot", one_hot, one_hot_work},
    {"Trilu", as_first, copy_work},
    {"ReverseSequence", as_first, copy_work},
    {"DepthToSpace", space_and_depth<true>, copy_work},
    {"SpaceToDepth", space_and_depth<false>, copy_work},
    {"NonZero", nonzero, search_work<>},
    {"Unique", unique, search_work<>},
    {"Compress", compress, output_work},
    {"TopK", top_k, search_work<>},
    {"NonMaxSuppression", non_max_suppression, search_work<2>},
};

}  // namespace

std::span<const OperatorRule> movement_rules() { return movement_table; }

}  // namespace roofline::onnx
