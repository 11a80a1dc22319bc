#include <cstring>
#include <limits>
#include <roofline/frame/frame.hpp>
#include <roofline/frame/style.hpp>

#include "analysis/blocks.hpp"
#include "analysis/own_time.hpp"
#include "analysis/top_k.hpp"
#include "analysis/totals.hpp"

// Clang does not vectorise wasm comparisons of two lanes by itself; vectorised, these loops take a third of the time.
#ifdef __clang__
#define ROOFLINE_SIMD _Pragma("clang loop vectorize(enable)")
#else
#define ROOFLINE_SIMD
#endif

namespace roofline {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// log2 to about 0.01, from the exponent and a parabola through the mantissa: one cell of the density grid is five times wider.
inline float fast_log2(float v) {
  std::int32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  const float m = static_cast<float>(bits & 0x7fffff) * 0x1p-23f;
  return static_cast<float>((bits >> 23) - 127) + m * (1.3465553f - 0.3465553f * m);
}

/// The grid of all operations' positions.
class Density {
 public:
  explicit Density(const FrameRequest& r) : cells_(outside_cell + 1) {
    const double decades_per_octave = 0.30102999566398120;
    x_scale_ = static_cast<float>(decades_per_octave * Frame::grid_width / (r.log_x1 - r.log_x0));
    y_scale_ = static_cast<float>(decades_per_octave * Frame::grid_height / (r.log_y1 - r.log_y0));
    x_offset_ = static_cast<float>(r.log_x0 * Frame::grid_width / (r.log_x1 - r.log_x0));
    y_offset_ = static_cast<float>(r.log_y0 * Frame::grid_height / (r.log_y1 - r.log_y0));
  }
  /// `time` is the measured time, else the predicted one.
  void add(const OpBlock& ops) {
    std::array<float, Plan::block_size> flops, bytes, time, x, y;
    std::array<std::int32_t, Plan::block_size> cell;
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      flops[j] = static_cast<float>(ops.flops[j]);
      bytes[j] = static_cast<float>(ops.axis_bytes[j]);
    }
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) time[j] =
        static_cast<float>(ops.time_s[j] > 0 ? ops.time_s[j] : ops.predicted_s[j]);
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      const float f = fast_log2(flops[j]);
      x[j] = (f - fast_log2(bytes[j])) * x_scale_ - x_offset_;
      y[j] = (f - fast_log2(time[j])) * y_scale_ - y_offset_;
    }
    constexpr auto width = static_cast<float>(Frame::grid_width), height = static_cast<float>(Frame::grid_height);
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      // FLOPs or bytes of zero have a log2 of about -127, which is outside; what is not known compares as false and is outside too.
      const bool inside = x[j] >= 0 && y[j] >= 0 && x[j] < width && y[j] < height;
      const float column = inside ? x[j] : 0, row = inside ? y[j] : height;
      cell[j] = static_cast<std::int32_t>(row) * static_cast<std::int32_t>(Frame::grid_width) + static_cast<std::int32_t>(column);
    }
    for (std::size_t j = 0; j < ops.count; ++j) cells_[static_cast<std::size_t>(cell[j])] += sign_;
  }
  void subtract_from_now_on() { sign_ = ~0u; }
  [[nodiscard]] std::size_t outside() const { return cells_.back(); }
  [[nodiscard]] std::vector<std::uint32_t> take() {
    cells_.pop_back();
    return std::move(cells_);
  }

 private:
  static constexpr std::size_t outside_cell = Frame::grid_width * Frame::grid_height;  // the first cell above the grid
  std::vector<std::uint32_t> cells_;
  float x_scale_, y_scale_, x_offset_, y_offset_;
  std::uint32_t sign_ = 1;
};

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
        each([&](std::size_t j) { return ops.bytes[j] > 0 ? ops.flops[j] / ops.bytes[j] : unknown; });
        break;
      case SortKey::time:
        each([&](std::size_t j) { return ops.time_s[j]; });
        break;
      case SortKey::predicted:
        each(predicted);
        break;
      case SortKey::lost:
        each([&](std::size_t j) { return untimed_ ? predicted(j) : ops.lost_s[j] > nothing ? ops.lost_s[j] : unknown; });
        break;
      case SortKey::efficiency:
        each([&](std::size_t j) { return predicted(j) / ops.time_s[j]; });
        break;
      case SortKey::achieved:
        each([&](std::size_t j) { return ops.flops[j] / ops.time_s[j]; });
        break;
      case SortKey::bandwidth:
        each([&](std::size_t j) { return ops.bytes[j] / ops.time_s[j]; });
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
      at.store(values_.data(), select(value == value, sign * value, both(nothing)));  // not known: last
    });
    return values_.data();
  }

 private:
  [[nodiscard]] double utilization(const OpBlock& ops, std::size_t j, double least_s) const {
    const bool stand_ins = plan_.workload().class_of(ops.index[j]).rates_only;
    return ops.time_s[j] > 0 && !stand_ins ? least_s / ops.time_s[j] : unknown;
  }

  const FrameRequest& request_;
  const Plan& plan_;
  bool untimed_;
  Slicer slicer_;  // for what blocks do not carry
  const double* counts_;
  std::array<double, Plan::block_size> values_{};
};

