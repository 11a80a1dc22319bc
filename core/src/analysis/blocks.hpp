// One pass over all operations, a block at a time: bounds, then statuses, then whatever is to be added up. Everything here works on small
// arrays that stay in the nearest cache and avoids branches on values: a million ops in random order would mispredict every one.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <roofline/analysis/op_set.hpp>

#include "analysis/slice.hpp"
#include "base/simd.hpp"

// Clang's cost model shies away from wasm's two-lane comparisons; measured, they are three times as fast as what it does instead.
#ifdef __clang__
#define ROOFLINE_SIMD _Pragma("clang loop vectorize(enable)")
#else
#define ROOFLINE_SIMD
#endif

namespace roofline {

/// Up to a block of ops, as columns. Times are NaN where not measured; predicted 0 where no bound is known.
struct OpBlock {
  std::size_t count = 0;
  const std::uint32_t* index = nullptr;
  const double *flops = nullptr, *bytes = nullptr, *compute_s = nullptr, *predicted_s = nullptr, *time_s = nullptr, *self_time_s = nullptr,
               *lost_s = nullptr, *whatif_s = nullptr, *whatif_bytes = nullptr;
  const double* typical_s = nullptr;  ///< null: not asked for
  const std::int32_t* bound = nullptr;
  const std::int32_t* status = nullptr;      ///< Status as a number
  const std::uint8_t* rates_only = nullptr;  ///< null: none
  const double* share = nullptr;             ///< self time over time: what of the op's work is its own, lost_s included; null: all
  const double* axis_bytes = nullptr;        ///< bytes on the x axis of the chart
};

/// Which ops a fold is over, as far as that is known before anything is worked out: those with a 1 in every mask given.
struct OpMask {
  const std::uint8_t *in_scope = nullptr, *ops = nullptr;  ///< per op; null: all
  const std::uint8_t* kinds = nullptr;                     ///< per kind; null: all
  const std::uint32_t* kind = nullptr;                     ///< per op
  [[nodiscard]] bool all() const { return !in_scope && !ops && !kinds; }
  /// Without branches on values: in random order each would be mispredicted.
  [[nodiscard]] bool operator()(std::uint32_t op) const {
    const bool a = !in_scope || in_scope[op] != 0, b = !ops || ops[op] != 0, c = !kinds || kinds[kind[op]] != 0;
    return (static_cast<int>(a) & static_cast<int>(b) & static_cast<int>(c)) != 0;
  }
  /// The same of ops first..first+count-1, as 1 or 0: mask by mask, many bytes at a time.
  [[gnu::noinline]] void mark(std::size_t first, std::size_t count, std::uint8_t* marks) const {
    const OpMask by = *this;  // its own: bytes may alias anything
    if (by.in_scope)
      std::copy(by.in_scope + first, by.in_scope + first + count, marks);
    else
      std::fill(marks, marks + count, std::uint8_t{1});
    if (by.ops)
      for (std::size_t j = 0; j < count; ++j) marks[j] &= by.ops[first + j];
    if (by.kinds)
      for (std::size_t j = 0; j < count; ++j) marks[j] &= by.kinds[by.kind[first + j]];
  }
};

/// Evaluates ops, up to a block of them at a time: the next overwrites the last. `typical`: their typical times, too.
class Blocks {
 public:
  explicit Blocks(const Plan& plan, MemoryAxis axis = device_axis, bool typical = false)
      : plan_(plan), axis_(axis), typical_(typical), slicer_(plan.workload()) {
    for (const OpClass& kind : plan.workload().classes) any_rates_only_ = any_rates_only_ || kind.rates_only;
  }
  const OpBlock& of(std::uint32_t op) { return contiguous(op, 1); }
  const OpBlock& contiguous(std::size_t first, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) index_[j] = static_cast<std::uint32_t>(first + j);
    return evaluated(slicer_.contiguous(first, count), index_.data());
  }
  const OpBlock& gathered(const std::uint32_t* ops, std::size_t count) {
    return evaluated(slicer_.gathered(ops, count, typical_ || plan_.reads_roles()), ops);
  }

  [[nodiscard]] const Plan& plan() const { return plan_; }

  Plan::Block values;  ///< of the last ones

