// XProf's roofline_model export: what is read, and that bounds, efficiencies and intensities are those of its own columns.
#include <cmath>
#include <map>
#include <roofline/analysis/op_set.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>
#include <roofline/write/write.hpp>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

/// A table as XProf writes it, from columns and rows; a text cell begins with a quote.
struct Export {
  std::vector<std::pair<std::string, std::string>> columns = {{"step", "Step"},
                                                              {"category", "Category"},
                                                              {"operation", "Operation"},
                                                              {"total_time", "Total Time (us)"},
                                                              {"total_self_time", "Total self time (us)"},
                                                              {"measured_flop_rate", "Normalized FLOP Rate (GFLOP/s)"},
                                                              {"hbm_bw", "HBM BW (GiB/s)"}};
  std::vector<std::vector<std::string>> rows;
  std::string properties = R"("device_type":"TPU v2","peak_flop_rate":"24300","peak_hbm_bw":"667.6")";

  [[nodiscard]] std::string json() const {
    std::string out = "[{\"cols\":[";
    for (std::size_t i = 0; i < columns.size(); ++i)
      out += std::string(i > 0 ? "," : "") + "{\"id\":\"" + columns[i].first + "\",\"label\":\"" + columns[i].second + "\"}";
    out += "],\"p\":{" + properties + "},\"rows\":[";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out += std::string(r > 0 ? "," : "") + "{\"c\":[";
      for (std::size_t i = 0; i < rows[r].size(); ++i) {
        const std::string& cell = rows[r][i];
        out += std::string(i > 0 ? "," : "") + "{\"v\":" + (cell[0] == '"' ? cell + '"' : cell) + "}";
      }
      out += "]}";
    }
    return out + "]},{\"cols\":[],\"rows\":[]}]";
  }
  [[nodiscard]] std::string csv(char delimiter = ',', bool labels = true) const {
    std::string out;
    for (std::size_t i = 0; i < columns.size(); ++i)
      out += (i > 0 ? std::string(1, delimiter) : "") + '"' + (labels ? columns[i].second : columns[i].first) + '"';
    for (const auto& row : rows) {
      out += "\n";
      for (std::size_t i = 0; i < row.size(); ++i)
        out += (i > 0 ? std::string(1, delimiter) : "") + (row[i][0] == '"' ? row[i] + '"' : row[i]);
    }
    return out + "\n";
  }
};

std::vector<std::string> op(const std::string& name, double time_us, double gflops, double gibs, const std::string& category = "fusion") {
  return {"\"Total",           '"' + category, '"' + name, std::to_string(time_us), std::to_string(time_us), std::to_string(gflops),
          std::to_string(gibs)};
}

Scenario stated(const Workload& w) {
  Scenario s = Scenario::standard();
  REQUIRE(use_stated_machine(s, w.machine_json));
  return s;
}

std::string refused(std::string_view text) {
  const auto w = read(text, {});
  REQUIRE_FALSE(w);
  return w.error().text();
}

const std::string& sample() {
  static const std::string text = file("presets/samples/training-profile-synthetic.json");
  return text;
}

/// One row of the sample's table, by column.
using Row = std::map<std::string, Json>;
std::vector<Row> rows_of(const std::string& text) {
  const Json json = Json::parse(text);
  std::vector<std::string> ids;
  for (const Json& column : json[0]["cols"]) ids.push_back(text_of(column["id"]));
  std::vector<Row> rows;
  for (const Json& row : json[0]["rows"]) {
    Row& out = rows.emplace_back();
    for (std::size_t i = 0; i < ids.size(); ++i) out[ids[i]] = row["c"][i]["v"];
  }
  return rows;
}

/// The same table as "Export as CSV" writes it: labels, every digit, no properties.
std::string as_csv(const std::string& text) {
  const Json json = Json::parse(text);
  std::string out;
  for (const Json& column : json[0]["cols"]) out += (out.empty() ? "\"" : ",\"") + text_of(column["label"]) + '"';
  for (const Json& row : json[0]["rows"]) {
    out += "\r\n";
    bool first = true;
    for (const Json& cell : row["c"]) {
      out += (first ? "" : ",") + cell["v"].dump();
      first = false;
    }
  }
  return out;
}

