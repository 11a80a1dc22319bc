// One pass over all operations: bounds block by block, each op shown to a visitor. Summary, frame and exports are such visitors.
#pragma once

#include <algorithm>
#include <roofline/analysis.hpp>

namespace roofline {

/// The thresholds of a plan, as arithmetic without branches: a million ops in random order would mispredict every one.
class Classifier {
 public:
  explicit Classifier(const Plan& plan) : bound_(plan.scenario().bound_threshold) {
    const Scenario& s = plan.scenario();
    kind_.fill(0);
    for (std::size_t i = 0; i < plan.resources().size(); ++i) kind_[i] = static_cast<std::uint8_t>(plan.resources()[i].kind);
    inefficient_ = {s.compute_threshold, s.memory_threshold, s.memory_threshold};
    launch_s_ = s.machine.launch_s.known() ? s.machine.launch_s.value : 0;
  }

  /// `predicted` 0: no bound known; `time` NaN: not measured.
  [[nodiscard]] Status status(double predicted, double time, std::uint8_t bound, double count) const {
    const unsigned kind = kind_[bound];
    unsigned s = predicted < inefficient_[kind] * time ? 4 + kind : static_cast<unsigned>(Status::normal);
    s = predicted > bound_ * time ? kind : s;
    if (launch_s_ > 0) {  // launching takes longer than the work, and explains the time
      const double launch = launch_s_ * count;
      if (launch > predicted && predicted <= bound_ * time && predicted + launch > bound_ * time) s = static_cast<unsigned>(Status::latency_bound);
    }
    s = time > 0 ? s : static_cast<unsigned>(Status::predicted);
    s = predicted > 0 ? s : static_cast<unsigned>(Status::unknown);
    return static_cast<Status>(s);
  }

 private:
  double bound_;
  std::array<double, 3> inefficient_{};
  std::array<std::uint8_t, 256> kind_{};
  double launch_s_ = 0;
};

/// One op as a visitor of fold() sees it. Times are NaN where not measured; predicted 0 where no bound is known.
struct OpView {
  std::size_t index;
  double flops, bytes, predicted_s, time_s, self_time_s;
  double whatif_flops, whatif_bytes, whatif_s;  ///< today's values without a what-if
  std::uint8_t bound;
  Status status;
  bool rates_only;
};

template <class Visit>
void fold(const Plan& plan, Visit&& visit) {
  const Workload& w = plan.workload();
  const Classifier classify(plan);
  const bool timed = !w.time_s.empty(), self = !w.self_time_s.empty(), counted = !w.count.empty(), whatif = plan.has_whatif();
  bool any_rates_only = false;
  for (const Kind& kind : w.kinds) any_rates_only = any_rates_only || kind.rates_only;
  Plan::Block b;
  for (std::size_t first = 0; first < w.size(); first += Plan::block_size) {
    const std::size_t count = std::min(Plan::block_size, w.size() - first);
    plan.evaluate(first, count, b);
    for (std::size_t j = 0; j < count; ++j) {
      OpView op;
      op.index = first + j;
      op.flops = b.flops[j];
      op.bytes = b.bytes[j];
      op.predicted_s = b.predicted_s[j];
      op.time_s = timed ? w.time_s[op.index] : unknown;
      op.self_time_s = self ? w.self_time_s[op.index] : op.time_s;
      op.bound = b.bound[j];
      op.whatif_flops = whatif ? b.whatif_flops[j] : op.flops;
      op.whatif_bytes = whatif ? b.whatif_bytes[j] : op.bytes;
      op.whatif_s = whatif ? b.whatif_s[j] : op.predicted_s;
      op.status = classify.status(op.predicted_s, op.time_s, op.bound, counted ? w.count[op.index] : 1);
      op.rates_only = any_rates_only && w.kind_of(op.index).rates_only;
      visit(op);
    }
  }
}

/// Adds operations up. Sums avoid branches on values: what is not known adds zero.
class Summer {
 public:
  explicit Summer(const Plan& plan) : resources_(plan.resources().size()), whatif_(plan.has_whatif()) {}