 private:
  const OpBlock& evaluated(const Plan::Slice& slice, const std::uint32_t* index) {
    plan_.evaluate(slice, values);
    ops_.count = slice.count;
    ops_.index = index;
    ops_.flops = values.flops.data();
    ops_.bytes = values.bytes;
    ops_.compute_s = values.compute_s.data();
    ops_.predicted_s = values.predicted_s.data();
    ops_.lost_s = values.lost_s.data();
    ops_.whatif_s = plan_.has_whatif() ? values.whatif_s.data() : values.predicted_s.data();
    ops_.whatif_bytes = plan_.has_whatif() ? values.whatif_bytes.data() : ops_.bytes;
    if (typical_) {
      plan_.typical(slice, values, typical_s_.data());
      ops_.typical_s = typical_s_.data();
    }
    ops_.time_s = slice.time_s;
    ops_.self_time_s = slice.self_time_s ? slice.self_time_s : slice.time_s;
    ops_.share = shares(slice);
    ops_.axis_bytes = ops_.bytes;
    if (axis_ != device_axis) {
      plan_.axis_bytes(axis_, slice, ops_.bytes, axis_bytes_.data());
      ops_.axis_bytes = axis_bytes_.data();
    }
    ops_.bound = values.bound.data();
    ops_.status = values.status.data();
    if (any_rates_only_) {
      for (std::size_t j = 0; j < slice.count; ++j) rates_only_[j] = plan_.workload().classes[slice.kind[j]].rates_only ? 1 : 0;
      ops_.rates_only = rates_only_.data();
    }
    return ops_;
  }
  /// Self time over time where a source has both, for what calls others: sums count an op as far as its own time goes. Lost time likewise.
  const double* shares(const Plan::Slice& slice) {
    if (!slice.self_time_s) return nullptr;
    for (std::size_t j = 0; j < slice.count; ++j) {
      const double time = slice.time_s[j], self = slice.self_time_s[j];
      share_[j] = self >= 0 && self < time ? self / time : 1;
      if (share_[j] > 0) values.lost_s[j] *= share_[j];  // minus infinity, for what is not known, stays
    }
    return share_.data();
  }

  const Plan& plan_;
  MemoryAxis axis_;
  bool typical_;
  Slicer slicer_;
  bool any_rates_only_ = false;
  OpBlock ops_;
  std::array<std::uint32_t, Plan::block_size> index_;
  std::array<std::uint8_t, Plan::block_size> rates_only_;
  std::array<double, Plan::block_size> share_, axis_bytes_, typical_s_;
};

/// Calls visit(const OpBlock&) for those operations, in order.
template <class Visit>
void for_each_block(Blocks& blocks, const OpMask& chosen, Visit&& visit) {
  constexpr std::size_t block = Plan::block_size;
  const std::size_t size = blocks.plan().workload().size();
  if (chosen.all()) {
    for (std::size_t first = 0; first < size; first += block) visit(blocks.contiguous(first, std::min(block, size - first)));
    return;
  }
  std::array<std::uint32_t, 2 * block> ops;  // what is left of the last block, and up to one more
  std::array<std::uint8_t, block> marks;
  std::size_t n = 0;
  for (std::size_t first = 0; first < size; first += block) {
    const std::size_t count = std::min(block, size - first);
    chosen.mark(first, count, marks.data());
    for (std::size_t j = 0; j < count; ++j) {
      ops[n] = static_cast<std::uint32_t>(first + j);
      n += marks[j];
    }
    if (n < block) continue;
    visit(blocks.gathered(ops.data(), block));
    std::copy(ops.begin() + block, ops.begin() + static_cast<std::ptrdiff_t>(n), ops.begin());
    n -= block;
  }
  if (n > 0) visit(blocks.gathered(ops.data(), n));
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
    out_.compute_s = take(doubles_[9].data(), from.compute_s);
    out_.predicted_s = take(doubles_[2].data(), from.predicted_s);
    out_.time_s = take(doubles_[3].data(), from.time_s);
    out_.self_time_s = take(doubles_[4].data(), from.self_time_s);
    out_.whatif_s = take(doubles_[5].data(), from.whatif_s);
    out_.whatif_bytes = from.whatif_bytes == from.bytes ? out_.bytes : take(doubles_[10].data(), from.whatif_bytes);
    out_.typical_s = from.typical_s ? take(doubles_[11].data(), from.typical_s) : nullptr;
    out_.lost_s = take(doubles_[6].data(), from.lost_s);
    out_.bound = take(bound_.data(), from.bound);
    out_.status = take(status_.data(), from.status);
    out_.rates_only = from.rates_only ? take(rates_only_.data(), from.rates_only) : nullptr;
    out_.share = from.share ? take(doubles_[7].data(), from.share) : nullptr;
    out_.axis_bytes = from.axis_bytes == from.bytes ? out_.bytes : take(doubles_[8].data(), from.axis_bytes);
    return out_;
  }

 private:
  OpBlock out_;
  std::array<std::uint16_t, Plan::block_size> chosen_;
  std::array<std::uint32_t, Plan::block_size> index_;
  std::array<std::array<double, Plan::block_size>, 12> doubles_;
  std::array<std::int32_t, Plan::block_size> bound_, status_;
  std::array<std::uint8_t, Plan::block_size> rates_only_;
};