bool holds(const std::string& text, const std::string& part) {
  UNSCOPED_INFO(text);
  return text.find(part) != std::string::npos;
}

/// All rows, with or without the time of infeed and outfeed.
RowSelection rows_with(const Workload& w, bool infeed) {
  OpFilter filter;
  filter.infeed = infeed;
  return select_rows(w, filter);
}
OpSet with_infeed(const Plan& plan, bool infeed) { return {plan, std::make_shared<RowSelection>(rows_with(plan.workload(), infeed))}; }

bool close(double ours, double theirs) { return std::fabs(ours - theirs) <= 1e-6 * std::fabs(theirs); }

/// Every row of the export against its own columns; returns how many.
std::size_t check_rows(const Workload& w, const std::vector<Row>& rows, bool infeed) {
  const Scenario scenario = stated(w);
  const Plan plan(w, scenario);
  const RowMask mask = rows_with(w, infeed).scope;
  std::size_t checked = 0;
  for (std::size_t i = 0, r = 0; i < w.size(); ++i) {
    if (!mask.empty() && mask[i] == 0) continue;
    // Rows come out in the file's order; of each pair of equal rows only the first is kept.
    const auto number = [&](std::size_t row, const char* id) { return number_of(rows[row].at(id)); };
    for (r = 0; r < rows.size(); ++r)
      if (rows[r].at("include_infeed_outfeed") == Json(infeed) && text_of(rows[r].at("operation")) == w.name_of(i) &&
          text_of(rows[r].at("step")) == w.steps[w.step[i]] &&
          text_of(rows[r].at("hlo_module_id")) == w.categories[0].values[w.categories[0].value[i]])
        break;
    INFO(w.name_of(i));
    REQUIRE(r < rows.size());
    const OpAnalysis a = plan.analyze(i);
    const std::string bound = a.bound_by == no_resource ? "Unknown" : a.bound_by == 0 ? "Compute" : plan.resources()[a.bound_by].name;
    CHECK(bound == text_of(rows[r].at("bound_by")));
    if (bound != "Unknown") {
      CHECK(close(a.efficiency, number(r, "roofline_efficiency")));
      CHECK(close(a.attainable_flops / 1e9, number(r, "optimal_flop_rate")));
      CHECK(close(a.achieved_flops / 1e9, number(r, "measured_flop_rate")));
      CHECK(close(a.min_time_s[0] / a.time_s, number(r, "compute_efficiency")));
    }
    CHECK(close(a.time_s * 1e6, number(r, "total_time")));
    const auto intensity = [&](double bytes, const char* id) {
      if (bytes > 0) CHECK(close(a.flops / bytes, number(r, id)));
    };
    intensity(a.bytes, "hbm_operational_intensity");
    for (const Channel& channel : w.channels) {
      if (channel.name == "VMEM Read") intensity(channel.bytes[i], "vmem_read_operational_intensity");
      if (channel.name == "VMEM Write") intensity(channel.bytes[i], "vmem_write_operational_intensity");
      if (channel.name == "All memories") intensity(channel.bytes[i], "operational_intensity");
    }
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("xprof: every row has the bound, efficiency and intensities of its own columns", "[xprof]") {
  const std::vector<Row> rows = rows_of(sample());
  const Workload w = open(sample());
  CHECK(w.source_format == SourceFormat::xprof);
  CHECK(check_rows(w, rows, true) + check_rows(w, rows, false) == rows.size());

  // "Export as CSV" has no device properties: the rows' own utilisation gives the rates.
  const Workload again = open(as_csv(sample()));
  CHECK(check_rows(again, rows, true) + check_rows(again, rows, false) == rows.size());

  std::string bare = sample();  // the first table alone
  bare = Json::parse(bare)[0].dump();
  CHECK(open(bare).size() == w.size());
}

TEST_CASE("xprof: all kinds of bound occur in the sample, and what is not an operation stays out of the totals", "[xprof]") {
  const Workload w = open(sample());
  const Scenario s = stated(w);
  const Plan plan(w, s);
  CHECK(s.machine.memories.size() == 2);
  CHECK(s.machine.memories[1].name == "VMEM");
  CHECK(s.machine.memories[0].bandwidth.value == 1500.0 * 1024 * 1024 * 1024);
  CHECK(s.machine.peak(Unit::matrix, format("bf16")) == 900e12);
  const Summary with = summarize(with_infeed(plan, true)), without = summarize(with_infeed(plan, false));
  for (const std::size_t resource : {0, 1, 2, 3}) CHECK(with.by_bound[resource] > 0);
  CHECK(with.ops == without.ops + 2);  // infeed and outfeed

  // Sums use self time: all of it is the Total row's time, for a while loop counts only what it does itself.
  const std::vector<Row> rows = rows_of(sample());
  CHECK(close(with.time_s * 1e6, number_of(rows[0].at("total_time"))));
  double flops = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.views[i] == (row_view::with_infeed | row_view::without_infeed) && w.name_of(i) != "while.1" && w.matrix_flops[i] > 0)
      flops += w.matrix_flops[i];
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == "while.1") flops += w.matrix_flops[i] * 0.004;
  CHECK(close(with.flops, flops));
}

