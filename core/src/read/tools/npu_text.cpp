// Profilers of NPUs that print their tables or write CSV of other shapes. docs/formats/npu.md has the rules.
#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>

#include "base/interner.hpp"
#include "base/json.hpp"
#include "read/text/csv.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {
namespace {

double number_in(std::string_view text) {
  std::string digits(without_blanks(text));
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  return exact_number(digits).value_or(unknown);
}

std::vector<std::string_view> trimmed_cells(std::string_view line, char separator) {
  std::vector<std::string_view> cells = split(line, separator);
  for (std::string_view& cell : cells) cell = without_blanks(cell);
  return cells;
}

/// The place of a header's cell; its size where there is none.
std::size_t place(const std::vector<std::string_view>& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

/// Cycles of one operation and, where a run's cycles and microseconds make a clock that an NPU can have, that clock.
struct QnnNodes {
  double cycles = unknown, us = unknown;
  std::vector<std::pair<std::string, std::string>> nodes;

  void read(std::string_view name, double value, bool in_cycles) {
    const auto says = [&](std::string_view words) { return name.find(words) != std::string_view::npos; };
    if (says("Accelerator (execute) time (cycles)")) cycles = value;
    if (says("Accelerator (execute excluding wait) time") && !in_cycles) us = value;
    if (says("Accelerator (execute) time") && !in_cycles && !known(us)) us = value;
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

/// One row of many columns: the whole network, at the clock that Vela was told.
std::string csv_of_vela_summary(std::string_view text) {
  CsvRows rows("name,type,macs,time_s,dtype");
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, ',');
    if (cells[0] == "experiment") {
      header = cells;
      continue;
    }
    const auto cell = [&](std::string_view name) {
      return place(header, name) < cells.size() ? cells[place(header, name)] : std::string_view();
    };
    if (number_in(cell("inference_time")) > 0)
      rows.add({cell("network"), cell("accelerator_configuration"), cell("nn_macs"), cell("inference_time"), "int8"});
  }
  return rows.text();
}

/// "44   convolution.relu.pooling.layer2_2   363", the time last.
std::string csv_of_rknn1(std::string_view text) {
  CsvRows rows("name,time_us");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("Layer ID") != std::string_view::npos) within = line.find("Time(us)") != std::string_view::npos;
    const std::vector<std::string> words = words_of(line);
    if (within && words.size() > 2 && known(number_in(words[0])) && known(number_in(words.back())))
      rows.add({words[0] + ' ' + words[1], words.back()});
  }
  return rows.text();
}

/// Rows of "Run Order", by tabs, commas or blanks as its header: node type, start (in older versions), first, avg ms, ..., name. The order
/// in which the model was prepared comes first in some logs, and is no run.
std::string csv_of_benchmark_model(std::string_view text) {
  CsvRows own("name,type,time_ms"), delegate("name,type,time_ms");
  bool preparing = false, within = false, internal = false;
  char separator = '\t';
  std::size_t average = 0, columns = 0;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("Benchmark Initialization") != std::string_view::npos) preparing = true;
    if (line.find("Regular Benchmark Runs") != std::string_view::npos) preparing = false;
    if (line.find("Delegate internal") != std::string_view::npos) internal = true;
    if (line.find("=====") != std::string_view::npos) within = !preparing && line.find("Run Order") != std::string_view::npos;
    if (!within) continue;
    std::string_view row = without_blanks(line);
    const bool header = row.find("avg ms]") != std::string_view::npos || row.find("avg_ms") != std::string_view::npos;
    if (header) separator = row.find('\t') != std::string_view::npos ? '\t' : row.find(',') != std::string_view::npos ? ',' : ' ';
    std::vector<std::string_view> cells;
    for (; !row.empty() && (header || cells.size() + 1 < columns); row = without_blanks(row)) {
      std::size_t end = std::min(row.find(separator), row.size());
      if (separator == ' ' && header && row.starts_with('[')) end = std::min(row.find(']') + 1, row.size());
      cells.push_back(without_blanks(row.substr(0, end)));
      row.remove_prefix(std::min(end + 1, row.size()));
    }
    if (header) {
      columns = cells.size();
      average = std::min(place(cells, "[avg ms]"), place(cells, "avg_ms"));
    } else if (columns > average && cells.size() + 1 == columns && !row.empty() && known(number_in(cells[average]))) {
      (internal ? delegate : own).add({row, cells[0], cells[average]});  // what is left is the name, which may hold the separator
    }
  }
  return internal ? delegate.text() : own.text();
}

