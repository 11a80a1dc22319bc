#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

#include "base/joined.hpp"
#include "read/table/columns/reading_steps.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

class ReadingUse {
 public:
  ReadingUse(ColumnMap& map, const TableSample& sample, const ColumnUnitSolver& best, WorkloadBuilder& notes)
      : map_(map), sample_(sample), best_(best), notes_(notes) {}

  void use_all() {
    use_rate();
    for (const Quantity q : {time_of, flops_of, rate_of, bytes_of, bandwidth_of, intensity_of}) use(q);
    use_batch(map_.has(ColumnRole::flops) || map_.has(ColumnRole::macs) ? shape_of : flops_of);
    use_formats();
    while (map_.has(ColumnRole::bandwidth) && map_[ColumnRole::bandwidth].scale == 0 &&
           (map_.unit(ColumnRole::bandwidth) == 0 || !best_.corroborated(bandwidth_of)))
      map_.drop(ColumnRole::bandwidth);
    if (const int c = agreeing_time(); c != ColumnMap::none)
      map_.use(map_.has(ColumnRole::time) ? ColumnRole::time_sum : ColumnRole::time, c, map_[c].scale);
  }

 private:
  void note(std::string message, Severity severity = Severity::info) { notes_.note(severity, std::move(message)); }
  /// Says nothing of a column that the user described.
  void assume(int column, const std::string& what) {
    if (!map_.chosen[static_cast<std::size_t>(column)]) note(map_.header_of(column) + " is taken as " + what + ": no other column tells");
  }

  /// ': so "TFLOPS/s_mean" and "GB/s" have it'; empty where nothing corroborates the quantity.
  [[nodiscard]] std::string corroborated_by(Quantity q) const {
    std::vector<std::string> names;
    for (const ColumnOption* o : best_.corroborators(q)) {
      const std::string name = o->column == ColumnMap::none ? "its shape" : map_.header_of(o->column);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names.empty() ? "" : ": so " + listed(names) + (names.size() == 1 ? " has it" : " have it");
  }

  /// "GFLOPS" may be amounts or rates.
  void use_rate() {
    if (!map_.has(ColumnRole::rate)) return;
    const int column = map_.at(ColumnRole::rate);
    const ColumnOption *amounts = best_.at(flops_of), *rates = best_.at(rate_of);
    if (amounts && amounts->column == column) {
      map_[column].role = ColumnRole::flops;
      map_.use(ColumnRole::flops, column, map_.unit(ColumnRole::rate));
      map_.forget(ColumnRole::rate);
      note(map_.header_of(column) + " are amounts, not rates" + corroborated_by(flops_of));
    } else if (rates && map_[rates->column].maybe_rate && !best_.corroborated(rate_of)) {
      assume(rates->column, "a rate, per second");
    }
  }

  void use(Quantity q) {
    const ColumnOption* o = best_.at(q);
    if (!o || o->column == ColumnMap::none) return;
    const ColumnMeaning& meaning = map_[o->column];
    const bool corroborated = best_.corroborated(q), without_unit = (q == time_of || q == bandwidth_of) && meaning.scale == 0;
    if (without_unit && !corroborated) return;
    if (q == time_of) {
      map_.forget(ColumnRole::time), map_.forget(ColumnRole::time_sum);
      map_.use(o->total ? ColumnRole::time_sum : ColumnRole::time, o->column, o->scale);
    } else {
      map_.use(o->role, o->column, o->role == ColumnRole::macs ? o->scale / 2 : o->scale);
      if (q == flops_of) map_.flops_total = o->total;
      if (q == bytes_of) map_.bytes_total = o->total, map_.measured_bytes = meaning.measured;
    }
    const bool says_total = map_.says_total(o->column, o->role);
    const std::string name = map_.header_of(o->column), so = corroborated_by(q);
    if (o->change) note(name + " is taken as " + o->change + so, o->contrary ? Severity::warning : Severity::info);
    if (o->total != says_total)
      note(name + (o->total ? " are totals over " + map_.header_of(ColumnRole::count) : " is of one occurrence, not a total") + so);
    if (q == time_of && !o->change && o->total == says_total) note_time(*o, so);
    if (q != time_of && o->total && says_total && !corroborated) assume(o->column, "totals over " + map_.header_of(ColumnRole::count));
    if ((q == bytes_of || q == bandwidth_of) && !o->change && meaning.prefixed && !corroborated) assume(o->column, "in powers of 1000");
  }

  void note_time(const ColumnOption& time, const std::string& so) {
    const std::string name = map_.header_of(time.column);
    const bool counted = map_.has(ColumnRole::count);
    const ColumnOption* other = disagreeing_time(time);
    if (!so.empty() && other)
      note("times are " + name + so + "; " + map_.header_of(other->column) + " is " + number(times_as_long(*other, time)) +
           " times as long");
    else if (so.empty() && (other || (counted && agreeing_time() == ColumnMap::none)))
      assume(time.column, !counted     ? "the time"
                          : time.total ? "the time of all " + map_.header_of(ColumnRole::count)
                                       : "the time of one occurrence");
    if (map_[time.column].by_tool) note(name + " names no unit: it is taken as us, as the tool with such columns writes it");
  }

  /// In the middle of the rows.
  [[nodiscard]] double times_as_long(const ColumnOption& other, const ColumnOption& taken) const {
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows(); ++r) off.push_back(other.logs[r] - taken.logs[r]);
    return std::exp(known_or(median(off), 0));
  }
  /// Another column whose header says the same of it, and whose values do not.
  [[nodiscard]] const ColumnOption* disagreeing_time(const ColumnOption& taken) const {
    for (const ColumnOption& o : best_.options(time_of)) {
      if (o.column == taken.column || o.change || o.total != (o.role == ColumnRole::time_sum)) continue;
      if (std::abs(std::log(times_as_long(o, taken))) > agreement) return &o;
    }
    return nullptr;
  }

