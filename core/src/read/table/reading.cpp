#include "read/table/reading.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <set>

#include "base/joined.hpp"
#include "base/letters.hpp"
#include "operators/matrix_product.hpp"
#include "read/operations/arguments.hpp"
#include "read/table/column_solver.hpp"
#include "read/text/format_words.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr std::size_t rows_sampled = 64;

/// The first rows, by column.
struct Sample {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<FormatId>> formats;
  std::vector<std::size_t> named, unnamed, transposes;
  std::vector<std::set<std::string>> texts;  // of a column that is no quantity; empty: it holds a number, or nothing
  std::vector<bool> fractions;               // of a column that is no quantity: it holds numbers, some with a decimal point
  std::vector<double> call_flops;            // of a row that lists the arguments of a matrix product or a convolution
  std::size_t rows = 0;
  explicit Sample(std::size_t columns)
      : numbers(columns), formats(columns), named(columns), unnamed(columns), transposes(columns), texts(columns), fractions(columns) {}

  [[nodiscard]] double at(int column, std::size_t row) const {
    return column == ColumnMap::none ? unknown : numbers[static_cast<std::size_t>(column)][row];
  }
  [[nodiscard]] bool differs_from_one(int column) const {
    const std::vector<double>& values = numbers[static_cast<std::size_t>(column)];
    return std::any_of(values.begin(), values.end(), [](double v) { return known(v) && v != 1; });
  }
};

bool names_formats(ColumnRole role) {
  return role == ColumnRole::format || role == ColumnRole::weight_format || role == ColumnRole::output_format ||
         role == ColumnRole::dim_types;
}
bool is_text(ColumnRole role) {
  return role == ColumnRole::none || role == ColumnRole::name || role == ColumnRole::type || role == ColumnRole::success ||
         role == ColumnRole::dims || role == ColumnRole::dim_values || names_formats(role);
}

/// FLOPs that every tool counts the same way.
double call_flops(const ColumnMap& map, TableRows& rows) {
  const auto text = [&](ColumnRole role) {
    const int c = map.at(role);
    return c == ColumnMap::none || static_cast<std::size_t>(c) >= rows.fields().size() ? std::string()
                                                                                       : rows.fields()[static_cast<std::size_t>(c)].text();
  };
  const std::string name = text(ColumnRole::name), dims = text(ColumnRole::dims), types = text(ColumnRole::dim_types),
                    values = text(ColumnRole::dim_values);
  const Operator* op = find_operator(name);
  if (!op || (op->symbol != Symbol::circle && op->symbol != Symbol::square)) return unknown;
  const auto work = work_of_call(*op, name, {dims, types, values});
  return work ? work->matrix_flops : unknown;
}

Sample sample_of(const ColumnMap& map, TableRows& rows) {
  Sample sample(map.meaning.size());
  std::vector<bool> numeric(map.meaning.size());
  while (sample.rows < rows_sampled) {
    const auto more = rows.next();
    if (!more || !*more) break;
    for (std::size_t c = 0; c < map.meaning.size(); ++c) {
      const bool there = c < rows.fields().size() && rows.fields()[c].size > 0;
      if (names_formats(map.meaning[c].role)) {
        const std::string text = there ? rows.fields()[c].text() : std::string();
        const FormatId format = there ? format_in(text) : no_format;
        sample.formats[c].push_back(format);
        if (there) ++(format != no_format ? sample.named : is_transpose(text) ? sample.transposes : sample.unnamed)[c];
      } else if (!is_text(map.meaning[c].role)) {
        const double number = there ? rows.number(rows.fields()[c]).value_or(unknown) : unknown;
        sample.numbers[c].push_back(number > 0 && std::isfinite(number) ? number : unknown);
      } else if (map.meaning[c].role == ColumnRole::none || map.meaning[c].role == ColumnRole::type) {
        if (const auto number = there ? rows.number(rows.fields()[c]) : unknown) {
          numeric[c] = true;
          if (rows.fields()[c].view().find('.') != std::string_view::npos) sample.fractions[c] = true;
        } else
          sample.texts[c].insert(rows.fields()[c].text());
      }
    }
    if (map.has(ColumnRole::dims)) sample.call_flops.push_back(call_flops(map, rows));
    ++sample.rows;
  }
  for (std::size_t c = 0; c < numeric.size(); ++c)
    if (numeric[c]) sample.texts[c].clear();
  return sample;
}

