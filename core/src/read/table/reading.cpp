#include "read/table/reading.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

#include "operators/matrix_product.hpp"
#include "read/operations/arguments.hpp"
#include "read/text/format_words.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr std::size_t rows_sampled = 64;
constexpr double rounding = 0.01;  // of the logarithm of a quotient: what the file's own rounding, or a mean of quotients, makes of 1
constexpr double agreement = 0.06;

enum Quantity : std::uint8_t { time_of, flops_of, rate_of, bytes_of, bandwidth_of, intensity_of, shape_of };
constexpr std::size_t quantities = 7;

/// One way to read one quantity.
struct Option {
  int column = ColumnMap::none;  // none: it follows from the shape
  ColumnRole role = ColumnRole::none;
  double scale = 1;
  double cost = 0;  // how far it is from what the header says
  bool total = false, contrary = false, batched = false;
  const char* change = nullptr;  // what the header does not say, for a sentence
  std::vector<double> logs;      // by row
};

/// Quantities whose logarithms, with these signs, add up to 0.
struct Relation {
  std::array<int, quantities> sign;
  std::vector<float> table;  // by its quantities' options: the score
  std::array<std::size_t, quantities> stride{};
  bool tested = false;
};

std::vector<Relation> relations() {
  //          time flops rate bytes bandwidth intensity shape
  return {Relation{{1, -1, 1, 0, 0, 0, 0}, {}},   //
          Relation{{1, 0, 0, -1, 1, 0, 0}, {}},   //
          Relation{{0, -1, 0, 1, 0, 1, 0}, {}},   //
          Relation{{0, -1, 0, 0, 0, 0, 1}, {}}};  // the FLOPs that a column states are those of the shape
}

/// Agreeing is worth more than any change costs; disagreeing, however much, is the same.
float score_of(std::vector<double>& logs) {
  if (logs.empty()) return 0;
  const auto middle = logs.begin() + static_cast<std::ptrdiff_t>(logs.size() / 2);
  std::nth_element(logs.begin(), middle, logs.end());
  const double off = *middle;
  return static_cast<float>(off <= rounding ? -1 : off <= agreement ? off - rounding - 1 : 1 + 0.0001 * std::min(off, 50.0));
}
bool agrees(float score) { return score < 0; }

/// The first rows, by column.
struct Sample {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<FormatId>> formats;
  std::vector<std::size_t> named, unnamed, transposes;
  std::vector<double> call_flops;  // of a row that lists the arguments of a matrix product or a convolution
  std::size_t rows = 0;
  explicit Sample(std::size_t columns) : numbers(columns), formats(columns), named(columns), unnamed(columns), transposes(columns) {}

  [[nodiscard]] double at(int column, std::size_t row) const {
    return column == ColumnMap::none ? unknown : numbers[static_cast<std::size_t>(column)][row];
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

/// The FLOPs that are counted alike by everybody.
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
        sample.numbers[c].push_back(number > 0 ? number : unknown);
      }
    }
    if (map.has(ColumnRole::dims)) sample.call_flops.push_back(call_flops(map, rows));
    ++sample.rows;
  }
  return sample;
}

class Settling {
 public:
  Settling(ColumnMap& map, const Sample& sample, const std::vector<std::string>& header, WorkloadBuilder& notes)
      : map_(map), sample_(sample), header_(header), notes_(notes) {}

  Result<void> run() {
    settle_formats();
    settle_work();
    companion_time();
    return check_unit();
  }

