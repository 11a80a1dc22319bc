// One pass over all operations, a block at a time: bounds, then statuses, then whatever is to be added up. Everything here works on small
// arrays that stay in the nearest cache and avoids branches on values: a million ops in random order would mispredict every one.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <roofline/analysis.hpp>

// Clang's cost model shies away from wasm's two-lane comparisons; measured, they are three times as fast as what it does instead.
#ifdef __clang__
#define ROOFLINE_SIMD _Pragma("clang loop vectorize(enable)")
#else
#define ROOFLINE_SIMD
#endif

namespace roofline {

/// Small whole numbers held as doubles, as int32. Added to 2^52 a number stands in the last bits as it is: much faster than wasm's own
/// conversion, which must look out for what does not fit.
inline void to_integers(double* numbers, std::size_t n, std::int32_t* out) {
  ROOFLINE_SIMD for (std::size_t j = 0; j < n; ++j) numbers[j] += 0x1p52;
  for (std::size_t j = 0; j < n; ++j) {
    std::uint64_t bits;
    std::memcpy(&bits, &numbers[j], sizeof bits);
    out[j] = static_cast<std::int32_t>(bits);
  }
}

/// Statuses from times. They are selected as doubles, by the masks of the comparisons, because that is what compilers turn into SIMD.
class Classifier {
 public:
  explicit Classifier(const Plan& plan) : bound_(plan.scenario().bound_threshold) {
    const Scenario& s = plan.scenario();
    kind_.fill(0);
    for (std::size_t i = 0; i < plan.resources().size(); ++i) kind_[i] = static_cast<double>(plan.resources()[i].kind);
    compute_ = s.compute_threshold;
    memory_ = s.memory_threshold;
    launch_s_ = s.machine.launch_s.known() ? s.machine.launch_s.value : 0;
  }

  /// `predicted` 0: no bound known; `time` NaN: not measured; `count` null: 1 each.
  void classify(std::size_t n, const double* predicted, const double* time, const std::int32_t* bound, const double* count,
                std::int32_t* status) const {
    constexpr auto number = [](Status s) { return static_cast<double>(s); };
    std::array<double, Plan::block_size> kind;
    for (std::size_t j = 0; j < n; ++j) kind[j] = kind_[static_cast<std::size_t>(bound[j])];
    std::array<double, Plan::block_size> selected;
    ROOFLINE_SIMD for (std::size_t j = 0; j < n; ++j) {
      const double threshold = kind[j] > 0 ? memory_ : compute_;
      double s = predicted[j] < threshold * time[j] ? number(Status::compute_inefficient) + kind[j] : number(Status::normal);
      s = predicted[j] > bound_ * time[j] ? number(Status::compute_bound) + kind[j] : s;
      s = time[j] > 0 ? s : number(Status::predicted);
      s = predicted[j] > 0 ? s : number(Status::unknown);
      selected[j] = s;
    }
    to_integers(selected.data(), n, status);
    if (launch_s_ > 0)
      for (std::size_t j = 0; j < n; ++j) {  // launching takes longer than the work, and explains the time
        const double launch = launch_s_ * (count ? count[j] : 1);
        if (predicted[j] > 0 && predicted[j] <= bound_ * time[j] && launch > predicted[j] && predicted[j] + launch > bound_ * time[j])
          status[j] = static_cast<std::int32_t>(Status::latency_bound);
      }
  }

