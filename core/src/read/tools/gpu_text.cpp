// Profilers of GPUs, and benchmarks, that print their tables. docs/formats/tools.md has the rules.
#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>

#include "base/json.hpp"
#include "read/text/csv.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

/// The number with which a text begins; NaN: it begins with none.
double leading_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  return exact_number(text.substr(0, end)).value_or(unknown);
}

/// "14.123ms" in seconds.
double time_in(std::string_view text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (unit == std::string_view::npos) return unknown;
  const std::string_view u = text.substr(unit);
  const double to_s = u == "ns" ? 1e-9 : u == "us" ? 1e-6 : u == "ms" ? 1e-3 : u == "s" ? 1 : unknown;
  return leading_number(text.substr(0, unit)) * to_s;
}

/// The cells of a line of CSV.
std::vector<std::string> quoted_cells(std::string_view line) {
  const std::string text(line);  // which a NUL byte follows
  Csv csv(text);
  std::vector<std::string> cells;
  if (const auto more = csv.next(); more && *more)
    for (const CsvField& field : csv.fields()) cells.push_back(field.text());
  if (cells.empty()) cells.emplace_back();
  return cells;
}

/// "value" of "Key(value)"; a text in quotes without them.
std::string_view in_parentheses(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + key.size());
  const bool quoted = rest.starts_with('"');
  if (quoted) rest.remove_prefix(1);
  return rest.substr(0, rest.find(quoted ? "\")" : ")"));
}

}  // namespace

/// == L0 Backend ==, and a header "Kernel, Calls, Time (ns), ..." over rows with a name in quotes, until a line without any.
std::string csv_of_unitrace(std::string_view text) {
  CsvRows rows("name,count,total_time_ns");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view trimmed = without_blanks(line);
    if (line.find("Kernel,") != std::string_view::npos) within = line.find("Time (ns)") != std::string_view::npos;
    const std::size_t end = trimmed.rfind('"');
    if (trimmed.empty()) within = false;
    if (!within || !trimmed.starts_with('"') || end == 0) continue;
    const std::vector<std::string_view> cells = split(trimmed.substr(end + 1), ',');
    if (cells.size() > 2) rows.add({trimmed.substr(1, end - 1), without_blanks(cells[1]), without_blanks(cells[2])});
  }
  return rows.text();
}

/// "GPU activities:   60.44%  14.123ms       100  141.23us  ...  name", and further rows without the first words, until "API calls:"; with
/// --csv the same in cells; with --print-gpu-trace a launch per row. The name is last in all of them.
std::string csv_of_nvprof(std::string_view text) {
  CsvRows rows("name,count,total_time_s");
  std::vector<std::string> header, units;
  std::size_t name_at = std::string_view::npos;  // of a trace for people
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("Profiling result:") != std::string_view::npos) within = true;
    if (line.find("API calls") != std::string_view::npos) within = false;
    if (!within) continue;
    if (line.starts_with('"') || !header.empty()) {
      std::vector<std::string> cells = quoted_cells(line);
      if (cells.back() == "Name") {
        header = std::move(cells);
        units.clear();
      } else if (units.empty()) {
        units = std::move(cells);
      } else if (cells.size() == header.size() && units.size() == header.size()) {
        const auto at = [&](std::string_view name) {
          return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
        };
        const std::size_t summed = at("Time"), time = summed < header.size() ? summed : at("Duration"), calls = at("Calls");
        if (time >= header.size()) continue;
        const double took = time_in(cells[time] + units[time]);
        if (known(took)) rows.add({cells.back(), calls < header.size() ? std::string_view(cells[calls]) : "1", exact(took)});
      }
      continue;
    }
    const std::vector<std::string> all = words_of(line);
    if (all.size() > 2 && all[0] == "Start" && all[1] == "Duration") name_at = line.rfind("Name");
    if (name_at != std::string_view::npos) {
      if (all.size() > 2 && known(time_in(all[0])) && known(time_in(all[1])) && line.size() > name_at)
        rows.add({line.substr(name_at), "1", exact(time_in(all[1]))});
      continue;
    }
    const std::size_t share = line.find('%');
    if (share == std::string_view::npos) continue;
    const std::vector<std::string> words = words_of(line.substr(share + 1));
    if (words.size() < 6 || !known(time_in(words[0]))) continue;
    rows.add({line.substr(static_cast<std::size_t>(line.find(words[5], line.find(words[4], share) + words[4].size()))), words[1],
              exact(time_in(words[0]))});
  }
  return rows.text();
}