[[nodiscard]] inline const std::uint8_t* mask_or_all(const std::vector<std::uint8_t>& mask) { return mask.empty() ? nullptr : mask.data(); }

/// What totals of a set are over, before its filters.
[[nodiscard]] inline OpMask in_scope(const OpSet& ops) { return {mask_or_all(ops.rows().counted), nullptr, nullptr, nullptr}; }
/// Those that no filter leaves out by what they are; what is found of them comes later.
[[nodiscard]] inline OpMask let_through(const OpSet& ops, const RowMask& scope) {
  return {mask_or_all(scope), mask_or_all(ops.rows().found), mask_or_all(ops.rows().classes), ops.workload().op_class.data()};
}

/// Calls visit(const OpBlock&) for the operations of a set that are within `scope`, in order. `blocks` is of the set's plan.
template <class Visit>
void for_each_block(Blocks& blocks, const OpSet& ops, const RowMask& scope, Visit&& visit) {
  const ResultFilter results = ops.results();
  if (results.keeps_all()) return for_each_block(blocks, let_through(ops, scope), visit);
  Compressed compressed;
  for_each_block(blocks, let_through(ops, scope), [&](const OpBlock& found) {
    visit(compressed.of(found, [&](std::size_t j) { return results.keeps(found.status[j], found.bound[j]); }));
  });
}
template <class Visit>
void for_each_block(Blocks& blocks, const OpSet& ops, Visit&& visit) {
  for_each_block(blocks, ops, ops.rows().counted, visit);
}
/// `axis`: see OpBlock::axis_bytes.
template <class Visit>
void for_each_block(const OpSet& ops, MemoryAxis axis, Visit&& visit) {
  Blocks blocks(ops.plan(), axis);
  for_each_block(blocks, ops, visit);
}
template <class Visit>
void for_each_block(const OpSet& ops, Visit&& visit) {
  for_each_block(ops, device_axis, visit);
}
/// The same with the rows that are totals over others.
template <class Visit>
void for_each_listed_block(const OpSet& ops, Visit&& visit) {
  Blocks blocks(ops.plan());
  for_each_block(blocks, ops, ops.rows().scope, visit);
}

/// Adds operations up; what is not known adds zero.
class SummaryAccumulator {
 public:
  explicit SummaryAccumulator(const Plan& plan) : resources_(plan.resources().size()), whatif_(plan.has_whatif()) {}