 private:
  double bound_, compute_ = 0, memory_ = 0, launch_s_ = 0;
  std::array<double, 256> kind_;
};

/// Up to a block of ops, as columns. Times are NaN where not measured; predicted 0 where no bound is known.
struct OpBlock {
  std::size_t count = 0;
  const std::uint32_t* index = nullptr;
  const double *flops = nullptr, *bytes = nullptr, *predicted_s = nullptr, *time_s = nullptr, *self_time_s = nullptr, *whatif_s = nullptr;
  const std::int32_t* bound = nullptr;
  const std::int32_t* status = nullptr;      ///< Status as a number
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
  std::array<std::int32_t, Plan::block_size> status;
  std::array<std::uint8_t, Plan::block_size> rates_only;
  for (std::size_t first = 0; first < w.size(); first += Plan::block_size) {
    OpBlock ops;
    ops.count = std::min(Plan::block_size, w.size() - first);
    plan.evaluate(first, ops.count, b);
    ops.index = index.data();
    ops.flops = b.flops.data();
    ops.bytes = b.bytes;
    ops.predicted_s = b.predicted_s.data();
    ops.whatif_s = plan.has_whatif() ? b.whatif_s.data() : b.predicted_s.data();
    ops.time_s = w.time_s.empty() ? detail::unknowns.data() : w.time_s.data() + first;
    ops.self_time_s = w.self_time_s.empty() ? ops.time_s : w.self_time_s.data() + first;
    ops.bound = b.bound.data();
    ops.status = status.data();
    for (std::size_t j = 0; j < ops.count; ++j) index[j] = static_cast<std::uint32_t>(first + j);
    classify.classify(ops.count, ops.predicted_s, ops.time_s, ops.bound, w.count.empty() ? nullptr : w.count.data() + first, status.data());
    if (any_rates_only) {
      for (std::size_t j = 0; j < ops.count; ++j) rates_only[j] = w.kind_of(first + j).rates_only ? 1 : 0;
      ops.rates_only = rates_only.data();
    }
    visit(static_cast<const OpBlock&>(ops));
  }
}

/// One op as a block of its own, the same way as all of them.
class SingleOp {
 public:
  explicit SingleOp(const Plan& plan) : plan_(plan), classify_(plan) {}
  const OpBlock& of(std::uint32_t op) {
    const Workload& w = plan_.workload();
    index_ = op;
    plan_.evaluate(op, 1, values);
    ops_.count = 1;
    ops_.index = &index_;
    ops_.flops = values.flops.data();
    ops_.bytes = values.bytes;
    ops_.predicted_s = values.predicted_s.data();
    ops_.whatif_s = plan_.has_whatif() ? values.whatif_s.data() : values.predicted_s.data();
    ops_.time_s = w.time_s.empty() ? detail::unknowns.data() : w.time_s.data() + op;
    ops_.self_time_s = w.self_time_s.empty() ? ops_.time_s : w.self_time_s.data() + op;
    ops_.bound = values.bound.data();
    ops_.status = &status_;
    classify_.classify(1, ops_.predicted_s, ops_.time_s, ops_.bound, w.count.empty() ? nullptr : w.count.data() + op, &status_);
    return ops_;
  }
  Plan::Block values;  ///< of the op asked for last

 private:
  const Plan& plan_;
  Classifier classify_;
  OpBlock ops_;
  std::uint32_t index_ = 0;
  std::int32_t status_ = 0;
};

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
  std::array<std::int32_t, Plan::block_size> bound_, status_;
  std::array<std::uint8_t, Plan::block_size> rates_only_;
};

/// Adds operations up; what is not known adds zero.
class Summer {
 public:
  explicit Summer(const Plan& plan) : resources_(plan.resources().size()), whatif_(plan.has_whatif()) {}