/// The table of torch.profiler's key_averages().table(): columns as wide as the dashes above them. An operator's kernels are listed again
/// as rows of their own, without a time of the host.
std::string csv_of_key_averages(std::string_view text) {
  struct KeyAverage {
    std::string name, shapes;
    double calls, host_s, device_s, flops;
  };
  std::vector<KeyAverage> averages;
  std::vector<std::pair<std::size_t, std::size_t>> extents;
  std::vector<std::string> header;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with("---")) {  // around the header and below the rows, as wide in all three places; another table has its own
      extents.clear();
      for (std::size_t at = 0; at < line.size(); at = line.find('-', extents.back().second))
        extents.emplace_back(at, std::min(line.find(' ', at), line.size()));
      continue;
    }
    if (extents.empty()) continue;
    std::vector<std::string> cells;
    for (const auto& [from, to] : extents) cells.emplace_back(without_blanks(from < line.size() ? line.substr(from, to - from) : ""));
    if (cells[0] == "Name") {  // "CUDA time avg" is wider than its column and shifts the next ones
      header.clear();
      for (std::string_view rest = without_blanks(line); !rest.empty(); rest = without_blanks(rest.substr(header.back().size())))
        header.emplace_back(rest.substr(0, rest.find("  ")));
      continue;
    }
    KeyAverage row{cells[0], "", unknown, unknown, unknown, unknown};
    double self_host = unknown;
    for (std::size_t c = 1; c < std::min(header.size(), cells.size()); ++c) {
      const std::string& called = header[c];
      const std::size_t prefix = called.find("FLOPs");  // "Total MFLOPs"
      if (called == "# of Calls") row.calls = leading_number(cells[c]);
      if (called == "Input Shapes") row.shapes = cells[c];
      if (called == "CPU total") row.host_s = time_in(cells[c]);
      if (called == "Self CPU") self_host = time_in(cells[c]);
      if (prefix != std::string::npos && prefix > 0) {
        constexpr std::string_view prefixes = " KMGT";
        const std::size_t thousands = std::min(prefixes.find(called[prefix - 1]), prefixes.size());
        row.flops = leading_number(cells[c]) * std::pow(1e3, static_cast<double>(thousands % prefixes.size()));
      }
      const bool device = called.starts_with("Self ") && called.find("CPU") == std::string::npos && called.find("Mem") == std::string::npos;
      if (device && called.back() != '%') row.device_s = time_in(cells[c]);
    }
    if (!known(row.device_s)) row.host_s = self_host;
    if (row.calls >= 1) averages.push_back(std::move(row));
  }
  bool on_device = false, by_operator = false;
  for (const KeyAverage& a : averages) {
    on_device = on_device || a.device_s > 0;
    by_operator = by_operator || (a.device_s > 0 && a.host_s > 0);
  }
  CsvRows rows("name,count,time_s,flops,Input Dims");
  for (const KeyAverage& a : averages) {
    const double time = on_device ? a.device_s : a.host_s;
    if (time > 0 && (!by_operator || a.host_s > 0))
      rows.add({a.name, exact(a.calls), exact(time / a.calls), a.flops > 0 ? exact(a.flops / a.calls) : "", a.shapes});
  }
  return rows.text();
}

/// Dispatch_ID(1), GPU_ID(4), ..., Kernel_Name("..."), Begin_Timestamp(ns), End_Timestamp(ns), ...
std::string csv_of_rocprofv2(std::string_view text) {
  CsvRows rows("name,time_ns,grid");
  for (const std::string_view line : lines_of(text)) {
    const double begin = leading_number(in_parentheses(line, "Begin_Timestamp(")),
                 end = leading_number(in_parentheses(line, "End_Timestamp("));
    if (end >= begin) rows.add({in_parentheses(line, "Kernel_Name("), exact(end - begin), in_parentheses(line, "Grid_Size(")});
  }
  return rows.text();
}

