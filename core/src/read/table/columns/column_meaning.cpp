#include "read/table/columns/column_meaning.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "base/parse_number.hpp"
#include "read/table/columns/header_words.hpp"

namespace roofline {
namespace {

using Words = std::vector<std::string>;

/// 1e12 for "t" before one of `units`, 2^40 for "ti"; 0 where the word is none of them.
double prefixed(std::string_view w, std::string_view units) {
  if (is_one_of(w, units)) return 1;
  constexpr std::string_view letters = "kmgtp";
  constexpr std::array powers = {1e3, 1e6, 1e9, 1e12, 1e15}, binary = {0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p50};
  const std::size_t letter = w.empty() ? std::string_view::npos : letters.find(w[0]);
  if (letter == std::string_view::npos) return 0;
  if (w.substr(1, 1) == "i" && is_one_of(w.substr(2), units)) return binary[letter];
  return is_one_of(w.substr(1), units) ? powers[letter] : 0;
}

/// A header's words, and the units among them: "@time" in place of the word; "@flop", "@mac", "@byte", "@second" (per second) and
/// "@per_byte" behind all words.
struct Header {
  Words words;
  std::size_t written = 0;                       ///< words without those for units
  double time = 0, flop = 0, mac = 0, byte = 0;  ///< to SI; 0: not among them
  double clock = 0;                              ///< Hz, of "cycles at 500 MHz"
  bool lone = false;                             ///< the prefix of FLOPs or MACs is a word: "FLOPs (G)"

  explicit Header(std::string_view header) : words(header_words(header)), written(words.size()) {
    const Words all = words;
    if (is_quotient(all)) return;
    const auto found = [&](double& unit, double to_si, const char* tag) {
      if (to_si > 0) unit = to_si, words.emplace_back(tag);
      return to_si > 0;
    };
    double per = 0;
    for (std::size_t i = 0; i < written; ++i) {
      const std::string_view w = all[i], before = i > 0 ? std::string_view(all[i - 1]) : std::string_view();
      if (const double unit = seconds_per(w); unit > 0 && (written > 1 || w != "s")) time = unit, words[i] = "@time";
      if (is_one_of(w, "cycle cycles") && before != "per") words[i] = "@cycles";
      if (const double hz = clock_at(all, i); hz > 0) clock = hz, words.emplace_back("@clock");
      if (i > 0) found(per, is_one_of(w, "s sec second"), "@second");
      // "ops" only with a prefix ("gops"): alone it may be a count.
      found(flop, w == "gop" ? 1e9 : prefixed(w, w.size() == 4 ? "flops flop ops" : "flops flop"), "@flop");
      if (found(flop, prefixed(w, "flopsps flopps flopspersecond"), "@flop")) words.emplace_back("@second");
      found(mac, prefixed(w, "macs mac"), "@mac");
      if (is_one_of(w, "byte bytes")) words.emplace_back("@per_byte");
      if (w == "b") {  // a unit in a quotient alone: "FLOP/B", "B/s"
        if (before == "per" || prefixed(before, "flops flop") > 0) words.emplace_back("@per_byte");
        const bool per_second = i + 2 < written && all[i + 1] == "per" && is_one_of(all[i + 2], "s sec second");
        found(byte, per_second ? 1 : 0, "@byte");
      } else if (found(byte, prefixed(w, "bytes byte b"), "@byte") && i > 0) {
        words.emplace_back("@byte_behind");
      }
      if (w.size() > 3 && found(byte, prefixed(w, "bps bs"), "@byte")) words.emplace_back("@second");
    }
    const double prefix = written > 1 ? std::max(lone_prefix(all.front()), lone_prefix(all.back())) : 0;
    for (double* work : {&flop, &mac})
      if (prefix > 0 && *work == 1) *work = prefix, lone = true;
  }
  [[nodiscard]] bool any(std::string_view list) const {
    return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return is_one_of(w, list); });
  }

