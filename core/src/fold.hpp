// One pass over all operations, a block at a time: bounds, then statuses, then whatever is to be added up. Everything here works on small
// arrays that stay in the nearest cache and avoids branches on values: a million ops in random order would mispredict every one.
#pragma once

#include <algorithm>
#include <limits>
#include <roofline/analysis.hpp>

namespace roofline {

/// The thresholds of a plan as a table: a status is looked up by the outcome of four comparisons and the kind of the bound.
class Classifier {
 public:
  explicit Classifier(const Plan& plan) : bound_(plan.scenario().bound_threshold) {
    const Scenario& s = plan.scenario();
    for (std::size_t i = 0; i < plan.resources().size(); ++i) kind_[i] = static_cast<std::uint8_t>(plan.resources()[i].kind);
    inefficient_ = {s.compute_threshold, s.memory_threshold, s.memory_threshold};
    launch_s_ = s.machine.launch_s.known() ? s.machine.launch_s.value : 0;
    for (unsigned i = 0; i < table_.size(); ++i) {
      const unsigned kind = i & 3;
      const bool hits = i & 4, inefficient = i & 8, timed = i & 16, has_cost = i & 32;
      table_[i] = !has_cost ? Status::unknown : !timed ? Status::predicted : hits ? static_cast<Status>(kind) : inefficient ? static_cast<Status>(4 + kind) : Status::normal;
    }
  }

  /// `predicted` 0: no bound known; `time` NaN: not measured.
  [[nodiscard]] Status status(double predicted, double time, std::uint8_t bound, double count) const {
    const unsigned kind = kind_[bound];
    const unsigned hits = predicted > bound_ * time, inefficient = predicted < inefficient_[kind] * time, timed = time > 0, has_cost = predicted > 0;
    const Status s = table_[kind | hits << 2 | inefficient << 3 | timed << 4 | has_cost << 5];
    if (launch_s_ > 0 && hits == 0 && timed != 0 && has_cost != 0) {  // launching takes longer than the work, and explains the time
      const double launch = launch_s_ * count;
      if (launch > predicted && predicted + launch > bound_ * time) return Status::latency_bound;
    }
    return s;
  }

 private:
  double bound_;
  std::array<double, 4> inefficient_{};
  std::array<std::uint8_t, 256> kind_{};
  std::array<Status, 64> table_{};
  double launch_s_ = 0;
};

/// Up to a block of ops, as columns. Times are NaN where not measured; predicted 0 where no bound is known.
struct OpBlock {
  std::size_t count = 0;
  const std::uint32_t* index = nullptr;
  const double *flops = nullptr, *bytes = nullptr, *predicted_s = nullptr, *time_s = nullptr, *self_time_s = nullptr, *whatif_s = nullptr;
  const std::uint8_t* bound = nullptr;
  const Status* status = nullptr;
  const std::uint8_t* rates_only = nullptr;  ///< null: none
};

namespace detail {
constexpr auto filled(double value) {
  std::array<double, Plan::block_size> a{};
  for (double& v : a) v = value;
  return a;
}
inline constexpr auto zeros = filled(0);
inline constexpr auto unknowns = filled(unknown);
}  // namespace detail

/// Calls visit(const OpBlock&) for all operations in order.
template <class Visit>
void fold(const Plan& plan, Visit&& visit) {
  const Workload& w = plan.workload();
  const Classifier classify(plan);
  bool any_rates_only = false;
  for (const Kind& kind : w.kinds) any_rates_only = any_rates_only || kind.rates_only;
  Plan::Block b;
  std::array<std::uint32_t, Plan::block_size> index;
  std::array<Status, Plan::block_size> status;
  std::array<std::uint8_t, Plan::block_size> rates_only;
  for (std::size_t first = 0; first < w.size(); first += Plan::block_size) {
    OpBlock ops;
    ops.count = std::min(Plan::block_size, w.size() - first);
    plan.evaluate(first, ops.count, b);
    ops.index = index.data();
    ops.flops = b.flops.data();
    ops.bytes = b.bytes.data();
    ops.predicted_s = b.predicted_s.data();
    ops.whatif_s = plan.has_whatif() ? b.whatif_s.data() : b.predicted_s.data();
    ops.time_s = w.time_s.empty() ? detail::unknowns.data() : w.time_s.data() + first;
    ops.self_time_s = w.self_time_s.empty() ? ops.time_s : w.self_time_s.data() + first;
    ops.bound = b.bound.data();
    ops.status = status.data();
    for (std::size_t j = 0; j < ops.count; ++j) index[j] = static_cast<std::uint32_t>(first + j);
    for (std::size_t j = 0; j < ops.count; ++j)
      status[j] = classify.status(ops.predicted_s[j], ops.time_s[j], ops.bound[j], w.count.empty() ? 1 : w.count[first + j]);
    if (any_rates_only) {
      for (std::size_t j = 0; j < ops.count; ++j) rates_only[j] = w.kind_of(first + j).rates_only ? 1 : 0;
      ops.rates_only = rates_only.data();
    }
    visit(static_cast<const OpBlock&>(ops));
  }
}

/// Those ops of a block that a test keeps, as a block of their own.
class Compressed {
 public:
  template <class Keep>
  const OpBlock& of(const OpBlock& from, const Keep& keep) {
    std::size_t n = 0;
    for (std::size_t j = 0; j < from.count; ++j) {
      chosen_[n] = static_cast<std::uint16_t>(j);
      n += keep(j) ? 1 : 0;
    }
    const auto take = [&](auto* to, const auto* column) {
      for (std::size_t i = 0; i < n; ++i) to[i] = column[chosen_[i]];
      return to;
    };
    out_.count = n;
    out_.index = take(index_.data(), from.index);
    out_.flops = take(doubles_[0].data(), from.flops);
    out_.bytes = take(doubles_[1].data(), from.bytes);
    out_.predicted_s = take(doubles_[2].data(), from.predicted_s);
    out_.time_s = take(doubles_[3].data(), from.time_s);
    out_.self_time_s = take(doubles_[4].data(), from.self_time_s);
    out_.whatif_s = take(doubles_[5].data(), from.whatif_s);
    out_.bound = take(bound_.data(), from.bound);
    out_.status = take(status_.data(), from.status);
    out_.rates_only = from.rates_only ? take(rates_only_.data(), from.rates_only) : nullptr;
    return out_;
  }

