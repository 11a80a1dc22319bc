// Results of serving benchmarks that are no JSON. A table has a row per run: vLLM's sweeps (summary.csv) and benchmark suite,
// TensorRT-LLM's gptManagerBenchmark, tables put together by hand; CSV or Markdown. A list has a metric per row: genai-perf and AIPerf. A
// summary is what vLLM and SGLang print.
#include <algorithm>
#include <cmath>
#include <roofline/base/names.hpp>
#include <span>

#include "base/letters.hpp"
#include "read/text/csv.hpp"
#include "read/text/lines.hpp"
#include "read/text/log_lines.hpp"
#include "serving/measured_names.hpp"

namespace roofline {
namespace {

struct FigureUnit {
  std::string_view name;
  double factor;
};
constexpr FigureUnit time_units[] = {{"ms", 1e-3}, {"s", 1}, {"sec", 1}, {"seconds", 1}, {"us", 1e-6}, {"ns", 1e-9}};
constexpr FigureUnit rate_units[] = {{"", 1},          {"toks", 1},   {"tokss", 1},        {"toksec", 1}, {"tokenss", 1},
                                     {"tokenssec", 1}, {"persec", 1}, {"tokenspersec", 1}, {"tps", 1}};
constexpr FigureUnit counts[] = {{"", 1}, {"tokens", 1}};

// The best name first. genai-perf, AIPerf and TensorRT-LLM call the time per token inter-token latency; vLLM's mean_itl_ms is another
// figure, of chunks that may be several tokens.
constexpr std::string_view tpot_names[] = {
    "meantpot", "avgtpot", "tpotmean", "meantimeperoutputtoken", "avgintertokenlatency", "meanintertokenlatency", "intertokenlatency"};
constexpr std::string_view ttft_names[] = {"meanttft",        "avgttft", "ttftmean", "meantimetofirsttoken", "avgtimetofirsttoken",
                                           "timetofirsttoken"};
// gptManagerBenchmark's "token_throughput(token/sec)" is of output tokens; under other units the name is used for all tokens.
constexpr std::string_view rate_names[] = {"outputthroughput", "outputtokenthroughput", "outputtput", "avgoutputtokenthroughput",
                                           "tokenthroughputtokensec"};
constexpr std::string_view user_names[] = {
    "maxconcurrency", "maximumrequestconcurrency", "maxrequestconcurrency", "ofmaxconcurrency", "concurrency", "conc", "numusers", "users"};
constexpr std::string_view request_names[] = {"completed", "successfulrequests", "ofreq", "requestcount"};
constexpr std::string_view prompt_sums[] = {"totalinputtokens"};
constexpr std::string_view generate_sums[] = {"totaloutputtokens", "totalgeneratedtokens"};
constexpr std::string_view prompt_names[] = {"inputsequencelength", "meaninputtokens", "inputlen", "randominputlen", "isl"};
constexpr std::string_view generate_names[] = {"outputsequencelength", "meanoutputtokens", "outputlen", "randomoutputlen", "osl"};

/// The factor of `text`, which is one of the names with one of the units; NaN: it is not.
double unit_of(std::string_view text, std::string_view name, std::span<const FigureUnit> units) {
  if (!text.starts_with(name)) return unknown;
  const auto unit = std::find_if(units.begin(), units.end(), [&](const FigureUnit& u) { return text.substr(name.size()) == u.name; });
  return unit == units.end() ? unknown : unit->factor;
}

/// "| a | b |" to its cells; no cells: the line below a header.
std::vector<std::string> markdown_cells(std::string_view line) {
  std::vector<std::string> cells;
  if (line.find_first_not_of("|-: \t") == std::string_view::npos) return cells;
  for (const std::string_view cell : split(line.substr(1), '|')) cells.emplace_back(without_blanks(cell));
  return cells;
}

class RunCollector {
 public:
  explicit RunCollector(const std::string& text) : lines_(text) {}

  /// The row begins at `offset`.
  [[nodiscard]] Result<void> add(const StatedFigures& figures, std::size_t offset) {
    const ServingRun run = figures.run();
    if (!known(run.tpot_s) && !known(run.output_tokens_per_s)) return {};
    if (auto ok = check_run(run); !ok) return Unexpected(lines_.at(offset, ok.error().message));
    runs_.push_back(run);
    return {};
  }
  [[nodiscard]] std::vector<ServingRun> take() { return std::move(runs_); }

 private:
  LineIndex lines_;
  std::vector<ServingRun> runs_;
};

/// Rows of a table or a list, in order.
class RowReader {
 public:
  explicit RowReader(RunCollector& runs) : runs_(runs) {}

  [[nodiscard]] Result<void> read(const std::vector<std::string>& cells, bool decimal_comma, std::size_t offset) {
    if (cells.empty()) return {};
    if (lower(cells[0]) == "metric") return begin_section(cells, offset);
    if (value_ != no_column) {
      if (const auto value = value_ < cells.size() ? table_number(cells[value_], decimal_comma) : std::nullopt) list_.add(cells[0], *value);
      return {};
    }
    // The same table may follow once more, behind another one.
    if (std::any_of(cells.begin(), cells.end(), [](const std::string& cell) { return names_serving_figure(cell); })) {
      headers_ = cells;
      return {};
    }
    StatedFigures figures;
    for (std::size_t c = 0; c < std::min(cells.size(), headers_.size()); ++c)
      if (const auto value = table_number(cells[c], decimal_comma)) figures.add(headers_[c], *value);
    return runs_.add(figures, offset);
  }
  [[nodiscard]] Result<void> finish() { return flush_list(); }
  [[nodiscard]] bool any_header() const { return !headers_.empty() || value_ != no_column; }

