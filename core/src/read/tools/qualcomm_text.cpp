// Profilers of Qualcomm's NPUs: SNPE, QNN and AI Hub. docs/formats/npu.md has the rules.
#include <cmath>
#include <roofline/base/number.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/tools/text_rows.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

/// Cycles of one operation and, where a run's cycles and microseconds make a clock that an NPU can have, that clock.
struct QnnNodes {
  double cycles = unknown, us = unknown;
  std::vector<std::pair<std::string, std::string>> nodes;

  void read(std::string_view name, double value, bool in_cycles) {
    if (contains(name, "Accelerator (execute) time (cycles)")) cycles = value;
    if (contains(name, "Accelerator (execute excluding wait) time") && !in_cycles) us = value;
    if (contains(name, "Accelerator (execute) time") && !in_cycles && !known(us)) us = value;
    const std::size_t id = name.find("OpId_");
    if (!in_cycles || id == std::string_view::npos || id == 0) return;
    nodes.emplace_back(name.substr(0, id - 1), exact(value));
  }
  [[nodiscard]] std::string csv() const {
    const double mhz = cycles / us;
    const bool plausible = mhz >= 200 && mhz <= 3000;
    CsvRows rows(plausible ? "name,cycles at " + std::to_string(std::lround(mhz)) + " MHz" : "name,cycles");
    for (const auto& [name, value] : nodes) rows.add({name, value});
    return rows.text();
  }
};

}  // namespace

/// Layer Times: / 0: 1419 us : CPU
std::string csv_of_snpe(std::string_view text) {
  bool within = false, cycles = false;
  std::vector<std::vector<std::string>> layers;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "Layer Times:")) within = true;
    const std::vector<std::string> words = words_of(line);
    if (!within || words.size() < 3 || !words[0].ends_with(':') || !known(number_in(words[1]))) continue;
    cycles = cycles || words[2] == "cycles";
    layers.push_back(words);
  }
  CsvRows rows(cycles ? "name,type,cycles" : "name,type,time_us");
  for (const std::vector<std::string>& words : layers)
    rows.add({"layer " + words[0].substr(0, words[0].size() - 1), words.size() > 4 ? words[4] : "layer", words[1]});
  return rows.text();
}

/// "    conv:OpId_75 (cycles) : 1961 cycles" under "Execute Stats (Average):".
std::string csv_of_qnn_viewer(std::string_view text) {
  QnnNodes found;
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "Stats"))  // the average run only, not the fastest and the slowest
      within = contains(line, "Execute Stats (Average)");
    const std::size_t colon = line.rfind(':');
    if (!within || colon == std::string_view::npos) continue;
    const std::vector<std::string> words = words_of(line.substr(colon + 1));
    if (words.size() == 2) found.read(without_blanks(line.substr(0, colon)), number_in(words[0]), words[1] == "cycles");
  }
  return found.csv();
}

/// Timestamp, message, time, unit, source, level, identifier: names may hold commas, and runs follow each other: the last one counts.
std::string csv_of_qnn_csv(std::string_view text) {
  QnnNodes found;
  bool node = false;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() < 7 || !known(number_in(cells[2]))) continue;
    const bool is_node = cells[1] == "NODE";
    if (is_node && !node) found.nodes.clear();
    node = is_node || (node && cells[5] != "ROOT");
    found.read(line.substr(static_cast<std::size_t>(cells[6].data() - line.data())), number_in(cells[2]), cells[3] == "CYCLES");
  }
  return found.csv();
}

/// {"messages": [{"method": "BACKEND_EXECUTE", "profilingEvents": [{"identifier", "unit", "value", "sub-events": [...]}]}]}
std::string csv_of_qnn_json(std::string_view text) {
  QnnNodes found;
  const Result<Json> json = parse_json(text, "a profile of QNN");
  if (!json) return {};
  const auto read = [&](const Json& event) {
    found.read(text_of(member(event, "identifier")), number_of(member(event, "value")), text_of(member(event, "unit")) == "CYCLES");
  };
  for (const Json& message : member(*json, "messages")) {
    if (text_of(member(message, "method")) != "BACKEND_EXECUTE") continue;
    found.nodes.clear();
    for (const Json& event : member(message, "profilingEvents")) {
      read(event);
      for (const Json& node : member(event, "sub-events")) read(node);
    }
  }
  return found.csv();
}