TEST_CASE("xprof: two programs share an operation's name and stay apart, grouped or not", "[xprof]") {
  const Workload w = open(sample());
  const auto programs_of = [](const Workload& from, const std::string& name) {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < from.size(); ++i) rows += from.name_of(i) == name ? 1 : 0;
    return rows;
  };
  CHECK(programs_of(w, "fusion.10") == 2);
  CHECK(programs_of(group_identical(w), "fusion.10") == 2);
  CHECK(w.categories[0].values.size() == 3);  // "0" is the program rows'
}

TEST_CASE("xprof: rows of the published screenshots", "[xprof]") {
  Export x;
  x.rows = {{"\"Total", "\"Program", "\"Program", "1000", "0", "3590.24", "68.37"},
            {"\"Average", "\"Program", "\"Program", "500", "0", "3572.96", "68.41"},
            {"\"0", "\"Program", "\"Program", "300", "0", "1081.91", "20.71"},
            {"\"1", "\"Program", "\"Program", "350", "0", "3890.18", "74.48"},
            {"\"Total (HW)", "\"Program", "\"Program", "350", "0", "3795.12", "72.66"}};
  const Workload w = open(x.json());
  const Scenario s = stated(w);
  const Plan plan(w, s);
  const auto tenth = [](double fraction) { return std::round(fraction * 1000) / 10; };
  const double expected[][3] = {{14.8, 14.8, 10.2}, {14.7, 14.7, 10.2}, {4.5, 4.5, 3.1}, {16, 16, 11.2}, {15.6, 15.6, 10.9}};
  for (std::size_t i = 0; i < 5; ++i) {
    const OpAnalysis a = plan.analyze(i);
    CHECK(a.bound_by == 0);
    CHECK(tenth(a.efficiency) == expected[i][0]);
    CHECK(tenth(a.min_time_s[0] / a.time_s) == expected[i][1]);
    CHECK(tenth(a.min_time_s[1] / a.time_s) == expected[i][2]);
  }
  CHECK(w.steps == std::vector<std::string>{"Total", "Average", "0", "1", "Total (HW)"});
  // The ridge point is the peak over the bandwidth in bytes, not in GiB: 33.899.
  CHECK(std::fabs(s.machine.matrix[0].flops.value / s.machine.memories[0].bandwidth.value - 33.899) < 5e-4);
  // Nothing but totals: then they are what is looked at.
  CHECK(summarize(plan).ops == 5);
}

TEST_CASE("xprof: the small published fixture", "[xprof]") {
  Export x;
  x.properties = R"("device_type":"TPU v6 Lite","peak_flop_rate":"946700","peak_hbm_bw":"1525.5")";
  const double rate = 0.0076 * 946700;  // its FLOP rate over its peak is 0.76%, its intensity 25.89
  x.rows = {op("Program", 1000, rate, rate * 1e9 / 25.89 / (1024.0 * 1024 * 1024), "Program")};
  const Workload w = open(x.json());
  const Scenario s = stated(w);
  const OpAnalysis a = Plan(w, s).analyze(0);
  CHECK(a.bound_by == 1);
  CHECK(std::fabs(a.intensity - 25.89) < 1e-4);
  CHECK(std::fabs(s.machine.matrix[0].flops.value / s.machine.memories[0].bandwidth.value - 577.9633) < 1e-4);
}

