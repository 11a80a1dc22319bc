// Exports: the JSON document, CSV, the chart as SVG, the table for a terminal.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/write/markdown.hpp>
#include <roofline/write/write.hpp>
#include <set>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

using Writer = void (*)(const OpSet&, const WriteOptions&, const Sink&);

std::string written(Writer write, const Workload& w, const Scenario& s, std::optional<std::size_t> top = {}) {
  std::string out;
  WriteOptions options;
  options.top = top;
  write(Plan(w, s), options, [&](std::string_view piece) { out += piece; });
  return out;
}

Json document(const Workload& w, const Scenario& s, std::optional<std::size_t> top = {}) {
  Json json = Json::parse(written(write_json, w, s, top), nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  return json;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& item : object.items()) out.push_back(item.key());
  return out;
}
using Names = std::vector<std::string>;

/// A number's value, NaN for null; the test fails for anything else.
double value(const Json& json) {
  INFO(dump(json));
  REQUIRE((json.is_null() || json.is_number()));
  return number_of(json);
}

Scenario h100(bool whatif = true) {
  Scenario s;
  s.use(*Machines::presets().find("h100-sxm"));
  if (whatif) s.whatif.weight = s.whatif.activation = format("int8");
  return s;
}

/// Rows of cells of an RFC 4180 text.
std::vector<std::vector<std::string>> cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
      rows.back().back() += csv[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      rows.back().emplace_back();
    else if (!quoted && c == '\r' && csv[i + 1] == '\n')
      rows.emplace_back(1), ++i;
    else
      rows.back().back() += c;
  }
  CHECK_FALSE(quoted);
  CHECK(rows.back() == std::vector<std::string>{""});  // the last line ends too
  rows.pop_back();
  return rows;
}

/// Whether every element is closed in order, every attribute quoted and every & one of the five entities; what is wrong otherwise.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      bool known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        known = known || text.compare(i, std::string_view(entity).size(), entity) == 0;
      if (!known) return "a bare & at " + std::to_string(i);
    }
    if (text[i] != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(text[i]))) return "text outside the root";
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "a bare < at " + std::to_string(end);
    }
    if (end == text.size()) return "an open tag at " + std::to_string(i);
    const std::string tag = text.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end + 1;
  }
  return open.empty() ? "" : "never closes " + open.back();
}

}  // namespace

TEST_CASE("write: documents are UTF-8, whatever names the file has", "[write]") {
  const std::string bad = "\xbd\xff";
  std::string counters = "Correlation_Id,Dispatch_Id,Agent_Id,Grid_Size,Kernel_Name,Counter_Name,Counter_Value\n";
  counters += "1,1,1,64,kernel " + bad + ",SQ_WAVES " + bad + ",7\n";
  const Workload w = open(counters, {"name " + bad});
  REQUIRE(w.measures.size() == 1);
  const Json d = document(w, h100());
  CHECK(d["ops"][0].dump().find("\"SQ_WAVES ") != std::string::npos);
  for (const Writer write : {write_json, write_csv, write_svg, write_table, write_markdown}) {
    const std::string text = written(write, w, h100());
    CHECK(valid_utf8(text) == text);
  }
}

