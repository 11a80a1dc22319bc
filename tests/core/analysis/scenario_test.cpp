// Settings: --set, roofline_config.json, and what they do to the machine.
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/scenario/settings.hpp>
#include <set>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

std::string set_error(std::string_view key, std::string_view value, std::string_view machine = "") {
  Scenario s = Scenario::standard();
  if (!machine.empty()) REQUIRE(set(s, "machine", machine));
  const std::string before = config_json(s);
  const auto ok = set(s, key, value);
  CHECK(config_json(s) == before);
  return ok ? "accepted" : ok.error().text();
}

std::string config_error(std::string_view json) {
  Scenario s = Scenario::standard();
  const std::string before = config_json(s);
  const auto ok = apply_config(s, json);
  CHECK(config_json(s) == before);  // nothing is changed on an error
  return ok ? "accepted" : ok.error().text();
}

Scenario with(std::initializer_list<std::pair<const char*, const char*>> settings) {
  Scenario s = Scenario::standard();
  for (const auto& [key, value] : settings) {
    const auto ok = set(s, key, value);
    INFO(key << (ok ? "" : ok.error().text()));
    REQUIRE(ok);
  }
  return s;
}

double matrix(const Scenario& s, const char* id) { return s.machine.peak(Unit::matrix, format(id)); }

}  // namespace

TEST_CASE("scenario: the standard is the seed's", "[scenario]") {
  const Scenario s = Scenario::standard();
  CHECK(s.machine.id == "npu-32t50");
  CHECK(matrix(s, "fp32") == 32e12);
  CHECK(s.machine.memories[0].bandwidth.value == 50e9);
  CHECK(s.ops_per_mac == 2);
  CHECK(s.bound_threshold == 0.7);
  CHECK(s.memory_threshold == 0.4);
  CHECK(s.compute_threshold == 0.4);
  CHECK_FALSE(s.whatif.active());
}

TEST_CASE("scenario: typed rates stand over the machine's", "[scenario]") {
  const Scenario all = with({{"machine", "h100-sxm"}, {"peak_tops", "100"}, {"mem_bw", "1000"}});
  CHECK(matrix(all, "fp64") == 100e12);
  CHECK(matrix(all, "int4") == 100e12);  // the peak of every format
  CHECK(all.machine.peak(Unit::vector, format("fp32")) == 100e12);
  CHECK(all.machine.memories[0].bandwidth.value == 1000e9);
  CHECK(all.machine.memories[0].bandwidth.basis == "typed");
  CHECK(all.base.memories[0].bandwidth.value == 3350e9);

  // People who quote MAC/s mean twice as many FLOP/s; presets are never scaled.
  const Scenario macs = with({{"ops_per_mac", "1"}});
  CHECK(matrix(macs, "int8") == 32e12);
  CHECK(matrix(with({{"ops_per_mac", "1"}, {"peak_tops", "32"}}), "int8") == 64e12);
  CHECK(matrix(with({{"peak_tops", "32"}, {"ops_per_mac", "1"}}), "int8") == 64e12);

  const Scenario one = with({{"machine", "h100-sxm"},
                             {"peaks.matrix.FP16", "500"},
                             {"peaks.vector.int4", "7"},
                             {"bandwidths.hbm", "2000"},
                             {"bandwidths.NVLink", "100"}});
  CHECK(matrix(one, "fp16") == 500e12);
  CHECK(matrix(one, "bf16") == 989.4e12);
  CHECK(one.machine.peak(Unit::vector, format("int4")) == 7e12);
  CHECK(one.machine.memories[0].bandwidth.value == 2000e9);
  CHECK(one.machine.links[0].bandwidth.value == 100e9);
  CHECK(matrix(with({{"peak_tops", "10"}, {"peaks.matrix.fp16", "20"}}), "fp16") == 20e12);

  CHECK(matrix(with({{"peak_tops", "10"}, {"peak_tops", "null"}}), "fp16") == 32e12);  // taken back
  CHECK(with({{"bandwidths.DRAM", "10"}, {"bandwidths.DRAM", "null"}}).machine.memories[0].bandwidth.value == 50e9);
  CHECK(matrix(with({{"peak_tops", "10"}, {"machine", "t4"}}), "fp16") == 65e12);  // another machine forgets what was typed
}