class TableReading {
 public:
  TableReading(ColumnMap& map, const Sample& sample, const std::vector<std::string>& header, WorkloadBuilder& notes)
      : map_(map), sample_(sample), header_(header), notes_(notes) {}

  Result<void> settle() {
    if (!map_.places() && !map_.timed()) {
      if (auto ok = check_unnamed(); !ok) return ok;
      return Unexpected(lacks_columns(header_));
    }
    drop_identifiers();
    settle_formats();
    settle_name();
    const bool open = map_.has(ColumnRole::rate) && map_.meaning[index(ColumnRole::rate)].maybe_rate && !map_.has(ColumnRole::flops);
    ColumnUnitSolver best = best_of(false, open);
    if (!best.all_agree())
      if (ColumnUnitSolver mended = best_of(true, open); mended.unique() && mended.all_agree()) best = std::move(mended);
    take(best, open);
    if (const int c = companion(); c != ColumnMap::none)
      map_.use(map_.has(ColumnRole::time) ? ColumnRole::time_sum : ColumnRole::time, c, unit_of(c));
    note_runs();
    if (auto ok = check_unnamed(); !ok) return ok;
    return check_unit();
  }

 private:
  [[nodiscard]] std::size_t index(ColumnRole role) const { return static_cast<std::size_t>(map_.at(role)); }
  [[nodiscard]] double unit_of(int column) const { return map_.meaning[static_cast<std::size_t>(column)].scale; }
  [[nodiscard]] std::string header_of(int column) const { return printed(header_[static_cast<std::size_t>(column)]); }
  [[nodiscard]] std::string header_of(ColumnRole role) const { return header_of(map_.at(role)); }
  [[nodiscard]] double value(ColumnRole role, std::size_t row) const {
    return map_.has(role) ? sample_.at(map_.at(role), row) * map_.unit(role) : unknown;
  }
  void note(std::string message, Severity severity = Severity::info) { notes_.note(severity, std::move(message)); }

