#include "network/quantised/integers.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace roofline {
namespace {

class IntegerFinder {
 public:
  IntegerFinder(const std::vector<IntegerStep>& steps, const std::vector<TensorId>& kept, std::vector<SizedTensor>& tensors)
      : steps_(steps), tensors_(tensors), kept_(kept.begin(), kept.end()), uses_(steps.size()), runs_(steps.size(), false) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const TensorId id : steps[i].reads)
        if (id != no_tensor && (readers_[id].empty() || readers_[id].back() != i)) readers_[id].push_back(i);
      for (const TensorId id : steps[i].writes)
        if (id != no_tensor) maker_[id] = i;
    }
  }

  std::vector<IntegerUse> find() {
    const auto dequantizes = [](const IntegerStep& s) { return s.role == IntegerRole::dequantize || s.role == IntegerRole::rounds; };
    if (std::none_of(steps_.begin(), steps_.end(), dequantizes)) return std::move(uses_);
    // Backwards: the readers of a result come behind its node.
    for (std::size_t i = steps_.size(); i-- > 0;)
      if (const TensorId out = output(steps_[i]); out != no_tensor)
        if (const std::optional<TensorType> to = find_quantised_to(out)) quantised_to_[out] = *to;
    for (std::size_t i = 0; i < steps_.size(); ++i) look_at(i);
    for (std::size_t i = steps_.size(); i-- > 0;)
      if (const TensorId out = output(steps_[i]); out != no_tensor) find_readers(out);
    for (std::size_t i = 0; i < steps_.size(); ++i) put(i);
    return std::move(uses_);
  }

 private:
  static TensorId data(const IntegerStep& step) { return step.reads.empty() ? no_tensor : step.reads[0]; }
  static TensorId output(const IntegerStep& step) { return step.writes.empty() ? no_tensor : step.writes[0]; }
  [[nodiscard]] std::optional<TensorType> behind(TensorId id) const {
    const auto found = behind_.find(id);
    return id == no_tensor || found == behind_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The integers that all readers of a tensor quantise it to.
  [[nodiscard]] std::optional<TensorType> find_quantised_to(TensorId id) const {
    const auto readers = readers_.find(id);
    if (kept_.contains(id) || readers == readers_.end()) return std::nullopt;
    std::optional<TensorType> out;
    for (const std::size_t r : readers->second) {
      const IntegerStep& reader = steps_[r];
      const auto passed = quantised_to_.find(output(reader));
      if ((reader.role == IntegerRole::quantize || reader.role == IntegerRole::rounds) && data(reader) == id)
        out = reader.stored;
      else if (reader.role == IntegerRole::keeps_type && passed != quantised_to_.end())
        out = passed->second;
      else
        return std::nullopt;
    }
    return out;
  }

  /// Whether a node runs on integers; else its weights alone may be integers, which it widens.
  void look_at(std::size_t i) {
    const IntegerStep& step = steps_[i];
    const TensorId out = output(step);
    if (out == no_tensor || step.role == IntegerRole::floats || step.role == IntegerRole::quantize) return;
    if (step.role == IntegerRole::dequantize || step.role == IntegerRole::rounds) {
      behind_[out] = step.stored;
      return;
    }
    std::vector<std::pair<TensorId, TensorType>> seen, weights;
    bool all = true, some = false;
    for (const TensorId id : step.reads) {
      if (id == no_tensor) continue;
      const std::optional<TensorType> integers = behind(id);
      const bool constant = tensors_[id].constant;
      if (integers) (constant ? weights : seen).emplace_back(id, *integers);
      if (constant || tensors_[id].type.integer) continue;
      some = true;
      all = all && integers;
    }
    const auto to = quantised_to_.find(out);
    if (step.role == IntegerRole::product)
      runs_[i] = step.reads.size() > 1 && multiply(behind(step.reads[0]), behind(step.reads[1]));
    else
      runs_[i] = some && all && to != quantised_to_.end();
    if (runs_[i]) {
      if (to != quantised_to_.end())
        for (const TensorId id : step.writes)
          if (id != no_tensor && !tensors_[id].type.integer) {
            seen.emplace_back(id, to->second);
            behind_[id] = to->second;
            stored_.insert(id);
          }
      weights.insert(weights.end(), seen.begin(), seen.end());
    } else if (step.role == IntegerRole::keeps_type && all && behind(data(step)) &&
               tensors_[data(step)].constant == tensors_[out].constant) {  // rows of a table are floats once they are looked up
      behind_[out] = *behind(data(step));
    }
    uses_[i].seen = std::move(weights);
  }

  /// Whether there are instructions for a product of both types.
  static bool multiply(const std::optional<TensorType>& a, const std::optional<TensorType>& b) {
    return a && b && a->integer == b->integer && (a->integer || std::max(a->bits, b->bits) <= 8);
  }

  /// Whether a node of role keeps_type gives the integers that its inputs are dequantised from.
  [[nodiscard]] bool passes_integers(const IntegerStep& step) const {
    return step.role == IntegerRole::keeps_type && behind(data(step)) && behind(output(step));
  }

  /// Which readers of a tensor take it as integers, themselves or behind nodes that keep the type.
  void find_readers(TensorId id) {
    const auto readers = readers_.find(id);
    if (readers == readers_.end()) return;
    bool all = !kept_.contains(id), some = false;
    for (const std::size_t r : readers->second) {
      const bool passes = !runs_[r] && passes_integers(steps_[r]);
      all = all && (passes ? read_by_all_.contains(output(steps_[r])) : runs_[r]);
      some = some || (passes ? read_by_some_.contains(output(steps_[r])) : runs_[r]);
    }
    if (all) read_by_all_.insert(id);
    if (some) read_by_some_.insert(id);
  }

  void put(std::size_t i) {
    const IntegerStep& step = steps_[i];
    const TensorId in = data(step), out = output(step);
    if (in == no_tensor || out == no_tensor) return;
    IntegerUse& use = uses_[i];
    if (tensors_[out].constant) {
      use.vanishes = step.role == IntegerRole::dequantize;
      return;
    }
    const auto made = maker_.find(in);
    switch (step.role) {
      case IntegerRole::quantize:
        use.vanishes = stored_.contains(in);
        break;
      case IntegerRole::dequantize:
        use.vanishes = read_by_all_.contains(out);
        use.stays_apart =
            !use.vanishes && made != maker_.end() && steps_[made->second].role == IntegerRole::quantize && !uses_[made->second].vanishes;
        break;
      case IntegerRole::rounds:
        put_rounding(step, use);
        break;
      case IntegerRole::keeps_type:
        if (!runs_[i] && passes_integers(step) && read_by_all_.contains(out)) {
          use.seen = {{in, *behind(in)}, {out, *behind(in)}};
          tensors_[out].integers = *behind(in);
        }
        break;
      default:
        break;
    }
    for (const TensorId id : step.writes)
      if (stored_.contains(id)) tensors_[id].integers = *behind(id);
    if (use.vanishes) tensors_[out].integers_of = in;
  }

  /// What it writes is stored as integers if a reader computes with these.
  void put_rounding(const IntegerStep& step, IntegerUse& use) {
    const TensorId in = data(step), out = output(step);
    if (stored_.contains(in)) use.seen.emplace_back(in, *behind(in));
    if (!read_by_some_.contains(out)) return;
    use.seen.emplace_back(out, step.stored);
    tensors_[out].integers = step.stored;
    use.vanishes = stored_.contains(in);
  }

  const std::vector<IntegerStep>& steps_;
  std::vector<SizedTensor>& tensors_;
  const std::set<TensorId> kept_;
  std::vector<IntegerUse> uses_;
  std::vector<bool> runs_;  // of each step: on integers
  std::unordered_map<TensorId, std::vector<std::size_t>> readers_;
  std::unordered_map<TensorId, std::size_t> maker_;
  std::unordered_map<TensorId, TensorType> quantised_to_;
  std::unordered_map<TensorId, TensorType> behind_;  // the integers that a tensor is dequantised from, or held in
  std::set<TensorId> stored_;                        // results that are written as integers
  std::set<TensorId> read_by_all_, read_by_some_;    // readers that take the tensor as integers
};

}  // namespace

std::vector<IntegerUse> use_integers(const std::vector<IntegerStep>& steps, const std::vector<TensorId>& kept,
                                     std::vector<SizedTensor>& tensors) {
  return IntegerFinder(steps, kept, tensors).find();
}

SizedNetwork keeping_integers(SizedNetwork network) {
  std::vector<SizedTensor>& tensors = network.tensors;
  for (SizedTensor& tensor : tensors) {
    if (known(tensor.integers.bits)) tensor.type = tensor.integers;
    if (tensor.integers_of != no_tensor) tensor.view_of = tensor.integers_of;
  }
  for (SizedTensor& tensor : tensors)
    while (tensor.view_of != no_tensor && tensors[tensor.view_of].view_of != no_tensor) tensor.view_of = tensors[tensor.view_of].view_of;
  return network;
}

TensorType int4_type(double block) {
  TensorType out = element_type(block <= 32 ? "int4_g32" : block <= 64 ? "int4_g64" : "int4_g128");
  out.bits = 4;
  return out;
}

}  // namespace roofline