TEST_CASE("write: the document has exactly these fields", "[write]") {
  const Workload w = open(file("tests/data/mixed.json"), {"mixed.json"});
  const Json d = document(w, h100());
  CHECK(keys(d) ==
        Names{"schema", "source", "machine", "scenario", "ops", "summary", "findings", "comparison", "parity", "steps", "diagnostics"});
  CHECK(d["parity"].is_null());
  CHECK(text_of(d["schema"]) == "roofline-analysis/1");
  CHECK(text_of(d["source"]) == "mixed.json");
  CHECK(keys(d["scenario"]) == Names{"ops_per_mac", "bound_threshold", "memory_threshold", "compute_threshold", "formats", "batch_scale",
                                     "peak_scale", "bandwidth_scale", "overhead", "whatif_machine"});
  CHECK(keys(d["scenario"]["formats"]) == Names{"weight", "activation", "output", "kv"});
  CHECK(text_of(d["scenario"]["formats"]["weight"]) == "int8");
  CHECK(d["scenario"]["formats"]["kv"].is_null());

  CHECK(text_of(d["machine"]["id"]) == "h100-sxm");
  CHECK(value(d["machine"]["peaks"]["matrix"]["fp16"]) == 989.4e12);
  CHECK(value(d["machine"]["memories"][0]["bandwidth"]) == 3350e9);
  CHECK(value(d["machine"]["memories"][0]["capacity"]) == 85520809984);
  CHECK(value(d["machine"]["links"][0]["bandwidth"]) == 450e9);
  REQUIRE(parse_machine(dump(d["machine"])));  // it can be cut out and given to --machine

  REQUIRE(d["ops"].size() == w.size());
  for (const Json& op : d["ops"]) {
    CHECK(keys(op) == Names{"index",
                            "name",
                            "type",
                            "category",
                            "symbol",
                            "step",
                            "count",
                            "formats",
                            "flops",
                            "macs",
                            "bytes",
                            "bytes_by_memory",
                            "derived_bytes",
                            "hw_bytes",
                            "intensity",
                            "intensity_by_memory",
                            "min_time_s",
                            "utilization",
                            "bound_by",
                            "bound_unit",
                            "attainable_flops",
                            "predicted_time_s",
                            "typical_time_s",
                            "typical",
                            "time_s",
                            "self_time_s",
                            "lost_time_s",
                            "achieved_flops",
                            "achieved_bandwidth",
                            "efficiency",
                            "status",
                            "above_roof",
                            "limited_by",
                            "whatif"});
    CHECK(keys(op["formats"]) == Names{"weight", "activation", "output", "kv", "compute"});
    CHECK(keys(op["bytes_by_memory"]) == Names{"HBM", "L2"});
    CHECK(keys(op["intensity_by_memory"]) == Names{"HBM", "L2"});
    CHECK(keys(op["typical"]) == Names{"compute_s", "transfer_s", "exposed_s", "launch_s", "conversion_s", "fused_time_s", "waves",
                                       "wave_efficiency", "terms", "cache"});
    CHECK(keys(op["min_time_s"]) == Names{"compute", "HBM", "L2", "NVLink"});
    CHECK(keys(op["utilization"]) == Names{"compute", "HBM", "L2", "NVLink"});
    CHECK(keys(op["whatif"]) == Names{"bytes", "predicted_time_s", "bound_by", "speedup_optimistic", "speedup_pessimistic", "speedup_low",
                                      "speedup_high", "upper_bound"});
  }
  CHECK(keys(d["summary"]) == Names{"ops",
                                    "timed_ops",
                                    "above_roof",
                                    "far_above_roof",
                                    "ran_elsewhere",
                                    "rates_only",
                                    "flops",
                                    "bytes",
                                    "predicted_time_s",
                                    "time_s",
                                    "lost_time_s",
                                    "efficiency",
                                    "typical_time_s",
                                    "bound_by",
                                    "by_status",
                                    "time_by_status",
                                    "by_bound",
                                    "predicted_time_by_bound",
                                    "time_by_limit",
                                    "whatif",
                                    "estimate"});
  CHECK(keys(d["summary"]["whatif"]) == Names{"predicted_time_s", "time_optimistic_s", "time_pessimistic_s", "speedup_optimistic",
                                              "speedup_pessimistic", "batch_scale", "time_low_s", "time_high_s", "speedup_low",
                                              "speedup_high", "limited_by"});

  Scenario batch = h100(false);
  batch.whatif.batch_scale = 4;
  const Json larger = document(w, batch)["summary"];
  const auto of = [&](const char* key) { return number_of(larger["whatif"][key]); };
  CHECK(of("batch_scale") == 4);
  const double judged = of("time_optimistic_s") * of("speedup_optimistic");
  CHECK(of("time_optimistic_s") < of("time_pessimistic_s"));
  CHECK_THAT(of("time_pessimistic_s") * of("speedup_pessimistic"), WithinRel(judged, 1e-12));
  CHECK(of("time_low_s") < of("time_high_s"));
  CHECK_THAT(of("time_low_s") * of("speedup_high"), WithinRel(judged, 1e-12));
  CHECK_THAT(of("time_high_s") * of("speedup_low"), WithinRel(judged, 1e-12));
  CHECK(of("time_low_s") < of("time_optimistic_s"));  // of a quarter of the run

  const Json plain = document(w, h100(false));
  CHECK(plain["ops"][0]["whatif"].is_null());
  CHECK(plain["summary"]["whatif"].is_null());
}

