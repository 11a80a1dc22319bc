// Iterates over the operations of a set, a block at a time. A block's columns fit the first-level cache, and nothing branches on values:
// with operations in random order the CPU would mispredict every branch.
#pragma once

#include <algorithm>
#include <functional>
#include <roofline/analysis/op_set.hpp>

#include "analysis/ratios.hpp"
#include "analysis/slice.hpp"

namespace roofline {

/// Columns of up to Plan::block_size operations. Times are NaN where not measured; predicted_s is 0 where no bound is known.
struct OpBlock {
  std::size_t count = 0;
  const std::uint32_t* index = nullptr;
  const double *flops = nullptr, *bytes = nullptr, *compute_s = nullptr, *predicted_s = nullptr, *time_s = nullptr, *self_time_s = nullptr,
               *lost_s = nullptr, *whatif_s = nullptr, *whatif_bytes = nullptr;
  const double* typical_s = nullptr;  ///< null: not asked for
  const std::int32_t *bound = nullptr, *whatif_bound = nullptr;
  const std::int32_t* status = nullptr;        ///< Status as a number
  const std::int32_t* partly_known = nullptr;  ///< 0 or -1: OpAnalysis::partly_known
  const std::uint8_t* rates_only = nullptr;    ///< null: none
  const double* share = nullptr;               ///< self time over time, which lost_s includes already; null: 1
  const double* axis_bytes = nullptr;          ///< the bytes in the chart's intensities
};

[[nodiscard]] inline Limit limit_of(const Plan& plan, const OpBlock& ops, std::size_t j) {
  return plan.limit(ops.bound[j], ops.partly_known[j] != 0, efficiency_of(ops.predicted_s[j], ops.time_s[j]));
}

[[nodiscard]] inline bool keeps(const ResultFilter& results, const Plan& plan, const OpBlock& ops, std::size_t j) {
  return results.keeps(ops.status[j], ops.bound[j]) && (results.limits == ~0u || results.keeps(limit_of(plan, ops, j), ops.bound[j]));
}

/// The estimate, else the bound.
[[nodiscard]] inline double estimate_s(const OpBlock& ops, std::size_t j) {
  return ops.typical_s ? std::max(ops.predicted_s[j], ops.typical_s[j]) : ops.predicted_s[j];
}

/// The time that a speed-up starts from: measured, else the estimate, else the bound.
[[nodiscard]] inline double today_s(const OpBlock& ops, std::size_t j) { return ops.time_s[j] > 0 ? ops.time_s[j] : estimate_s(ops, j); }

/// Selects operations before they are evaluated: those with a 1 in every mask that is given.
struct OpMask {
  const std::uint8_t *in_scope = nullptr, *ops = nullptr;  ///< per op; null: all
  const std::uint8_t* classes = nullptr;                   ///< per class; null: all
  const std::uint32_t* op_class = nullptr;                 ///< per op
  [[nodiscard]] bool all() const { return !in_scope && !ops && !classes; }
  [[nodiscard]] bool operator()(std::uint32_t op) const {
    const bool a = !in_scope || in_scope[op] != 0, b = !ops || ops[op] != 0, c = !classes || classes[op_class[op]] != 0;
    return (static_cast<int>(a) & static_cast<int>(b) & static_cast<int>(c)) != 0;
  }
  /// Sets marks[j] to 1 where operation first + j is selected, else to 0; mask by mask, which compilers vectorise.
  [[gnu::noinline]] void mark(std::size_t first, std::size_t count, std::uint8_t* marks) const;
};

/// Evaluates one block of operations at a time; each call overwrites the block before. `typical`: estimates their typical times, too.
class Blocks {
 public:
  explicit Blocks(const Plan& plan, MemoryAxis axis = device_axis, bool typical = false);
  const OpBlock& of(std::uint32_t op) { return contiguous(op, 1); }
  const OpBlock& contiguous(std::size_t first, std::size_t count);
  const OpBlock& gathered(const std::uint32_t* ops, std::size_t count);

  [[nodiscard]] const Plan& plan() const { return plan_; }

  Plan::Block values;  ///< of the block evaluated last

 private:
  const OpBlock& evaluated(const Plan::Slice& slice, const std::uint32_t* index);
  /// Self time over time, where a source has both: sums count the share of an operation's work and lost time that its self time is.
  const double* shares(const Plan::Slice& slice);

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

using BlockVisitor = std::function<void(const OpBlock&)>;

/// Evaluates the listed operations block by block, in the order of the list: visit(block, index in `ops` of its first operation).
template <class Visit>
void for_each_gathered(Blocks& blocks, const std::vector<std::uint32_t>& ops, const Visit& visit) {
  for (std::size_t first = 0; first < ops.size(); first += Plan::block_size)
    visit(blocks.gathered(ops.data() + first, std::min(Plan::block_size, ops.size() - first)), first);
}

/// Visits the chosen operations, in source order.
void for_each_block(Blocks& blocks, const OpMask& chosen, const BlockVisitor& visit);

/// Copies the operations of a block that pass a test into a smaller block.
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
    out_.whatif_bound = from.whatif_bound == from.bound ? out_.bound : take(whatif_bound_.data(), from.whatif_bound);
    out_.status = take(status_.data(), from.status);
    out_.partly_known = take(partly_known_.data(), from.partly_known);
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
  std::array<std::int32_t, Plan::block_size> bound_, whatif_bound_, status_, partly_known_;
  std::array<std::uint8_t, Plan::block_size> rates_only_;
};

[[nodiscard]] inline const std::uint8_t* mask_or_all(const std::vector<std::uint8_t>& mask) { return mask.empty() ? nullptr : mask.data(); }

/// The operations that totals of a set are over, before its filters.
[[nodiscard]] inline OpMask in_scope(const OpSet& ops) { return {mask_or_all(ops.rows().counted), nullptr, nullptr, nullptr}; }
/// The operations that pass the filters on rows and classes; filters on status and bound need evaluation and come later.
[[nodiscard]] inline OpMask let_through(const OpSet& ops, const RowMask& scope) {
  return {mask_or_all(scope), mask_or_all(ops.rows().found), mask_or_all(ops.rows().classes), ops.workload().op_class.data()};
}

/// Visits the operations of a set that are within `scope`, in source order. `blocks` must be of the set's plan.
void for_each_block(Blocks& blocks, const OpSet& ops, const RowMask& scope, const BlockVisitor& visit);
/// Visits the operations that totals count.
void for_each_block(Blocks& blocks, const OpSet& ops, const BlockVisitor& visit);
void for_each_block(const OpSet& ops, const BlockVisitor& visit);
/// Visits all listed rows, also those that are totals of others.
void for_each_listed_block(const OpSet& ops, const BlockVisitor& visit);

}  // namespace roofline