/// Layer Times: / 0: 1419 us : CPU
std::string csv_of_snpe(std::string_view text) {
  bool within = false, cycles = false;
  std::vector<std::vector<std::string>> layers;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("Layer Times:") != std::string_view::npos) within = true;
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
    if (line.find("Stats") != std::string_view::npos)  // the average run only, not the fastest and the slowest
      within = line.find("Execute Stats (Average)") != std::string_view::npos;
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

/// network_c_info.json: {"graphs": [{"nodes": [{"name", "macc"}]}]}
std::string csv_of_st_info(std::string_view text) {
  CsvRows rows("name,macs");
  const Result<Json> json = parse_json(text, "ST Edge AI's network_c_info.json");
  if (!json) return {};
  for (const Json& graph : member(*json, "graphs"))
    for (const Json& node : member(graph, "nodes"))
      if (number_of(member(node, "macc")) >= 0) rows.add({text_of(member(node, "name")), exact(number_of(member(node, "macc")))});
  return rows.text();
}

/// benchmark_app -report_type detailed_counters: a block of layers for each inference, each closed by its sum.
std::string csv_of_openvino_counters(std::string_view text) {
  struct Layer {
    std::string_view name, type, kernel;
    double time = 0, runs = 0;
  };
  std::vector<Layer> layers;
  Interner names;
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, ';');
    if (cells[0] == "layerName") header = cells;
    const std::size_t at = place(header, "realTime (ms)");
    if (at >= cells.size() || cells.size() < 4 || cells[1].find("NOT_RUN") != std::string_view::npos || cells[1].empty()) continue;
    const double time = number_in(cells[at]);
    if (!known(time)) continue;
    const std::uint32_t l = names.intern(cells[0]);
    if (l == layers.size()) layers.push_back({cells[0], cells[2], cells[3]});
    layers[l].time += time;
    ++layers[l].runs;
  }
  CsvRows rows("name,type,time_ms,kernel,dtype");
  for (const Layer& layer : layers) {
    const std::string_view precision = layer.kernel.substr(layer.kernel.rfind('_') + 1);
    rows.add({layer.name, layer.type, exact(layer.time / layer.runs), layer.kernel, precision == "I8" ? "int8" : precision});
  }
  return rows.text();
}