TEST_CASE("write: the document's numbers are the analysis's", "[write]") {
  const Workload w = open(file("tests/data/mixed.json"));
  const Scenario s = h100();
  const Plan plan(w, s);
  const Json d = document(w, s);
  for (std::size_t i = 0; i < w.size(); ++i) {
    INFO(w.name_of(i));
    const Json& op = d["ops"][i];
    const OpAnalysis a = plan.analyze(i);
    const OpWhatIf then = plan.what_if(i);
    CHECK(value(op["index"]) == static_cast<double>(i));
    CHECK(text_of(op["name"]) == w.name_of(i));
    CHECK(value(op["count"]) == w.count_of(i));
    CHECK(same(value(op["flops"]), a.flops));
    CHECK(same(value(op["macs"]), a.flops / 2));
    CHECK(same(value(op["bytes"]), a.bytes));
    CHECK(same(value(op["bytes_by_memory"]["HBM"]), a.bytes));
    CHECK(same(value(op["derived_bytes"]), a.derived_bytes));
    CHECK(same(value(op["hw_bytes"]), a.hw_bytes));
    CHECK(same(value(op["intensity"]), a.intensity));
    CHECK(same(value(op["min_time_s"]["compute"]), a.min_time_s[0]));
    CHECK(same(value(op["min_time_s"]["HBM"]), a.min_time_s[1]));
    CHECK(same(value(op["utilization"]["HBM"]), a.min_time_s[1] / a.time_s));
    CHECK(same(value(op["predicted_time_s"]), a.predicted_time_s));
    CHECK(same(value(op["typical_time_s"]), a.typical_time_s));
    CHECK(same(value(op["typical"]["launch_s"]), a.typical.launch_s));
    CHECK(same(value(op["typical"]["fused_time_s"]), a.typical.fused_time_s));
    CHECK(same(value(op["attainable_flops"]), a.attainable_flops));
    CHECK(same(value(op["time_s"]), a.time_s));
    CHECK(same(value(op["lost_time_s"]), a.lost_time_s));
    CHECK(same(value(op["achieved_flops"]), a.achieved_flops));
    CHECK(same(value(op["achieved_bandwidth"]), a.achieved_bandwidth));
    CHECK(same(value(op["efficiency"]), a.efficiency));
    CHECK(text_of(op["status"]) == to_string(a.status));
    CHECK(text_of(op["bound_by"]) == (a.bound_by == no_resource ? "" : plan.resources()[a.bound_by].name));
    CHECK(op["bound_unit"].is_null() == (a.bound_by != 0));
    CHECK(same(value(op["whatif"]["bytes"]), then.bytes));
    CHECK(same(value(op["whatif"]["predicted_time_s"]), then.predicted_time_s));
    CHECK(same(value(op["whatif"]["speedup_optimistic"]), then.speedup_optimistic));
    CHECK(same(value(op["whatif"]["speedup_pessimistic"]), then.speedup_pessimistic));
  }
  const Summary total = summarize(plan);
  const Json& summary = d["summary"];
  CHECK(value(summary["ops"]) == 9);
  CHECK(value(summary["flops"]) == total.flops);
  CHECK(value(summary["bytes"]) == total.bytes);
  CHECK(value(summary["predicted_time_s"]) == total.predicted_time_s);
  CHECK(value(summary["time_s"]) == total.time_s);
  CHECK(value(summary["lost_time_s"]) == total.lost_time_s);
  CHECK(value(summary["efficiency"]) == total.efficiency());
  CHECK(text_of(summary["bound_by"]) == plan.resources()[total.bound_by].name);
  double counted = 0;
  for (const auto& item : summary["by_status"].items()) counted += value(item.value());
  CHECK(counted == 9);
}