  void add(const OpBlock& ops) {
    using namespace simd;
    if (ops.share) return add_own(ops);
    std::array<std::array<double, Plan::block_size>, 5> buffers;
    const auto real = [&](const double* column, std::size_t buffer) {  // sizes that are stand-ins stay out of the totals
      if (!ops.rates_only) return column;
      for (std::size_t j = 0; j < ops.count; ++j) buffers[buffer][j] = ops.rates_only[j] != 0 ? 0 : column[j];
      return static_cast<const double*>(buffers[buffer].data());
    };
    const double *flops = real(ops.flops, 0), *bytes = real(ops.bytes, 1), *predicted = real(ops.predicted_s, 2),
                 *self_time = real(ops.self_time_s, 3), *lost_time = real(ops.lost_s, 4);
    if (ops.rates_only)
      for (std::size_t j = 0; j < ops.count; ++j) s_.rates_only += ops.rates_only[j];
    std::array<Pair, Plan::block_size> times;  // per op: taken, predicted
    Pair all_flops = flops_, all_bytes = bytes_, all_lost = lost_, all_far = far_;
    Mask timed{}, above{}, far{};  // minus the numbers of ops
    in_pairs(ops.count, [&](auto at) ROOFLINE_INLINE {
      const Pair self = at.load(self_time), least = at.load(predicted), time = at.load(ops.time_s), lost = at.load(lost_time);
      const Pair taken = keep(self > both(0), self);
      times[at.j] = firsts(taken, least);
      times[at.second()] = at.second() == at.j ? times[at.j] : seconds(taken, least);
      all_flops += at.once(known(at.load(flops)));
      all_bytes += at.once(known(at.load(bytes)));
      all_lost += at.once(keep(lost > both(0), lost));
      timed += at.once(time > both(0));
      const Pair bound = at.load(ops.predicted_s);
      const Mask beyond = bound > both(Summary::far) * time;
      above += at.once(bound > time);
      far += at.once(beyond);
      all_far += at.once(keep(beyond, taken));
    });
    flops_ = all_flops;
    bytes_ = all_bytes;
    lost_ = all_lost;
    far_ = all_far;
    s_.ops += ops.count;
    s_.timed_ops -= static_cast<std::size_t>(timed[0] + timed[1]);
    s_.above_roof -= static_cast<std::size_t>(above[0] + above[1]);
    s_.far_above -= static_cast<std::size_t>(far[0] + far[1]);
    const auto add_to = [this, &times, bound = ops.bound, status = ops.status](std::size_t table, std::size_t op) ROOFLINE_INLINE {
      Row& row = rows_[table][row_of(static_cast<std::size_t>(bound[op]), static_cast<std::size_t>(status[op]))];
      row.times += times[op];
      ++row.ops;
    };
    std::size_t j = 0;  // four tables in turn: adding to the same place twice in a row would wait for itself
    for (; j + 4 <= ops.count; j += 4)
      for (std::size_t table = 0; table < 4; ++table) add_to(table, j + table);
    for (; j < ops.count; ++j) add_to(0, j);
    if (whatif_) add_whatif(ops);
    if (ops.typical_s) add_typical(ops);
  }

