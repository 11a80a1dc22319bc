#include <algorithm>
#include <cstring>
#include <roofline/analysis/analysis.hpp>

#include "analysis/ratios.hpp"
#include "analysis/slice.hpp"
#include "base/simd.hpp"

namespace roofline {

void Plan::axis_bytes(MemoryAxis axis, const Slice& c, const double* device, double* out) const {
  const double* from = axis >= 0 ? c.channels[static_cast<std::size_t>(axis)] : device;
  std::copy(from, from + c.count, out);
  if (axis != bottleneck_axis) return;
  std::array<double, block_size> longest;
  device_memory_times(c, device, longest.data());
  for (std::size_t k = 0; k < workload_.channels.size(); ++k) {
    if (channel_of_[k] < 0 || workload_.channels[k].link) continue;
    const double* bytes = c.channels[k];
    for (std::size_t j = 0; j < c.count; ++j) {
      const double time = bytes[j] / today_rates_.channel[k];
      if (!(time > known_or(longest[j], 0))) continue;
      longest[j] = time;
      out[j] = bytes[j];
    }
  }
}

// --- work over rate --------------------------------------------------------------------------------------------------------------------

namespace {

/// True if the stated bytes cross a host link that this machine does not have.
bool ignores_given_bytes(const Workload& w, const Machine& machine) { return w.host_bytes && !machine.uses_host_memory(); }

/// Measured bytes under another format or batch: scaled as the derived ones are.
inline double scaled(double given, double derived, double derived_then) { return derived > 0 ? given * (derived_then / derived) : given; }

inline void raise(double time, std::uint8_t resource, double& best, std::int32_t& bound) {
  if (time > best) {  // strict: a tie goes to the earlier resource; false for NaN: what is not known is not tested
    best = time;
    bound = resource;
  }
}

}  // namespace

// Times are quotients, not products with reciprocals: where two resources tie exactly, they must tie here too. The device memory and
// compute come first, two ops at a time; what only some machines or sources have follows, op by op.
void Plan::evaluate(const Slice& slice, Block& block) const {
  using namespace simd;
  const Slice c = slice;  // Local copy: the stores below may alias.
  const std::size_t count = c.count;
  const std::uint32_t* op_class = c.op_class;
  // One machine may state a rate for each direction and the other one for both: the bound is then named after today's resource.
  const std::uint8_t both_directions = device_resource_ != no_resource ? device_resource_ : read_resource_;
  const std::uint8_t reading = read_resource_ != no_resource ? read_resource_ : device_resource_;
  const std::uint8_t writing = write_resource_ != no_resource ? write_resource_ : device_resource_;

  // One quotient for both units: the one that takes longer is found by cross-multiplying. An unknown rate is infinite, and infinity times
  // no work is NaN, whose comparison is false: so work without a rate never counts, and work beside it always does.
  const auto compute_time = [](Pair matrix_flops, Pair vector_flops, const UnitRates& a, const UnitRates& b) ROOFLINE_INLINE {
    Pair first, second;
    std::memcpy(&first, &a, sizeof first);
    std::memcpy(&second, &b, sizeof second);
    const Pair matrix = firsts(first, second), vector = seconds(first, second);
    const Mask by_vector = vector_flops * matrix > matrix_flops * vector;
    const Pair time = select(by_vector, vector_flops, matrix_flops) / select(by_vector, vector, matrix);
    return keep(time > both(0), time);  // 0 also where FLOPs are not known
  };
  const Mask memory_resource = both_whole(both_directions), none = both_whole(no_resource);
  struct Bound {
    Pair compute, predicted;
    Mask by_memory, resource;
  };
  const auto bound_of = [&](auto at, Pair matrix_flops, Pair vector_flops, const UnitRates* units, Pair bytes,
                            Pair bandwidth) ROOFLINE_INLINE {
    const Pair compute = compute_time(matrix_flops, vector_flops, units[op_class[at.j]], units[op_class[at.second()]]);
    const Pair memory = bytes / bandwidth;
    const Mask by_memory = memory > compute;  // false where bytes are not known
    return Bound{compute, select(by_memory, memory, compute), by_memory, select(by_memory, memory_resource, none & ~(compute > both(0)))};
  };
  // `scale`: per op, a factor of its bytes on inner memories and links; null: 1.
  const auto apply_other_limits = [&](const Rates& rates, const ClassRates* classes, double batch, const double* bytes, const double* scale,
                                      double* best, std::int32_t* bound) {
    if (rates.by_direction())
      for (std::size_t j = 0; j < count; ++j) {
        const Bytes by_direction = split_bytes(c, j, classes[op_class[j]], batch, bytes[j]);
        raise(by_direction.read / rates.read, reading, best[j], bound[j]);
        raise(by_direction.write / rates.write, writing, best[j], bound[j]);
      }
    for (std::size_t k = 0; k < channel_of_.size(); ++k)
      for (std::size_t j = 0; channel_of_[k] >= 0 && j < count; ++j)
        raise(c.channels[k][j] * (scale ? scale[j] : 1) / rates.channel[k], static_cast<std::uint8_t>(channel_of_[k]), best[j], bound[j]);
  };
  const bool channels = std::any_of(channel_of_.begin(), channel_of_.end(), [](std::int16_t resource) { return resource >= 0; });
  const bool other_limits = channels || today_rates_.by_direction();

  const ClassRates* rates = today_.data();
  const bool ignores_given = ignores_given_bytes(workload_, scenario_.machine);
  if (c.bytes && !ignores_given) {
    block.bytes = c.bytes;
  } else {
    for (std::size_t j = 0; j < count; ++j) {
      const double derived = derived_bytes(c, j, rates[op_class[j]], 1).total();
      block.derived_bytes[j] = c.given[j] == c.given[j] && !ignores_given ? c.given[j] : derived;
    }
    block.bytes = block.derived_bytes.data();
  }
  const double* time = c.time_s;
  const Pair bound_from = both(scenario_.bound_threshold), compute_low = both(scenario_.compute_threshold),
             memory_low = both(scenario_.memory_threshold);
  const auto judge = [&](auto at, Pair predicted, Pair work, Mask by_memory, Mask by_link) ROOFLINE_INLINE {
    if (!time) return;
    constexpr auto number = [](Status s) { return both_whole(static_cast<std::int64_t>(s)); };
    const Pair taken = at.load(time);
    const Mask kind = -(by_memory + by_link);  // 0 compute, 1 memory, 2 link: the order of the statuses
    const Mask low = predicted<select(by_memory, memory_low, compute_low) * taken, high = predicted> bound_from * taken;
    const Mask timed = taken > both(0), known = predicted > both(0);
    Mask s = select(low, number(Status::compute_inefficient) + kind, number(Status::normal));
    s = select(timed, select(high, number(Status::compute_bound) + kind, s), number(Status::predicted));
    at.store(block.status.data(), select(known, s, number(Status::unknown)));
    at.store(block.partly_known.data(), known & (work != work) & ~by_link & ~high);
    at.store(block.lost_s.data(), select(timed & known, taken - predicted, both(-unlimited)));
  };
  const UnitRates* units = today_units_.data();
  const Pair bandwidth = both(today_rates_.total);
  in_pairs(count, [&](auto at) ROOFLINE_INLINE {
    const Pair matrix_flops = at.load(c.matrix_flops), vector_flops = at.load(c.vector_flops), bytes = at.load(block.bytes);
    const Bound b = bound_of(at, matrix_flops, vector_flops, units, bytes, bandwidth);
    at.store(block.flops.data(), matrix_flops + vector_flops);
    at.store(block.compute_s.data(), b.compute);
    at.store(block.predicted_s.data(), b.predicted);
    at.store(block.bound.data(), b.resource);
    judge(at, b.predicted, matrix_flops + vector_flops + bytes, b.by_memory, Mask{});
  });
  apply_other_limits(today_rates_, rates, 1, block.bytes, nullptr, block.predicted_s.data(), block.bound.data());
  if (other_limits && time)
    in_pairs(count, [&](auto at) ROOFLINE_INLINE {
      const Pair by = at.load(block.bound.data());
      judge(at, at.load(block.predicted_s.data()), at.load(block.flops.data()) + at.load(block.bytes), by > both(0),
            by >= both(static_cast<double>(links_from_)));
    });
  if (rate_unknown_ && time)
    for (std::size_t j = 0; j < count; ++j) {
      const bool without_rate = units[op_class[j]].lack(c.matrix_flops[j], c.vector_flops[j]);
      const std::int32_t by = block.bound[j];
      const bool by_link = by != no_resource && by >= static_cast<std::int32_t>(links_from_);
      const double predicted = block.predicted_s[j];
      if (without_rate && !by_link && predicted > 0 && !(predicted > scenario_.bound_threshold * time[j])) block.partly_known[j] = -1;
    }
  if (launch_s_ > 0 && time)
    for (std::size_t j = 0; j < count; ++j) {  // launching takes longer than the work, and explains the time
      const double predicted = block.predicted_s[j], limit = scenario_.bound_threshold * time[j];
      const double launch = launch_s_ * c.occurrences[j];
      if (predicted > 0 && predicted <= limit && launch > predicted && predicted + launch > limit)
        block.status[j] = static_cast<std::int32_t>(Status::latency_bound);
    }
  if (time_only_)
    for (std::size_t j = 0; j < count; ++j)
      if (workload_.classes[op_class[j]].time_only) block.status[j] = static_cast<std::int32_t>(Status::time_only);

  if (!whatif_active_) return;
  const bool ignored_then = ignores_given_bytes(workload_, scenario_.whatif_machine());
  for (std::size_t j = 0; j < count; ++j) {
    const double then = derived_bytes(c, j, whatif_[op_class[j]], batch_scale_).total();
    const bool given = c.given[j] == c.given[j] && !ignored_then;
    block.whatif_bytes[j] = given ? scaled(c.given[j], derived_bytes(c, j, rates[op_class[j]], 1).total(), then) : then;
  }
  const UnitRates* whatif_units = whatif_units_.data();
  const Pair whatif_bandwidth = both(whatif_rates_.total), batch = both(batch_scale_);
  in_pairs(count, [&](auto at) ROOFLINE_INLINE {
    const Bound b = bound_of(at, batch * at.load(c.matrix_flops), batch * at.load(c.vector_flops), whatif_units,
                             at.load(block.whatif_bytes.data()), whatif_bandwidth);
    at.store(block.whatif_flops.data(), batch * at.load(block.flops.data()));
    at.store(block.whatif_s.data(), b.predicted);
    at.store(block.whatif_bound.data(), b.resource);
  });
  if (!channels && !whatif_rates_.by_direction()) return;
  // The source's bytes on inner memories and links are measured; under a what-if they scale as the device memory's do.
  std::array<double, block_size> scale;
  for (std::size_t j = 0; j < count; ++j) scale[j] = block.bytes[j] > 0 ? block.whatif_bytes[j] / block.bytes[j] : 1;
  apply_other_limits(whatif_rates_, whatif_.data(), batch_scale_, block.whatif_bytes.data(), scale.data(), block.whatif_s.data(),
                     block.whatif_bound.data());
}

void Plan::evaluate(std::size_t first, std::size_t count, Block& block) const {
  evaluate(Slicer(workload_).contiguous(first, count), block);
}

namespace {
/// The longest of some times; a time that is not known gives way to any other.
inline void raise_to(double& longest, double time) {
  if (time > longest || longest != longest) longest = time;
}
}  // namespace

void Plan::device_memory_times(const Slice& c, const double* device, double* out) const {
  std::fill(out, out + c.count, unknown);
  if (read_resource_ != no_resource) {
    for (std::size_t j = 0; j < c.count; ++j) {
      const Bytes bytes = split_bytes(c, j, today_[c.op_class[j]], 1, device[j]);
      if (today_rates_.read < unlimited) raise_to(out[j], bytes.read / today_rates_.read);
      if (today_rates_.write < unlimited) raise_to(out[j], bytes.write / today_rates_.write);
    }
  } else if (today_rates_.total < unlimited) {
    for (std::size_t j = 0; j < c.count; ++j) out[j] = device[j] / today_rates_.total;
  }
}

void Plan::memory_times(const Slice& c, const double* device, double* out) const {
  const std::size_t count = c.count;
  device_memory_times(c, device, out);
  for (std::size_t k = 0; k < workload_.channels.size(); ++k) {
    const double rate = today_rates_.channel[k];
    if (channel_of_[k] < 0 || resources_[static_cast<std::size_t>(channel_of_[k])].kind != ResourceKind::memory || !(rate < unlimited))
      continue;
    for (std::size_t j = 0; j < count; ++j) raise_to(out[j], c.channels[k][j] / rate);
  }
}

// --- one operation, everything about it ------------------------------------------------------------------------------------------------

namespace {
double if_positive(double v) { return v > 0 ? v : unknown; }
}  // namespace

OpAnalysis Plan::analyze(std::size_t op) const {
  Slicer slicer(workload_);
  const Slice& c = slicer.contiguous(op, 1);
  Block b;
  evaluate(c, b);
  const OpClass& op_class = workload_.class_of(op);
  const ClassRates& r = today_[workload_.op_class[op]];
  OpAnalysis a;
  a.work.fill(unknown);
  a.min_time_s.fill(unknown);
  a.rates_only = op_class.rates_only;
  a.flops = b.flops[0];
  a.matrix_flops = c.matrix_flops[0];
  a.vector_flops = c.vector_flops[0];
  a.bytes = b.bytes[0];
  const Bytes derived = derived_bytes(c, 0, r, 1);
  a.derived_bytes = derived.total();
  if (op_class.measured_bytes) {
    a.hw_bytes = c.given[0];
    if (op_class.roles_unknown) a.derived_bytes = unknown;  // what was measured, not what is needed
  } else if (op_class.roles_unknown) {
    a.derived_bytes = c.given[0] == c.given[0] ? c.given[0] : a.derived_bytes;
  }
  a.intensity = intensity_of(a.flops, a.bytes);

  a.work[0] = a.flops;
  if (a.flops == 0)
    a.min_time_s[0] = 0;
  else
    a.min_time_s[0] = if_positive(b.compute_s[0]);
  const auto put = [&](std::uint8_t resource, double bytes, double rate) {
    if (resource == no_resource) return;
    a.work[resource] = bytes;
    if (rate < unlimited) a.min_time_s[resource] = bytes / rate;
  };
  const Bytes by_direction = split_bytes(c, 0, r, 1, a.bytes);
  put(device_resource_, a.bytes, today_rates_.total);
  put(read_resource_, by_direction.read, today_rates_.read);
  put(write_resource_, by_direction.write, today_rates_.write);
  for (std::size_t k = 0; k < workload_.channels.size(); ++k)
    if (channel_of_[k] >= 0) put(static_cast<std::uint8_t>(channel_of_[k]), workload_.channels[k].bytes[op], today_rates_.channel[k]);

  a.bound_by = static_cast<std::uint8_t>(b.bound[0]);
  a.predicted_time_s = if_positive(b.predicted_s[0]);
  const auto [unit, unit_flops] = bounding_work(op);
  a.bound_unit = unit;
  a.attainable_flops = unit_flops / a.predicted_time_s;
  a.compute = a.bound_unit == Unit::vector ? r.vector_compute : r.compute;
  if (op_class.time_only) a.compute = no_format;  // it would be a guess that no figure depends on
  a.compute_fallback = r.compute != r.wanted && a.matrix_flops > 0;
  a.vector_on_matrix_peak = r.vector_on_matrix_peak && a.vector_flops > 0;

  a.time_s = if_positive(workload_.time_s.empty() ? unknown : workload_.time_s[op]);
  a.self_time_s = workload_.self_time_s.empty() ? a.time_s : if_positive(workload_.self_time_s[op]);
  a.lost_time_s = (a.time_s - a.predicted_time_s) * (a.self_time_s > 0 && a.self_time_s < a.time_s ? a.self_time_s / a.time_s : 1);
  a.achieved_flops = achieved_rate(a.flops, a.time_s);
  a.achieved_bandwidth = achieved_rate(a.bytes, a.time_s);
  a.efficiency = efficiency_of(a.predicted_time_s, a.time_s);
  a.status = static_cast<Status>(b.status[0]);
  a.partly_known = b.partly_known[0] != 0;
  a.limit = limit(b.bound[0], a.partly_known, a.efficiency);

  if (!a.partly_known || a.bound_by == 0) add_typical(c, b, a);  // the bytes alone do not give the compute time
  if (op_class.rates_only) {                                     // sizes are stand-ins: only ratios mean anything
    a.flops = a.matrix_flops = a.vector_flops = a.bytes = a.derived_bytes = unknown;
    a.work.fill(unknown);
    a.min_time_s.fill(unknown);
    a.typical = {};
    a.predicted_time_s = a.typical_time_s = a.time_s = a.self_time_s = a.lost_time_s = unknown;
  }
  return a;
}

Limit Plan::limit(std::int32_t bound, bool partly_known, double efficiency) const {
  if (bound == no_resource || partly_known) return Limit::unknown;
  if (efficiency < scenario_.advice_threshold) return Limit::neither;
  return static_cast<Limit>(resources_[static_cast<std::size_t>(bound)].kind);
}

namespace {
double flops_of(const std::vector<double>& column, std::size_t op) { return column.empty() ? 0 : column[op]; }
}  // namespace

bool Plan::lacks_rate(std::size_t op, const std::vector<UnitRates>& units) const {
  return units[workload_.op_class[op]].lack(flops_of(workload_.matrix_flops, op), flops_of(workload_.vector_flops, op));
}
bool Plan::lacks_rate(std::size_t op) const { return lacks_rate(op, today_units_); }
bool Plan::whatif_lacks_rate(std::size_t op, std::int32_t bound) const {
  const bool by_link = bound != no_resource && bound >= static_cast<std::int32_t>(links_from_);
  const bool unknown_resource = bound < static_cast<std::int32_t>(max_resources) && (whatif_unknown_resources_ >> bound & 1u) != 0;
  return unknown_resource || (!by_link && lacks_rate(op, whatif_units_));
}

std::pair<Unit, double> Plan::bounding_work(std::size_t op) const {
  const double matrix = flops_of(workload_.matrix_flops, op), vector = flops_of(workload_.vector_flops, op);
  if (!known(matrix) || !known(vector)) return {Unit::matrix, unknown};
  const ClassRates& r = today_[workload_.op_class[op]];
  // By cross-multiplying, as evaluate() does: an unknown rate is infinite.
  return vector * r.matrix > matrix * r.vector || matrix == 0 ? std::pair(Unit::vector, vector) : std::pair(Unit::matrix, matrix);
}

OpWhatIf Plan::what_if(std::size_t op) const {
  OpWhatIf w;
  if (!whatif_active_) return w;
  Slicer slicer(workload_);
  const Slice& slice = slicer.contiguous(op, 1);
  Block b;
  evaluate(slice, b);
  const OpClass& op_class = workload_.class_of(op);
  if (!(b.predicted_s[0] > 0)) return w;
  w.lacks_rate = whatif_lacks_rate(op, b.bound[0]);
  if (!(b.whatif_s[0] > 0)) return w;
  w.flops = b.whatif_flops[0];
  w.bytes = b.whatif_bytes[0];
  w.predicted_time_s = b.whatif_s[0];
  w.bound_by = static_cast<std::uint8_t>(b.whatif_bound[0]);
  w.upper_bound = op_class.roles_unknown;
  const double time = workload_.time_s.empty() ? unknown : workload_.time_s[op];
  if (w.lacks_rate || (!(time > 0) && b.partly_known[0] != 0)) return w;
  w.speedup_optimistic = b.predicted_s[0] / b.whatif_s[0];
  w.speedup_pessimistic = time > 0 ? time / (std::max(time - b.predicted_s[0], 0.0) + b.whatif_s[0]) : w.speedup_optimistic;
  if (w.speedup_pessimistic > w.speedup_optimistic) std::swap(w.speedup_pessimistic, w.speedup_optimistic);
  double today = time;
  if (!(time > 0)) {
    typical(slice, b, &today);
    today = std::max(b.predicted_s[0], today);  // where no estimate is known, the bound
  }
  const double saved = saved_overhead(fixed_overhead(op, today, b.predicted_s[0]), batch_scale_);
  w.speedup = speedup(today, whatif_times(today, b.predicted_s[0], b.whatif_s[0] / batch_scale_, saved));
  if (op_class.rates_only) w.bytes = w.flops = w.predicted_time_s = unknown;
  return w;
}

double compute_utilization(const OpAnalysis& op) { return utilization_of(op.min_time_s[0], op.time_s); }

double memory_utilization(const Plan& plan, const OpAnalysis& op) {
  const std::size_t memory = slowest_memory(plan, op);
  return memory > 0 ? utilization_of(op.min_time_s[memory], op.time_s) : unknown;
}

std::size_t slowest_memory(const Plan& plan, const OpAnalysis& op) {
  std::size_t slowest = 0;
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    if (plan.resources()[i].kind == ResourceKind::memory && op.min_time_s[i] >= 0 &&
        (slowest == 0 || op.min_time_s[i] > op.min_time_s[slowest]))
      slowest = i;
  return slowest;
}

}  // namespace roofline