/// QNN's analysis of a run on HTP: cycles of an operation's longest path, at the clock of the whole run, and bytes in DRAM.
std::string csv_of_qhas(std::string_view text) {
  const Result<Json> json = parse_json(text, "QNN's HTP analysis");
  if (!json) return {};
  const Json& data = member(*json, "data");
  double mhz = unknown;
  for (const Json& whole : member(member(data, "htp_overall_summary"), "data"))
    mhz = number_of(member(whole, "timeline_cycles")) / number_of(member(whole, "time_us"));
  CsvRows rows(mhz > 0 ? "name,type,cycles at " + std::to_string(std::lround(mhz)) + " MHz,bytes" : "name,type,cycles,bytes");
  for (const Json& op : member(member(data, "qnn_op_instances_nodes"), "data")) {
    const double path = number_of(member(op, "num_dominant_path_cycles_htp_0"));
    rows.add({text_of(member(op, "qnn_op")), text_of(member(op, "qnn_op_type")), exact(known_or(path, number_of(member(op, "cycles")))),
              exact(number_of(member(op, "dram_read")) + number_of(member(op, "dram_write")))});
  }
  return rows.text();
}

/// precisions: / float: / components: / YamNet: / performance_metrics: / DEVICE: / RUNTIME: / inference_time_milliseconds: 0.26
std::string csv_of_ai_hub_yaml(std::string_view text) {
  CsvRows rows("name,type,time_ms,device,engine,quantisation");
  std::vector<std::pair<std::size_t, std::string>> path;  // what is open, by its indent
  std::string time;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t indent = line.find_first_not_of(' '), colon = line.rfind(':');
    if (indent == std::string_view::npos || line[indent] == '-' || colon == std::string_view::npos) continue;
    while (!path.empty() && path.back().first >= indent) path.pop_back();
    const std::string_view value = without_blanks(line.substr(colon + 1));
    const std::string key(without_blanks(line.substr(indent, line.find(value.empty() ? ":" : ": ", indent) - indent)));
    if (value.empty()) {
      path.emplace_back(indent, std::string(without_blanks(line.substr(indent, colon - indent))));
      if (path.size() == 7) time.clear();
      continue;
    }
    if (key == "inference_time_milliseconds") time = std::string(value);
    if (key != "primary_compute_unit" || time.empty() || path.size() < 7) continue;
    const auto of = [&](std::size_t i) -> const std::string& { return path[i].second; };
    rows.add({of(3) + " " + of(1) + ", " + of(6) + " on " + of(5), value, time, of(5), of(6), of(1)});
  }
  return rows.text();
}

/// {"execution_detail": [{"name", "type", "compute_unit", "execution_time": us}]}; without times of layers the whole network's.
std::string csv_of_ai_hub_profile(std::string_view text) {
  CsvRows rows("name,type,time_us,unit");
  const Result<Json> json = parse_json(text, "a profile of AI Hub");
  if (!json) return {};
  bool timed = false;
  for (const Json& layer : member(*json, "execution_detail")) {
    const double time = number_of(member(layer, "execution_time"));
    if (!(time > 0)) continue;
    timed = true;
    rows.add({text_of(member(layer, "name")), text_of(member(layer, "type")), exact(time), text_of(member(layer, "compute_unit"))});
  }
  const double all = number_of(member(member(*json, "execution_summary"), "estimated_inference_time"));
  if (!timed && all > 0) rows.add({"network", "network", exact(all), ""});
  return rows.text();
}

}  // namespace roofline