/// "Convolution  conv1  12.34ms    | [224, 224,  3 *1] -> [112, 112,  8 *4]  kernel: 3 x 3  stride: 2 x 2", for each inference: width,
/// height and channels, of which some lie together.
std::string csv_of_ncnn(std::string_view text) {
  struct Layer {
    std::string type;
    double macs = unknown, time_ms = 0, runs = 0;
  };
  std::vector<Layer> layers;
  Interner names;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 4 || !words[2].ends_with("ms") || words[3] != "|") continue;
    const double time = number_in(words[2].substr(0, words[2].size() - 2));
    if (!known(time)) continue;
    const std::uint32_t l = names.intern(words[1]);
    if (l == layers.size()) layers.push_back({words[0]});
    layers[l].time_ms += time;
    ++layers[l].runs;
    const auto shape = [&](std::size_t open) {  // all elements, and those of the last dimension
      double elements = 1, last = 1;
      for (const std::string_view length : split(line.substr(open + 1, line.find(']', open) - open - 1), ',')) {
        const std::vector<std::string_view> factors = trimmed_cells(length, '*');
        last = number_in(factors[0]) * (factors.size() > 1 ? number_in(factors[1]) : 1);
        elements *= last;
      }
      return std::pair(elements, last);
    };
    const std::size_t in = line.find('['), out = line.find('[', in + 1), kernel = line.find("kernel:");
    if (in == std::string_view::npos || out == std::string_view::npos) continue;
    if (words[0] == "InnerProduct") layers[l].macs = shape(in).first * shape(out).first;
    if (words[0] != "Convolution" || kernel == std::string_view::npos) continue;
    const std::vector<std::string> sides = words_of(line.substr(kernel + 7));  // 3 x 3
    if (sides.size() > 2) layers[l].macs = shape(out).first * shape(in).second * number_in(sides[0]) * number_in(sides[2]);
  }
  CsvRows rows("name,type,macs,time_ms");
  for (std::uint32_t l = 0; l < layers.size(); ++l)
    rows.add({names[l], layers[l].type, known(layers[l].macs) ? exact(layers[l].macs) : "", exact(layers[l].time_ms / layers[l].runs)});
  return rows.text();
}

/// "1  conv2d_1 (Conv2D, CONV_2D)  [b:1,h:48,w:32,c:32]  320/416  442,400  transpose_0 | conv2d_oi8[1]", and further layers of the same
/// node without its number; before version 7 "0   conv2d_0 (Conv2D)  (48, 48, 8)  224  input  534,536  248 (i)", with the work in a column.
std::string csv_of_st_report(std::string_view text) {
  CsvRows rows("name,type,macs,dtype");
  const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  const char* const format = says("ss/sa") || says("ai_i8") ? "int8" : says("f32") || says("ai_float") ? "fp32" : "";
  std::size_t macc = 0, rom = 0;  // columns of the older table
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("layer (type") != std::string_view::npos && line.find("macc") != std::string_view::npos) {
      within = true;
      macc = line.find("macc"), rom = line.find("rom");
      continue;
    }
    if (line.find("macc=") != std::string_view::npos) within = false;  // the sum below the table
    const std::size_t open = line.find('('), close = line.find(')', open);
    const std::string_view before = without_blanks(line.substr(0, open));
    const std::size_t bar = std::min(line.find('|'), line.size());
    if (!within || close == std::string_view::npos || before.empty() || open > bar) continue;
    const bool old = rom != std::string_view::npos;
    const std::size_t begin = std::min(old ? macc : close + 1, line.size()), end = old ? std::min(rom, line.size()) : bar;
    double macs = 0;  // the last number before the connection; a layer without work has none
    for (const std::string& word : words_of(line.substr(begin, end < begin ? 0 : end - begin)))
      if (known(number_in(word))) macs = number_in(word);
    const std::vector<std::string_view> type = trimmed_cells(line.substr(open + 1, close - open - 1), ',');
    rows.add({before.substr(before.rfind(' ') + 1), type.back().empty() ? type.front() : type.back(), exact(macs),
              line.substr(bar).find("i8") != std::string_view::npos ? "int8" : format});
  }
  return rows.text();
}

/// "c_id  m_id  type  dur (ms)  %  cumul  name", and a row for each; "n/a" and "total" are none.
std::string csv_of_st_profile(std::string_view text) {
  CsvRows rows("name,type,time_ms");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.find("c_id") != std::string_view::npos && line.find("dur (ms)") != std::string_view::npos) within = true;
    const std::vector<std::string> words = words_of(line);
    if (!within || words.size() < 6 || !known(number_in(words[0]))) continue;
    std::size_t time = 2;
    std::string type;
    while (time < words.size() && !known(number_in(words[time]))) type += (type.empty() ? "" : " ") + words[time++];
    if (time < words.size()) rows.add({words.back(), type, words[time]});
  }
  return rows.text();
}