TEST_CASE("xprof: a GPU has shared memory, in any order of columns", "[xprof]") {
  Export x;
  x.columns = {{"vmem_write_bw", "SHM/L1 BW (GiB/s)"},
               {"hbm_bw", "HBM BW (GiB/s)"},
               {"operation", "Operation"},
               {"extra", "Something new"},
               {"total_time", "Total Time (us)"},
               {"measured_flop_rate", "Normalized FLOP Rate (GFLOP/s)"}};
  x.rows = {{"4000", "100", "\"gemm", "1", "10", "1000"}, {"100", "1500", "\"copy", "2", "10", "0"}};
  x.properties = R"("device_type":"NVIDIA GPU","peak_flop_rate":"100000","peak_hbm_bw":"2000","peak_vmem_write_bw":"5000")";
  const Workload w = open(x.json());
  const Scenario s = stated(w);
  const Plan plan(w, s);
  REQUIRE(plan.resources().size() == 3);
  CHECK(plan.resources()[2].name == "Shm/L1");
  CHECK(plan.analyze(0).bound_by == 2);  // by its own traffic, which XProf's code does not look at
  CHECK(std::fabs(plan.analyze(0).efficiency - 0.8) < 1e-12);
  CHECK(plan.analyze(1).bound_by == 1);
  CHECK(s.machine.peak(Unit::matrix, format("fp16")) == 1e14);
}

TEST_CASE("xprof: units are read from the labels", "[xprof]") {
  Export x;
  x.rows = {op("a", 10, 1000, 100)};
  const OpAnalysis gibi = Plan(open(x.json()), Scenario::standard()).analyze(0);
  CHECK(std::fabs(gibi.bytes - 100 * 1073741824.0 * 1e-5) < 1e-3);
  x.columns[6].second = "HBM BW (GB/s)";
  x.columns[3].second = "Total Time (ms)";
  const OpAnalysis giga = Plan(open(x.json()), Scenario::standard()).analyze(0);
  CHECK(std::fabs(giga.bytes - 100e9 * 1e-2) < 1);
  CHECK(std::fabs(giga.time_s - 1e-2) < 1e-15);
  x.columns[6].second = "HBM BW (furlong/s)";
  CHECK(holds(refused(x.json()), "[0].cols[6]: column 7, \"HBM BW (furlong/s)\": expected its unit to be GiB/s"));
}

TEST_CASE("xprof: source information is text, not HTML", "[xprof]") {
  Export x;
  x.columns.emplace_back("source_info", "Source Info");
  x.rows = {op("a", 10, 1000, 100)};
  x.rows[0].push_back("\"<div class='source-info-cell' title='x'>a&lt;b&gt;.py:7<script>alert(1)</script></div>");
  const Workload w = open(x.json());
  CHECK(w.categories[1].values[0] == "a<b>.py:7alert(1)");
}

TEST_CASE("xprof: malformed tables say what is wrong and where", "[xprof]") {
  Export x;
  x.rows = {op("a", 10, 1000, 100), op("b", 20, 1000, 100)};

  Export lacking = x;
  lacking.columns.erase(lacking.columns.begin() + 5);
  CHECK(holds(refused(lacking.json()), "lacks measured_flop_rate"));

  Export twice = x;
  twice.columns[5] = twice.columns[6];
  CHECK(holds(refused(twice.json()), "column 7, \"HBM BW (GiB/s)\": the table has a column of this meaning already"));
  CHECK(holds(refused("[{\"cols\": 3, \"rows\": []}]"), "[0].cols: a number: expected the table's columns"));
  CHECK(holds(refused("{\"cols\": [{\"id\":\"operation\"}"), "line 1, column"));  // cut off

  Export text = x;
  text.rows[1][6] = "\"fast";
  const Workload w = open(text.json());
  REQUIRE(w.size() == 2);
  REQUIRE(!w.diagnostics.empty());
  CHECK(w.diagnostics[0].message == "hbm_bw (GiB/s): expected a number of at least 0, found \"fast\"");
  CHECK(w.diagnostics[0].path == "[0].rows[1].hbm_bw");
  CHECK(w.diagnostics[0].op == 1u);

  Export ragged = x;
  ragged.rows[1].resize(5);
  CHECK(open(ragged.json()).diagnostics[0].message == "the row has 5 cells: expected 7");

  const Workload placed = open(text.csv());
  CHECK(placed.diagnostics[0].line == 3);
  CHECK(placed.diagnostics[0].severity == Severity::error);
}