  void add(const OpView& op) {
    ++s_.ops;
    ++s_.by_status[static_cast<std::size_t>(op.status)];
    const std::size_t bound = op.bound == no_resource ? max_resources : op.bound;
    ++by_bound_[bound];
    if (op.rates_only) {
      ++s_.rates_only;
      s_.above_roof += op.predicted_s > op.time_s ? 1 : 0;
      return;
    }
    const double time = op.self_time_s > 0 ? op.self_time_s : 0;
    const bool judged = op.time_s > 0 && op.predicted_s > 0;
    s_.flops += op.flops == op.flops ? op.flops : 0;
    s_.bytes += op.bytes == op.bytes ? op.bytes : 0;
    s_.predicted_time_s += op.predicted_s;
    predicted_by_bound_[bound] += op.predicted_s;
    s_.time_s += time;
    s_.time_by_status[static_cast<std::size_t>(op.status)] += time;
    s_.timed_ops += op.time_s > 0 ? 1 : 0;
    s_.above_roof += op.predicted_s > op.time_s ? 1 : 0;
    s_.judged_time_s += judged ? time : 0;
    s_.judged_predicted_s += judged ? op.predicted_s : 0;
    if (whatif_) {
      s_.whatif_predicted_s += op.whatif_s;
      const double kept = op.time_s > op.predicted_s ? op.time_s - op.predicted_s : 0;
      s_.whatif_optimistic_s += judged ? op.time_s * (op.whatif_s / op.predicted_s) : 0;
      s_.whatif_pessimistic_s += judged ? kept + op.whatif_s : 0;
    }
  }

  [[nodiscard]] Summary summary() const {
    Summary s = s_;
    s.by_bound.assign(by_bound_.begin(), by_bound_.begin() + static_cast<std::ptrdiff_t>(resources_));
    s.predicted_by_bound.assign(predicted_by_bound_.begin(), predicted_by_bound_.begin() + static_cast<std::ptrdiff_t>(resources_));
    double most = 0;
    for (std::size_t i = 0; i < resources_; ++i) {
      if (s.predicted_by_bound[i] > most) {
        most = s.predicted_by_bound[i];
        s.bound_by = static_cast<std::uint8_t>(i);
      }
    }
    return s;
  }

 private:
  Summary s_;
  std::array<std::size_t, max_resources + 1> by_bound_{};
  std::array<double, max_resources + 1> predicted_by_bound_{};
  std::size_t resources_;
  bool whatif_;
};

/// The k largest keys seen, ties to the lower index. Amortised constant per op: candidates gather in a buffer that is halved when full.
class TopK {
 public:
  explicit TopK(std::size_t k) : k_(k) { buffer_.reserve(2 * k_ + 64); }

  void offer(double key, std::size_t index) {
    if (!(key >= threshold_) || k_ == 0) return;
    buffer_.push_back({key, static_cast<std::uint32_t>(index)});
    if (buffer_.size() >= 2 * k_ + 64) shrink();
  }

  /// Best first.
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::sort(buffer_.begin(), buffer_.end(), before);
    if (buffer_.size() > k_) buffer_.resize(k_);
    std::vector<std::uint32_t> out;
    out.reserve(buffer_.size());
    for (const Entry& e : buffer_) out.push_back(e.index);
    return out;
  }

 private:
  struct Entry {
    double key;
    std::uint32_t index;
  };
  static bool before(const Entry& a, const Entry& b) { return a.key != b.key ? a.key > b.key : a.index < b.index; }
  void shrink() {
    std::nth_element(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(k_) - 1, buffer_.end(), before);
    buffer_.resize(k_);
    threshold_ = buffer_.back().key;
    for (const Entry& e : buffer_) threshold_ = std::min(threshold_, e.key);
  }
  std::size_t k_;
  double threshold_ = -std::numeric_limits<double>::infinity();
  std::vector<Entry> buffer_;
};

}  // namespace roofline