  void add(const OpBlock& ops) {
    std::array<double, Plan::block_size> time, predicted, judged_time, judged_predicted;
    s_.ops += ops.count;
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      predicted[j] = ops.predicted_s[j];
      time[j] = ops.self_time_s[j] > 0 ? ops.self_time_s[j] : 0;
    }
    if (ops.rates_only)  // sizes that are stand-ins stay out of the totals
      for (std::size_t j = 0; j < ops.count; ++j)
        if (ops.rates_only[j] != 0) predicted[j] = time[j] = 0;
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      const double judged = ops.time_s[j] > 0 ? predicted[j] : 0;
      judged_predicted[j] = judged;
      judged_time[j] = judged > 0 ? time[j] : 0;
    }
    std::array<double, Plan::block_size> timed, above;  // ones to be summed, by the masks of the comparisons
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      timed[j] = ops.time_s[j] > 0 ? 1.0 : 0.0;
      above[j] = ops.predicted_s[j] > ops.time_s[j] ? 1.0 : 0.0;
    }
    timed_ += static_cast<std::size_t>(sum(timed.data(), ops.count));
    above_ += static_cast<std::size_t>(sum(above.data(), ops.count));
    if (ops.rates_only)
      for (std::size_t j = 0; j < ops.count; ++j) s_.rates_only += ops.rates_only[j];
    flops_ += sum_of_known(ops.flops, ops);
    bytes_ += sum_of_known(ops.bytes, ops);
    predicted_ += sum(predicted.data(), ops.count);
    time_ += sum(time.data(), ops.count);
    judged_time_ += sum(judged_time.data(), ops.count);
    judged_predicted_ += sum(judged_predicted.data(), ops.count);
    for (std::size_t j = 0; j < ops.count; ++j) {  // two tables in turn: adding to the same place twice in a row would wait for itself
      auto& row = by_status_[j & 1][static_cast<std::size_t>(ops.status[j])];
      ++row.ops;
      row.time += time[j];
    }
    for (std::size_t j = 0; j < ops.count; ++j) {
      auto& row = by_bound_[j & 1][static_cast<std::size_t>(ops.bound[j])];
      ++row.ops;
      row.time += predicted[j];
    }
    if (whatif_) add_whatif(ops);
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
    s.by_bound.assign(resources_, 0);
    s.predicted_by_bound.assign(resources_, 0);
    for (const std::size_t half : {0, 1}) {
      for (std::size_t i = 0; i < status_count; ++i) {
        s.by_status[i] += by_status_[half][i].ops;
        s.time_by_status[i] += by_status_[half][i].time;
      }
      for (std::size_t i = 0; i < resources_; ++i) {
        s.by_bound[i] += by_bound_[half][i].ops;
        s.predicted_by_bound[i] += by_bound_[half][i].time;
      }
    }
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
  /// Eight sums side by side: one alone would wait for each addition.
  static double sum(const double* values, std::size_t n) {
    double a[8] = {};
    std::size_t j = 0;
    for (; j + 8 <= n; j += 8)
      for (std::size_t k = 0; k < 8; ++k) a[k] += values[j + k];
    for (; j < n; ++j) a[0] += values[j];
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
  }
  static double sum_of_known(const double* values, const OpBlock& ops) {
    std::array<double, Plan::block_size> known;
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) known[j] = values[j] == values[j] ? values[j] : 0;
    if (ops.rates_only)
      for (std::size_t j = 0; j < ops.count; ++j) known[j] = ops.rates_only[j] != 0 ? 0 : known[j];
    return sum(known.data(), ops.count);
  }
  void add_whatif(const OpBlock& ops) {
    for (std::size_t j = 0; j < ops.count; ++j) {
      const double time = ops.time_s[j], predicted = ops.predicted_s[j], then = ops.whatif_s[j];
      const bool known = !ops.rates_only || ops.rates_only[j] == 0, judged = known && time > 0 && predicted > 0;
      s_.whatif_predicted_s += known ? then : 0;
      s_.whatif_optimistic_s += judged ? time * (then / predicted) : 0;
      s_.whatif_pessimistic_s += judged ? (time > predicted ? time - predicted : 0) + then : 0;
    }
  }

  struct Row {
    std::size_t ops = 0;
    double time = 0;
  };
  Summary s_;
  double flops_ = 0, bytes_ = 0, predicted_ = 0, time_ = 0, judged_time_ = 0, judged_predicted_ = 0;
  std::size_t timed_ = 0, above_ = 0;
  std::array<std::array<Row, 16>, 2> by_status_;
  std::array<std::array<Row, 256>, 2> by_bound_;  // by the resource's number as it is, no_resource included
  std::size_t resources_;
  bool whatif_;
};

/// The k largest keys seen, ties to the lower index; keys are never NaN. Amortised constant per op: candidates gather in a buffer that is
/// halved when full.
class TopK {
 public:
  explicit TopK(std::size_t k) : k_(k) { buffer_.reserve(2 * k_ + 64); }

  void offer(const double* keys, const std::uint32_t* index, std::size_t count) {
    if (k_ == 0) return;
    constexpr std::size_t group = 32;  // once k large keys were seen, hardly any group holds another
    std::size_t j = 0;
    for (; j + group <= count; j += group) {
      double largest[4] = {keys[j], keys[j + 1], keys[j + 2], keys[j + 3]};
      for (std::size_t i = 4; i < group; i += 4)
        for (std::size_t l = 0; l < 4; ++l) largest[l] = keys[j + i + l] > largest[l] ? keys[j + i + l] : largest[l];
      if (std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3])) >= threshold_)
        offer_each(keys + j, index + j, group);
    }
    offer_each(keys + j, index + j, count - j);
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
  void offer_each(const double* keys, const std::uint32_t* index, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      if (!(keys[j] >= threshold_)) continue;
      buffer_.push_back({keys[j], index[j]});
      if (buffer_.size() >= 2 * k_ + 64) shrink();
    }
  }
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
