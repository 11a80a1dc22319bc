// The order of the table: one page of it, and the place of the selected row.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <roofline/frame/frame.hpp>
#include <vector>

#include "analysis/blocks.hpp"
#include "analysis/own_time.hpp"
#include "analysis/ratios.hpp"
#include "analysis/top_k.hpp"
#include "base/simd.hpp"

namespace roofline {

/// Sorts last: stands for unknown values.
inline constexpr double sorts_last = -std::numeric_limits<double>::infinity();

/// What the table sorts by; larger comes first. Unknown values go last in either direction.
class SortValues {
 public:
  SortValues(const FrameRequest& r, const Plan& plan)
      : request_(r),
        plan_(plan),
        untimed_(plan.workload().time_s.empty()),
        slicer_(plan.workload()),
        counts_(plan.workload().count.empty() ? nullptr : plan.workload().count.data()) {}

  /// The values of a block's ops, signed so that larger comes first.
  const double* of(const OpBlock& ops) {
    using namespace simd;
    if (request_.sort == SortKey::lost && request_.descending && !untimed_) return ops.lost_s;  // the default, as it stands
    const auto each = [&](auto value) {
      for (std::size_t j = 0; j < ops.count; ++j) values_[j] = value(j);
    };
    const auto predicted = [&](std::size_t j) { return ops.predicted_s[j] > 0 ? ops.predicted_s[j] : unknown; };
    switch (request_.sort) {
      case SortKey::source_order:
        each([&](std::size_t j) { return static_cast<double>(ops.index[j]); });
        break;
      case SortKey::name:
      case SortKey::type:
      case SortKey::category:
      case SortKey::step:
      case SortKey::label:
        each([&](std::size_t j) {
          const std::uint32_t rank = ops.index[j] < request_.ranks.size() ? request_.ranks[ops.index[j]] : ops.index[j];
          return rank == no_rank ? unknown : rank;
        });
        break;
      case SortKey::bound_by:
        each([&](std::size_t j) { return ops.bound[j] == no_resource ? unknown : ops.bound[j]; });
        break;
      case SortKey::limited_by:
        each([&](std::size_t j) {
          const std::size_t limit = limit_index(plan_, ops, j);
          return limit == no_resource ? unknown : static_cast<double>(limit);
        });
        break;
      case SortKey::compute_utilization:
        each([&](std::size_t j) {
          const double least = ops.compute_s[j];  // 0 also where it is not known
          return utilization(ops, j, least > 0 || ops.flops[j] == 0 ? least : unknown);
        });
        break;
      case SortKey::memory_utilization: {
        std::array<double, Plan::block_size> least;
        plan_.memory_times(slicer_.gathered(ops.index, ops.count, plan_.reads_roles()), ops.bytes, least.data());
        each([&](std::size_t j) { return utilization(ops, j, least[j]); });
        break;
      }
      case SortKey::status:
        each([&](std::size_t j) { return static_cast<double>(ops.status[j]); });
        break;
      case SortKey::flops:
        each([&](std::size_t j) { return ops.flops[j]; });
        break;
      case SortKey::bytes:
        each([&](std::size_t j) { return ops.bytes[j]; });
        break;
      case SortKey::intensity:
        each([&](std::size_t j) { return intensity_of(ops.flops[j], ops.bytes[j]); });
        break;
      case SortKey::time:
        each([&](std::size_t j) { return ops.time_s[j]; });
        break;
      case SortKey::predicted:
        each(predicted);
        break;
      case SortKey::lost:
        each([&](std::size_t j) { return untimed_ ? predicted(j) : ops.lost_s[j] > sorts_last ? ops.lost_s[j] : unknown; });
        break;
      case SortKey::efficiency:
        each([&](std::size_t j) { return efficiency_of(predicted(j), ops.time_s[j]); });
        break;
      case SortKey::achieved:
        each([&](std::size_t j) { return achieved_rate(ops.flops[j], ops.time_s[j]); });
        break;
      case SortKey::bandwidth:
        each([&](std::size_t j) { return achieved_rate(ops.bytes[j], ops.time_s[j]); });
        break;
      case SortKey::speedup:
        each([&](std::size_t j) { return predicted(j) / ops.whatif_s[j]; });
        break;
      case SortKey::self_time:
        each([&](std::size_t j) { return ops.self_time_s[j]; });
        break;
      case SortKey::count:
        each([&](std::size_t j) { return counts_ ? counts_[ops.index[j]] : 1; });
        break;
    }
    const Pair sign = both(request_.descending ? 1 : -1);
    in_pairs(ops.count, [&](auto at) ROOFLINE_INLINE {
      const Pair value = at.load(values_.data());
      at.store(values_.data(), select(value == value, sign * value, both(sorts_last)));  // NaN: not known
    });
    return values_.data();
  }

