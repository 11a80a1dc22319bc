#include "analysis/totals.hpp"

namespace roofline {

void SummaryAccumulator::add(const OpBlock& ops) {
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
  std::array<Pair, Plan::block_size> times;                // per op: taken, predicted
  std::array<Pair, Plan::block_size> unlimited_and_count;  // per op: its time if no resource is known to limit it, else 0; and 1
  Pair all_flops = flops_, all_bytes = bytes_, all_lost = lost_, all_far_above = far_above_, all_neither = neither_,
       all_partly = partly_known_;
  Mask timed{}, above{}, above_memory{}, above_link{}, far_above{}, neither{}, partly{};  // minus the numbers of ops: true is -1
  in_pairs(ops.count, [&](auto at) ROOFLINE_INLINE {
    const Pair self = at.load(self_time), least = at.load(predicted), time = at.load(ops.time_s), lost = at.load(lost_time);
    const Pair taken = keep(self > both(0), self);
    times[at.j] = firsts(taken, least);
    if (at.second() != at.j) times[at.second()] = seconds(taken, least);
    all_flops += at.once(known(at.load(flops)));
    all_bytes += at.once(known(at.load(bytes)));
    all_lost += at.once(keep(lost > both(0), lost));
    const Pair bound = at.load(ops.predicted_s);
    const Pair resource = at.load(ops.bound);
    const Mask by_memory = resource > both(0);
    // Peaks are at the rated clock: a boost clock exceeds them without being another machine.
    const Mask measured = time > both(0);  // 0: below the resolution of its timer
    const Mask is_far_above =
        measured & (bound > (both(Summary::above_roof_ratio + compute_headroom_) - keep(by_memory, both(compute_headroom_))) * time);
    const Mask is_above = measured & (bound > time), by_link = resource >= both(links_from_);
    above += at.once(is_above);
    above_memory += at.once(is_above & by_memory);
    above_link += at.once(is_above & by_link);
    timed += at.once(measured);
    far_above += at.once(is_far_above);
    all_far_above += at.once(keep(is_far_above, taken));
    const Mask partly_known = at.load_whole(ops.partly_known);
    const Mask judged = measured & (bound > both(0));
    const Mask low = judged & ~partly_known & (bound < both(advice_threshold_) * time);  // as Plan::limit
    neither += at.once(low);
    partly += at.once(partly_known);
    const Pair low_taken = keep(low, taken), partly_taken = keep(partly_known, taken);
    const Pair unlimited = low_taken + partly_taken;
    unlimited_and_count[at.j] = firsts(unlimited, both(1));
    if (at.second() != at.j) unlimited_and_count[at.second()] = seconds(unlimited, both(1));
    all_neither += at.once(low_taken);
    all_partly += at.once(partly_taken);
  });
  flops_ = all_flops;
  bytes_ = all_bytes;
  lost_ = all_lost;
  far_above_ = all_far_above;
  neither_ = all_neither;
  partly_known_ = all_partly;
  s_.ops += ops.count;
  s_.timed_ops -= static_cast<std::size_t>(timed[0] + timed[1]);
  const auto add_count = [](std::size_t& sum, const Mask& n) { sum -= static_cast<std::size_t>(n[0] + n[1]); };
  add_count(s_.above_roof, above);
  add_count(s_.above_by_kind[0], above - above_memory);
  add_count(s_.above_by_kind[1], above_memory - above_link);
  add_count(s_.above_by_kind[2], above_link);
  add_count(s_.far_above, far_above);
  add_count(s_.neither, neither);
  if (partly[0] + partly[1] != 0)
    for (std::size_t j = 0; j < ops.count; ++j)
      s_.partly_known_by_status[static_cast<std::size_t>(ops.status[j])] += ops.partly_known[j] != 0 ? 1 : 0;
  add_count(s_.partly_known, partly);
  const auto add_to = [&, bound = ops.bound, status = ops.status](std::size_t table, std::size_t op) ROOFLINE_INLINE {
    Row& row = rows_[table][row_of(static_cast<std::size_t>(bound[op]), static_cast<std::size_t>(status[op]))];
    row.times += times[op];
    row.unlimited_and_count += unlimited_and_count[op];
  };
  std::size_t j = 0;  // four tables in turn, so that consecutive additions do not wait for each other
  for (; j + 4 <= ops.count; j += 4)
    for (std::size_t table = 0; table < 4; ++table) add_to(table, j + table);
  for (; j < ops.count; ++j) add_to(0, j);
  if (whatif_) add_whatif(ops);
  if (ops.typical_s) add_typical(ops);
}

namespace {
/// no_resource if all times are 0.
std::uint8_t resource_with_most_time(const double* time_s, std::size_t resources) {
  double most = 0;
  std::uint8_t out = no_resource;
  for (std::size_t i = 0; i < resources; ++i) {
    if (!(time_s[i] > most)) continue;
    most = time_s[i];
    out = static_cast<std::uint8_t>(i);
  }
  return out;
}
}  // namespace

Summary SummaryAccumulator::summary() const {
  Summary s = s_;
  s.lost_time_s = simd::sum(lost_);
  s.far_above_s = simd::sum(far_above_);
  s.neither_s = simd::sum(neither_);
  s.partly_known_s = simd::sum(partly_known_);
  s.flops = simd::sum(flops_);
  s.bytes = simd::sum(bytes_);
  s.by_bound.assign(resources_, 0);
  s.predicted_by_bound.assign(resources_, 0);
  s.limited_time_by_bound.assign(resources_, 0);
  std::array<double, max_resources> unlimited_by_bound{};
  for (std::size_t status = 0; status < status_count; ++status)
    for (std::size_t bound = 0; bound <= resources_; ++bound)
      for (const auto& table : rows_) {
        const Row& row = table[row_of(bound < resources_ ? bound : no_resource, status)];
        const double taken = row.times[0], predicted = row.times[1];
        const auto ops = static_cast<std::size_t>(row.unlimited_and_count[1]);
        s.time_s += taken;
        s.predicted_time_s += predicted;
        s.by_status[status] += ops;
        s.time_by_status[status] += taken;
        const bool judged = status < static_cast<std::size_t>(Status::predicted);
        if (judged) {
          s.judged_time_s += taken;
          s.judged_predicted_s += predicted;
        }
        if (judged && !is_near_roof(static_cast<Status>(status))) {
          s.tunable += ops;
          s.tunable_s += taken - predicted;
        }
        if (bound == resources_) continue;
        s.by_bound[bound] += ops;
        s.predicted_by_bound[bound] += predicted;
        if (!judged) continue;
        s.limited_time_by_bound[bound] += taken;
        unlimited_by_bound[bound] += row.unlimited_and_count[0];
      }
  for (std::size_t bound = 0; bound < resources_; ++bound) {
    double& limited = s.limited_time_by_bound[bound];
    limited = std::max(0.0, limited - unlimited_by_bound[bound]);
  }
  s.bound_by = resource_with_most_time(s.predicted_by_bound.data(), resources_);
  s.whatif_bound_by = resource_with_most_time(whatif_by_bound_.data(), resources_);
  return s;
}

void SummaryAccumulator::add_own(const OpBlock& ops) {
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

void SummaryAccumulator::add_whatif(const OpBlock& ops) {
  const auto real = [&](std::size_t j) { return !ops.rates_only || ops.rates_only[j] == 0; };
  for (std::size_t j = 0; j < ops.count; ++j) {  // in the order of the rows, so that sums do not depend on blocks
    s_.whatif_predicted_s += real(j) && ops.predicted_s[j] > 0 ? ops.whatif_s[j] : 0;
    s_.whatif_bytes += real(j) && ops.whatif_bytes[j] > 0 ? ops.whatif_bytes[j] : 0;
    const std::int32_t bound = ops.whatif_bound[j];
    if (bound != no_resource && real(j) && ops.predicted_s[j] > 0) whatif_by_bound_[static_cast<std::size_t>(bound)] += ops.whatif_s[j];
  }
  if (timed_) add_whatif(s_.whatif_measured, ops, ops.time_s);
  if (!timed_ || ops.typical_s) {
    std::array<double, Plan::block_size> estimate;
    for (std::size_t j = 0; j < ops.count; ++j) estimate[j] = estimate_s(ops, j);
    add_whatif(s_.whatif_estimated, ops, estimate.data());
  }
  if (!plan_.whatif_may_lack_rates()) return;
  for (std::size_t j = 0; j < ops.count; ++j)
    s_.whatif_without_rate += ops.predicted_s[j] > 0 && plan_.whatif_lacks_rate(ops.index[j], ops.bound[j]) ? 1 : 0;
}

void SummaryAccumulator::add_whatif(WhatIfSums& sums, const OpBlock& ops, const double* today_s) const {
  using namespace simd;
  enum Term { today, bound, efficient, overhead, above_roof, term_count };
  std::array<std::array<double, Plan::block_size>, term_count> terms;
  in_pairs(ops.count, [&](auto at) ROOFLINE_INLINE {
    const Pair time = at.load(today_s), predicted = at.load(ops.predicted_s), then = at.load(ops.whatif_s);
    const auto real = [&](std::size_t j) -> Lane { return !ops.rates_only || ops.rates_only[j] == 0 ? -1 : 0; };
    const Mask known = {real(at.j), real(at.second())}, judged = known & (predicted > both(0)) & (time > both(0));
    const Pair as_efficient = time * (then / predicted);
    at.store(terms[today].data(), keep(judged, time));
    at.store(terms[bound].data(), keep(judged, then));
    at.store(terms[efficient].data(), keep(judged, as_efficient));
    at.store(terms[overhead].data(), keep(judged, keep(time > predicted, time - predicted) + then));
    at.store(terms[above_roof].data(), keep(judged & (time < predicted), as_efficient - then));
  });
  for (std::size_t j = 0; j < ops.count; ++j) {
    sums.today_s += terms[today][j];
    sums.bound_s += terms[bound][j];
    sums.efficient_s += terms[efficient][j];
    sums.overhead_s += terms[overhead][j];
    sums.above_roof_s += terms[above_roof][j];
  }
  if (plan_.scenario().whatif.batch_scale == 1) return;
  for (std::size_t j = 0; j < ops.count; ++j)
    if (terms[today][j] > 0) sums.launch_s += plan_.fixed_overhead(ops.index[j], today_s[j], ops.predicted_s[j]);
}

void SummaryAccumulator::add_typical(const OpBlock& ops) {
  if (!known(s_.typical_time_s)) s_.typical_time_s = 0;
  for (std::size_t j = 0; j < ops.count; ++j) {
    const bool real = !ops.rates_only || ops.rates_only[j] == 0;
    s_.typical_time_s += real && ops.typical_s[j] > 0 ? ops.typical_s[j] : 0;
  }
}

}  // namespace roofline