 private:
  /// Of "MACs (M)", "FLOPs [G]" or "million FLOPs"; 0: no prefix.
  static double lone_prefix(std::string_view word) {
    if (is_one_of(word, "k thousand thousands kilo")) return 1e3;
    if (is_one_of(word, "m million millions mio mega")) return 1e6;
    if (is_one_of(word, "g billion billions giga")) return 1e9;
    return is_one_of(word, "t trillion trillions tera") ? 1e12 : 0;
  }
  /// "500 MHz", "1.5 GHz" or "500MHz" that ends with this word, in Hz; 0: it is none.
  static double clock_at(const Words& all, std::size_t at) {
    const std::size_t digits = std::min(all[at].find_first_not_of("0123456789"), all[at].size());
    const std::string_view unit = std::string_view(all[at]).substr(digits);
    const double hz = unit == "hz" ? 1 : unit == "khz" ? 1e3 : unit == "mhz" ? 1e6 : unit == "ghz" ? 1e9 : 0;
    const auto is_number = [&](std::size_t i) { return i < at && all[i].find_first_not_of("0123456789") == std::string::npos; };
    std::string number = all[at].substr(0, digits);
    if (number.empty() && is_number(at - 1)) number = (is_number(at - 2) ? all[at - 2] + '.' : "") + all[at - 1];
    return hz == 0 || number.empty() ? 0 : hz * std::strtod(number.c_str(), nullptr);
  }
  /// "MACs/cycle", "GMACs/s*J": no amount of one call.
  static bool is_quotient(const Words& all) {
    for (std::size_t i = 1; i + 1 < all.size(); ++i)
      if (all[i] == "per" && prefixed(all[i - 1], "flops flop ops macs mac bytes byte b") > 0 &&
          !is_one_of(all[i + 1], "s sec second byte bytes b call run launch kernel op iter iteration"))
        return true;
    return std::any_of(all.begin(), all.end(), [](const std::string& w) { return is_one_of(w, "j joule energy watt"); });
  }
};

/// A header has this role if it has one of the words `any`, one of `with`, none of `without`, no other words than those and `only`, and at
/// most `most`. An empty list asks for nothing.
struct Rule {
  ColumnRole role;
  int rank;
  std::string_view any, with = {}, without = {}, only = {};
  std::size_t most = 16;  ///< words; more are a sentence, not a header

  [[nodiscard]] bool fits(const Header& h) const {
    if (h.written > most || !h.any(any) || !(with.empty() || h.any(with)) || h.any(without)) return false;
    return only.empty() || std::all_of(h.words.begin(), h.words.end(), [&](std::string_view w) {
             return is_one_of(w, "@second @clock") || is_one_of(w, any) || is_one_of(w, only) || is_one_of(w, with);
           });
  }
};

using R = ColumnRole;
constexpr std::string_view argument_words = "input inputs arg args", dtype_words = "dtype datatype precision",
                           kind_words = "operation kernel op", letter_words = "param problem gemm size dim",
                           statistic_words = "mean avg average median min max total sum kernel gpu real p50 measured",
                           cycle_words =
                               "op total runtime run time latency layer execution exec elapsed incl prefetch mean avg average "
                               "median kernel duration at khz mhz ghz hz";