/// "[C7x_1 ] 1851913.287889 s:      1,          81811,          48850, ..."
std::string csv_of_tidl_log(std::string_view text) {
  CsvRows rows("name,cycles at 1 GHz");
  bool within = false;
  for (std::string_view line : lines_of(text)) {
    if (line.find("kernelOnlyCycles") != std::string_view::npos) within = true;
    if (const std::size_t stamp = line.find(" s: "); stamp != std::string_view::npos) line.remove_prefix(stamp + 4);
    const std::vector<std::string_view> cells = trimmed_cells(line, ',');
    if (within && cells.size() >= 8 && known(number_in(cells[0])) && known(number_in(cells[1])))
      rows.add({"layer " + std::string(cells[0]), cells[1]});
  }
  return rows.text();
}

/// Volumes of input, output and weights, each with the memory it lies in.
std::string csv_of_tidl_perfsim(std::string_view text) {
  CsvRows rows("name,type,time_us,bytes");
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, ',');
    if (header.empty()) {
      if (line.find("procTime(us)") != std::string_view::npos) header = cells;
      continue;
    }
    const auto cell = [&](std::string_view name) {
      return place(header, name) < cells.size() ? cells[place(header, name)] : std::string_view();
    };
    if (!known(number_in(cell("procTime(us)")))) continue;
    double bytes = 0;
    for (const auto& [volume, memory] :
         {std::pair("inVol(KB)", "srcMem-IN"), std::pair("outVol(KB)", "dstMem-OUT"), std::pair("wtVol(KB)", "srcMem-WT")})
      if (cell(memory).find("DDR") != std::string_view::npos) bytes += known_or(number_in(cell(volume)), 0) * 1024;
    rows.add({"layer " + std::string(cell("lyrNum")), cell("LyrType"), cell("procTime(us)"), exact(bytes)});
  }
  return rows.text();
}

/// "DPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw": GOP, ms, MB.
std::string csv_of_vitis(std::string_view text) {
  CsvRows rows("name,gflop,time_ms,bytes_mb,dtype");
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, '|');
    if (line.find("DPU SubGraph") != std::string_view::npos) header = cells;
    const auto cell = [&](std::string_view name) {
      return place(header, name) < cells.size() ? cells[place(header, name)] : std::string_view();
    };
    const double work = number_in(cell("WL"));
    if (!(work > 0)) continue;
    const std::string_view time = known(number_in(cell("HW_RT"))) ? cell("HW_RT") : cell("SW_RT");
    const double moved = known_or(number_in(cell("LdWB")), 0) + known_or(number_in(cell("LdFM")), 0) + known_or(number_in(cell("StFM")), 0);
    rows.add({cell("DPU SubGraph"), exact(work), time, exact(moved), "int8"});
  }
  return rows.text();
}

/// "FPS     (hw_only)                 = 1328.83", or "        (streaming)               = 1328.8" where that is all there is.
std::string csv_of_hailo_text(std::string_view text) {
  CsvRows rows("name,time_s");
  double fps = unknown;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const bool hardware = line.find("(hw_only)") != std::string_view::npos;
    if (hardware || (line.find("(streaming)") != std::string_view::npos && !known(fps))) fps = number_in(line.substr(equals + 1));
  }
  if (fps > 0) rows.add({"network", exact(1 / fps)});
  return rows.text();
}

/// net_name, ..., fps, ...: a network per row.
std::string csv_of_hailo(std::string_view text) {
  CsvRows rows("name,time_s");
  std::vector<std::string_view> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = trimmed_cells(line, ',');
    if (cells[0] == "net_name") header = cells;
    const std::size_t hardware = place(header, "hw_only_fps"), fps = hardware < header.size() ? hardware : place(header, "fps");
    if (fps < cells.size() && number_in(cells[fps]) > 0) rows.add({cells[0], exact(1 / number_in(cells[fps]))});
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