TEST_CASE("scenario: the channels of a memory", "[scenario]") {
  Scenario s = Scenario::standard();
  REQUIRE(apply_config(
      s,
      R"({"machine": {"id": "tpu", "peaks": {"matrix": {"bf16": 1e14}}, "memories": [{"name": "HBM", "bandwidth": 1e12}, {"name": "VMEM", "read_bandwidth": 4e12, "write_bandwidth": 3e12}]},
    "bandwidths": {"VMEM": {"read": 5000}}})"));
  CHECK(s.machine.memories[1].read_bandwidth.value == 5e12);
  CHECK(s.machine.memories[1].write_bandwidth.value == 3e12);
  REQUIRE(set(s, "bandwidths.VMEM.write", "6000"));
  CHECK(s.machine.memories[1].write_bandwidth.value == 6e12);
  // Typed for the memory or for its channels: the later setting replaces the earlier one.
  REQUIRE(set(s, "bandwidths.VMEM", "1000"));
  CHECK(s.machine.memories[1].read_bandwidth.value == 1e12);
  CHECK(s.machine.memories[1].write_bandwidth.value == 1e12);
  REQUIRE(set(s, "bandwidths.VMEM.read", "2000"));
  CHECK(s.machine.memories[1].read_bandwidth.value == 2e12);
  CHECK(s.machine.memories[1].write_bandwidth.value == 1e12);
  Scenario again = Scenario::standard();
  REQUIRE(apply_config(again, config_json(s)));
  CHECK(again.machine == s.machine);
  const auto one_channel = set(s, "bandwidths.HBM.read", "5");
  REQUIRE_FALSE(one_channel);
  CHECK(one_channel.error().text() == "bandwidths.HBM: expected a number of GB/s, for HBM has one channel; found an object");
  const auto wrong = set(s, "bandwidths.VMEM.both", "5");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().text() == "bandwidths.VMEM.both: unknown setting: expected one of read, write");
}

TEST_CASE("scenario: a machine that a source states", "[scenario]") {
  Scenario s = Scenario::standard();
  REQUIRE(use_stated_machine(s, "\"H100\""));
  CHECK(s.machine.id == "h100-sxm");
  const auto unknown_id = use_stated_machine(s, "\"h1000\"");
  REQUIRE_FALSE(unknown_id);
  CHECK(unknown_id.error().text() == "machine: unknown machine \"h1000\": did you mean h100-sxm?");
  CHECK_FALSE(use_stated_machine(s, "[1]"));
  CHECK(s.machine.id == "h100-sxm");
}

TEST_CASE("scenario: thresholds are in percent", "[scenario]") {
  const Scenario s = with({{"mem_thresh", "30"}, {"comp_thresh", "0"}, {"bound_thresh", "100"}});
  CHECK(s.memory_threshold == 0.3);
  CHECK(s.compute_threshold == 0);
  CHECK(s.bound_threshold == 1);
}

TEST_CASE("scenario: what-ifs", "[scenario]") {
  const Scenario s = with({{"whatif.weight", "INT4"}, {"whatif.kv", "fp8"}, {"whatif.batch_scale", "8"}, {"whatif.machine", "H100"}});
  CHECK(s.whatif.weight == format("int4"));
  CHECK(s.whatif.kv == format("fp8_e4m3"));
  CHECK_FALSE(s.whatif.activation);
  CHECK(s.whatif.batch_scale == 8);
  CHECK(s.whatif.machine->id == "h100-sxm");
  CHECK(s.machine.id == "npu-32t50");
  CHECK_FALSE(with({{"whatif.weight", "INT4"}, {"whatif.weight", "null"}}).whatif.active());
  CHECK_FALSE(with({{"whatif.weight", "INT4"}, {"whatif.weight", ""}}).whatif.active());
  CHECK_FALSE(with({{"whatif.machine", "t4"}, {"whatif", "null"}}).whatif.active());
}

