#include <limits>
#include <roofline/frame/frame.hpp>
#include <roofline/frame/style.hpp>

#include "analysis/own_time.hpp"
#include "analysis/top_k.hpp"
#include "analysis/totals.hpp"
#include "frame/chart_point.hpp"
#include "frame/density.hpp"
#include "frame/order.hpp"

namespace roofline {
namespace {

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
    const OpClass& op_class = plan.workload().class_of(op);
    const ChartPoint point = chart_point(plan, one, op);
    const double bytes = one.axis_bytes[0], predicted = one.predicted_s[0], time = one.time_s[0];
    const bool measured = time > 0;
    std::uint8_t flags = 0;
    if (!measured) flags |= point_flag::predicted;
    if (measured && predicted > time) flags |= point_flag::above_roof;
    if (point.no_flops) flags |= point_flag::no_flops;
    if (op_class.rates_only) flags |= point_flag::rates_only;
    const Limit limit = limit_of(plan, one, 0);
    if (limit == Limit::neither) flags |= point_flag::neither;
    if (one.partly_known[0] != 0) flags |= point_flag::partly_known;
    if (near_bound(static_cast<Status>(one.status[0]), limit)) flags |= point_flag::near_bound;
    const double self = one.self_time_s[0] > 0 ? one.self_time_s[0] : predicted;
    frame.intensity.push_back(static_cast<float>(point.intensity));
    frame.attained.push_back(static_cast<float>(point.attained));
    frame.time_share.push_back(static_cast<float>(whole > 0 && !op_class.rates_only ? self / whole : 0));
    if (!plan.workload().step.empty()) frame.step.push_back(plan.workload().step[op]);
    frame.status.push_back(static_cast<std::uint8_t>(one.status[0]));
    frame.symbol.push_back(static_cast<std::uint8_t>(op_class.symbol));
    frame.bound.push_back(static_cast<std::uint8_t>(one.bound[0]));
    frame.flags.push_back(flags);
    if (plan.has_whatif()) {
      const Plan::Block& b = single.values;
      const double then = measured && predicted > 0 ? time * (b.whatif_s[0] / predicted) : b.whatif_s[0];
      // Bytes of another memory scale as the device memory's do.
      const double whatif_bytes =
          one.bytes[0] == bytes || !(one.bytes[0] > 0) ? b.whatif_bytes[0] : bytes * (b.whatif_bytes[0] / one.bytes[0]);
      frame.whatif_intensity.push_back(static_cast<float>(intensity_of(b.whatif_flops[0], whatif_bytes)));
      frame.whatif_attained.push_back(static_cast<float>(then > 0 ? (point.no_flops ? whatif_bytes : b.whatif_flops[0]) / then : unknown));
    }
  }
}

/// One row of intensities per memory, for the points alone.
void add_memories(const Plan& plan, Frame& frame) {
  for (const std::string& name : plan.axes()) {
    Blocks single(plan, plan.axis(name).value_or(device_axis));
    for (const std::uint32_t op : frame.points) {
      const OpBlock& one = single.of(op);
      frame.memory_intensity.push_back(static_cast<float>(intensity_of(one.flops[0], one.axis_bytes[0])));
    }
  }
}

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
  const bool may_mismatch = (request.sort == SortKey::lost || request.sort == SortKey::efficiency) && !w.time_s.empty() &&
                            (!totalled || earlier.totals->all.machine_mismatch());
  std::optional<Order> order, order_by_time;
  if (!totalled || !may_mismatch) order.emplace(request, plan);
  if (may_mismatch) order_by_time.emplace(sorted_by(request, SortKey::time), plan);
  const bool grid = w.size() > request.top && !earlier.positions;
  std::array<double, Plan::block_size> keys;
  const auto lost_of = [&](const OpBlock& ops) {
    if (!ops.rates_only) return ops.lost_s;
    for (std::size_t j = 0; j < ops.count; ++j) keys[j] = ops.rates_only[j] != 0 ? sorts_last : ops.lost_s[j];
    return static_cast<const double*>(keys.data());
  };
  Intensities intensities;
  bool any_rates_only = false;
  for (const OpClass& op_class : w.classes) any_rates_only = any_rates_only || op_class.rates_only;
  const bool worst_in_page = request.sort == SortKey::lost && request.descending && request.offset == 0 && request.rows >= max_worst &&
                             order && !any_rates_only && !w.time_s.empty();

  const BlockVisitor show = [&](const OpBlock& ops) {
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
  if (plan.has_whatif() && frame.shown.machine_mismatch()) {
    const Summary estimated = summarize(set);
    frame.shown.typical_time_s = estimated.typical_time_s;
    frame.shown.whatif_estimated = estimated.whatif_estimated;
  }
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