TEST_CASE("xprof: CSV by labels or ids, with semicolons and decimal commas, as UTF-16", "[xprof]") {
  Export x;
  x.rows = {op("a", 10.5, 1000, 100), op("b", 20, 1000, 100)};
  const auto bytes = [](const Workload& w) { return Plan(w, Scenario::standard()).analyze(0).bytes; };
  const double expected = 100 * 1073741824.0 * 10.5e-6;
  CHECK(std::fabs(bytes(open(x.csv())) - expected) < 1e-3);
  CHECK(std::fabs(bytes(open(x.csv(',', false))) - expected) < 1e-3);
  std::string european = x.csv(';');
  for (char& c : european)
    if (c == '.') c = ',';
  CHECK(std::fabs(bytes(open(european)) - expected) < 1e-3);
  std::string wide = "\xff\xfe";
  for (const char c : x.csv()) wide += {c, '\0'};
  CHECK(open(wide).size() == 2);
}

TEST_CASE("xprof: the page's session switches level, infeed and memory", "[xprof]") {
  Session session;
  std::string text = sample();
  CHECK(detect(text) == FileKind::operations);
  const Json opened = Json::parse(open_in(session, text, "profile.json"))["opened"];
  CHECK(opened["program"] == Json(true));
  CHECK(opened["infeed"] == Json(true));
  REQUIRE(session.configure("{}") == "{}");
  const auto shown = [&](const char* view) {
    REQUIRE(session.view(view) == "{}");
    return Json::parse(session.frame().json);
  };
  const double operations = number_of(shown("{}")["all"]["ops"]);
  CHECK(number_of(shown(R"({"infeed": false})")["all"]["ops"]) == operations - 2);
  CHECK(number_of(shown(R"({"level": "program"})")["all"]["ops"]) == 5);
  CHECK(number_of(shown(R"({"level": "program", "steps": ["1"]})")["shown"]["ops"]) == 1);
  const Json vmem = shown(R"({"bounds": ["VMEM Read"]})");
  CHECK(number_of(vmem["shown"]["ops"]) == number_of(vmem["all"]["by_bound"]["VMEM Read"]));
  CHECK(number_of(shown(R"({"categories": ["all-reduce"]})")["shown"]["ops"]) == 3);

  // Roofs of a memory are in play where it bounds some operation in view, or is on the axis.
  const auto in_play = [](const Json& frame, const std::string& name) {
    for (const Json& roof : frame["roofs"])
      if (text_of(roof["name"]) == name) return roof["in_play"] == Json(true);
    return false;
  };
  CHECK(in_play(vmem, "VMEM Read"));
  CHECK_FALSE(in_play(vmem, "VMEM Write"));
  CHECK_FALSE(in_play(vmem, "HBM"));
  CHECK(in_play(shown(R"({"bounds": ["VMEM Read"], "memory": "VMEM Write"})"), "VMEM Write"));

  // On the bottleneck's axis no operation below its roof lies above the line of the memory that bounds it.
  REQUIRE(session.view(R"({"memory": "all"})") == "{}");
  const Session::Screen screen = session.frame();
  const Json names = Json::parse(screen.json)["memories"];
  CHECK(names == Json::array({"HBM", "VMEM Read", "VMEM Write", "All memories"}));
  REQUIRE(screen.frame.memory_intensity.size() == names.size() * screen.frame.points.size());
  const Workload w = open(sample());
  const Scenario s = stated(w);
  const Plan plan(w, s);
  for (std::size_t p = 0; p < screen.frame.points.size(); ++p) {
    const OpAnalysis a = plan.analyze(screen.frame.points[p]);
    if (a.bound_by == no_resource || a.bound_by == 0 || !(a.flops > 0)) continue;
    CHECK(close(screen.frame.intensity[p], static_cast<float>(a.flops / a.work[a.bound_by])));
  }
}

