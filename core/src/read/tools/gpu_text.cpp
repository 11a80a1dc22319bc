// Profilers of GPUs that print their tables. docs/formats/tools.md has the rules.
#include <algorithm>
#include <cmath>
#include <map>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <set>
#include <utility>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/tools/text_rows.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

/// "14.123ms" in seconds.
double time_in(std::string_view text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (unit == std::string_view::npos) return unknown;
  return leading_number(text.substr(0, unit)) * seconds_per(text.substr(unit));
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

/// A row of key_averages. Times and FLOPs are of all calls; NaN: not stated.
struct KeyAverage {
  std::string name, shapes;
  double calls = unknown, host_s = unknown;
  double self_device_s = unknown;   ///< of the kernels that the operator launched itself
  double total_device_s = unknown;  ///< also of the kernels of operators that it calls
  double flops = unknown;
};

/// The table of torch.profiler's key_averages().table(): columns as wide as the dashes above them.
std::vector<KeyAverage> key_averages_in(std::string_view text) {
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
    KeyAverage row;
    row.name = cells[0];
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
      const bool device = called.starts_with("Self ") && !contains(called, "CPU") && !contains(called, "Mem");
      if (device && called.back() != '%') row.self_device_s = time_in(cells[c]);
      if (called.ends_with(" total") && called != "CPU total") row.total_device_s = time_in(cells[c]);
    }
    if (!known(row.self_device_s)) row.host_s = self_host;
    if (row.calls >= 1) averages.push_back(std::move(row));
  }
  return averages;
}

/// PyTorch states the FLOPs of a convolution with aten::conv2d, whose kernels an operator within it launches. The inner
/// operator gets them if it alone has the same calls and device time, and matches no other outer row.
void move_flops_inwards(std::vector<KeyAverage>& averages) {
  struct Matches {
    std::vector<KeyAverage*> outers, inners;
  };
  std::map<std::pair<double, double>, Matches> by_calls_and_time;
  for (KeyAverage& a : averages) {
    if (!(a.total_device_s > 0)) continue;
    Matches& matches = by_calls_and_time[{a.calls, a.total_device_s}];
    const bool launches = a.self_device_s > 0, counts = a.flops > 0;
    if (counts && !launches) matches.outers.push_back(&a);
    if (!counts && launches && a.host_s > 0) matches.inners.push_back(&a);
  }
  for (const auto& [key, matches] : by_calls_and_time)
    if (matches.outers.size() == 1 && matches.inners.size() == 1)
      matches.inners[0]->flops = std::exchange(matches.outers[0]->flops, unknown);
}

/// The rows of a table that count, and the device time that is in no row.
struct DeviceRows {
  bool any = false;  ///< some row has a time on the device
  double total_s = unknown, missing_s = 0;
  std::vector<bool> kept;
};

/// The table lists an operator's kernels again as rows without a host time, which must not count twice. No operator launches the kernels
/// of a CUDA graph: such rows count if their sum is the device's total less the operators' time.
DeviceRows device_rows(const std::vector<KeyAverage>& averages, std::string_view text) {
  DeviceRows rows;
  const auto is_kernel = [](const KeyAverage& a) { return a.self_device_s > 0 && !(a.host_s > 0); };
  std::set<std::pair<double, double>> operators;  // times and calls
  for (const KeyAverage& a : averages)
    if (!is_kernel(a) && a.self_device_s > 0) operators.emplace(a.self_device_s, a.calls);
  double of_operators = 0, of_others = 0;
  std::vector<std::size_t> others;  // kernels whose time and calls are those of no operator
  for (std::size_t i = 0; i < averages.size(); ++i) {
    const KeyAverage& a = averages[i];
    rows.any = rows.any || a.self_device_s > 0;
    rows.kept.push_back(!is_kernel(a));
    if (!is_kernel(a)) {
      of_operators += known_or(a.self_device_s, 0);
      continue;
    }
    if (!operators.contains({a.self_device_s, a.calls})) others.push_back(i), of_others += a.self_device_s;
  }
  if (!(of_operators > 0)) {
    rows.kept.assign(averages.size(), true);
    return rows;
  }
  for (const std::string_view line : lines_of(text))
    if (const std::size_t at = line.find(" time total: ");
        line.starts_with("Self ") && !line.starts_with("Self CPU") && at != std::string_view::npos)
      rows.total_s = time_in(without_blanks(line.substr(at + 13)));
  constexpr double rounding = 0.01;
  const double left = rows.total_s - of_operators;
  if (!(left > rounding * rows.total_s)) return rows;
  const bool assignable = std::abs(left - of_others) < rounding * rows.total_s;
  for (const std::size_t i : others) rows.kept[i] = assignable;
  rows.missing_s = assignable ? 0 : left;
  return rows;
}