 private:
  OpBlock out_;
  std::array<std::uint16_t, Plan::block_size> chosen_;
  std::array<std::uint32_t, Plan::block_size> index_;
  std::array<std::array<double, Plan::block_size>, 6> doubles_;
  std::array<std::uint8_t, Plan::block_size> bound_, rates_only_;
  std::array<Status, Plan::block_size> status_;
};

/// Adds operations up; what is not known adds zero.
class Summer {
 public:
  explicit Summer(const Plan& plan) : resources_(plan.resources().size()), whatif_(plan.has_whatif()) {}

  void add(const OpBlock& ops) {
    s_.ops += ops.count;
    for (std::size_t j = 0; j < ops.count; ++j) {
      const bool known = !ops.rates_only || ops.rates_only[j] == 0;  // sizes that are stand-ins stay out of the totals
      const double predicted = known ? ops.predicted_s[j] : 0;
      const double time = known && ops.self_time_s[j] > 0 ? ops.self_time_s[j] : 0;
      const bool judged = (ops.time_s[j] > 0) & (predicted > 0);
      const auto status = static_cast<std::size_t>(ops.status[j]);
      ++by_status_[status];
      time_by_status_[status] += time;
      ++by_bound_[ops.bound[j]];
      predicted_by_bound_[ops.bound[j]] += predicted;
      flops_ += (known & (ops.flops[j] == ops.flops[j])) ? ops.flops[j] : 0;
      bytes_ += (known & (ops.bytes[j] == ops.bytes[j])) ? ops.bytes[j] : 0;
      predicted_ += predicted;
      time_ += time;
      judged_time_ += judged ? time : 0;
      judged_predicted_ += judged ? predicted : 0;
      timed_ += ops.time_s[j] > 0;
      above_ += ops.predicted_s[j] > ops.time_s[j];
      rates_only_ += !known;
    }
    if (!whatif_) return;
    for (std::size_t j = 0; j < ops.count; ++j) {
      const double time = ops.time_s[j], predicted = ops.predicted_s[j], then = ops.whatif_s[j];
      const bool known = !ops.rates_only || ops.rates_only[j] == 0, judged = (time > 0) & (predicted > 0) & known;
      s_.whatif_predicted_s += known ? then : 0;
      s_.whatif_optimistic_s += judged ? time * (then / predicted) : 0;
      s_.whatif_pessimistic_s += judged ? (time > predicted ? time - predicted : 0) + then : 0;
    }
  }

  [[nodiscard]] Summary summary() const {
    Summary s = s_;
    s.flops = flops_;
    s.bytes = bytes_;
    s.predicted_time_s = predicted_;
    s.time_s = time_;
    s.judged_time_s = judged_time_;
    s.judged_predicted_s = judged_predicted_;
    s.timed_ops = timed_;
    s.above_roof = above_;
    s.rates_only = rates_only_;
    std::copy_n(by_status_.begin(), status_count, s.by_status.begin());
    std::copy_n(time_by_status_.begin(), status_count, s.time_by_status.begin());
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
  double flops_ = 0, bytes_ = 0, predicted_ = 0, time_ = 0, judged_time_ = 0, judged_predicted_ = 0;
  std::size_t timed_ = 0, above_ = 0, rates_only_ = 0;
  std::array<std::size_t, 16> by_status_{};
  std::array<double, 16> time_by_status_{};
  std::array<std::size_t, 256> by_bound_{};  // by the resource's number as it is, no_resource included
  std::array<double, 256> predicted_by_bound_{};
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