TEST_CASE("xprof: the table has the profiler's own rank and shares", "[xprof]") {
  const std::vector<Row> rows = rows_of(sample());
  Session session;
  std::string text = sample();
  const Json opened = Json::parse(open_in(session, text, "profile.json"))["opened"];
  for (const bool infeed : {true, false}) {
    REQUIRE(session.view(std::string(R"({"rows": 1000, "sort": "self_time", "infeed": )") + (infeed ? "true}" : "false}")) == "{}");
    const Json table = Json::parse(session.frame().json)["table"]["rows"];
    std::size_t checked = 0;
    for (const Row& row : rows) {
      if (row.at("include_infeed_outfeed") != Json(infeed) || text_of(row.at("category")) == "Program") continue;
      for (const Json& ours : table) {
        if (ours["name"] != row.at("operation") || ours["labels"]["Program ID"] != row.at("hlo_module_id")) continue;
        INFO(ours["name"]);
        ++checked;
        CHECK(number_of(ours["rank"]) == number_of(row.at("rank")));
        CHECK(close(number_of(ours["self_time_share"]), number_of(row.at("total_self_time_percent"))));
        CHECK(close(number_of(ours["cumulative_share"]), number_of(row.at("cumulative_total_self_time_percent"))));
        CHECK(close(number_of(ours["time_share"]), number_of(row.at("total_time_in_percentage"))));
        CHECK(close(number_of(ours["measures"]["Time per core"]) * 1e6, number_of(row.at("total_time_per_core"))));
        if (text_of(row.at("bound_by")) == "Unknown") break;  // no known cost
        CHECK(close(number_of(ours["bandwidths"]["HBM"]), number_of(row.at("hbm_bw")) * 1024 * 1024 * 1024));
        CHECK(close(number_of(ours["bandwidths"]["All memories"]), number_of(row.at("measured_memory_bw")) * 1024 * 1024 * 1024));
        break;
      }
    }
    CHECK(checked == table.size());
  }

  // The device as it is stated, in the units of the file too.
  std::string device;
  for (const Json& line : opened["device"]) device += text_of(line[0]) + ": " + text_of(line[1]) + '\n';
  CHECK(holds(device, "Device type: TPU (synthetic)\nMegacore: no\nPeak FLOP rate per TensorCore: 900 TFLOP/s\n"));
  CHECK(holds(device, "Peak HBM bandwidth per TensorCore: 1.61 TB/s (1500 GiB/s)\nHBM ridge point: 559 FLOP/B\n"));
  CHECK(holds(device, "Cores profiled: 4\n"));

  // Total, hardware counters, average and steps are told apart by their markers, and a point knows its step.
  REQUIRE(session.view(R"({"level": "program"})") == "{}");
  const Session::Screen screen = session.frame();
  REQUIRE(screen.frame.step.size() == 5);
  for (std::size_t p = 0; p < 5; ++p) {
    const std::string step = text_of(opened["steps"][screen.frame.step[p]]);
    const Symbol expected = step == "Total" ? Symbol::star : step == "Average" ? Symbol::diamond : Symbol::circle;
    CHECK(screen.frame.symbol[p] == static_cast<std::uint8_t>(expected));
  }
  CHECK(text_of(Json::parse(screen.json)["headline"]).find("The program reaches ") == 0);
  CHECK(holds(text_of(Json::parse(screen.json)["headline"]), "3 steps take "));
}