  /// Numbers of rows under a header for counts, and times since a date.
  void drop_identifiers() {
    for (const ColumnRole role : {ColumnRole::count, ColumnRole::time, ColumnRole::time_sum})
      for (const int c : map_.candidates(role)) {
        if (!is_identifier(c, role)) continue;
        note(header_of(c) + (role == ColumnRole::count ? " numbers the rows: it is not used as their count"
                                                       : " holds points in time: it is not used as a duration"),
             Severity::warning);
        map_.meaning[static_cast<std::size_t>(c)].role = ColumnRole::none;
        map_.choose(role);
      }
  }
  [[nodiscard]] bool is_identifier(int column, ColumnRole role) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < sample_.rows; ++r)
      if (const double v = sample_.at(column, r); known(v)) values.push_back(v);
    const auto huge = [&](double v) { return role == ColumnRole::count ? v > 1e9 : v * unit_of(column) > longest_time_s; };
    if (std::any_of(values.begin(), values.end(), huge)) return true;
    if (role != ColumnRole::count || values.size() < 2 || counts_calls(column)) return false;
    bool equal_steps = values[1] > values[0];
    for (std::size_t i = 2; i < values.size(); ++i) equal_steps = equal_steps && values[i] - values[i - 1] == values[1] - values[0];
    std::sort(values.begin(), values.end());
    if (std::adjacent_find(values.begin(), values.end()) != values.end()) return false;
    const bool neighbours = values.back() < 1.01 * values.front() && values.front() >= 1e5;  // 5,242,880 and 5,242,881
    return neighbours || (equal_steps && (values.size() >= 4 || values.front() >= 1000)) || values.size() >= 16;
  }
  /// Some time of one call times this is some time of all.
  [[nodiscard]] bool counts_calls(int count) const {
    for (const int one : map_.candidates(ColumnRole::time))
      for (const int all : map_.candidates(ColumnRole::time_sum))
        if (multiplies(one, count, all)) return true;
    return false;
  }
  [[nodiscard]] bool multiplies(int one, int count, int all) const {
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows; ++r)
      off.push_back(std::abs(std::log(sample_.at(one, r) * unit_of(one) * sample_.at(count, r) / (sample_.at(all, r) * unit_of(all)))));
    return agree(off);
  }

  // --- formats

  /// "A" and "B" may be formats, or say how operands are transposed; other columns of a format's name may hold none.
  void settle_formats() {
    std::string transposes;
    const auto holds_none = [&](int column) {
      const auto c = static_cast<std::size_t>(column);
      if (sample_.named[c] > 0) return false;
      if (sample_.transposes[c] > 0 && sample_.unnamed[c] == 0) {
        transposes += (transposes.empty() ? "" : " and ") + printed(header_[c]);
        map_.meaning[c].role = ColumnRole::none;
        return true;
      }
      return map_.meaning[c].rank >= 5;
    };
    for (const ColumnRole role : {ColumnRole::format, ColumnRole::weight_format, ColumnRole::output_format}) {
      std::vector<int> columns = map_.candidates(role);
      columns.erase(std::remove_if(columns.begin(), columns.end(), holds_none), columns.end());
      map_.forget(role);
      if (!columns.empty()) map_.use(role, columns[0], 1);
      if (role == ColumnRole::format) map_.formats = columns;
    }
    if (map_.has(ColumnRole::dim_types) && sample_.named[static_cast<std::size_t>(map_.at(ColumnRole::dim_types))] > 0)
      map_.formats.push_back(map_.at(ColumnRole::dim_types));
    if (!transposes.empty()) note(transposes + " say how operands are transposed: they are not formats");
  }

  FormatId format_at(std::size_t row) const {
    for (const int c : map_.formats)
      if (const FormatId f = sample_.formats[static_cast<std::size_t>(c)][row]; f != no_format) return f;
    return no_format;
  }

  /// Without a column of names, the text that differs most from row to row, if it does in half of them.
  void settle_name() {
    if (map_.has(ColumnRole::name)) return;
    const auto most =
        std::max_element(sample_.texts.begin(), sample_.texts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (most != sample_.texts.end() && !most->empty() && 2 * most->size() >= sample_.rows)
      map_.use(ColumnRole::name, static_cast<int>(most - sample_.texts.begin()), 1);
  }

  // --- the options

  void add(Quantity q, ColumnOption option) {
    if (option.logs.empty()) {
      const bool divide = option.total && q != shape_of;
      for (std::size_t r = 0; r < sample_.rows; ++r) {
        const double count = divide ? known_or(value(ColumnRole::count, r), 1) : 1;
        option.logs.push_back(std::log(sample_.at(option.column, r) * option.scale / count));
      }
    }
    options_[q].push_back(std::move(option));
  }

  /// The column as its header says, and what it may be instead.
  void add_readings(Quantity q, ColumnRole role, int column, double scale, bool wrong_units) {
    const ColumnMeaning& m = map_.meaning[static_cast<std::size_t>(column)];
    const double rank = 0.0004 * m.rank;
    const bool amount = q == time_of || q == flops_of || q == bytes_of, says_total = role == ColumnRole::time_sum;
    for (const bool total : {says_total, !says_total}) {
      if (total != says_total && !(amount && map_.has(ColumnRole::count))) continue;
      const double cost = rank + (total != says_total ? 0.02 : 0);
      const auto as = [&](double unit, double more, const char* change, bool contrary = false) {
        ColumnOption o;
        o.column = column;
        o.role = role;
        o.scale = unit;
        o.cost = cost + more;
        o.total = total;
        o.contrary = contrary;
        o.change = change;
        add(q, std::move(o));
      };
      if (scale == 0) {
        if (q == bandwidth_of)
          for (const auto& [unit, name] : {std::pair(1e9, "GB/s"), std::pair(1e12, "TB/s"), std::pair(1e6, "MB/s")}) as(unit, 0.01, name);
        else if (!m.cycles)
          for (const auto& [unit, name] : {std::pair(1e-6, "us"), std::pair(1e-3, "ms"), std::pair(1e-9, "ns"), std::pair(1.0, "s")})
            as(unit, 0.01, name);
        continue;
      }
      as(scale, 0, nullptr);
      if (m.prefixed && (q == bytes_of || q == bandwidth_of)) {
        const double binary = scale == 1e3 ? 0x1p10 : scale == 1e6 ? 0x1p20 : scale == 1e9 ? 0x1p30 : 0x1p40;
        as(binary, 0.005, "in powers of 1024");
      }
      if (!wrong_units) continue;
      if (q == intensity_of && !map_.has(ColumnRole::bytes)) continue;
      if ((q == flops_of && role == ColumnRole::flops) || q == rate_of || q == intensity_of) as(2 * scale, 0.05, "counting MACs");
      if (q == intensity_of) continue;
      as(scale * 1e3, 0.3, "1000 times what its header says", true);
      as(scale * 1e-3, 0.3, "a thousandth of what its header says", true);
    }
  }

  void collect(bool wrong_units, bool rate_is_flops) {
    for (auto& list : options_) list.clear();
    std::vector<int> times = map_.candidates(ColumnRole::time), sums = map_.candidates(ColumnRole::time_sum);
    constexpr std::size_t most = 8;
    if (times.size() > most) times.resize(most);
    if (sums.size() > most / 2) sums.resize(most / 2);
    for (const int c : times) add_readings(time_of, ColumnRole::time, c, unit_of(c), wrong_units);
    for (const int c : sums) add_readings(time_of, ColumnRole::time_sum, c, unit_of(c), wrong_units);
    const auto one = [&](Quantity q, ColumnRole role) {
      if (map_.has(role)) add_readings(q, role, map_.at(role), unit_of(map_.at(role)), wrong_units);
    };
    one(flops_of, ColumnRole::flops);
    if (map_.has(ColumnRole::macs))
      add_readings(flops_of, ColumnRole::macs, map_.at(ColumnRole::macs), 2 * unit_of(map_.at(ColumnRole::macs)), wrong_units);
    if (rate_is_flops)
      add_readings(flops_of, ColumnRole::flops, map_.at(ColumnRole::rate), unit_of(map_.at(ColumnRole::rate)), wrong_units);
    else
      one(rate_of, ColumnRole::rate);
    one(bytes_of, ColumnRole::bytes);
    one(bandwidth_of, ColumnRole::bandwidth);
    one(intensity_of, ColumnRole::intensity);
    collect_shape();
  }

  /// The work of the rows' shapes, and the bytes of a matrix product in the row's formats.
  void collect_shape() {
    ColumnOption plain;
    std::vector<ColumnOption> bytes = bytes_options();
    std::vector<double> batches;
    for (std::size_t r = 0; r < sample_.rows; ++r) {
      const double batch = known_or(value(ColumnRole::batch, r), 1);
      double flops = r < sample_.call_flops.size() ? sample_.call_flops[r] : unknown;
      if (map_.product()) {
        const Work work =
            products(value(ColumnRole::m, r), value(ColumnRole::n, r), value(ColumnRole::k, r), map_.batched ? batch : 1).work();
        flops = work.matrix_flops / (map_.batched ? batch : 1);
        for (ColumnOption& option : bytes) option.logs.push_back(std::log(product_bytes(work, r, option)));
      } else if (map_.convolution()) {
        flops = 2;
        for (const ColumnRole role :
             {ColumnRole::height, ColumnRole::width, ColumnRole::channels, ColumnRole::kernel_p, ColumnRole::kernel_q, ColumnRole::filters})
          flops *= value(role, r);
      }
      plain.logs.push_back(std::log(flops));
      batches.push_back(std::log(batch));
    }
    if (!map_.shaped() && sample_.call_flops.empty()) return;
    std::vector<ColumnOption>& work = options_[options_[flops_of].empty() ? flops_of : shape_of];
    if (map_.has(ColumnRole::batch) && map_.shaped()) {
      ColumnOption batched = plain;
      batched.batched = true;
      for (std::size_t r = 0; r < batches.size(); ++r) batched.logs[r] += batches[r];
      (map_.batched ? plain : batched).cost = 0.01;
      work.push_back(std::move(batched));
    }
    work.push_back(std::move(plain));
    if (map_.product() && options_[bytes_of].empty()) options_[bytes_of] = std::move(bytes);
  }
  /// Of a matrix product: in the formats that the columns name; without such columns, in those that products usually are in.
  [[nodiscard]] std::vector<ColumnOption> bytes_options() const {
    std::vector<ColumnOption> out;
    constexpr std::pair<const char*, const char*> usual[] = {{"fp32", "fp32"},     {"bf16", "bf16"}, {"fp8_e4m3", "bf16"},
                                                             {"fp8_e4m3", "fp16"}, {"bf16", "fp32"}, {"fp8_e4m3", "fp32"}};
    if (map_.formats.empty())
      for (const auto& [in, operation] : usual) {
        ColumnOption& o = out.emplace_back();
        o.in = Formats::catalogue().find(in).value_or(no_format);
        o.out = Formats::catalogue().find(operation).value_or(no_format);
        o.cost = 0.0001 * static_cast<double>(out.size());
      }
    else
      out.emplace_back();
    return out;
  }
  [[nodiscard]] double product_bytes(const Work& work, std::size_t row, const ColumnOption& option) const {
    const FormatId format = option.in != no_format ? option.in : format_at(row);
    const auto width = [&](FormatId f) { return f == no_format ? unknown : Formats::catalogue()[f].bytes(); };
    const auto own = [&](ColumnRole role) {
      const FormatId f = map_.has(role) ? sample_.formats[index(role)][row] : no_format;
      return width(f != no_format ? f : format);
    };
    return work.activation * width(format) + (work.weight > 0 ? work.weight * own(ColumnRole::weight_format) : 0) +
           work.output * (option.out != no_format ? width(option.out) : own(ColumnRole::output_format));
  }

  [[nodiscard]] ColumnUnitSolver best_of(bool wrong_units, bool rate_open) {
    collect(wrong_units, false);
    ColumnUnitSolver best(std::move(options_));
    if (rate_open) {
      collect(wrong_units, true);
      if (ColumnUnitSolver amounts(std::move(options_)); amounts.score() + 0.02 < best.score()) return amounts;
    }
    return best;
  }

  // --- the columns in use, and the remarks about them

  /// ': so "TFLOPS/s_mean" and "GB/s" have it'; empty where nothing corroborates the quantity.
  [[nodiscard]] std::string corroborated_by(const ColumnUnitSolver& best, Quantity q) const {
    std::vector<std::string> names;
    for (const ColumnOption* o : best.corroborators(q)) {
      const std::string name = o->column == ColumnMap::none ? "its shape" : header_of(o->column);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names.empty() ? "" : ": so " + listed(names) + (names.size() == 1 ? " has it" : " have it");
  }

  void take(const ColumnUnitSolver& best, bool rate_open) {
    const ColumnOption* amounts = best.at(flops_of);
    if (rate_open && amounts && amounts->column == map_.at(ColumnRole::rate)) {
      map_.meaning[index(ColumnRole::rate)].role = ColumnRole::flops;
      map_.use(ColumnRole::flops, map_.at(ColumnRole::rate), map_.unit(ColumnRole::rate));
      map_.forget(ColumnRole::rate);
      note(header_of(ColumnRole::flops) + " are amounts, not rates" + corroborated_by(best, flops_of));
    } else if (const ColumnOption* o = best.at(rate_of);
               o && map_.meaning[static_cast<std::size_t>(o->column)].maybe_rate && !best.corroborated(rate_of)) {
      assume(*o, "a rate, per second");
    }
    for (const Quantity q : {time_of, flops_of, rate_of, bytes_of, bandwidth_of, intensity_of}) take(best, q);
    take_batch(best, map_.has(ColumnRole::flops) || map_.has(ColumnRole::macs) ? shape_of : flops_of);
    take_formats(best);
    while (map_.has(ColumnRole::bandwidth) && unit_of(map_.at(ColumnRole::bandwidth)) == 0 &&
           (map_.unit(ColumnRole::bandwidth) == 0 || !best.corroborated(bandwidth_of)))
      map_.drop(ColumnRole::bandwidth);
  }

  /// Formats that bandwidth times time prove, to the hundredth: the size of operands and results.
  void take_formats(const ColumnUnitSolver& best) {
    const ColumnOption *bytes = best.at(bytes_of), *time = best.at(time_of), *bandwidth = best.at(bandwidth_of);
    if (!bytes || bytes->in == no_format || !time || !bandwidth || !best.corroborated(bytes_of)) return;
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows; ++r) off.push_back(std::abs(time->logs[r] + bandwidth->logs[r] - bytes->logs[r]));
    if (!(median(off) <= 0.01)) return;
    map_.format = bytes->in;
    map_.output = bytes->out;
    const Formats& formats = Formats::catalogue();
    note(header_of(bandwidth->column) + " times " + header_of(time->column) + " is the bytes of " + formats[bytes->in].name +
         " operands and " + formats[bytes->out].name + " results: so they are taken; another format of the same size is as good");
  }

  void take_batch(const ColumnUnitSolver& best, Quantity shape) {
    const ColumnOption* o = best.at(shape);
    if (!o || o->column != ColumnMap::none || !map_.has(ColumnRole::batch) || !map_.shaped()) return;
    const bool corroborated = best.corroborated(shape), open = map_.meaning[index(ColumnRole::batch)].label;
    if (corroborated && o->batched != map_.batched)
      note(header_of(ColumnRole::batch) + (o->batched ? " multiplies the work" : " does not multiply the work") +
           corroborated_by(best, shape));
    else if (open && !corroborated && sample_.differs_from_one(map_.at(ColumnRole::batch)))
      note(header_of(ColumnRole::batch) + " does not multiply the work: no other column tells");
    if (corroborated) map_.batched = o->batched;
  }

  void take(const ColumnUnitSolver& best, Quantity q) {
    const ColumnOption* o = best.at(q);
    if (!o || o->column == ColumnMap::none) return;
    const std::string name = header_of(o->column), count = map_.has(ColumnRole::count) ? header_of(ColumnRole::count) : std::string();
    const bool corroborated = best.corroborated(q), open = q == time_of && unit_of(o->column) == 0;
    const std::string so = corroborated_by(best, q);
    if (q == bandwidth_of && unit_of(o->column) == 0 && !corroborated) return;
    if (q == time_of) {
      if (open && !corroborated) return;  // no unit: see check_unit
      map_.forget(ColumnRole::time), map_.forget(ColumnRole::time_sum);
      map_.use(o->total ? ColumnRole::time_sum : ColumnRole::time, o->column, o->scale);
    } else {
      map_.use(o->role, o->column, o->role == ColumnRole::macs ? o->scale / 2 : o->scale);
      if (q == flops_of) map_.flops_total = o->total;
      if (q == bytes_of) map_.bytes_total = o->total, map_.measured_bytes = map_.meaning[static_cast<std::size_t>(o->column)].measured;
    }
    const bool says_total = o->role == ColumnRole::time_sum;
    if (o->change) note(name + " is taken as " + o->change + so, o->contrary ? Severity::warning : Severity::info);
    if (o->total != says_total) note(name + (o->total ? " are totals over " + count : " is of one occurrence, not a total") + so);
    if (q == time_of && !o->change && o->total == says_total) {
      const ColumnOption* other = rival(best, *o);
      if (corroborated && other)
        note("times are " + name + so + "; " + header_of(other->column) + " is " + number(times_as_long(*other, *o)) + " times as long");
      else if (!corroborated && (other || !(count.empty() || companion() != ColumnMap::none)))
        assume(*o, count.empty() ? "the time" : o->total ? "the time of all " + count : "the time of one occurrence");
      if (map_.meaning[static_cast<std::size_t>(o->column)].by_tool)
        note(name + " names no unit: it is taken as us, as the tool with such columns writes it");
    }
    if ((q == bytes_of || q == bandwidth_of) && !o->change && map_.meaning[static_cast<std::size_t>(o->column)].prefixed && !corroborated)
      assume(*o, "in powers of 1000");
  }

  void assume(const ColumnOption& o, const std::string& what) {
    note(header_of(o.column) + " is taken as " + what + ": no other column tells");
  }

  /// In the middle of the rows.
  [[nodiscard]] double times_as_long(const ColumnOption& other, const ColumnOption& taken) const {
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows; ++r) off.push_back(other.logs[r] - taken.logs[r]);
    return std::exp(known_or(median(off), 0));
  }
  /// Another column whose header says the same of it, and whose values do not.
  [[nodiscard]] const ColumnOption* rival(const ColumnUnitSolver& best, const ColumnOption& taken) const {
    for (const ColumnOption& o : best.options(time_of)) {
      if (o.column == taken.column || o.change || o.total != (o.role == ColumnRole::time_sum)) continue;
      if (std::abs(std::log(times_as_long(o, taken))) > agreement) return &o;
    }
    return nullptr;
  }

  /// Beside the time that was taken, the other of one call's and all calls' where both agree: a row may lack either.
  [[nodiscard]] int companion() const {
    if (!map_.has(ColumnRole::count) || map_.has(ColumnRole::time) == map_.has(ColumnRole::time_sum)) return ColumnMap::none;
    const bool sum = map_.has(ColumnRole::time);
    for (const int c : map_.candidates(sum ? ColumnRole::time_sum : ColumnRole::time))
      if (multiplies(sum ? map_.at(ColumnRole::time) : c, map_.at(ColumnRole::count), sum ? c : map_.at(ColumnRole::time_sum))) return c;
    return ColumnMap::none;
  }

  /// "h100::Kernel Time (µs)_mean" beside "mi300::Kernel Time (µs)_mean": the run of the time in use is the one that is read.
  void note_runs() {
    if (!map_.timed()) return;
    const int time = map_.has(ColumnRole::time) ? map_.at(ColumnRole::time) : map_.at(ColumnRole::time_sum);
    const std::string& taken = header_[static_cast<std::size_t>(time)];
    const std::size_t colons = taken.find("::");
    if (colons == std::string::npos) return;
    for (const std::string& other : header_) {
      const std::size_t at = other.find("::");
      if (at == std::string::npos || other == taken || other.substr(at) != taken.substr(colons)) continue;
      note("two runs stand side by side, " + printed(taken.substr(0, colons)) + " and " + printed(other.substr(0, at)) + ": " +
           printed(taken.substr(0, colons)) + " is read; for the other, or to compare them, say which time is meant, as in --column " +
           printed(other + "=time_us"));
      return;
    }
  }

  /// Refuses a table that has shapes or sizes and, in all other columns, times of several runs ("baseline_us", "optimized_us") or numbers
  /// under the names of implementations (Triton's perf_report).
  Result<void> check_unnamed() const {
    if (map_.timed() || (map_.places() && !map_.product()) || map_.has(ColumnRole::rate) || map_.has(ColumnRole::flops) ||
        map_.has(ColumnRole::macs) || map_.has(ColumnRole::bytes) || map_.has(ColumnRole::bandwidth) || map_.has(ColumnRole::intensity))
      return {};
    std::string times, names, columns;
    std::size_t providers = 0;
    for (const std::string& h : header_) {
      const std::vector<std::string> words = header_words(h);
      const auto unit = std::find_if(words.begin(), words.end(), [](const std::string& word) { return time_unit(word) > 0; });
      const bool is_rate = std::find(words.begin(), words.end(), "per") != words.end();
      if (unit != words.end() && words.size() > 1 && !is_rate && !is_no_amount(h))
        times += (times.empty() ? "" : " or ") + std::string("--column ") + printed(h + "=time_" + *unit);
    }
    if (!times.empty()) return Unexpected(Error{"no column is called a time; choose the one to use: " + times, 1, 1, {}});
    for (std::size_t c = 0; c < header_.size(); ++c) {
      if (map_.meaning[c].role != ColumnRole::none || header_[c].empty() || is_no_amount(header_[c])) continue;
      const bool named = std::any_of(header_[c].begin(), header_[c].end(), [](char l) { return lower(l) >= 'a' && lower(l) <= 'z'; });
      if (!sample_.fractions[c] || !named) return {};
      ++providers;
      names += (names.empty() ? "" : " and ") + printed(header_[c]);
      columns += " --column " + printed(header_[c] + "=TFLOP/s");
    }
    if (providers == 0 || (providers == 1 && !map_.product())) return {};
    return Unexpected(Error{names + ": the table, as of Triton's perf_report, does not say in which unit they are: expected it, as in" +
                                columns + " (or GB/s, or time_ms)",
                            1,
                            1,
                            {}});
  }

  Result<void> check_unit() {
    if (!map_.has(ColumnRole::time) || map_.unit(ColumnRole::time) > 0) return {};
    const std::string name = header_of(ColumnRole::time);
    const bool cycles = map_.meaning[index(ColumnRole::time)].cycles;
    map_.forget(ColumnRole::time);
    if (cycles)
      return Unexpected(Error{"the column " + name +
                                  " counts cycles, and nothing tells their clock: expected it with --column, as in --column " +
                                  printed(name.substr(1, name.size() - 2) + "=cycles at 1 GHz"),
                              1,
                              1,
                              {}});
    if (!map_.has(ColumnRole::rate) && !map_.has(ColumnRole::bandwidth))
      return Unexpected(
          Error{"the column " + name + " names no unit of time: expected ns, us, ms or s in its header, such as time_us", 1, 1, {}});
    note("the column " + name + " names no unit of time and is not used: expected ns, us, ms or s in its header", Severity::warning);
    return {};
  }

  ColumnMap& map_;
  const Sample& sample_;
  const std::vector<std::string>& header_;
  WorkloadBuilder& notes_;
  ColumnUnitSolver::Options options_;
};

}  // namespace

Result<void> settle_reading(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes) {
  const std::vector<std::string> header = rows.header();
  if (is_vela(header)) {
    settle_vela(map, rows, notes);
    if (auto ok = rows.start(); !ok) return ok;
  }
  const Sample sample = sample_of(map, rows);
  if (auto ok = rows.start(); !ok) return ok;
  return TableReading(map, sample, header, notes).settle();
}

}  // namespace roofline