 private:
  [[nodiscard]] double utilization(const OpBlock& ops, std::size_t j, double least_s) const {
    const bool stand_ins = plan_.workload().class_of(ops.index[j]).rates_only;
    return stand_ins ? unknown : utilization_of(least_s, ops.time_s[j]);
  }

  const FrameRequest& request_;
  const Plan& plan_;
  bool untimed_;
  Slicer slicer_;  // for what blocks do not carry
  const double* counts_;
  std::array<double, Plan::block_size> values_{};
};

/// One page of the table in order, without sorting the rest.
class Page {
 public:
  Page(const FrameRequest& r, std::size_t ops)
      : offset_(r.offset), rows_(r.rows), streamed_(r.offset + r.rows <= 4096), top_(streamed_ ? r.offset + r.rows : 0) {
    if (!streamed_) keys_.reserve(ops);
  }
  void offer(const double* keys, const std::uint32_t* index, std::size_t count) {
    if (streamed_) return top_.offer(keys, index, count);
    for (std::size_t j = 0; j < count; ++j) keys_.push_back({keys[j], index[j]});
  }
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> out;
    if (streamed_) {
      out = top_.take();
      out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(std::min(offset_, out.size())));
      return out;
    }
    const auto at = [&](std::size_t i) { return keys_.begin() + static_cast<std::ptrdiff_t>(std::min(i, keys_.size())); };
    std::nth_element(keys_.begin(), at(offset_), keys_.end(), comes_before);
    std::nth_element(at(offset_), at(offset_ + rows_), keys_.end(), comes_before);
    std::sort(at(offset_), at(offset_ + rows_), comes_before);
    for (auto it = at(offset_); it != at(offset_ + rows_); ++it) out.push_back(it->index);
    return out;
  }

 private:
  std::size_t offset_, rows_;
  bool streamed_;
  TopK top_;
  std::vector<Ranked> keys_;
};

/// Counts the table's rows before the selected op, whose own value is found first.
class RowOf {
 public:
  RowOf(const Plan& plan, const FrameRequest& request) {
    if (!request.selected || *request.selected >= plan.workload().size()) return;
    op_ = *request.selected;
    Blocks single(plan);
    value_ = SortValues(request, plan).of(single.of(op_))[0];
    active_ = true;
  }
  void count(const OpBlock& ops, const double* values) {
    using namespace simd;
    if (!active_) return;
    const std::uint32_t* own = std::lower_bound(ops.index, ops.index + ops.count, op_);
    const auto first = static_cast<std::size_t>(own - ops.index);  // those before it also win a tie
    seen_ = seen_ || (first < ops.count && *own == op_);
    Mask before{};
    in_pairs(first, [&](auto at) ROOFLINE_INLINE { before += at.once(at.load(values) >= both(value_)); });
    in_pairs(ops.count - first, [&](auto at) ROOFLINE_INLINE { before += at.once(at.load(values + first) > both(value_)); });
    before_ -= static_cast<std::size_t>(before[0] + before[1]);
  }
  [[nodiscard]] std::optional<std::size_t> row() const { return active_ && seen_ ? std::optional(before_) : std::nullopt; }

 private:
  bool active_ = false, seen_ = false;
  std::uint32_t op_ = 0;
  double value_ = sorts_last;
  std::size_t before_ = 0;
};

/// The table's page and the selected row's place in it, in one order.
class Order {
 public:
  Order(const FrameRequest& request, const Plan& plan)
      : request_(request), values_(request_, plan), page_(request_, plan.workload().size()), row_of_(plan, request_) {}
  Order(const Order&) = delete;  // values_ and others refer to request_
  void add(const OpBlock& ops) {
    const double* values = values_.of(ops);
    page_.offer(values, ops.index, ops.count);
    row_of_.count(ops, values);
  }
  void put_into(Frame& frame) {
    frame.sort = request_.sort;
    frame.rows = page_.take();
    frame.selected_row = row_of_.row();
  }

 private:
  FrameRequest request_;
  SortValues values_;
  Page page_;
  RowOf row_of_;
};

}  // namespace roofline