 private:
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
    if (!transposes.empty()) notes_.note(Severity::info, transposes + " say how operands are transposed: they are not formats");
  }

  FormatId format_at(std::size_t row) const {
    for (const int c : map_.formats)
      if (const FormatId f = sample_.formats[static_cast<std::size_t>(c)][row]; f != no_format) return f;
    return no_format;
  }

  // --- the options

  [[nodiscard]] double value(ColumnRole role, std::size_t row) const {
    return map_.has(role) ? sample_.at(map_.at(role), row) * map_.unit(role) : unknown;
  }

  void add(Quantity q, Option option) {
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
        Option o;
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
  [[nodiscard]] double unit_of(int column) const { return map_.meaning[static_cast<std::size_t>(column)].scale; }

  /// The work of a matrix product's shape, and its bytes in the row's formats.
  void collect_shape() {
    if (!map_.product()) {
      Option calls;
      for (const double flops : sample_.call_flops) calls.logs.push_back(std::log(flops));
      if (map_.convolution())
        for (std::size_t r = 0; r < sample_.rows; ++r) {
          double flops = 2 * known_or(value(ColumnRole::batch, r), 1);
          for (const ColumnRole role : {ColumnRole::height, ColumnRole::width, ColumnRole::channels, ColumnRole::kernel_p,
                                        ColumnRole::kernel_q, ColumnRole::filters})
            flops *= value(role, r);
          calls.logs.push_back(std::log(flops));
        }
      if (!calls.logs.empty()) options_[options_[flops_of].empty() ? flops_of : shape_of].push_back(std::move(calls));
      return;
    }
    const bool label = map_.has(ColumnRole::batch_label) && !map_.has(ColumnRole::batch);
    Option plain, batched, bytes;
    batched.batched = true;
    batched.cost = 0.01;
    for (std::size_t r = 0; r < sample_.rows; ++r) {
      const double batch = known_or(value(ColumnRole::batch, r), 1);
      const ProductSizes sizes = products(value(ColumnRole::m, r), value(ColumnRole::n, r), value(ColumnRole::k, r), batch);
      const Work work = sizes.work();
      plain.logs.push_back(std::log(work.matrix_flops));
      batched.logs.push_back(std::log(work.matrix_flops * value(ColumnRole::batch_label, r)));
      const FormatId format = format_at(r);
      const auto width = [&](ColumnRole role) {
        const int c = map_.at(role);
        const FormatId own = c == ColumnMap::none ? no_format : sample_.formats[static_cast<std::size_t>(c)][r];
        const FormatId f = own != no_format ? own : format;
        return f == no_format ? unknown : Formats::catalogue()[f].bytes();
      };
      const double activation = format == no_format ? unknown : Formats::catalogue()[format].bytes();
      bytes.logs.push_back(std::log(work.activation * activation + (work.weight > 0 ? work.weight * width(ColumnRole::weight_format) : 0) +
                                    work.output * width(ColumnRole::output_format)));
    }
    const Quantity q = options_[flops_of].empty() ? flops_of : shape_of;
    if (label) options_[q].push_back(batched);
    options_[q].push_back(std::move(plain));
    if (options_[bytes_of].empty()) options_[bytes_of].push_back(std::move(bytes));
  }

  // --- the best reading

  struct Best {
    double score = 1e9;
    std::array<std::size_t, quantities> pick{};
    bool unique = true;
    std::vector<Relation> relations;
    std::array<std::vector<Option>, quantities> options;
    bool rate_is_flops = false;
    [[nodiscard]] const Option* at(Quantity q) const { return options[q].empty() ? nullptr : &options[q][pick[q]]; }
    [[nodiscard]] float score_in(const Relation& r) const {
      std::size_t i = 0;
      for (std::size_t q = 0; q < quantities; ++q) i += r.stride[q] * pick[q];
      return r.table[i];
    }
    [[nodiscard]] bool all_agree() const {
      return std::all_of(relations.begin(), relations.end(), [&](const Relation& r) { return !r.tested || score_in(r) <= 0; });
    }
    /// Some relation with this quantity holds.
    [[nodiscard]] bool told(Quantity q) const {
      return std::any_of(relations.begin(), relations.end(),
                         [&](const Relation& r) { return r.tested && r.sign[q] != 0 && agrees(score_in(r)); });
    }
  };

  /// Tabulates each relation over its quantities' options, so that a whole reading's score is a few look-ups.
  [[nodiscard]] Best search() const {
    Best best;
    best.options = options_;
    for (Relation r : relations()) {
      std::vector<std::size_t> in;
      std::size_t size = 1;
      bool complete = true;
      for (std::size_t q = 0; q < quantities; ++q) {
        if (r.sign[q] == 0) continue;
        complete = complete && !options_[q].empty();
        r.stride[q] = size;
        size *= options_[q].size();
        in.push_back(q);
      }
      if (!complete) continue;
      r.table.resize(size);
      std::vector<double> logs;
      for (std::size_t i = 0; i < size; ++i) {
        logs.clear();
        for (std::size_t row = 0; row < sample_.rows; ++row) {
          double sum = 0;
          for (const std::size_t q : in) sum += r.sign[q] * options_[q][i / r.stride[q] % options_[q].size()].logs[row];
          if (std::isfinite(sum)) logs.push_back(std::abs(sum));
        }
        r.tested = r.tested || !logs.empty();
        r.table[i] = score_of(logs);
      }
      best.relations.push_back(std::move(r));
    }
    std::array<std::size_t, quantities> pick{};
    for (;;) {
      double score = 0;
      for (const Relation& r : best.relations) {
        std::size_t i = 0;
        for (std::size_t q = 0; q < quantities; ++q) i += r.stride[q] * pick[q];
        score += r.table[i];
      }
      for (std::size_t q = 0; q < quantities; ++q)
        if (!options_[q].empty()) score += options_[q][pick[q]].cost;
      if (score < best.score - 0.005)
        best.unique = true;
      else if (std::abs(score - best.score) <= 0.005 && differ(pick, best.pick))
        best.unique = false;
      if (score < best.score) best.score = score, best.pick = pick;
      std::size_t q = 0;
      while (q < quantities && ++pick[q] >= std::max<std::size_t>(options_[q].size(), 1)) pick[q++] = 0;
      if (q == quantities) break;
    }
    return best;
  }
  /// Two readings that put the blame on different columns.
  [[nodiscard]] bool differ(const std::array<std::size_t, quantities>& a, const std::array<std::size_t, quantities>& b) const {
    for (std::size_t q = 0; q < quantities; ++q)
      if (!options_[q].empty() && options_[q][a[q]].contrary != options_[q][b[q]].contrary) return true;
    return false;
  }

  Best best_of(bool wrong_units) {
    collect(wrong_units, false);
    Best best = search();
    const bool open = map_.has(ColumnRole::rate) && map_.meaning[static_cast<std::size_t>(map_.at(ColumnRole::rate))].maybe_rate &&
                      !map_.has(ColumnRole::flops);
    if (!open) return best;
    collect(wrong_units, true);
    Best amounts = search();
    amounts.rate_is_flops = true;
    return amounts.score + 0.02 < best.score ? amounts : best;
  }

  void settle_work() {
    Best best = best_of(false);
    if (!best.all_agree()) {
      Best mended = best_of(true);
      if (mended.unique && mended.all_agree()) best = std::move(mended);
    }
    take(best);
  }

  // --- what is taken, and what is said of it

  /// What a quantity was told by: ': so "TFLOPS/s_mean" and "GB/s" have it'; empty where nothing tells.
  [[nodiscard]] std::string told_by(const Best& best, Quantity q) const {
    std::vector<std::string> names;
    for (const Relation& r : best.relations) {
      if (!r.tested || r.sign[q] == 0 || !agrees(best.score_in(r))) continue;
      for (const Quantity other : {rate_of, bandwidth_of, intensity_of, time_of, flops_of, bytes_of, shape_of}) {
        const Option* o = best.at(other);
        if (other == q || r.sign[other] == 0 || !o) continue;
        const std::string name = o->column == ColumnMap::none ? "its shape" : printed(header_[static_cast<std::size_t>(o->column)]);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        break;
      }
    }
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? ": so " : i + 1 == names.size() ? " and " : ", ") + names[i];
    return out + (names.empty() ? "" : names.size() == 1 ? " has it" : " have it");
  }

  void take(const Best& best) {
    if (best.rate_is_flops) {
      map_.meaning[static_cast<std::size_t>(map_.at(ColumnRole::rate))].role = ColumnRole::flops;
      map_.use(ColumnRole::flops, map_.at(ColumnRole::rate), map_.unit(ColumnRole::rate));
      map_.forget(ColumnRole::rate);
      notes_.note(Severity::info, printed(header_[static_cast<std::size_t>(map_.at(ColumnRole::flops))]) + " are amounts, not rates" +
                                      told_by(best, flops_of));
    } else if (const Option* o = best.at(rate_of);
               o && map_.meaning[static_cast<std::size_t>(o->column)].maybe_rate && !best.told(rate_of)) {
      assume(*o, "a rate, per second");
    }
    for (const Quantity q : {time_of, flops_of, rate_of, bytes_of, bandwidth_of, intensity_of}) take(best, q);
    if (const Option* o = best.at(map_.has(ColumnRole::flops) || map_.has(ColumnRole::macs) ? shape_of : flops_of);
        o && o->batched && best.told(flops_of))
      map_.use(ColumnRole::batch, map_.at(ColumnRole::batch_label), 1);
  }

  void take(const Best& best, Quantity q) {
    const Option* o = best.at(q);
    if (!o || o->column == ColumnMap::none) return;
    const std::string name = printed(header_[static_cast<std::size_t>(o->column)]),
                      count = map_.has(ColumnRole::count) ? printed(header_[static_cast<std::size_t>(map_.at(ColumnRole::count))])
                                                          : std::string();
    const bool told = best.told(q), open = q == time_of && unit_of(o->column) == 0;
    const std::string so = told_by(best, q);
    if (q == time_of) {
      if (open && !told) return;  // no unit: see check_unit
      map_.forget(ColumnRole::time), map_.forget(ColumnRole::time_sum);
      map_.use(o->total ? ColumnRole::time_sum : ColumnRole::time, o->column, o->scale);
    } else {
      map_.use(o->role, o->column, o->role == ColumnRole::macs ? o->scale / 2 : o->scale);
      if (q == flops_of) map_.flops_total = o->total;
      if (q == bytes_of) map_.bytes_total = o->total, map_.measured_bytes = map_.meaning[static_cast<std::size_t>(o->column)].measured;
    }
    const bool says_total = o->role == ColumnRole::time_sum;
    if (o->change) notes_.note(o->contrary ? Severity::warning : Severity::info, name + " is taken as " + o->change + so);
    if (o->total != says_total)
      notes_.note(Severity::info, name + (o->total ? " are totals over " + count : " is of one occurrence, not a total") + so);
    if (q == time_of && !o->change && o->total == says_total) {
      const Option* other = rival(best, *o);
      if (told && other)
        notes_.note(Severity::info, "times are " + name + so + "; " + printed(header_[static_cast<std::size_t>(other->column)]) + " is " +
                                        number(times_as_long(*other, *o)) + " times as long");
      else if (!told && (other || !(count.empty() || has_companion())))
        assume(*o, count.empty() ? "the time" : o->total ? "the time of all " + count : "the time of one occurrence");
      if (map_.meaning[static_cast<std::size_t>(o->column)].by_tool)
        notes_.note(Severity::info, name + " names no unit: it is taken as us, as the tool with such columns writes it");
    }
    if ((q == bytes_of || q == bandwidth_of) && !o->change && map_.meaning[static_cast<std::size_t>(o->column)].prefixed && !told)
      assume(*o, "in powers of 1000");
  }

  void assume(const Option& o, const std::string& what) {
    notes_.note(Severity::info, printed(header_[static_cast<std::size_t>(o.column)]) + " is taken as " + what + ": no other column tells");
  }

  /// In the middle of the rows.
  [[nodiscard]] double times_as_long(const Option& other, const Option& taken) const {
    std::vector<double> off;
    for (std::size_t r = 0; r < sample_.rows; ++r)
      if (const double d = other.logs[r] - taken.logs[r]; std::isfinite(d)) off.push_back(d);
    if (off.empty()) return 1;
    const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
    std::nth_element(off.begin(), middle, off.end());
    return std::exp(*middle);
  }
  /// Another column whose header says the same of it, and whose values do not.
  [[nodiscard]] const Option* rival(const Best& best, const Option& taken) const {
    for (const Option& o : best.options[time_of]) {
      if (o.column == taken.column || o.change || o.total != (o.role == ColumnRole::time_sum)) continue;
      if (std::abs(std::log(times_as_long(o, taken))) > agreement) return &o;
    }
    return nullptr;
  }

  /// Beside the time that was taken, the other of one call's and all calls' is kept where both agree: a row may lack either.
  void companion_time() {
    if (const int c = companion(); c != ColumnMap::none)
      map_.use(map_.has(ColumnRole::time) ? ColumnRole::time_sum : ColumnRole::time, c, unit_of(c));
  }
  [[nodiscard]] bool has_companion() const { return companion() != ColumnMap::none; }
  [[nodiscard]] int companion() const {
    if (!map_.has(ColumnRole::count) || map_.has(ColumnRole::time) == map_.has(ColumnRole::time_sum)) return ColumnMap::none;
    const ColumnRole have = map_.has(ColumnRole::time) ? ColumnRole::time : ColumnRole::time_sum,
                     want = have == ColumnRole::time ? ColumnRole::time_sum : ColumnRole::time;
    for (const int c : map_.candidates(want)) {
      std::vector<double> off;
      for (std::size_t r = 0; r < sample_.rows; ++r) {
        const double one = want == ColumnRole::time ? sample_.at(c, r) * unit_of(c) : value(have, r);
        const double all = want == ColumnRole::time ? value(have, r) : sample_.at(c, r) * unit_of(c);
        if (const double d = std::abs(std::log(one * value(ColumnRole::count, r) / all)); std::isfinite(d)) off.push_back(d);
      }
      if (!off.empty() && agrees(score_of(off))) return c;
    }
    return ColumnMap::none;
  }

  Result<void> check_unit() {
    if (!map_.has(ColumnRole::time) || map_.unit(ColumnRole::time) > 0) return {};
    const std::string name = printed(header_[static_cast<std::size_t>(map_.at(ColumnRole::time))]);
    map_.forget(ColumnRole::time);
    if (!map_.has(ColumnRole::rate) && !map_.has(ColumnRole::bandwidth))
      return Unexpected(
          Error{"the column " + name + " names no unit of time: expected ns, us, ms or s in its header, such as time_us", 1, 1, {}});
    notes_.note(Severity::warning, "the column " + name + " names no unit of time and is not used: expected ns, us, ms or s in its header");
    return {};
  }

  ColumnMap& map_;
  const Sample& sample_;
  const std::vector<std::string>& header_;
  WorkloadBuilder& notes_;
  std::array<std::vector<Option>, quantities> options_;
};

}  // namespace

Result<void> settle_reading(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes) {
  const std::vector<std::string> header = rows.header();
  const Sample sample = sample_of(map, rows);
  if (auto ok = rows.start(); !ok) return ok;
  return Settling(map, sample, header, notes).run();
}

}  // namespace roofline