TEST_CASE("write: null where nothing is known", "[write]") {
  const Json d = document(open("[7]"), h100(false));
  const Json& op = d["ops"][0];
  for (const char* key : {"step", "flops", "macs", "bytes", "derived_bytes", "hw_bytes", "intensity", "bound_by", "bound_unit",
                          "attainable_flops", "predicted_time_s", "typical_time_s", "time_s", "self_time_s", "lost_time_s",
                          "achieved_flops", "achieved_bandwidth", "efficiency", "whatif"}) {
    INFO(key);
    CHECK(op[key].is_null());
  }
  for (const auto& item : op["formats"].items()) CHECK(item.value().is_null());
  CHECK(text_of(op["status"]) == "unknown");
  CHECK(text_of(op["symbol"]) == "star");
  for (const char* key : {"time_s", "lost_time_s", "efficiency", "bound_by"}) CHECK(d["summary"][key].is_null());
  const Json empty = document(open("[]"), h100(false));
  CHECK(empty["ops"].empty());
  CHECK(value(empty["summary"]["flops"]) == 0);
}

TEST_CASE("write: diagnostics, steps and hostile names in the document", "[write]") {
  const Json faults = document(open(file("tests/data/faults.json")), h100(false));
  REQUIRE(faults["diagnostics"].size() == 9);
  const Json& second = faults["diagnostics"][1];
  CHECK(keys(second) == Names{"severity", "message", "op", "line", "column", "path"});
  CHECK(text_of(second["severity"]) == "error");
  CHECK(value(second["op"]) == 2);
  CHECK(value(second["line"]) == 4);
  CHECK(value(second["column"]) == 3);
  CHECK(text_of(second["path"]) == "type");

  Workload w = open("[{\"type\": \"x\", \"flops\": 1, \"name\": \"\\u0000<script>\\\"\\\\\xff\"}]");
  CHECK(text_of(document(w, h100())["ops"][0]["name"]) == std::string("\0<script>\"\\\xef\xbf\xbd", 14));
  w.steps = {"prefill"};
  w.step = {0};
  const Json stepped = document(w, h100());
  CHECK(text_of(stepped["ops"][0]["step"]) == "prefill");
  REQUIRE(stepped["steps"].size() == 1);
  CHECK(keys(stepped["steps"][0]) ==
        Names{"name", "ops", "time_s", "predicted_time_s", "efficiency", "bound_by", "time_by_bound", "time_by_limit"});
  CHECK(text_of(stepped["steps"][0]["name"]) == "prefill");
  CHECK(value(stepped["steps"][0]["ops"]) == 1);
  w.hidden_diagnostics = 12;
  CHECK(text_of(document(w, h100())["diagnostics"].back()["message"]) == "12 more diagnostics are not listed");
}

