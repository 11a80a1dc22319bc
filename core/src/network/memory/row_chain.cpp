#include "network/memory/row_chain.hpp"

#include <algorithm>
#include <cmath>

#include "network/tensor_uses.hpp"

namespace roofline {
namespace {

using Uses = std::vector<TensorUse>;

struct Step {
  std::size_t node = no_node;
  TensorId from = no_tensor;
  RowWindow window;
};

/// Empty for a node with other outputs that are read: stripes are of the first output alone.
std::optional<Step> step_from(const SizedNetwork& network, const Uses& uses, std::size_t node, TensorId from) {
  const std::vector<TensorId>& writes = network.nodes[node].writes;
  if (!network.nodes[node].body.empty() || writes.empty()) return std::nullopt;
  if (std::any_of(writes.begin() + 1, writes.end(), [&](TensorId id) { return uses[id].readers > 0; })) return std::nullopt;
  const std::optional<RowWindow> window = row_window(network, network.nodes[node], from);
  return window ? std::optional(Step{node, from, *window}) : std::nullopt;
}

/// Prefers the input that only this node reads: the chain continues with its producer.
std::optional<Step> step_at(const SizedNetwork& network, const Uses& uses, std::size_t node) {
  std::optional<Step> other;
  for (const TensorId id : network.nodes[node].reads) {
    if (network.tensors[id].constant) continue;
    const std::optional<Step> step = step_from(network, uses, node, id);
    if (step && uses[id].readers == 1 && uses[id].maker != no_node) return step;
    if (step && !other) other = step;
  }
  return other;
}

/// Whether it suffices to hold stripes of a tensor: one node makes it, and one node alone reads it.
bool can_be_cut(const SizedNetwork& network, const Uses& uses, TensorId id) {
  return uses[id].readers == 1 && uses[id].reader != no_node && uses[id].maker != no_node && !network.tensors[id].always_alive;
}

/// Rows of each tensor along the steps; NaN if no step fixes them. Returns false if two steps disagree at tensor `conflict`.
bool set_rows(const std::vector<Step>& steps, std::vector<double>& rows, std::size_t& conflict) {
  rows.assign(steps.size() + 1, unknown);
  const auto put = [&](std::size_t tensor, double count) {
    if (!known(count)) return true;
    if (known(rows[tensor]) && rows[tensor] != count) return conflict = tensor, false;
    rows[tensor] = count;
    return true;
  };
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (!put(k, steps[k].window.in_rows) || !put(k + 1, steps[k].window.out_rows)) return false;
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (!known(steps[k].window.in_rows) && !put(k + 1, rows[k])) return false;
  for (std::size_t k = steps.size(); k-- > 0;)
    if (!known(steps[k].window.in_rows) && !put(k, rows[k + 1])) return false;
  return true;
}

}  // namespace

RowChain row_chain(const SizedNetwork& network, std::size_t at, std::size_t most) {
  const Uses uses = tensor_uses(network);
  std::vector<Step> steps;
  const std::optional<Step> own = step_at(network, uses, at);
  if (!own) return {};
  steps.push_back(*own);
  std::size_t place = 0;
  for (; place < most && can_be_cut(network, uses, steps.front().from); ++place) {
    const std::size_t maker = uses[steps.front().from].maker;
    const std::optional<Step> step = network.nodes[maker].writes[0] == steps.front().from ? step_at(network, uses, maker) : std::nullopt;
    if (!step) break;
    steps.insert(steps.begin(), *step);
  }
  for (std::size_t i = 0; i < most; ++i) {
    const TensorId made = network.nodes[steps.back().node].writes[0];
    if (!can_be_cut(network, uses, made)) break;
    const std::optional<Step> step = step_from(network, uses, uses[made].reader, made);
    if (!step) break;
    steps.push_back(*step);
  }
  RowChain out;
  for (std::size_t conflict = 0; !set_rows(steps, out.rows, conflict);) {
    // Drops the steps beyond the tensor at which two steps disagree.
    if (conflict <= place) {
      steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(conflict, 1)));
      place -= std::min(place, std::max<std::size_t>(conflict, 1));
    } else {
      steps.resize(std::min(conflict, steps.size() - 1));
    }
    if (steps.empty()) return {};
  }
  if (!known(out.rows[0])) {
    // Only element-wise operations: a row is one vector of the last dimension.
    const SizedTensor& tensor = network.tensors[steps[0].from];
    const double last = tensor.shape.empty() ? unknown : tensor.shape.back();
    std::fill(out.rows.begin(), out.rows.end(), tensor.elements() / last);
    if (!known(out.rows[0]) || out.rows[0] < 1) return {};
  }
  out.at = place;
  for (const Step& step : steps) {
    out.nodes.push_back(step.node);
    out.windows.push_back(step.window);
    out.tensors.push_back(step.from);
  }
  out.tensors.push_back(network.nodes[steps.back().node].writes[0]);
  return out;
}

Stripes in_stripes(const SizedNetwork& network, const RowChain& chain, std::size_t first, std::size_t last, double height, bool streaming) {
  const auto row_bytes = [&](std::size_t tensor) { return network.tensors[chain.tensors[tensor]].bytes() / chain.rows[tensor]; };
  Stripes out;
  double macs = 0, computed = 0;
  for (std::size_t k = first; k <= last; ++k) macs += chain.windows[k].macs;
  for (double begin = 0; begin < chain.rows[last + 1]; begin += height) {
    RowRange range{begin, std::min(begin + height, chain.rows[last + 1])};
    ++out.tiles;
    for (std::size_t k = last + 1; k-- > first;) {
      const RowRange in = chain.windows[k].needed(range);
      const bool view = network.tensors[chain.tensors[k + 1]].view_of != no_tensor;
      const double read = k > first || streaming ? in.rows() * row_bytes(k) : 0;
      const double written = (k < last || streaming) && !view ? range.rows() * row_bytes(k + 1) : 0;
      out.bytes = std::max(out.bytes, read + written);
      computed += chain.windows[k].macs * range.rows() / chain.rows[k + 1];
      range = in;
    }
  }
  out.bytes = std::ceil(out.bytes);
  out.recomputed = macs > 0 ? computed / macs - 1 : 0;
  return out;
}

std::vector<double> stripe_heights(double rows) {
  std::vector<double> out;
  double stripes = 2;
  while (stripes <= std::min(rows, most_stripes)) {
    out.push_back(std::ceil(rows / stripes));
    stripes = std::max(stripes + 1, std::ceil(rows / (out.back() - 1)));  // from 2^53 rows on, one row less is as many
  }
  return out;
}

}  // namespace roofline