/// The first that fits counts.
constexpr Rule rules[] = {
    // No amount of one call: deviations, shares, differences, identifiers, sizes of code and caches.
    {R::none, 0,
     "std stddev stdev variance var err error % pct percent percentage compile warmup peak id uid index hash checksum stride strides "
     "transpose "
     "diff difference delta ratio share fraction speedup util utilization utilisation"},
    {R::none, 0, "size", "code kernel binary program cache sram l1 l2 page block tile stack heap"},
    {R::none, 0, "collective exchanged link nvlink pcie nic algo algbw bus busbw"},  // traffic, but not of the memory
    {R::count, 0, "count calls occurrences invocations instances", "", "", "", 1},
    {R::count, 0, "calls", "number", "", "of"},
    {R::count, 1, "count", "duration time"},
    {R::count, 0, "count", "name operation operator op call kernel launch launches occurrence instance invocation"},
    {R::count, 0, "count", "total", "", "", 2},
    {R::dim_values, 0, "concrete", "inputs input"},
    {R::dims, 0, "dims shapes", argument_words},
    {R::dim_types, 0, "types", argument_words},
    {R::dim_types, 0, "type", "input", "", "", 3},
    // Rates, amounts and their quotient: their words are the least ambiguous.
    {R::intensity, 0, "@flop", "@per_byte"},
    {R::intensity, 0, "intensity"},
    {R::intensity, 0, "ai oi", "", "", statistic_words},
    {R::rate, 0, "@flop @mac", "@second performance throughput rate attainable"},
    {R::macs, 0, "@mac"},
    {R::flops, 0, "@flop"},
    {R::rate, 0, "performance"},
    // Not of the device's memory, or allocated rather than moved.
    {R::none, 0, "@byte bandwidth bw",
     "l1 l2 l3 llc cache lds smem shared workspace scratch scratchpad stack alloc allocated allocation footprint"},
    {R::none, 0, "gpu cuda device", "memory mem", "moved accessed traffic transferred read write bandwidth bw @second @time time"},
    {R::bandwidth, 0, "@byte", "@second"},
    {R::bandwidth, 0, "bandwidth bw"},
    {R::bytes, 0, "@byte", "moved accessed traffic transferred bytes data", "b"},
    {R::bytes, 0, "@byte_behind", "dram hbm memory total size", "b"},  // the "tb" of "tb_size" is no unit
    {R::time_unit, 0, "unit units", "time", "", "", 2},                // Google Benchmark
    {R::time, 0, "@clock", "@cycles"},
    {R::time, 0, "@cycles", "", "", cycle_words},
    {R::none, 0, "@cycles"},
    {R::time, 0, "time times runtime duration dur latency elapsed", "", "cpu queue wait stamp start end"},
    {R::time, 0, "@time", "", "", statistic_words},
    // Letters, perhaps behind "param". "B" and "C" are a batch and channels beside a convolution's letters, and operands' formats in a
    // matrix product's: ColumnMap tells.
    {R::m, 0, "m", "", "", letter_words, 2},
    {R::n, 0, "n", "", "", letter_words, 2},
    {R::k, 0, "k", "", "", letter_words, 2},
    {R::kernel_p, 0, "p", "", "", letter_words, 2},
    {R::kernel_q, 0, "q", "", "", letter_words, 2},
    {R::height, 0, "h", "", "", letter_words, 2},
    {R::width, 0, "w", "", "", letter_words, 2},
    {R::filters, 0, "f", "", "", letter_words, 2},
    {R::batch, 0, "b", "", "", letter_words, 2},
    {R::channels, 0, "c", "", "", letter_words, 2},
    {R::batch, 0, "batch", "count size", "", letter_words},
    {R::batch, 1, "batch", "", "", letter_words},
    // BLAS: A x B + C = D. TraceLens: "Compute Spec", matrix_bf16.
    {R::format, 0, "a", "type", "", "", 2},
    {R::weight_format, 0, "b", "type", "", "", 2},
    {R::output_format, 2, "c", "type", "", "", 2},
    {R::output_format, 0, "d", "type", "", "", 2},
    {R::none, 0, "dtype datatype precision type", "scale scales bias zero zp index indices"},
    {R::format, 5, "spec", "compute", "", "", 2},
    {R::format, 9, dtype_words, "acc accum accumulator compute"},
    {R::output_format, 1, dtype_words, "output out c d", "a input"},
    {R::weight_format, 1, dtype_words, "weight b", "a"},
    {R::format, 0, dtype_words, "input a"},
    {R::format, 1, dtype_words, "", "", "", 1},
    {R::format, 2, dtype_words},
    {R::weight_format, 5, "format", "weight", "", "", 2},
    {R::output_format, 5, "format", "output", "", "", 2},
    {R::format, 5, "format", "", "", "activation"},
    {R::success, 0, "disposition", "", "", "", 1},
    {R::success, 1, "ok success passed status", "", "", "", 1},
    {R::type, 1, "category", "", "", "", 1},
    {R::type, 0, "kind type", "", "", "", 1},
    {R::type, 1, "category", kind_words, "input gemm"},
    {R::type, 0, "kind type", kind_words, "input gemm"},
    {R::type, 0, "operator", "tflite tosa original", "", "", 2},  // Vela
    {R::type, 1, "operator", "nng", "", "", 2},
    {R::none, 0, "count time stats"},
    {R::name, 1, "name", "", "", "", 1},
    {R::name, 2, "name", "unique", "", "", 2},
    {R::name, 0, "name", "kernel op operation operator layer", "", "", 2},
    {R::name, 3, "kernel operation operator op layer workload benchmark case", "", "", "", 1},
};

/// Means first; what says nothing of how it was averaged counts as one.
int statistic_rank(const Header& h) {
  if (h.any("mean avg average")) return 0;
  if (h.any("median p50")) return 2;
  if (h.any("first best")) return 3;
  if (h.any("min minimum")) return 4;
  return h.any("max maximum") ? 5 : 1;
}

/// Read or written; a layer's input, weights or output. All of it where the header says none of these, or several.
BytePart part_of(const Header& h) {
  constexpr std::pair<BytePart, std::string_view> parts[] = {{BytePart::read, "read reads load loads loaded"},
                                                             {BytePart::write, "write writes written store stores stored"},
                                                             {BytePart::input, "input inputs"},
                                                             {BytePart::weight, "weight weights"},
                                                             {BytePart::output, "output outputs out"},
                                                             {BytePart::activation, "activation activations"}};
  // "bytes_in", but not "traffic in MB".
  const bool in = h.words[h.written - 1] == "in" || (h.written == 2 && h.words[0] == "in");
  BytePart found = in ? BytePart::input : BytePart::all;
  for (const auto& [part, words] : parts) {
    if (!h.any(words)) continue;
    if (found != BytePart::all) return BytePart::all;
    found = part;
  }
  return found;
}