  [[nodiscard]] Summary summary() const {
    Summary s = s_;
    s.lost_time_s = simd::sum(lost_);
    s.far_above_s = simd::sum(far_);
    s.flops = simd::sum(flops_);
    s.bytes = simd::sum(bytes_);
    s.by_bound.assign(resources_, 0);
    s.predicted_by_bound.assign(resources_, 0);
    for (std::size_t status = 0; status < status_count; ++status)
      for (std::size_t bound = 0; bound <= resources_; ++bound)
        for (const auto& table : rows_) {
          const Row& row = table[row_of(bound < resources_ ? bound : no_resource, status)];
          const double taken = row.times[0], predicted = row.times[1];
          s.time_s += taken;
          s.predicted_time_s += predicted;
          s.by_status[status] += row.ops;
          s.time_by_status[status] += taken;
          if (status < static_cast<std::size_t>(Status::predicted)) {
            s.judged_time_s += taken;
            s.judged_predicted_s += predicted;
          }
          if (bound == resources_) continue;
          s.by_bound[bound] += row.ops;
          s.predicted_by_bound[bound] += predicted;
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
  /// Each op as far as its self time goes: what it calls is counted where it is called.
  void add_own(const OpBlock& ops) {
    std::array<std::array<double, Plan::block_size>, 7> own;
    const std::array columns = {ops.flops, ops.bytes, ops.predicted_s, ops.whatif_s, ops.time_s, ops.whatif_bytes, ops.typical_s};
    for (std::size_t c = 0; c < (ops.typical_s ? 7 : 6); ++c)
      for (std::size_t j = 0; j < ops.count; ++j) own[c][j] = columns[c][j] * ops.share[j];
    OpBlock part = ops;
    part.share = nullptr;
    part.flops = own[0].data();
    part.bytes = own[1].data();
    part.predicted_s = own[2].data();
    part.whatif_s = own[3].data();
    part.time_s = own[4].data();
    part.whatif_bytes = own[5].data();
    if (ops.typical_s) part.typical_s = own[6].data();
    add(part);
  }
  void add_whatif(const OpBlock& ops) {
    for (std::size_t j = 0; j < ops.count; ++j) {
      const double time = ops.time_s[j], predicted = ops.predicted_s[j], then = ops.whatif_s[j];
      const bool known = !ops.rates_only || ops.rates_only[j] == 0, judged = known && time > 0 && predicted > 0;
      s_.whatif_predicted_s += known ? then : 0;
      s_.whatif_bytes += known && ops.whatif_bytes[j] > 0 ? ops.whatif_bytes[j] : 0;
      s_.whatif_optimistic_s += judged ? time * (then / predicted) : 0;
      s_.whatif_pessimistic_s += judged ? (time > predicted ? time - predicted : 0) + then : 0;
    }
  }

  void add_typical(const OpBlock& ops) {
    if (!known(s_.typical_time_s)) s_.typical_time_s = 0;
    for (std::size_t j = 0; j < ops.count; ++j) {
      const bool real = !ops.rates_only || ops.rates_only[j] == 0;
      s_.typical_time_s += real && ops.typical_s[j] > 0 ? ops.typical_s[j] : 0;
    }
  }

  struct Row {
    simd::Pair times{};  ///< taken, predicted
    std::size_t ops = 0;
  };
  /// Without a bound the status is one of the last two: so no_resource, far beyond the resources, meets no other row.
  static constexpr std::size_t row_of(std::size_t bound, std::size_t status) { return status * max_resources + bound; }
  static constexpr std::size_t rows = (status_count - 1) * max_resources + no_resource + 1;
  Summary s_;
  simd::Pair flops_{}, bytes_{}, lost_{}, far_{};
  std::array<std::array<Row, rows>, 4> rows_{};
  std::size_t resources_;
  bool whatif_;
};

/// An op by what it is sorted by: the larger key first, then the earlier op.
struct Ranked {
  double key;
  std::uint32_t index;
};
inline bool comes_before(const Ranked& a, const Ranked& b) { return a.key != b.key ? a.key > b.key : a.index < b.index; }

/// The k largest keys seen, ties to the lower index; keys are never NaN. Amortised constant per op: candidates gather in a buffer that is
/// halved when full.
class TopK {
 public:
  explicit TopK(std::size_t k) : k_(k) { buffer_.reserve(2 * k_ + 64); }

  void offer(const double* keys, const std::uint32_t* index, std::size_t count) {
    if (k_ == 0) return;
    constexpr std::size_t group = 32;  // once k large keys were seen, hardly any group holds another
    const simd::Pair threshold = simd::both(threshold_);
    std::size_t j = 0;
    for (; j + group <= count; j += group) {
      simd::Mask reached{};
      for (std::size_t i = 0; i < group; i += 2) reached |= simd::At<false>{j + i}.load(keys) >= threshold;
      if ((reached[0] | reached[1]) != 0) offer_each(keys + j, index + j, group);
    }
    offer_each(keys + j, index + j, count - j);
  }

  /// Best first.
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::sort(buffer_.begin(), buffer_.end(), comes_before);
    if (buffer_.size() > k_) buffer_.resize(k_);
    std::vector<std::uint32_t> out;
    out.reserve(buffer_.size());
    for (const Ranked& e : buffer_) out.push_back(e.index);
    return out;
  }

 private:
  void offer_each(const double* keys, const std::uint32_t* index, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      if (!(keys[j] >= threshold_)) continue;
      buffer_.push_back({keys[j], index[j]});
      if (buffer_.size() >= 2 * k_ + 64) shrink();
    }
  }
  void shrink() {
    std::nth_element(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(k_) - 1, buffer_.end(), comes_before);
    buffer_.resize(k_);
    threshold_ = buffer_.back().key;
    for (const Ranked& e : buffer_) threshold_ = std::min(threshold_, e.key);
  }
  std::size_t k_;
  double threshold_ = -std::numeric_limits<double>::infinity();
  std::vector<Ranked> buffer_;
};

}  // namespace roofline