TEST_CASE("scenario: a config restores what wrote it", "[scenario]") {
  const std::string standard = config_json(Scenario::standard());
  CHECK(standard == R"({
  "machine": "npu-32t50",
  "peak_tops": 32.0,
  "mem_bw": 50.0,
  "mem_thresh": 40.0,
  "comp_thresh": 40.0,
  "bound_thresh": 70.0,
  "ops_per_mac": 2.0
})");
  const Scenario scenarios[] = {
      Scenario::standard(),
      with({{"peak_tops", "12.5"},
            {"mem_bw", "68.3"},
            {"ops_per_mac", "1"},
            {"mem_thresh", "33"},
            {"comp_thresh", "20"},
            {"bound_thresh", "81"}}),
      with({{"ops_per_mac", "1"}}),
      with({{"machine", "h100-sxm"}, {"peaks.matrix.fp16", "500"}, {"bandwidths.HBM", "2000"}, {"bandwidths.NVLink", "1"}}),
      with({{"whatif.weight", "int4_g128"},
            {"whatif.activation", "int8"},
            {"whatif.output", "fp16"},
            {"whatif.kv", "fp8"},
            {"whatif.batch_scale", "8"},
            {"whatif.peak_scale", "1.7"},
            {"whatif.bandwidth_scale", "0.9"},
            {"whatif.machine", "t4"}}),
  };
  for (const Scenario& before : scenarios) {
    const std::string text = config_json(before);
    INFO(text);
    Scenario after = with({{"machine", "a100-80gb-sxm"}});
    REQUIRE(apply_config(after, text));
    CHECK(config_json(after) == text);
    for (const char* id : {"fp16", "int8", "fp32"}) CHECK(same(matrix(after, id), matrix(before, id)));
    CHECK(after.machine.memories[0].bandwidth.value == before.machine.memories[0].bandwidth.value);
    CHECK(after.ops_per_mac == before.ops_per_mac);
    CHECK(after.bound_threshold == before.bound_threshold);
    CHECK(after.memory_threshold == before.memory_threshold);
    CHECK(after.compute_threshold == before.compute_threshold);
    CHECK(after.whatif.weight == before.whatif.weight);
    CHECK(after.whatif.batch_scale == before.whatif.batch_scale);
    CHECK(after.whatif.machine.has_value() == before.whatif.machine.has_value());
  }
}

TEST_CASE("scenario: a machine of one's own goes into the config", "[scenario]") {
  Scenario s = Scenario::standard();
  REQUIRE(apply_config(
      s,
      R"({"machine": {"id": "mine", "peaks": {"matrix": {"fp16": 1e12}}, "memories": [{"name": "LPDDR", "bandwidth": 1e10}]}, "mem_bw": 20})"));
  Scenario again = Scenario::standard();
  REQUIRE(apply_config(again, config_json(s)));
  CHECK(again.base == s.base);
  CHECK(again.machine == s.machine);
  CHECK(again.machine.memories[0].bandwidth.value == 20e9);
}

TEST_CASE("scenario: the seed's own file", "[scenario]") {
  Scenario s = Scenario::standard();
  REQUIRE(apply_config(
      s,
      "\xef\xbb\xbf"
      R"({"peak_tops": 16, "mem_bw": 25.6, "mem_thresh": 35, "comp_thresh": 45, "issue_eff_limit": 50, "issue_waste_limit": 20, "issue_perf_limit": 1.0})"));
  CHECK(matrix(s, "int8") == 16e12);
  CHECK(s.machine.memories[0].bandwidth.value == 25.6e9);
  CHECK(s.memory_threshold == 0.35);
  CHECK(s.compute_threshold == 0.45);
}

TEST_CASE("scenario: null takes any setting back", "[scenario]") {
  const auto same_as_standard = [](const Scenario& s) { return config_json(s) == config_json(Scenario::standard()); };
  for (const char* section : {"peaks", "bandwidths", "overhead", "whatif"}) {
    Scenario s = with({{"peaks.matrix.fp16", "1"}, {"bandwidths.DRAM", "2"}, {"overhead.overlap", "3"}, {"whatif.batch_scale", "4"}});
    REQUIRE(set(s, section, "null"));
    CHECK_FALSE(config_json(s).find(std::string("\"") + section + "\"") != std::string::npos);
  }
  CHECK(same_as_standard(with({{"mem_thresh", "3"}, {"mem_thresh", "null"}})));
  CHECK(same_as_standard(with({{"whatif.peak_scale", "3"}, {"whatif.peak_scale", "null"}})));
  CHECK(set_error("machine", "null") == "machine: expected a machine's id or an object, found null");
}

namespace {

/// A value that is not the default, as `--set` takes it, and the key it goes to.
std::pair<std::string, std::string> other_value(const Setting& setting) {
  const std::string key(setting.key);
  if (setting.kind() == "format") return {key, "int4"};
  if (setting.kind() == "tile") return {key, "128x256"};
  if (setting.kind() == "machine") return {key, "t4"};
  if (setting.kind() == "rates by format") return {key + ".fp16", "12.5"};
  if (setting.kind() == "rates by name") return {key + ".DRAM", "12.5"};
  if (setting.kind() == "stack") return {key, "eager"};
  if (setting.kind() == "machine basis") return {key, "guessed"};
  return {key, setting.quantity.most <= 2 ? "1" : setting.quantity.whole ? "12" : "12.5"};
}

/// As docs/formats/formats.md lists it.
std::string documented(const Setting& setting) {
  const std::string_view kind = setting.kind();
  std::string value(setting.quantity.expected);
  if (kind == "format") value = "a format";
  if (kind == "tile") value = "rows and columns, as `128x256`";
  if (kind == "machine") value = "a machine";
  if (kind == "stack") value = "a stack";
  if (kind == "machine basis") value = "guessed, assumed or chosen";
  if (kind == "rates by format") value = "`{format: " + value + "}`";
  if (kind == "rates by name") value = "`{name: " + value + "}`, or `{name: {\"read\": ..., \"write\": ...}}`";
  const Json row = Json::parse(settings_json())[std::string(setting.key)];
  const std::string unset = text_of(row["unset"]);
  return "| `" + std::string(setting.key) + "` | " + value + " | " + (unset.empty() ? number(row["default"].get<double>()) : unset) +
         " | " + text_of(row["sentence"]) + " |\n";
}

}  // namespace