constexpr bool measures(ColumnRole role) { return role == ColumnRole::time || role == ColumnRole::rate || role == ColumnRole::bandwidth; }

}  // namespace

ColumnMeaning meaning_of(std::string_view header) {
  const Header h(header);
  ColumnMeaning c;
  const auto* const rule = std::find_if(std::begin(rules), std::end(rules), [&](const Rule& r) { return r.fits(h); });
  if (header == "A") c.role = ColumnRole::format;
  if (rule == std::end(rules)) return c;
  c.role = rule->role;
  c.rank = rule->rank;
  // A time or a rate that follows from a measured one, or from none.
  const bool derived =
      h.any("typical fused lost saved attainable whatif roofline") || std::any_of(h.words.begin(), h.words.end(), is_prediction);
  const bool maybe_rate = c.role == ColumnRole::flops && h.flop != 1 && !h.lone && !h.any("kflop mflop gflop tflop pflop");
  if (derived && (measures(c.role) || maybe_rate)) return {};
  const bool amount = measures(c.role) || (c.role >= ColumnRole::flops && c.role <= ColumnRole::intensity);
  if (amount) c.rank = statistic_rank(h);
  c.achieved = (c.role == R::rate || c.role == R::bandwidth || maybe_rate) && h.any("achieved measured actual");
  c.total =
      c.rank == 1 && h.any("total sum all") && (c.role == ColumnRole::flops || c.role == ColumnRole::macs || c.role == ColumnRole::bytes);
  switch (c.role) {
    case ColumnRole::time:
      if (h.any("sum total") && c.rank == 1) c.role = ColumnRole::time_sum;
      c.scale = h.time;
      c.rank = 2 * c.rank + (h.any("kernel gpu device cuda task") && !h.any("subtree") ? 0 : 1);
      if (h.any("@cycles")) {  // a time in seconds goes before it
        c.role = ColumnRole::time;
        c.cycles = true;
        c.scale = h.clock > 0 ? 1 / h.clock : 0;
        c.rank += 20;
        break;
      }
      c.by_tool = h.time == 0 && h.any("direct subtree");  // TraceLens' total_direct_kernel_time_mean
      if (c.by_tool) c.scale = 1e-6;
      break;
    case ColumnRole::macs:
      c.scale = h.mac;
      break;
    case ColumnRole::rate:
      c.scale = h.mac > 0 ? 2 * h.mac : h.flop;
      break;
    case ColumnRole::flops:
      c.scale = h.flop;
      c.maybe_rate = maybe_rate;
      break;
    case ColumnRole::intensity:
      c.scale = h.flop > 0 ? h.flop / (h.byte > 0 ? h.byte : 1) : 1;
      break;
    case ColumnRole::bytes:
    case ColumnRole::bandwidth:
      c.scale = h.byte;
      c.prefixed = h.byte == 1e3 || h.byte == 1e6 || h.byte == 1e9 || h.byte == 1e12;
      if (c.role == ColumnRole::bandwidth) break;
      c.measured = h.any("dram hbm measured hw counter");
      c.part = part_of(h);
      c.maybe_size = c.part == BytePart::all && !h.any("moved accessed traffic transferred bytes data dram hbm total");
      break;
    case ColumnRole::batch:
      c.label = c.rank > 0;
      c.scale = 1;
      break;
    default:
      if (c.role >= ColumnRole::m && c.role <= ColumnRole::count) c.scale = 1;
  }
  return c;
}

bool is_no_amount(std::string_view header) { return rules[0].fits(Header(header)); }

bool suggests_work(std::string_view header) {
  const Header h(header);
  return !rules[0].fits(h) && (h.any("batch batches expert experts head heads count group groups tokens layers topk seqlen repeats") ||
                               (h.any("top") && h.any("k")));
}

SpreadMeaning spread_of(std::string_view header) {
  const Header h(header);
  const Spread spread = h.any("std stddev stdev deviation") ? Spread::deviation
                        : h.any("min minimum")              ? Spread::shortest
                        : h.any("max maximum")              ? Spread::longest
                                                            : Spread::none;
  if (spread == Spread::none) return {};
  const ColumnMeaning of = meaning_of(without_statistic(header));
  return of.role == ColumnRole::time && of.scale > 0 ? SpreadMeaning{spread, of.scale} : SpreadMeaning();
}

}  // namespace roofline