/// The lowest and the highest intensity.
class Intensities {
 public:
  void add(const OpBlock& ops) {
    using namespace simd;
    Pair low = low_, high = high_;
    in_pairs(ops.count, [&](auto at) ROOFLINE_INLINE {
      const Pair flops = at.load(ops.flops), bytes = at.load(ops.axis_bytes), intensity = flops / bytes;
      const Mask both_known = (flops > both(0)) & (bytes > both(0));
      low = select(both_known & (intensity < low), intensity, low);
      high = select(both_known & (intensity > high), intensity, high);
    });
    low_ = low, high_ = high;
  }
  [[nodiscard]] Range range() const {
    const double high = std::max(high_[0], high_[1]);
    return high > 0 ? Range{std::min(low_[0], low_[1]), high} : Range{};
  }

 private:
  simd::Pair low_ = simd::both(std::numeric_limits<double>::infinity()), high_{};
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

/// The columns of frame.points; what they show is taken off the density grid.
void add_points(const Plan& plan, const FrameRequest& request, Frame& frame, Density* density) {
  const std::size_t n = frame.points.size();
  for (auto* column : {&frame.intensity, &frame.attained, &frame.time_share}) column->reserve(n);
  for (auto* column : {&frame.status, &frame.symbol, &frame.bound, &frame.flags}) column->reserve(n);
  const double whole = frame.all.time_s > 0 ? frame.all.time_s : frame.all.predicted_time_s;
  Blocks single(plan, request.axis);
  for (const std::uint32_t op : frame.points) {
    const OpBlock& one = single.of(op);
    if (density) density->add(one);
    const OpClass& kind = plan.workload().class_of(op);
    const double flops = one.flops[0], bytes = one.axis_bytes[0], predicted = one.predicted_s[0], time = one.time_s[0];
    const bool measured = time > 0, no_flops = flops == 0 && bytes > 0;
    const double taken = measured ? time : predicted;
    const double done = measured ? flops : plan.bounding_work(op).second;  // a point that is predicted stands on its roof, not above
    std::uint8_t flags = 0;
    if (!measured) flags |= point_flag::predicted;
    if (predicted > time) flags |= point_flag::above_roof;
    if (no_flops) flags |= point_flag::no_flops;
    if (kind.rates_only) flags |= point_flag::rates_only;
    const Limit limit = limit_of(plan, one, 0);
    if (limit == Limit::neither) flags |= point_flag::neither;
    if (one.partly_known[0] != 0) flags |= point_flag::partly_known;
    if (near_bound(static_cast<Status>(one.status[0]), limit)) flags |= point_flag::near_bound;
    const double self = one.self_time_s[0] > 0 ? one.self_time_s[0] : predicted;
    frame.intensity.push_back(static_cast<float>(bytes > 0 ? flops / bytes : unknown));
    frame.attained.push_back(static_cast<float>(taken > 0 ? (no_flops ? bytes : done) / taken : unknown));
    frame.time_share.push_back(static_cast<float>(whole > 0 && !kind.rates_only ? self / whole : 0));
    if (!plan.workload().step.empty()) frame.step.push_back(plan.workload().step[op]);
    frame.status.push_back(static_cast<std::uint8_t>(one.status[0]));
    frame.symbol.push_back(static_cast<std::uint8_t>(kind.symbol));
    frame.bound.push_back(static_cast<std::uint8_t>(one.bound[0]));
    frame.flags.push_back(flags);
    if (plan.has_whatif()) {
      const Plan::Block& b = single.values;
      const double then = measured && predicted > 0 ? time * (b.whatif_s[0] / predicted) : b.whatif_s[0];
      // Bytes of another memory scale as the device memory's do.
      const double whatif_bytes =
          one.bytes[0] == bytes || !(one.bytes[0] > 0) ? b.whatif_bytes[0] : bytes * (b.whatif_bytes[0] / one.bytes[0]);
      frame.whatif_intensity.push_back(static_cast<float>(whatif_bytes > 0 ? b.whatif_flops[0] / whatif_bytes : unknown));
      frame.whatif_attained.push_back(static_cast<float>(then > 0 ? (no_flops ? whatif_bytes : b.whatif_flops[0]) / then : unknown));
    }
  }
}

/// One row of intensities per memory, for the points alone.
void add_memories(const Plan& plan, Frame& frame) {
  for (const std::string& name : plan.axes()) {
    Blocks single(plan, plan.axis(name).value_or(device_axis));
    for (const std::uint32_t op : frame.points) {
      const OpBlock& one = single.of(op);
      frame.memory_intensity.push_back(static_cast<float>(one.axis_bytes[0] > 0 ? one.flops[0] / one.axis_bytes[0] : unknown));
    }
  }
}

/// How many rows stand before one op in the table: its own value first, then a count.
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
  double value_ = nothing;
  std::size_t before_ = 0;
};