TEST_CASE("settings: a tile has rows and columns", "[scenario]") {
  for (const char* wrong : {"x5", "128x", "128", "0x5", "128x-5", "128x5x6", "x"}) {
    Scenario s = with({{"overhead.tile", "64x32"}});
    CHECK_FALSE(set(s, "overhead.tile", wrong));
    CHECK(s.overhead.tile == Tile{64, 32});
  }
  CHECK(with({{"overhead.tile", "64x32"}, {"overhead.tile", ""}}).overhead.tile == Tile());
}

TEST_CASE("settings: every one is written and read back", "[scenario]") {
  std::set<std::string_view> keys;
  for (const Setting& setting : settings()) {
    INFO(setting.key);
    CHECK(keys.insert(setting.key).second);
    const auto [key, value] = other_value(setting);
    const Scenario changed = with({{key.c_str(), value.c_str()}});
    CHECK_FALSE(changed == Scenario::standard());
    Scenario again = with({{"whatif.kv", "fp8"}});
    REQUIRE(apply_config(again, R"({"whatif": null})"));
    REQUIRE(apply_config(again, config_json(changed)));
    CHECK(config_json(again) == config_json(changed));
    again.typed = changed.typed;  // the standard machine's peak and bandwidth are written, and so typed
    // Settings that name a machine choose it.
    CHECK(again.basis == (changed.basis == MachineBasis::guessed ? MachineBasis::guessed : MachineBasis::chosen));
    again.basis = changed.basis;
    again.resolve();
    CHECK(again == changed);
  }
}

TEST_CASE("settings: what is out of range is refused with the range and what was found", "[scenario]") {
  for (const Setting& setting : settings()) {
    const Quantity& q = setting.quantity;
    if (q.expected.empty()) continue;
    const std::string key = other_value(setting).first;
    const bool positive = q.least > 0 && q.least < 1e-300;
    INFO(key);
    if (positive) {
      CHECK(q.expected.find("positive") != std::string_view::npos);
    } else {
      CHECK(q.expected.find(plain(q.least)) != std::string_view::npos);
      CHECK(q.expected.find(plain(q.most)) != std::string_view::npos);
    }
    std::vector<std::string> wrong = {"-1", "\"many\"", "true"};
    if (positive) wrong.push_back("0");
    if (!positive) wrong.push_back(std::to_string(std::llround(q.most) + 1));
    if (q.whole) wrong.push_back("1.5");
    for (const std::string& value : wrong)
      CHECK(set_error(key, value) == key + ": expected " + std::string(q.expected) + ", found " + value);
  }
}

TEST_CASE("settings: the documentation has every key, range, default and sentence", "[scenario]") {
  const std::string page = file("docs/formats/formats.md");
  std::string table = "| key | value | default | |\n|---|---|---|---|\n";
  for (const Setting& setting : settings()) {
    INFO("docs/formats/formats.md must have this row:\n" << documented(setting));
    CHECK(page.find(documented(setting)) != std::string::npos);
    table += documented(setting);
  }
  CHECK(page.find(table + '\n') != std::string::npos);  // in this order, and no other
}