  /// Beside the time that was taken, the other of one call's and all calls' where both agree: a row may lack either.
  [[nodiscard]] int agreeing_time() const {
    if (!map_.has(ColumnRole::count) || map_.has(ColumnRole::time) == map_.has(ColumnRole::time_sum)) return ColumnMap::none;
    const bool sum = map_.has(ColumnRole::time);
    for (const int c : map_.candidates(sum ? ColumnRole::time_sum : ColumnRole::time))
      if (sample_.multiplies(sum ? map_.at(ColumnRole::time) : c, map_.at(ColumnRole::count), sum ? c : map_.at(ColumnRole::time_sum)))
        return c;
    return ColumnMap::none;
  }

  void use_batch(Quantity shape) {
    const ColumnOption* o = best_.at(shape);
    if (!o || o->column != ColumnMap::none || !map_.has(ColumnRole::batch) || !map_.shaped()) return;
    const int batch = map_.at(ColumnRole::batch);
    const std::vector<double>& values = sample_[batch].numbers;
    const bool corroborated = best_.corroborated(shape),
               differs = std::any_of(values.begin(), values.end(), [](double v) { return known(v) && v != 1; });
    if (corroborated && o->batched != map_.batched)
      note(map_.header_of(batch) + (o->batched ? " multiplies the work" : " does not multiply the work") + corroborated_by(shape));
    else if (map_[batch].label && !corroborated && differs)
      note(map_.header_of(batch) + " does not multiply the work: no other column tells");
    if (corroborated) map_.batched = o->batched;
  }

  /// Formats that bandwidth times time prove, to the hundredth: the size of operands and results.
  void use_formats() {
    const ColumnOption *bytes = best_.at(bytes_of), *time = best_.at(time_of), *bandwidth = best_.at(bandwidth_of);
    if (!bytes || bytes->in == no_format || !time || !bandwidth || !best_.corroborated(bytes_of)) return;
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows(); ++r) off.push_back(std::abs(time->logs[r] + bandwidth->logs[r] - bytes->logs[r]));
    if (!(median(off) <= 0.01)) return;
    map_.format = bytes->in;
    map_.output = bytes->out;
    const Formats& formats = Formats::catalogue();
    note(map_.header_of(bandwidth->column) + " times " + map_.header_of(time->column) + " is the bytes of " + formats[bytes->in].name +
         " operands and " + formats[bytes->out].name + " results: so they are taken; another format of the same size is as good");
  }

  ColumnMap& map_;
  const TableSample& sample_;
  const ColumnUnitSolver& best_;
  WorkloadBuilder& notes_;
};

}  // namespace

void use_reading(ColumnMap& map, const TableSample& sample, const ColumnUnitSolver& best, WorkloadBuilder& notes) {
  ReadingUse(map, sample, best, notes).use_all();
}

}  // namespace roofline