/// The FLOPs of operators whose kernels' time is in another row.
std::string flops_left_out(std::vector<KeyAverage> averages) {
  move_flops_inwards(averages);
  if (std::none_of(averages.begin(), averages.end(), [](const KeyAverage& a) { return a.self_device_s > 0; })) return {};
  double flops = 0;
  std::set<std::string_view> names;
  std::vector<std::string_view> first;
  constexpr std::size_t most = 5;
  for (const KeyAverage& a : averages) {
    if (a.self_device_s > 0 || !(a.flops > 0)) continue;
    flops += a.flops;
    if (names.insert(a.name).second && first.size() < most) first.push_back(a.name);
  }
  if (names.empty()) return {};
  if (names.size() > most) first.emplace_back("...");
  return with_unit(flops, "FLOP") + " of " + joined(first, ", ") + " are left out: the time of their kernels is in another row. " +
         "A trace of export_chrome_trace() has all shapes";
}

}  // namespace

/// == L0 Backend ==, and a header "Kernel, Calls, Time (ns), ..." over rows with a name in quotes, until a line without any.
std::string csv_of_unitrace(std::string_view text) {
  CsvRows rows("name,count,total_time_ns");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    const std::string_view trimmed = without_blanks(line);
    if (contains(line, "Kernel,")) within = contains(line, "Time (ns)");
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
    if (contains(line, "Profiling result:")) within = true;
    if (contains(line, "API calls")) within = false;
    if (!within) continue;
    if (line.starts_with('"') || !header.empty()) {
      std::vector<std::string> cells = quoted_cells(line);
      if (cells.back() == "Name") {
        header = std::move(cells);
        units.clear();
      } else if (units.empty()) {
        units = std::move(cells);
      } else if (cells.size() == header.size() && units.size() == header.size()) {
        const std::size_t summed = place(header, "Time"), time = summed < header.size() ? summed : place(header, "Duration"),
                          calls = place(header, "Calls");
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

std::string csv_of_key_averages(std::string_view text) {
  std::vector<KeyAverage> averages = key_averages_in(text);
  const DeviceRows device = device_rows(averages, text);
  move_flops_inwards(averages);
  CsvRows rows("name,count,time_s,flops,Input Dims");
  for (std::size_t i = 0; i < averages.size(); ++i) {
    const KeyAverage& a = averages[i];
    const double time = device.any ? a.self_device_s : a.host_s;
    if (time > 0 && device.kept[i])
      rows.add({a.name, exact(a.calls), exact(time / a.calls), a.flops > 0 ? exact(a.flops / a.calls) : "", a.shapes});
  }
  return rows.text();
}

/// A warning that names the device time without a row, and the FLOPs of operators whose device time cannot be assigned; empty: none.
std::string left_out_of_key_averages(std::string_view text) {
  std::vector<KeyAverage> averages = key_averages_in(text);
  const DeviceRows device = device_rows(averages, text);
  std::string times;
  if (device.missing_s > 0)
    times = seconds(device.missing_s) + " of " + seconds(device.total_s) +
            " of device time is left out: its kernels cannot be assigned (CUDA graphs, or a truncated table). "
            "Print all rows with row_limit=-1";
  const std::string flops = flops_left_out(std::move(averages));
  return times + (times.empty() || flops.empty() ? "" : ". ") + flops;
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