/// The layers of "=== Profile (n iterations ) ===", where there are any; else the mean of "GPU Compute", which is the whole network.
std::string csv_of_trtexec(std::string_view text) {
  CsvRows layers("name,time_ms"), network("name,time_ms");
  std::string model = "network";
  bool profile = false, compute = false, name_last = false;
  std::size_t columns = 0;  // of numbers: all runs, the mean of one, in some versions their median, the share
  for (std::string_view line : lines_of(text)) {
    const std::size_t tag = line.find("[I] ");
    line = without_blanks(tag == std::string_view::npos ? line : line.substr(tag + 4));
    if (line.starts_with("Model: ")) model = std::string(line.substr(7));
    if (line.starts_with("=== Profile (")) profile = true;
    compute = line.starts_with("GPU Compute") || (compute && !line.starts_with("==="));
    if (const std::size_t mean = line.find(line.find("mean = ") != std::string_view::npos ? "mean = " : "mean: ");
        compute && mean != std::string_view::npos) {
      network.add({model, exact(leading_number(line.substr(mean + (line[mean + 4] == ':' ? 6 : 7))))});
      compute = false;
    }
    if (!profile) continue;
    if (line.find("Avg.") != std::string_view::npos && line.find("Layer") != std::string_view::npos) {
      columns = line.find("Median") != std::string_view::npos ? 4 : 3;
      name_last = line.ends_with("Layer");
      continue;
    }
    const std::vector<std::string> words = words_of(line);
    if (columns == 0 || words.size() <= columns) continue;
    const std::string& time = words[name_last ? 1 : words.size() - columns + 1];
    std::string_view name = line;
    for (std::size_t i = 0; i < columns; ++i)
      name = without_blanks(name_last ? name.substr(std::min(name.find(' '), name.size())) : name.substr(0, name.rfind(' ') + 1));
    if (known(leading_number(time)) && name != "Total") layers.add({name, time});
  }
  return layers.text().find('\n') + 1 < layers.text().size() ? layers.text() : network.text();
}

/// | model | size | params | backend | ... | test | t/s |: a row per test, with the work of one token. Tables of other tools
/// between them are skipped.
std::string csv_of_llama_bench(std::string_view text) {
  CsvRows rows("name,type,flops,bytes,time_s,dtype,backend");
  std::vector<std::string> header, above;
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with('|')) continue;
    std::vector<std::string> cells;
    for (const std::string_view cell : split(line, '|')) cells.emplace_back(without_blanks(cell));
    if (line.find_first_not_of("|-: ") == std::string_view::npos) header = above;
    above = cells;
    const auto cell = [&](std::string_view name) {
      const auto at = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
      return at < header.size() && at < cells.size() ? cells[at] : std::string();
    };
    const std::string test = cell("test"), model = cell("model");
    const double rate = leading_number(cell("t/s")),
                 parameters = leading_number(cell("params")) * (cell("params").ends_with('M') ? 1e6 : 1e9),
                 size = leading_number(cell("size")) * (cell("size").ends_with("MiB") ? 0x1p20 : 0x1p30);
    if (!(rate > 0) || test.empty()) continue;
    // Of a mixture of experts a token uses a part: which, its table does not say.
    const bool mixture = model.find("MoE") != std::string::npos || model.find("B.A") != std::string::npos ||
                         model.find("B-A") != std::string::npos || model.find("x7B") != std::string::npos ||
                         model.find("x22B") != std::string::npos;
    const bool one_by_one = test.starts_with("tg");
    // Of the weights: "llama 7B F16". Quantised ones ("Q4_0", "MXFP4 MoE") are multiplied in FP16.
    std::string format = "fp16";
    for (const std::string& word : words_of(model))
      if (word == "F32" || word == "BF16") format = word == "BF16" ? "bf16" : "fp32";
    rows.add({model + ", " + test, one_by_one ? "decode" : "prefill", mixture ? "" : exact(2 * parameters),
              mixture || !one_by_one ? "" : exact(size), exact(1 / rate), format, cell("backend")});
  }
  return rows.text();
}

/// llama-bench's CSV, which has the time of a whole test: a row per test, with the time of one token.
std::string csv_of_llama_bench_csv(std::string_view text) {
  CsvRows rows("name,type,time_ns,backend");
  std::vector<std::string> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> cells = quoted_cells(line);
    if (header.empty()) header = cells;
    const auto cell = [&](std::string_view name) {
      const auto at = static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
      return at < cells.size() ? cells[at] : std::string();
    };
    const double prompt = leading_number(cell("n_prompt")), generated = leading_number(cell("n_gen"));
    if (!(prompt + generated > 0)) continue;
    rows.add({cell("model_type") + ", " + (prompt > 0 ? "pp" + cell("n_prompt") : "") + (generated > 0 ? "tg" + cell("n_gen") : ""),
              generated > 0 ? "decode" : "prefill", exact(leading_number(cell("avg_ns")) / (prompt + generated)), cell("backends")});
  }
  return rows.text();
}

/// {"workload_graph": [{"Name", "runtime": us, "is_cpu_op"}]}: what ran on the device.
std::string csv_of_chakra(std::string_view text) {
  CsvRows rows("name,time_us");
  const Result<Json> json = parse_json(text, "a Chakra trace");
  if (!json) return {};
  for (const Json& node : member(*json, "workload_graph")) {
    const double time = number_of(member(node, "runtime"));
    if (time > 0 && member(node, "is_cpu_op") == Json(false)) rows.add({text_of(member(node, "Name")), exact(time)});
  }
  return rows.text();
}

}  // namespace roofline
