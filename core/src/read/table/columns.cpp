#include "read/table/columns.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace roofline {
namespace {

using Words = std::vector<std::string>;

constexpr bool lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool digit(char c) { return c >= '0' && c <= '9'; }

/// "Kernel Time (µs)_mean" -> kernel time us mean; "arithmeticIntensity" -> arithmetic intensity; "GB/s" -> gb s; "%" is a word.
Words words_of(std::string_view header) {
  std::string plain;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string_view rest = header.substr(i);
    if (rest.substr(0, 2) == "\xc2\xb5" || rest.substr(0, 2) == "\xce\xbc") {  // micro sign, mu
      plain += 'u';
      ++i;
    } else {
      plain += header[i];
    }
  }
  Words out;
  std::string word;
  const auto close = [&] {
    if (!word.empty()) out.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '%') {
      close();
      out.emplace_back("%");
    } else if (!lower(c) && !upper(c) && !digit(c)) {
      close();
    } else {
      if (upper(c) && i > 0 && lower(plain[i - 1]) && i + 1 < plain.size() && lower(plain[i + 1])) close();  // aB, not GFLOPs
      word += upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  close();
  return out;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool any(const Words& words, std::initializer_list<std::string_view> list) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return one_of(w, list); });
}

double time_unit(std::string_view w) {
  if (one_of(w, {"ns", "nsec", "nsecs", "nanosec", "nanosecond", "nanoseconds"})) return 1e-9;
  if (one_of(w, {"us", "usec", "usecs", "microsec", "microsecond", "microseconds"})) return 1e-6;
  if (one_of(w, {"ms", "msec", "msecs", "millisec", "millisecond", "milliseconds"})) return 1e-3;
  if (one_of(w, {"s", "sec", "secs", "second", "seconds"})) return 1;
  return 0;
}

/// 1e12 for "t" before one of `units`; 0 where the word is not one of them.
double prefixed(std::string_view w, std::initializer_list<std::string_view> units, bool* has_prefix = nullptr) {
  const auto scaled = [&](std::string_view rest, double scale) { return one_of(rest, units) ? scale : 0; };
  if (has_prefix) *has_prefix = false;
  if (const double plain = scaled(w, 1); plain > 0) return plain;
  if (has_prefix) *has_prefix = true;
  if (w.size() < 2) return 0;
  constexpr std::string_view letters = "kmgtp";
  constexpr double powers[] = {1e3, 1e6, 1e9, 1e12, 1e15};
  constexpr double binary[] = {0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p50};
  const std::size_t letter = letters.find(w[0]);
  if (letter == std::string_view::npos) return 0;
  if (w[1] == 'i')
    if (const double s = scaled(w.substr(2), binary[letter]); s > 0) return s;
  return scaled(w.substr(1), powers[letter]);
}

/// Means first; what says nothing of how it was averaged counts as one.
int statistic_rank(const Words& words) {
  if (any(words, {"mean", "avg", "average"})) return 0;
  if (any(words, {"median", "p50"})) return 2;
  if (any(words, {"first", "best"})) return 3;
  if (any(words, {"min", "minimum"})) return 4;
  if (any(words, {"max", "maximum"})) return 5;
  return 1;
}
bool one_value(const Words& words) {
  return any(words, {"mean", "avg", "average", "median", "p50", "min", "minimum", "max", "maximum", "first", "best"});
}

/// How often an operation occurs: "calls", "name_count", "Kernel duration (us)_count".
bool is_count(const Words& w) {
  if (w.size() == 1) return one_of(w[0], {"count", "calls", "occurrences", "invocations", "instances"});
  if (w.size() == 3 && w[0] == "number" && w[2] == "calls") return true;
  return w.back() == "count" && std::any_of(w.begin(), w.end() - 1, [](const std::string& x) {
           return one_of(x, {"name", "operation", "operator", "op", "call", "kernel", "launch", "launches", "occurrence", "instance",
                             "invocation", "duration", "time", "total"});
         });
}

/// Lists of arguments, as profilers of frameworks write them: shapes, types, values.
ColumnRole arguments(const Words& w) {
  if (any(w, {"concrete"}) && any(w, {"inputs", "input"})) return ColumnRole::dim_values;
  if (!any(w, {"input", "inputs", "arg", "args"})) return ColumnRole::none;
  if (any(w, {"dims", "shapes"})) return ColumnRole::dims;
  return any(w, {"types"}) || (w.size() >= 2 && w.size() <= 3 && w[0] == "input" && w[1] == "type") ? ColumnRole::dim_types
                                                                                                    : ColumnRole::none;
}

/// A time or a rate that follows from the measured one, or from none.
bool is_derived(std::string_view word) {
  return is_prediction(word) || one_of(word, {"typical", "fused", "lost", "saved", "attainable", "whatif", "roofline"});
}

}  // namespace

bool is_prediction(std::string_view word) {
  return one_of(word, {"predicted", "prediction", "predictions", "theory", "theoretical", "expected", "estimated", "ideal"});
}