TEST_CASE("write: --top selects by lost time and keeps the order", "[write]") {
  Workload w;
  for (const double time : {20.0, 50.0, unknown, 40.0, 10.0}) add_row(w, 10, 100, time);  // 10 s at the roof
  const Scenario s = on(round_machine());
  const auto indices = [&](std::optional<std::size_t> top) {
    std::vector<double> out;
    const Json d = document(w, s, top);
    CHECK(value(d["summary"]["ops"]) == 5);  // of all
    for (const Json& op : d["ops"]) out.push_back(value(op["index"]));
    return out;
  };
  CHECK(indices({}) == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(indices(2) == std::vector<double>{1, 3});
  CHECK(indices(3) == std::vector<double>{0, 1, 3});
  CHECK(indices(0).empty());
  CHECK(indices(99).size() == 5);
  CHECK(cells(written(write_csv, w, s, 2)).size() == 3);
  w.time_s.clear();
  w.given_bytes[2] = 500;
  CHECK(indices(1) == std::vector<double>{2});  // without times, by predicted time
}

TEST_CASE("write: CSV", "[write]") {
  const Workload w = open(R"json([
    {"type": "ID_MM", "name": "plain", "data_type": "FP16", "input_mat1": [4, 5], "input_mat2": [5, 6], "time_ns": 10},
    {"type": "a,b", "name": "two\nlines, \"quoted\"", "data_type": "FP16", "flops": 1.5, "bytes": 3},
    {"type": "x", "name": "=HYPERLINK(1)", "flops": 1}, {"type": "x", "name": "+1", "flops": 1}, {"type": "x", "name": "-1", "flops": 1}, {"type": "x", "name": "@a", "flops": 1},
    {"type": "x", "name": "\ta", "flops": 1}, {"type": "x", "name": "\ra", "flops": 1}, {"type": "x", "name": "a=1", "flops": 1}, 7])json");
  const Scenario s = h100();
  const auto rows = cells(written(write_csv, w, s));
  REQUIRE(rows.size() == w.size() + 1);
  const Names& head = rows[0];
  CHECK(head == Names{"index",
                      "name",
                      "type",
                      "category",
                      "symbol",
                      "step",
                      "count",
                      "weight_format",
                      "activation_format",
                      "output_format",
                      "kv_format",
                      "compute_format",
                      "flops",
                      "macs",
                      "bytes",
                      "derived_bytes",
                      "hw_bytes",
                      "intensity",
                      "bytes HBM",
                      "bytes L2",
                      "bytes NVLink",
                      "min_time_s compute",
                      "min_time_s HBM",
                      "min_time_s L2",
                      "min_time_s NVLink",
                      "utilization compute",
                      "utilization HBM",
                      "utilization L2",
                      "utilization NVLink",
                      "bound_by",
                      "bound_unit",
                      "attainable_flops",
                      "predicted_time_s",
                      "typical_time_s",
                      "fused_time_s",
                      "time_s",
                      "self_time_s",
                      "lost_time_s",
                      "achieved_flops",
                      "achieved_bandwidth",
                      "efficiency",
                      "status",
                      "whatif_bytes",
                      "whatif_predicted_time_s",
                      "whatif_bound_by",
                      "speedup_optimistic",
                      "speedup_pessimistic",
                      "above_roof",
                      "limited_by",
                      "speedup_low",
                      "speedup_high"});
  const auto cell = [&](std::size_t op, const char* column) {
    return rows[op + 1].at(static_cast<std::size_t>(std::find(head.begin(), head.end(), column) - head.begin()));
  };
  for (const auto& row : rows) CHECK(row.size() == head.size());
  CHECK(cell(0, "flops") == "240");
  CHECK(cell(0, "bytes") == "148");
  CHECK(cell(0, "time_s") == "1e-8");
  CHECK(cell(0, "weight_format") == "fp16");
  CHECK(cell(0, "status") == to_string(Plan(w, s).analyze(0).status));
  CHECK(std::strtod(cell(0, "efficiency").c_str(), nullptr) == Plan(w, s).analyze(0).efficiency);
  CHECK(cell(1, "flops") == "1.5");
  CHECK(cell(1, "type") == "a,b");
  CHECK(cell(1, "name") == "two\nlines, \"quoted\"");
  CHECK(cell(1, "time_s").empty());
  // What a spreadsheet would run as a formula becomes text.
  for (std::size_t i = 2; i < 8; ++i) CHECK(cell(i, "name") == "'" + w.name_of(i));
  CHECK(cell(8, "name") == "a=1");
  CHECK(cell(9, "flops").empty());
  CHECK(cell(9, "compute_format").empty());
}