/// The table's page and the selected row's place in it, in one order.
class Order {
 public:
  Order(const FrameRequest& request, const Plan& plan)
      : request_(request), values_(request_, plan), page_(request_, plan.workload().size()), row_of_(plan, request_) {}
  Order(const Order&) = delete;  // its values look at its own request
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

FrameRequest sorted_by(FrameRequest request, SortKey key) {
  request.sort = key;
  return request;
}

/// The chart on another machine: the cost of its points, however many operations there are.
Frame make_chart(const Plan& plan, const FrameRequest& request, const Frame& before) {
  Frame frame;
  frame.chart_alone = true;
  frame.all = before.all;
  frame.shown = before.shown;
  frame.points = before.points;
  add_points(plan, request, frame, nullptr);
  if (request.every_memory) add_memories(plan, frame);
  frame.density_outside = before.density_outside;
  frame.roofs = roofs(plan, frame.shown, request.axis, request.every_memory);
  return frame;
}

}  // namespace

Frame make_frame(const OpSet& set, const FrameRequest& request, const ReusableFrame& earlier) {
  const Plan& plan = set.plan();
  if (request.chart_alone && earlier.positions) return make_chart(plan, request, *earlier.positions);
  const Workload& w = plan.workload();
  const ResultFilter results = set.results();
  const bool filtered = set.filtered();
  constexpr std::size_t max_worst = 50;
  Frame frame;
  SummaryAccumulator all(plan), visible(plan);
  TopK top(std::min(request.top, w.size())), worst(max_worst);
  Density density(request);
  // Where the operations turn out to have run elsewhere, what they lose and how efficient they are means nothing: the order is by time
  // then.
  const bool totalled = earlier.totals != nullptr;
  const bool perhaps_elsewhere = (request.sort == SortKey::lost || request.sort == SortKey::efficiency) && !w.time_s.empty() &&
                                 (!totalled || earlier.totals->all.machine_mismatch());
  std::optional<Order> order, order_by_time;
  if (!totalled || !perhaps_elsewhere) order.emplace(request, plan);
  if (perhaps_elsewhere) order_by_time.emplace(sorted_by(request, SortKey::time), plan);
  const bool grid = w.size() > request.top && !earlier.positions;
  std::array<double, Plan::block_size> keys;
  const auto lost_of = [&](const OpBlock& ops) {
    if (!ops.rates_only) return ops.lost_s;
    for (std::size_t j = 0; j < ops.count; ++j) keys[j] = ops.rates_only[j] != 0 ? nothing : ops.lost_s[j];
    return static_cast<const double*>(keys.data());
  };
  Intensities intensities;
  bool any_rates_only = false;
  for (const OpClass& kind : w.classes) any_rates_only = any_rates_only || kind.rates_only;
  const bool worst_in_page = request.sort == SortKey::lost && request.descending && request.offset == 0 && request.rows >= max_worst &&
                             order && !any_rates_only && !w.time_s.empty();

  const auto show = [&](const OpBlock& ops) {
    if (filtered) visible.add(ops);
    if (!worst_in_page) worst.offer(lost_of(ops), ops.index, ops.count);
    intensities.add(ops);
    if (!earlier.positions) {
      ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) keys[j] = ops.self_time_s[j] > 0 ? ops.self_time_s[j] : ops.predicted_s[j];
      top.offer(keys.data(), ops.index, ops.count);
    }
    if (order) order->add(ops);
    if (order_by_time) order_by_time->add(ops);
    if (grid) density.add(ops);
  };
  // If nothing was measured, the what-if's range needs the estimate.
  Blocks blocks(plan, request.axis, plan.has_whatif() && w.time_s.empty());
  if (totalled) {  // what the filter leaves out need not be looked at
    for_each_block(blocks, set, show);
  } else {
    const OpMask chosen = let_through(set, set.rows().counted);
    Compressed compressed;
    for_each_block(blocks, in_scope(set), [&](const OpBlock& ops) {
      all.add(ops);
      if (!filtered) return show(ops);
      show(compressed.of(ops, [&](std::size_t j) {
        return (static_cast<int>(chosen(ops.index[j])) & static_cast<int>(keeps(results, plan, ops, j))) != 0;
      }));
    });
  }

  frame.intensity_range = intensities.range();
  frame.all = totalled ? earlier.totals->all : all.summary();
  if (order) order->put_into(frame);
  frame.worst = worst_in_page ? std::vector(frame.rows.begin(),
                                            frame.rows.begin() + static_cast<std::ptrdiff_t>(std::min(max_worst, frame.rows.size())))
                              : worst.take();
  if (order_by_time && frame.all.machine_mismatch()) order_by_time->put_into(frame);
  frame.shown = filtered ? visible.summary() : frame.all;
  // Times of another machine are no start for a what-if: the estimate is.
  if (plan.has_whatif() && frame.shown.machine_mismatch()) frame.shown.typical_time_s = summarize(set).typical_time_s;
  frame.points = earlier.positions ? earlier.positions->points : top.take();
  density.subtract_from_now_on();  // the grid shows the rest
  add_points(plan, request, frame, grid ? &density : nullptr);
  if (request.every_memory) add_memories(plan, frame);
  if (grid) {
    frame.density_outside = density.outside();
    frame.density = density.take();
  } else if (earlier.positions) {
    frame.density_outside = earlier.positions->density_outside;
    frame.density = earlier.positions->density;
  }
  frame.roofs = roofs(plan, frame.shown, request.axis, request.every_memory);
  return frame;
}

}  // namespace roofline