ColumnMeaning meaning_of(std::string_view header) {
  const Words w = words_of(header);
  ColumnMeaning c;
  if (w.empty()) return c;
  if (any(w, {"std",    "stddev", "stdev", "variance", "var",   "err",  "error",    "%",      "pct",     "percent",  "compile",
              "warmup", "peak",   "id",    "uid",      "index", "hash", "checksum", "stride", "strides", "transpose"}))
    return c;
  c.rank = statistic_rank(w);
  if (is_count(w)) {
    c.role = ColumnRole::count;
    c.scale = 1;
    c.rank = any(w, {"duration", "time"}) ? 1 : 0;
    return c;
  }
  if (const ColumnRole role = arguments(w); role != ColumnRole::none) {
    c.role = role;
    return c;
  }
  const std::string_view last = w.back();
  const bool derived = std::any_of(w.begin(), w.end(), is_derived);
  const bool per_second = std::any_of(w.begin() + 1, w.end(), [](const std::string& x) { return one_of(x, {"s", "sec", "second"}); });

  // Rates, amounts and their quotient first: their words are the least ambiguous.
  double flops = 0, bytes = 0;
  bool flops_prefix = false, bytes_per_second = false;
  for (const std::string& x : w) {
    bool prefix = false;
    if (const double s = prefixed(x, {"flops", "flop", "ops", "op"}, &prefix); s > 0 && (prefix || x.find("flop") == 0 || x == "ops"))
      flops = s, flops_prefix = prefix || flops_prefix;
    if (const double s = prefixed(x, {"flopsps", "flopps", "flopspersecond"}); s > 0) {
      if (!derived) c.role = ColumnRole::rate, c.scale = s;
      return c;
    }
    if (const double s = prefixed(x, {"b", "byte", "bytes"}); s > 0) bytes = s;
    if (const double s = prefixed(x, {"bps", "bs"}); s > 0 && x.size() > 3) bytes = s, bytes_per_second = true;
  }
  const bool intensity_word = any(w, {"intensity", "ai", "oi"});
  if ((flops > 0 && any(w, {"byte", "bytes", "b"})) || intensity_word) {
    c.role = ColumnRole::intensity;
    c.scale = flops > 0 ? flops / (bytes > 0 ? bytes : 1) : 1;
    return c;
  }
  if (any(w, {"macs", "mac", "gmacs", "gmac", "mmacs"})) {
    c.role = ColumnRole::macs;
    for (const std::string& x : w)
      if (const double s = prefixed(x, {"macs", "mac"}); s > 0) c.scale = s;
    return c;
  }
  if (flops > 0) {
    c.scale = flops;
    c.role = per_second || any(w, {"performance", "throughput", "rate", "attainable"}) ? ColumnRole::rate : ColumnRole::flops;
    if (derived && c.role == ColumnRole::rate) c.role = ColumnRole::none;
    c.maybe_rate = c.role == ColumnRole::flops && flops_prefix && w.back() != "gflop" && w.back() != "tflop";
    return c;
  }
  if (any(w, {"performance"}) && w.size() > 1) {  // in a unit that is none
    if (!derived) c.role = ColumnRole::rate;
    return c;
  }
  c.prefixed = bytes == 1e3 || bytes == 1e6 || bytes == 1e9 || bytes == 1e12;
  if (bytes_per_second || (bytes > 0 && per_second) || any(w, {"bandwidth", "bw"})) {
    if (!derived) c.role = ColumnRole::bandwidth;
    c.scale = bytes;
    return c;
  }
  const bool traffic = any(w, {"moved", "accessed", "traffic", "transferred", "bytes", "data"});
  if (bytes > 0 && w[0] != "b" && (traffic || any(w, {"dram", "hbm", "memory", "total", "size"}))) {
    c.role = ColumnRole::bytes;
    c.scale = bytes;
    c.measured = any(w, {"dram", "hbm", "measured", "hw", "counter"});
    return c;
  }

  // Time: a word for it, or nothing but a unit and a statistic.
  double unit = 0;
  for (const std::string& x : w)
    if (const double u = time_unit(x); u > 0) unit = u;
  const bool time_word = any(w, {"time", "times", "runtime", "duration", "latency", "elapsed"});
  const bool only_unit = unit > 0 && std::all_of(w.begin(), w.end(), [](const std::string& x) {
                           return time_unit(x) > 0 || one_of(x, {"mean", "avg", "average", "median", "min", "max", "total", "sum", "kernel",
                                                                 "gpu", "real", "p50"});
                         });
  if ((only_unit && (w.size() > 1 || w[0].size() > 1)) || (time_word && !any(w, {"cpu", "queue", "wait", "stamp", "start", "end"}))) {
    if (derived) return c;
    c.role = any(w, {"sum", "total"}) && !one_value(w) ? ColumnRole::time_sum : ColumnRole::time;
    c.scale = unit;
    c.rank = 2 * c.rank + (any(w, {"kernel", "gpu", "device", "cuda", "task"}) && !any(w, {"subtree"}) ? 0 : 1);
    c.by_tool = unit == 0 && any(w, {"direct", "subtree"});  // TraceLens' total_direct_kernel_time_mean
    if (c.by_tool) c.scale = 1e-6;
    return c;
  }

  // Shapes: the letter alone, perhaps behind "param".
  const bool alone = w.size() == 1 || (w.size() == 2 && one_of(w[0], {"param", "problem", "gemm", "size", "dim"}));
  if (alone) {
    const auto is = [&](ColumnRole role) { return c.role = role, c.scale = 1, c; };
    if (last == "m") return is(ColumnRole::m);
    if (last == "n") return is(ColumnRole::n);
    if (last == "k") return is(ColumnRole::k);
    if (last == "p") return is(ColumnRole::kernel_p);
    if (last == "q") return is(ColumnRole::kernel_q);
    if (last == "h") return is(ColumnRole::height);
    if (last == "w") return is(ColumnRole::width);
    if (last == "f") return is(ColumnRole::filters);
    // "B" and "C" are a batch and channels beside a convolution's letters, and operands' formats in a matrix product's: kernels.cpp tells.
    if (last == "b") return is(ColumnRole::batch);
    if (last == "c") return is(ColumnRole::channels);
    if (header == "A") {
      c.role = ColumnRole::format;
      return c;
    }
  }
  if (w.size() == 2 && last == "type" && w[0].size() == 1 && w[0][0] >= 'a' && w[0][0] <= 'd') {  // BLAS: A x B + C = D
    c.role = w[0] == "a" ? ColumnRole::format : w[0] == "b" ? ColumnRole::weight_format : ColumnRole::output_format;
    c.rank = w[0] == "c" ? 2 : 0;
    return c;
  }
  if (w.size() == 2 && w[0] == "compute" && w[1] == "spec") {  // TraceLens: matrix_bf16
    c.role = ColumnRole::format;
    c.rank = 5;
    return c;
  }
  if (any(w, {"dtype", "datatype", "precision"}) || (any(w, {"data"}) && any(w, {"type"}))) {
    c.role = any(w, {"output", "out", "c", "d"}) && !any(w, {"a", "input"}) ? ColumnRole::output_format
             : any(w, {"weight", "b"}) && !any(w, {"a"})                    ? ColumnRole::weight_format
                                                                            : ColumnRole::format;
    c.rank = any(w, {"acc", "accum", "accumulator", "compute"}) ? 9 : any(w, {"input", "a"}) ? 0 : 1;
    return c;
  }
  if (last == "format" && (w.size() == 1 || (w.size() == 2 && one_of(w[0], {"weight", "activation", "output"})))) {
    c.role = w[0] == "weight" ? ColumnRole::weight_format : w[0] == "output" ? ColumnRole::output_format : ColumnRole::format;
    c.rank = 5;
    return c;
  }
  if (any(w, {"batch"})) {
    c.role = any(w, {"count"}) ? ColumnRole::batch : ColumnRole::batch_label;
    c.scale = 1;
    return c;
  }
  if (w.size() == 1 && one_of(last, {"ok", "success", "passed", "disposition", "status"})) {
    c.role = ColumnRole::success;
    c.rank = last == "disposition" ? 0 : 1;
    return c;
  }
  if (any(w, {"kind", "type", "category"}) && (w.size() == 1 || any(w, {"operation", "kernel", "op"})) && !any(w, {"input", "gemm"})) {
    c.role = ColumnRole::type;
    c.rank = last == "category" ? 1 : 0;
    return c;
  }
  if (any(w, {"count", "time", "stats"})) return c;
  const auto named = [&](int rank) { return c.role = ColumnRole::name, c.rank = rank, c; };
  if (w.size() <= 2 && last == "name" && (w.size() == 1 || one_of(w[0], {"kernel", "op", "operation", "operator", "layer", "unique"})))
    return named(w.size() == 1 ? 1 : w[0] == "unique" ? 2 : 0);
  if (w.size() == 1 && one_of(last, {"kernel", "operation", "operator", "op", "layer", "workload", "benchmark", "case"})) return named(3);
  return c;
}

std::string without_statistic(std::string_view header) {
  std::string out;
  for (const std::string& word : words_of(header))
    if (!one_of(word, {"std", "stddev", "stdev", "deviation", "dev", "standard", "min", "minimum", "max", "maximum", "mean", "avg",
                       "average", "median", "p50", "first", "best", "sum", "total"}))
      out += word + ' ';
  return out;
}

SpreadMeaning spread_of(std::string_view header) {
  const Words w = words_of(header);
  const Spread spread = any(w, {"std", "stddev", "stdev", "deviation"}) ? Spread::deviation
                        : any(w, {"min", "minimum"})                    ? Spread::shortest
                        : any(w, {"max", "maximum"})                    ? Spread::longest
                                                                        : Spread::none;
  if (spread == Spread::none) return {};
  const ColumnMeaning of = meaning_of(without_statistic(header));
  return of.role == ColumnRole::time && of.scale > 0 ? SpreadMeaning{spread, of.scale} : SpreadMeaning();
}

}  // namespace roofline