TEST_CASE("write: SVG", "[write]") {
  const Workload w = open(file("tests/data/mixed.json"));
  const std::string svg = written(write_svg, w, h100());
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("caf\xc3\xa9 &quot;quoted&quot;: ") != std::string::npos);
  CHECK(svg.find("HBM 3.35 TB/s") != std::string::npos);
  CHECK(svg.find("FP16 989 TFLOP/s") != std::string::npos);
  CHECK(svg.find(">Intensity (FLOP/B)<") != std::string::npos);
  CHECK(svg.find(": with the changes</title>") != std::string::npos);
  CHECK(svg.find(">with the changes<") != std::string::npos);
  CHECK(written(write_svg, w, h100(false)).find("with the changes") == std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  Scenario macs = h100();
  macs.ops_per_mac = 1;
  CHECK(written(write_svg, w, macs).find(">Intensity (MAC/B)<") != std::string::npos);

  const Workload hostile =
      open(R"([{"type": "x", "name": "]]>&\"'<script>\u0001", "data_type": "FP16", "flops": 1e9, "bytes": 1e6, "time_ns": 1e5}])");
  const std::string escaped = written(write_svg, hostile, h100());
  CHECK(xml_fault(escaped) == "");
  CHECK(escaped.find("]]&gt;&amp;&quot;'&lt;script&gt; : ") != std::string::npos);

  // Without FLOPs: in the lane, as high as 1 TB/s of HBM would stand at the chart's left edge.
  const Workload copies = open(R"([{"type": "copy_x", "name": "moved", "data_type": "FP16", "flops": 0, "bytes": 1e6, "time_ns": 1e3}])");
  const std::string lane = written(write_svg, copies, h100());
  CHECK(xml_fault(lane) == "");
  CHECK(lane.find("<title>moved: ") != std::string::npos);
  CHECK(lane.find(">0</text>") != std::string::npos);
  CHECK(lane.find(">No FLOPs: bytes/s</text>") != std::string::npos);
  CHECK(lane.find(">1 TB/s</text>", lane.find("HBM 3.35 TB/s")) != std::string::npos);  // over the roofs
  CHECK(written(write_svg, hostile, h100()).find(">0</text>") == std::string::npos);

  // A chart without points, and one with more than it draws one by one.
  CHECK(xml_fault(written(write_svg, open("[]"), h100())) == "");
  CHECK(xml_fault(written(write_svg, open("[7]"), Scenario::standard())) == "");
  const std::string dense = written(write_svg, open(file("presets/samples/resnet-50-synthetic.json")), Scenario::standard(), 3);
  CHECK(xml_fault(dense) == "");
  CHECK(dense.find("top 3 of ") != std::string::npos);
}