TEST_CASE("xprof: roofs have slope one and meet the ridge", "[xprof]") {
  Session session;
  std::string text = sample();
  open_in(session, text, "profile.json");
  const Json frame = Json::parse(session.frame().json);
  // A roof is its rate alone: FLOP/s = B/s * FLOP/B at every intensity, and the ridge is where that is the peak: 900e12 / (1500 * 2^30).
  double peak = 0, hbm = 0;
  for (const Json& roof : frame["roofs"]) {
    if (text_of(roof["kind"]) == "compute") peak = number_of(roof["rate"]);
    if (text_of(roof["name"]) == "HBM") hbm = number_of(roof["rate"]);
  }
  CHECK(hbm == 1500.0 * 1024 * 1024 * 1024);
  CHECK(std::fabs(peak / hbm - 558.7935) < 1e-4);
}

TEST_CASE("xprof: selections by step, category, bound and name", "[xprof]") {
  const Workload w = open(sample());
  const Scenario s = stated(w);
  const Plan plan(w, s);
  const auto count = [&](const OpFilter& filter) {
    const auto ops = select(plan, filter);
    REQUIRE(ops);
    return static_cast<std::ptrdiff_t>(ops->listed().size());
  };
  OpFilter by_step, by_category, by_name, by_bound;
  by_step.steps = {"1", "Average"};
  CHECK(count(by_step) == 2);
  by_category.category_or_type = {"All-Reduce"};
  CHECK(count(by_category) == 3);
  by_name.names_only = true;
  by_name.text = "SOFTMAX";
  CHECK(count(by_name) == 12);
  by_bound.bounds = {"none"};
  CHECK(count(by_bound) == 1);  // the custom call
  by_bound.bounds = {"memory", "compute", "none"};
  CHECK(count(by_bound) ==
        std::count(w.views.begin(), w.views.end(), row_view::with_infeed | row_view::without_infeed) +
            std::count(w.views.begin(), w.views.end(), row_view::with_infeed) +
            std::count(w.views.begin(), w.views.end(), row_view::with_infeed | row_view::program) +
            std::count(w.views.begin(), w.views.end(), row_view::with_infeed | row_view::without_infeed | row_view::program));
  by_category.category_or_type = {"all-redoce"};
  CHECK(holds(select(plan, by_category).error().message, "no category is called \"all-redoce\": expected one of all-reduce"));
  by_bound.bounds = {"L7"};
  CHECK(holds(select(plan, by_bound).error().message, "expected one of compute, HBM, VMEM Read, VMEM Write, memory, link, none"));
}

TEST_CASE("xprof: time by category and by step", "[xprof]") {
  Session session;
  std::string text = sample();
  open_in(session, text, "profile.json");
  const Json categories = Json::parse(session.ask("categories", "{}").json)["categories"];
  double share = 0;
  for (const Json& c : categories) share += number_of(c["share"]);
  CHECK(std::fabs(share - 1) < 1e-12);
  CHECK(text_of(categories[0]["name"]) == "convolution fusion");
  const Answer steps = session.ask("steps", "{}");
  const Json list = Json::parse(steps.json)["steps"];
  REQUIRE(list.size() == 5);
  CHECK(text_of(list[2]["name"]) == "0");
  CHECK(number_of(list[2]["time_s"]) > number_of(list[3]["time_s"]));
  CHECK(steps.columns[0].second.empty());  // totals over the run have no order in time

  const std::string ordered =
      R"([{"type":"x","flops":16e12,"bytes":1,"time_ns":1e9,"step":"a"},{"type":"x","flops":1,"bytes":5e9,"time_ns":3e9,"step":2}])";
  open_in(session, ordered, "profile.json");
  const Answer along = session.ask("steps", "{}");
  const Json two = Json::parse(along.json)["steps"];
  REQUIRE(two.size() == 2);
  CHECK(text_of(two[1]["name"]) == "2");
  CHECK(number_of(two[1]["time_by_bound"]["DRAM"]) == 3);
  CHECK(along.columns[0].second == std::vector<float>{0, 1});
  CHECK(along.columns[1].second == std::vector<float>{1, 3});
  CHECK(along.columns[2].second == std::vector<float>{0, 2});  // compute at 50% of its peak; neither at 3% of DRAM
}