 private:
  [[nodiscard]] Result<void> begin_section(const std::vector<std::string>& cells, std::size_t offset) {
    const auto column = [&](std::string_view name) {
      const auto found = std::find_if(cells.begin(), cells.end(), [&](const std::string& cell) { return lower(cell) == name; });
      return found == cells.end() ? no_column : static_cast<std::size_t>(found - cells.begin());
    };
    if (const std::size_t mean = column("avg"); mean != no_column) {
      if (auto ok = flush_list(); !ok) return ok;
      value_ = mean;
      list_begin_ = offset;
    } else {
      value_ = column("value");
    }
    return {};
  }
  [[nodiscard]] Result<void> flush_list() {
    const StatedFigures list = std::exchange(list_, {});
    return list.empty() ? Result<void>() : runs_.add(list, list_begin_);
  }

  RunCollector& runs_;
  std::vector<std::string> headers_;
  StatedFigures list_;
  std::size_t value_ = no_column, list_begin_ = 0;
};

/// "Mean TPOT (ms):    12.5" below "====== Serving Benchmark Result ======", as often as it is there. A log puts the same before each line.
Result<void> read_summaries(const std::string& text, RunCollector& runs) {
  StatedFigures figures;
  std::size_t prefix = 0, begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.find(summary_title) != std::string_view::npos) {
      if (auto ok = runs.add(std::exchange(figures, {}), begin); !ok) return ok;
      prefix = std::min(line.find('='), line.size());
      begin = at;
      inside = true;
    } else if (const std::size_t colon = line.rfind(':'); inside && colon != std::string_view::npos && colon >= prefix) {
      const std::string_view name = line.substr(prefix, colon - prefix);
      if (const auto value = table_number(without_blanks(line.substr(colon + 1)), false)) figures.add(name, *value);
    }
    at = end + 1;
  }
  return runs.add(figures, begin);
}

/// Its Markdown has the columns test and t/s, its CSV n_gen and avg_ns.
bool is_llama_bench_table(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n', text.find_first_not_of(" \t\r\n")));
  const auto has = [&](std::string_view name) { return header.find(name) != std::string_view::npos; };
  return (has(" test ") && has(" t/s ")) || (has("n_gen") && has("avg_ns"));
}

}  // namespace

void StatedFigures::add(std::string_view name, double value) {
  if (known(value)) figures_.push_back({normalised(name), value});
}

ServingRun StatedFigures::run() const {
  const auto figure = [&](std::span<const std::string_view> names, std::span<const FigureUnit> units) {
    for (const std::string_view name : names)
      for (const Figure& f : figures_)
        if (const double factor = unit_of(f.name, name, units); known(factor)) return f.value * factor;
    return unknown;
  };
  const double requests = figure(request_names, counts);
  const auto length = [&](std::span<const std::string_view> sums, std::span<const std::string_view> means) {
    const double mean = requests > 0 ? figure(sums, counts) / requests : unknown;
    return known(mean) ? mean : figure(means, counts);
  };
  return {figure(user_names, counts),     length(prompt_sums, prompt_names), length(generate_sums, generate_names),
          figure(tpot_names, time_units), figure(ttft_names, time_units),    figure(rate_names, rate_units)};
}

bool names_serving_figure(std::string_view name) {
  StatedFigures one;
  one.add(name, 1);
  const ServingRun run = one.run();
  return known(run.tpot_s) || known(run.output_tokens_per_s);
}

Result<void> check_run(const ServingRun& run) {
  if (!(run.tpot_s > 0 && std::isfinite(run.tpot_s)))
    return fail(
        "expected a mean time per token: mean_tpot_ms, Mean TPOT (ms), Inter Token Latency (ms) or inter_token_latency {unit, avg}; "
        "medians and percentiles are no means, and without streaming nothing is measured per token");
  if (!(run.output_tokens_per_s > 0 && std::isfinite(run.output_tokens_per_s)))
    return fail("expected a throughput: output_throughput, Output token throughput (tok/s) or output_token_throughput {avg}");
  return {};
}

Result<std::vector<ServingRun>> parse_serving_tables(const std::string& text) {
  if (text.find(summary_title) != std::string::npos) {
    const std::string plain = without_log_marks(text);  // line by line as `text`
    RunCollector runs(plain);
    if (auto ok = read_summaries(plain, runs); !ok) return Unexpected(ok.error());
    return runs.take();
  }
  RunCollector runs(text);
  RowReader rows(runs);
  if (first_visible(text) == '|') {
    for (const std::string_view line : lines_of(text)) {
      const std::string_view row = without_blanks(line);
      if (!row.starts_with('|')) continue;
      if (auto ok = rows.read(markdown_cells(row), false, static_cast<std::size_t>(line.data() - text.data())); !ok)
        return Unexpected(ok.error());
    }
  } else {
    Csv csv(text);
    for (;;) {
      const Result<bool> more = csv.next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      std::vector<std::string> cells;
      for (const CsvField& field : csv.fields()) cells.emplace_back(without_blanks(field.text()));
      if (auto ok = rows.read(cells, csv.decimal_comma(), csv.row_begin()); !ok) return Unexpected(ok.error());
    }
  }
  if (auto ok = rows.finish(); !ok) return Unexpected(ok.error());
  if (!rows.any_header() && is_llama_bench_table(text))
    return fail("a table of llama-bench, which runs no server: `roofline llm MODEL --measured` takes the JSON of `llama-bench -o json`");
  if (!rows.any_header())
    return fail("expected a result of a serving benchmark: the JSON of vLLM, SGLang, genai-perf or AIPerf, their CSV or what they print");
  return runs.take();
}

}  // namespace roofline