TEST_CASE("write: the table for a terminal", "[write]") {
  const Workload w = open(
      "["
      R"({"type": "ID_MM", "name": "product\u001b[31m", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "time_ns": 100}, 7])");
  const std::string table = written(write_table, w, Scenario::standard());
  CHECK(table.find('\x1b') == std::string::npos);  // no control characters reach the terminal
  CHECK(table.find("product") != std::string::npos);
  CHECK(table.find("well below the roof (memory)") != std::string::npos);
  CHECK(table.find("1 record has no known cost.") != std::string::npos);
  std::string many = "[7";
  for (int i = 0; i < 29; ++i) many += ",7";
  CHECK(written(write_table, open(many + "]"), Scenario::standard()).find("and 10 more with less time above the bound") !=
        std::string::npos);
}

TEST_CASE("write: no two rows of the table look the same where their names or sizes differ", "[write]") {
  const std::string common = "at::native::vectorized_elementwise_kernel<4, at::native::";
  const std::string table = written(write_table,
                                    open("name,M,N,K,time_us\n\"" + common + "AddFunctor<float>>\",8,8,8,3\n\"" + common +
                                         "FillFunctor<int>>\",8,8,8,3\naten::mm,512,256,128,4\naten::mm,1024,256,128,5\nalone,8,8,8,1\n"),
                                    Scenario::standard());
  for (const char* name :
       {"  …AddFunctor<float>>", "  …FillFunctor<int>>", "  aten::mm 512x256x128 ", "  aten::mm 1024x256x128 ", "  alone  "})
    CHECK(table.find(name) != std::string::npos);
}

TEST_CASE("write: above the roof is a status of its own, in words, marks and beside the status of documents", "[write]") {
  Workload w;
  add_row(w, 1000, 10, 40);
  add_row(w, 1000, 10, 9.5);  // 10 s at the roof
  const Scenario s = on(round_machine());
  const Json json = document(w, s);
  CHECK((json["ops"][1]["status"] == "compute-bound" && json["ops"][1]["above_roof"] == true));
  CHECK((json["ops"][0]["above_roof"] == false && json["ops"][0]["limited_by"] == "neither"));
  CHECK(json["summary"]["by_status"]["compute-bound"] == 1);
  const std::string table = written(write_table, w, s);
  CHECK(table.find("op    above the roof ") != std::string::npos);
  CHECK(table.find("1 well below the roof (compute), 1 above the roof\n") != std::string::npos);
  CHECK(table.find("limited by neither  1, 40 s: overhead, waiting or a poor kernel\n") != std::string::npos);
  CHECK(table.find("near the roof") == std::string::npos);
  CHECK(table.find("105%") == std::string::npos);
  const std::string svg = written(write_svg, w, s);
  CHECK(xml_fault(svg) == "");
  CHECK(svg.find("above the roof 1") != std::string::npos);
  CHECK(svg.find("fill=\"url(#above)\"") != std::string::npos);
  CHECK(svg.find(">neither compute nor memory 1<") != std::string::npos);
  CHECK(svg.find(">compute 1<") != std::string::npos);
  CHECK(svg.find("near the roof") == std::string::npos);
  CHECK(written(write_csv, w, s).find(",speedup_pessimistic,above_roof,limited_by,speedup_low,speedup_high\r\n") != std::string::npos);
}

TEST_CASE("write: lists and details of what is built in", "[write]") {
  for (const char* kind : {"machines", "formats", "operators"}) {
    INFO(kind);
    const auto text = list_json(kind);
    REQUIRE(text);
    const Json list = Json::parse(*text, nullptr, false);
    REQUIRE(list.size() > 20);
    std::set<std::string> ids;
    for (const Json& item : list) {
      CHECK_FALSE(text_of(item["id"]).empty());
      CHECK_FALSE(text_of(item["name"]).empty());
      ids.insert(text_of(item["id"]));
    }
    CHECK(ids.size() == list.size());
  }
  const Json formats = Json::parse(*list_json("formats"), nullptr, false);
  for (const Json& f : formats)
    if (text_of(f["id"]) == "int4_g128") {
      CHECK(value(f["bits"]) == 4);
      CHECK(value(f["effective_bits"]) == 4.125);
    }
  const Json stacks = Json::parse(*list_json("stacks"), nullptr, false);
  for (const Json& s : stacks)
    if (const Stack& stack = Stacks::presets()[*Stacks::presets().find(text_of(s["id"]))]; stack.id == "vllm" || stack.id == "vllm-2024") {
      CHECK(value(s["error_throughput"]) == stack.error("throughput")->median);
      CHECK(s["error_tpot"].is_null() == (stack.id == "vllm-2024"));  // static batches state their throughput alone
      if (stack.id == "vllm") CHECK(value(s["error_tpot"]) == stack.error("tpot")->median);
    }
  const auto machine = show_json("machine", "H100");
  REQUIRE(machine);
  CHECK(value(Json::parse(*machine, nullptr, false)["memories"][0]["bandwidth"]["value"]) == 3350e9);
  CHECK(show_json("operator", "conv2d"));
  CHECK(show_json("format", "FP8"));
  CHECK_FALSE(list_json("cars"));
  CHECK_FALSE(show_json("machine", "h1000"));
  CHECK(show_json("machine", "h1000").error().message.find("h100-sxm") != std::string::npos);
}