TEST_CASE("scenario: every message of --set", "[scenario]") {
  const struct {
    const char *key, *value, *message;
  } errors[] = {
      {"peak_topz", "1", "peak_topz: unknown setting: did you mean peak_tops?"},
      {"zzz", "1",
       "zzz: unknown setting: expected one of machine, machine_basis, peak_tops, mem_bw, mem_thresh, comp_thresh, bound_thresh, "
       "advice_thresh, "
       "ops_per_mac, peaks, "
       "bandwidths, assumed_format, stack, estimate, overhead, whatif"},
      {"machine_basis", "stated", "machine_basis: expected guessed, assumed or chosen, found \"stated\""},
      {"peak_tops", "abc", "peak_tops: expected a positive number of TOPS, found \"abc\""},
      {"peak_tops", "0", "peak_tops: expected a positive number of TOPS, found 0"},
      {"peak_tops", "-3", "peak_tops: expected a positive number of TOPS, found -3"},
      {"peak_tops", "1e999", "peak_tops: expected a positive number of TOPS, found \"1e999\""},
      {"mem_bw", "", "mem_bw: expected a positive number of GB/s, found \"\""},
      {"mem_bw", "true", "mem_bw: expected a positive number of GB/s, found true"},
      {"mem_thresh", "101", "mem_thresh: expected percent, 0 to 100, found 101"},
      {"comp_thresh", "-1", "comp_thresh: expected percent, 0 to 100, found -1"},
      {"bound_thresh", "most", "bound_thresh: expected percent, 0 to 100, found \"most\""},
      {"ops_per_mac", "3", "ops_per_mac: expected 1 or 2, found 3"},
      {"machine", "h1000", "machine: unknown machine \"h1000\": did you mean h100-sxm?"},
      {"machine", "quantum", "machine: unknown machine \"quantum\": `roofline list machines` lists them"},
      {"machine", "5", "machine: expected a machine's id or an object, found a number"},
      {"peaks", "5", "peaks: expected an object, found a number"},
      {"peaks.tensor.fp16", "5", "peaks.tensor: unknown setting: expected one of matrix, vector"},
      {"peaks.matrix.fp17", "5", "peaks.matrix.fp17: unknown format \"fp17\": did you mean fp16?"},
      {"peaks.matrix.fp16", "x", "peaks.matrix.fp16: expected a positive number of TOPS, found \"x\""},
      {"bandwidths.HBN", "5", "bandwidths.HBN: unknown memory or link: expected one of DRAM"},
      {"bandwidths.DRAN", "5", "bandwidths.DRAN: unknown memory or link: did you mean DRAM?"},
      {"bandwidths.DRAM", "fast", "bandwidths.DRAM: expected a positive number of GB/s, found \"fast\""},
      {"whatif", "5", "whatif: expected an object, found a number"},
      {"whatif.weights", "int4", "whatif.weights: unknown setting: did you mean whatif.weight?"},
      {"whatif.weight", "int5", "whatif.weight: unknown format \"int5\": did you mean int8 or int4 or int2?"},
      {"whatif.weight", "quaternion", "whatif.weight: unknown format \"quaternion\": `roofline list formats` lists them"},
      {"whatif.weight", "4", "whatif.weight: expected a format's id, found a number"},
      {"whatif.batch_scale", "0", "whatif.batch_scale: expected a positive factor, found 0"},
      {"whatif.peak_scale", "1e999", "whatif.peak_scale: expected a positive factor, found \"1e999\""},
      {"launch_us", "5", "launch_us: unknown setting: did you mean overhead.launch_us?"},
      {"overhead.lanch_us", "5", "overhead.lanch_us: unknown setting: did you mean overhead.launch_us?"},
      {"ovrhead.launch_us", "5", "ovrhead: unknown setting: did you mean overhead?"},
      {"scale", "2", "scale: unknown setting: did you mean whatif.batch_scale or whatif.peak_scale or whatif.bandwidth_scale?"},
      {"whatif.bandwidth_scale", "-1", "whatif.bandwidth_scale: expected a positive factor, found -1"},
      {"whatif.machine", "h1000", "whatif.machine: unknown machine \"h1000\": did you mean h100-sxm?"},
  };
  for (const auto& e : errors) {
    INFO(e.key << '=' << e.value);
    CHECK(set_error(e.key, e.value) == e.message);
  }
}

TEST_CASE("scenario: every message of a config", "[scenario]") {
  CHECK(config_error("") == "the file is empty; expected settings such as {\"peak_tops\": 32, \"mem_bw\": 50}");
  CHECK(config_error("[]") == "expected an object such as {\"peak_tops\": 32, \"mem_bw\": 50}, found an array");
  CHECK(config_error("{\n\"peak_tops\": }") == "line 2, column 14: not valid JSON: Invalid value.");
  CHECK(config_error(R"({"mem_thresh": 10, "comp_thresh": 200})") == "comp_thresh: expected percent, 0 to 100, found 200");
  CHECK(config_error(R"({"peak_tops": 5, "machine": {"peaks": 3}})").substr(0, 8) == "machine.");
  CHECK(config_error(R"({"whatif": {"weight": ["int4"]}})") == "whatif.weight: expected a format's id, found an array");
  CHECK(config_error(R"({"peaks": {"matrix": {"fp16": "1"}}})") == "peaks.matrix.fp16: expected a positive number of TOPS, found \"1\"");
}
