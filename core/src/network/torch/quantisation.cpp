#include "network/torch/quantisation.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

bool is_quantize(const Call& call) { return call.target.starts_with("quantize_") || call.target == "quantize_affine"; }
TensorId first_tensor(const Call& call) {
  for (const Argument& a : call.arguments)
    if (!a.tensors.empty()) return a.tensors[0];
  return no_tensor;
}
TensorId first_output(const Call& call) { return call.outputs.empty() ? no_tensor : call.outputs[0]; }

class IntegerFinder {
 public:
  IntegerFinder(const std::vector<Call>& calls, const std::vector<TensorId>& kept, const std::vector<SizedTensor>& tensors,
                const Lengths& expressions, SeenTypes& seen)
      : calls_(calls), tensors_(tensors), expressions_(expressions), seen_(seen), kept_(kept.begin(), kept.end()) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const Argument& a : calls[i].arguments)
        for (const TensorId id : a.tensors)
          if (id != no_tensor && (readers_[id].empty() || readers_[id].back() != i)) readers_[id].push_back(i);
      for (const TensorId id : calls[i].outputs)
        if (id != no_tensor) maker_[id] = i;
    }
  }

  std::vector<bool> run() {
    std::vector<bool> vanishes(calls_.size(), false);
    if (std::none_of(calls_.begin(), calls_.end(), is_dequantize)) return vanishes;
    find_quantised();
    for (const Call& call : calls_) look_at(call);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = calls_[i];
      const TensorId in = first_tensor(call), out = first_output(call);
      if (in == no_tensor || out == no_tensor) continue;
      if (is_quantize(call)) vanishes[i] = on_integers_.contains(in);
      if (is_dequantize(call)) {
        const auto readers = readers_.find(out);
        vanishes[i] = tensors_[out].constant || (!kept_.contains(out) && readers != readers_.end() &&
                                                 std::all_of(readers->second.begin(), readers->second.end(), [&](std::size_t r) {
                                                   return on_integers_.contains(first_output(calls_[r]));
                                                 }));
      }
    }
    for (const auto& [id, type] : on_integers_) seen_[id] = type;
    return vanishes;
  }

 private:
  /// Of quant_min to quant_max, where these leave fewer bits than the tensor has.
  [[nodiscard]] TensorType stored_type(const Call& call, TensorId id) const {
    const SizedCall c(call, tensors_, seen_, expressions_);
    const double range = c.number("quant_max", unknown) - c.number("quant_min", unknown);
    return range < 16 && tensors_[id].type.bits == 8 ? int4_type(c.number("group_size", unknown)) : tensors_[id].type;
  }

  /// The integers behind a tensor: those that are dequantised to it, through views, or those that a call before already computes with.
  [[nodiscard]] std::optional<TensorType> behind(TensorId id, int depth = 0) const {
    if (const auto found = on_integers_.find(id); found != on_integers_.end()) return found->second;
    const auto made = maker_.find(id);
    if (made == maker_.end() || depth > 16) return std::nullopt;
    const Call& call = calls_[made->second];
    const TensorId from = first_tensor(call);
    if (from == no_tensor) return std::nullopt;
    if (is_dequantize(call)) return stored_type(call, from);
    const Rule* rule = find_rule(call);
    return rule && rule->fusing == Fusing::vanishes && rule->keeps_type ? behind(from, depth + 1) : std::nullopt;
  }

  /// Looks at each call once, from the last one backwards: the readers of a result come behind its call.
  void find_quantised() {
    for (std::size_t i = calls_.size(); i-- > 0;) {
      const TensorId id = first_output(calls_[i]);
      if (const std::optional<TensorType> to = id == no_tensor ? std::nullopt : find_quantised_to(id)) quantised_to_[id] = *to;
    }
  }
  /// The integers that all readers of a tensor quantise it to.
  [[nodiscard]] std::optional<TensorType> find_quantised_to(TensorId id) const {
    const auto readers = readers_.find(id);
    if (kept_.contains(id) || readers == readers_.end()) return std::nullopt;
    std::optional<TensorType> out;
    for (const std::size_t reader : readers->second) {
      const Call& call = calls_[reader];
      const TensorId to = first_output(call);
      const Rule* rule = find_rule(call);
      std::optional<TensorType> type;
      if (to != no_tensor && is_quantize(call) && first_tensor(call) == id)
        type = tensors_[to].type;
      else if (const auto found = quantised_to_.find(to); found != quantised_to_.end() && rule && rule->keeps_type)
        type = found->second;
      if (!type) return std::nullopt;
      out = type;
    }
    return out;
  }

  /// A call runs on integers where all it is given are, and its result becomes some; else its weights alone do.
  void look_at(const Call& call) {
    if (is_quantize(call) || is_dequantize(call) || !find_rule(call)) return;
    bool all = true, some = false;
    std::vector<std::pair<TensorId, TensorType>> data, weights;
    for (const Argument& a : call.arguments)
      for (const TensorId id : a.tensors) {
        if (id == no_tensor) continue;
        const std::optional<TensorType> integers = behind(id);
        const bool constant = tensors_[id].constant;
        if (integers) (constant ? weights : data).emplace_back(id, *integers);
        if (constant || tensors_[id].type.integer) continue;
        some = true;
        all = all && integers;
      }
    for (const auto& [id, type] : weights) seen_[id] = type;
    const TensorId out = first_output(call);
    const auto to = quantised_to_.find(out);
    if (!some || !all || to == quantised_to_.end()) return;
    for (const auto& [id, type] : data) seen_[id] = type;
    for (const TensorId id : call.outputs)
      if (id != no_tensor) on_integers_[id] = to->second;
  }

  const std::vector<Call>& calls_;
  const std::vector<SizedTensor>& tensors_;
  const Lengths& expressions_;
  SeenTypes& seen_;
  std::set<TensorId> kept_;
  std::unordered_map<TensorId, std::vector<std::size_t>> readers_;
  std::unordered_map<TensorId, std::size_t> maker_;
  std::unordered_map<TensorId, TensorType> quantised_to_;
  std::unordered_map<TensorId, TensorType> on_integers_;
};

}  // namespace

bool is_dequantize(const Call& call) { return call.target.starts_with("dequantize"); }

TensorType int4_type(double group) {
  TensorType out = element_type(group <= 32 ? "int4_g32" : group <= 64 ? "int4_g64" : "int4_g128");
  out.bits = 4;
  return out;
}

std::vector<bool> see_integers(const std::vector<Call>& calls, const std::vector<TensorId>& kept, const std::vector<SizedTensor>& tensors,
                               const Lengths& expressions, SeenTypes& seen) {
  return IntegerFinder(calls, kept, tensors, expressions, seen).run();
}

}  // namespace roofline::torch_export
