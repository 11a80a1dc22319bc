#include <cmath>
#include <map>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/presets.hpp>
#include <set>
#include <string>
#include <vector>

#include "support.hpp"

using namespace roofline;

namespace {

const Machine& preset(std::string_view id) {
  const Machine* machine = Machines::presets().find(id);
  INFO(id);
  REQUIRE(machine != nullptr);
  return *machine;
}

double matrix(std::string_view machine, std::string_view name) { return preset(machine).peak(Unit::matrix, format(name)); }
double vector_peak(std::string_view machine, std::string_view name) { return preset(machine).peak(Unit::vector, format(name)); }
double bandwidth(std::string_view machine) { return preset(machine).memories.front().bandwidth.value; }
double sparse(std::string_view machine, std::string_view name) {
  for (const Peak& peak : preset(machine).sparse)
    if (peak.format == format(name)) return peak.flops.value;
  return unknown;
}

/// Every figure that a machine states, with a name for messages.
std::vector<std::pair<std::string, Figure>> figures(const Machine& m) {
  std::vector<std::pair<std::string, Figure>> out;
  const auto add = [&out](const std::string& where, const Figure& figure) {
    if (!(figure == Figure{})) out.emplace_back(where, figure);
  };
  for (const Peak& peak : m.matrix) add("peaks.matrix." + Formats::catalogue()[peak.format].id, peak.flops);
  for (const Peak& peak : m.vector) add("peaks.vector." + Formats::catalogue()[peak.format].id, peak.flops);
  for (const Peak& peak : m.sparse) add("sparse_peaks." + Formats::catalogue()[peak.format].id, peak.flops);
  for (const Memory& memory : m.memories) {
    add(memory.name + ".bandwidth", memory.bandwidth);
    add(memory.name + ".read_bandwidth", memory.read_bandwidth);
    add(memory.name + ".write_bandwidth", memory.write_bandwidth);
    add(memory.name + ".capacity", memory.capacity);
  }
  for (const Link& link : m.links) add(link.name, link.bandwidth);
  add("tdp_w", m.tdp_w);
  add("price_usd", m.price_usd);
  add("launch_s", m.launch_s);
  add("units", m.units);
  add("clock_hz.rated", m.rated_clock_hz);
  add("clock_hz.highest", m.highest_clock_hz);
  add("achievable.compute", m.achievable_compute);
  for (const Peak& peak : m.matrix) add("achievable.compute_by_format." + Formats::catalogue()[peak.format].id, peak.achievable);
  add("achievable.bandwidth", m.achievable_bandwidth);
  return out;
}

/// The error of parse_machine; "no error" if there is none.
std::string error_of(std::string_view json) {
  const Result<Machine> machine = parse_machine(json);
  return machine ? "no error" : machine.error().text();
}

/// The error of a valid machine with one member replaced or added.
std::string error_with(const std::string& key, const std::string& value) {
  std::map<std::string, std::string> parts{
      {"id", R"("x")"}, {"memories", R"([{"name": "HBM", "bandwidth": 1e12}])"}, {"peaks", R"({"matrix": {"fp16": 1e14}})"}};
  parts[key] = value;
  std::string json = "{";
  for (const auto& [name, text] : parts) json += (json.size() > 1 ? ", \"" : "\"") + name + "\": " + text;
  return error_of(json + "}");
}

}  // namespace

TEST_CASE("machine presets: every file is read and is named after its id") {
  const auto files = preset_files("machines");
  REQUIRE(files.size() > 60);
  for (const PresetFile& file : files) {
    INFO(file.name);
    const Result<Machine> machine = parse_machine(file.text);
    if (!machine) FAIL(machine.error().text());
    CHECK(machine->id == file.name);
  }
  CHECK(Machines::presets().all().size() == files.size());
}

TEST_CASE("machine presets: every figure has a source and a basis, and every estimate has a note") {
  const std::set<std::string> bases{"dense", "sparse", "boost", "measured", "datasheet", "estimate", "typed"};
  for (const Machine& machine : Machines::presets().all())
    for (const auto& [where, figure] : figures(machine)) {
      INFO(machine.id << " " << where);
      CHECK(figure.known());
      CHECK(figure.value > 0);
      CHECK(figure.source.size() > 12);  // a sentence, not an undefined key
      CHECK(figure.source.find("no document") == std::string::npos);
      CHECK(figure.note.find("memory, not") == std::string::npos);  // remembered, not looked up
      CHECK(bases.count(figure.basis) == 1);
      const bool is_sparse = where.rfind("sparse_peaks", 0) == 0;
      if (figure.basis == "sparse") CHECK(is_sparse);
      if (is_sparse) CHECK((figure.basis == "sparse" || figure.basis == "estimate"));
      if (figure.basis == "estimate") CHECK_FALSE(figure.note.empty());
    }
}

TEST_CASE("machine presets: an MI355X is estimated no slower than an MI350X, which has the same dies at a lower clock") {
  const Machine &faster = preset("mi355x"), &slower = preset("mi350x");
  CHECK(faster.memories[0].bandwidth.value * faster.achievable_memory().value >=
        slower.memories[0].bandwidth.value * slower.achievable_memory().value);
  for (const char* id : {"bf16", "fp8_e4m3", "mxfp4"}) {
    const FormatId f = format(id);
    CHECK(faster.peak(Unit::matrix, f) * faster.achievable(Unit::matrix, f).value >
          slower.peak(Unit::matrix, f) * slower.achievable(Unit::matrix, f).value);
  }
  CHECK(slower.achievable_bandwidth.basis == "estimate");
}

TEST_CASE("machine presets: ids, names and aliases are unambiguous and resolve") {
  std::map<std::string, std::string> owner;
  for (const Machine& machine : Machines::presets().all()) {
    std::vector<std::string> names{machine.id, machine.name};
    names.insert(names.end(), machine.aliases.begin(), machine.aliases.end());
    for (const std::string& name : names) {
      INFO(name);
      const auto [entry, is_new] = owner.emplace(normalised(name), machine.id);
      CHECK(entry->second == machine.id);
      CHECK(preset(name).id == machine.id);
    }
  }
}

TEST_CASE("machine presets: ids that must not change, and other tools' names for them") {
  for (const char* id : {"t4",
                         "l4",
                         "l40s",
                         "a10",
                         "a10g",
                         "a30",
                         "a40",
                         "v100-sxm2",
                         "v100-pcie",
                         "a100-40gb-sxm",
                         "a100-80gb-sxm",
                         "a100-80gb-pcie",
                         "h100-sxm",
                         "h100-pcie",
                         "h200-sxm",
                         "gh200",
                         "b200-sxm",
                         "b300-sxm",
                         "gb200",
                         "rtx-4090",
                         "rtx-5090",
                         "mi300x",
                         "mi355x",
                         "tpu-v4",
                         "tpu-v5e",
                         "tpu-v5p",
                         "tpu-v6e",
                         "gaudi3",
                         "jetson-orin-nano",
                         "jetson-agx-orin",
                         "npu-32t50"})
    CHECK(preset(id).id == id);
  CHECK(preset("T4").id == "t4");
  CHECK(preset("V100").id == "v100-sxm2");
  CHECK(preset("A100-40GB").id == "a100-40gb-sxm");
  CHECK(preset("A100-80GB").id == "a100-80gb-sxm");
  CHECK(preset("a100").id == "a100-80gb-sxm");
  CHECK(preset("H100").id == "h100-sxm");
  CHECK(preset("L4").id == "l4");
  CHECK(preset("RTX4090").id == "rtx-4090");
  CHECK(preset("jetson_orin_nano").id == "jetson-orin-nano");
  CHECK(preset("b200").id == "b200-sxm");
  CHECK(preset("NVIDIA A100-SXM4-80GB").id == "a100-80gb-sxm");
  CHECK(preset("TPU v5 lite").id == "tpu-v5e");
}

TEST_CASE("machine presets: unknown names never resolve, and near matches are suggested") {
  const Machines& machines = Machines::presets();
  for (const char* name : {"", "-", "h1000", "l", "l4 0s x", "rtx", "nvidia"}) CHECK(machines.find(name) == nullptr);
  CHECK(machines.near("h10-sxm").front() == "h100-sxm");
  CHECK(machines.near("mi300").front() == "mi300x");
  CHECK(machines.near("abacus").empty());
}

TEST_CASE("machine presets: figures that are wrong in other tools") {
  CHECK(bandwidth("h100-sxm") == 3350e9);                                // not 3072
  CHECK(matrix("l4", "bf16") == 121e12);                                 // not 242.5
  CHECK(bandwidth("l4") == 300e9);                                       // not 3350
  CHECK(matrix("l40s", "fp8") == 733e12);                                // not 1466
  CHECK(matrix("a10g", "bf16") == 70e12);                                // not 125
  CHECK(preset("a10").memories[0].capacity.value == 23028 * 1048576.0);  // not 28e9
  CHECK(matrix("rtx-4090", "fp8") == 330.3e12);                          // FP32 accumulation; not 1321
  CHECK(matrix("rtx-4090", "fp16") == 165.2e12);
  CHECK(matrix("rtx-5090", "nvfp4") == 1676e12);   // not 3352
  CHECK(matrix("b100", "bf16") == 1750e12);        // not 3500
  CHECK(matrix("b200-sxm", "bf16") == 2250e12);    // not 4500
  CHECK(matrix("b300-sxm", "int8") == 153.5e12);   // not 4500
  CHECK(matrix("b300-sxm", "nvfp4") == 13500e12);  // not half of the sparse rate
  CHECK(sparse("b300-sxm", "nvfp4") == 18000e12);
  CHECK(matrix("h200-sxm", "int8") == 1978.9e12);
  CHECK(matrix("gh200", "fp16") == 989.4e12);                    // not 1979
  CHECK(matrix("jetson-thor", "nvfp4") == 1035e12);              // not 2070
  CHECK(preset("v100-sxm2").links[0].bandwidth.value == 150e9);  // 300 in both directions
  CHECK(preset("h100-sxm").links[0].bandwidth.value == 450e9);   // 900 in both directions
  CHECK(matrix("v100-sxm2", "int8") == 62e12);                   // not 250
  CHECK(vector_peak("jetson-nano", "fp32") == 0.236e12);         // not 0.47
  CHECK(preset("tpu-v4").links[0].bandwidth.value == 300e9);     // 6 links of 50 in one direction; not half of that
  CHECK(vector_peak("apple-m4-pro", "fp32") == 8.08e12);         // not 9.3, which assumes a higher clock
  CHECK(sparse("gb300", "nvfp4") == 20000e12);                   // not twice the dense 15000
  CHECK(matrix("a100", "fp16") == 312e12);
  CHECK(bandwidth("a100-40gb-sxm") == 1555e9);
  CHECK(bandwidth("a100-80gb-pcie") == 1935e9);
  CHECK(bandwidth("a100") == 2039e9);
  CHECK(matrix("mi300x", "fp8") == 2614.9e12);
  CHECK(bandwidth("h100-pcie") == 2039e9);                  // not 2000: 2018 was measured
  CHECK(matrix("jetson-thor", "bf16") == 258e12);           // on tensor cores, not the vector units' 8
  CHECK(matrix("jetson-orin-nano", "tf32") == 5e12);        // half of FP16
  CHECK(matrix("rtx-pro-6000", "tf32") == 251.9e12);        // half of BF16; on GeForce a quarter
  CHECK(matrix("arc-pro-b60", "tf32") == 12.28e12);         // not on its matrix units
  CHECK(preset("a100-80gb-pcie").links[0].name == "PCIe");  // the NVLink bridge is an accessory
}

TEST_CASE("machine presets: a card's first link is PCIe, its second a bridge") {
  struct Row {
    const char* id;
    double slot, bridge;  ///< GB/s in one direction; 0: no bridge
  };
  // PCIe 3.0, 4.0, 5.0 x16: 16, 32, 64 GB/s. Bridges: NVIDIA's data sheets and whitepapers, both directions together: 200, 112.5, 600, 100.
  constexpr Row rows[] = {{"a30", 32, 100},        {"a40", 32, 56.25},          {"rtx-a6000", 32, 56.25},    {"rtx-3090", 32, 56.25},
                          {"h100-nvl", 64, 300},   {"a100-40gb-pcie", 32, 300}, {"a100-80gb-pcie", 32, 300}, {"h100-pcie", 64, 300},
                          {"rtx-2080-ti", 16, 50}, {"quadro-rtx-6000", 16, 50}, {"quadro-rtx-8000", 16, 50}, {"gtx-1660-ti", 16, 0},
                          {"rtx-3070", 32, 0},     {"rtx-3080", 32, 0},         {"mi210", 32, 150}};
  for (const Row& row : rows) {
    INFO(row.id);
    const std::vector<Link>& links = preset(row.id).links;
    REQUIRE(links.size() == (row.bridge > 0 ? 2 : 1));
    CHECK(links[0].name == "PCIe");
    CHECK(links[0].bandwidth.value == row.slot * 1e9);
    if (row.bridge == 0) continue;
    CHECK(links[1].bandwidth.value == row.bridge * 1e9);
    CHECK(links[1].bandwidth.note.find("--set bandwidths.PCIe=") != std::string::npos);
  }
  // docs.habana.ai, network configuration: 21 of a Gaudi 3's 24 ports of 200 Gb/s are inside the server; 100 Gb/s on the Gaudi 2.
  CHECK(preset("gaudi3").links[0].bandwidth.value == 21 * 200e9 / 8);
  CHECK(preset("gaudi3").links[1].bandwidth.value == 3 * 200e9 / 8);
  CHECK(preset("gaudi2").links[0].bandwidth.value == 21 * 100e9 / 8);
  CHECK(preset("gaudi2").links[1].bandwidth.value == 3 * 100e9 / 8);
}

TEST_CASE("machine presets: a CPU's peaks are cores x base clock x FLOP per cycle, its bandwidth channels x MT/s x 8 B") {
  struct Row {
    const char* id;
    double cores, clock, fp64, fp32, bf16, int8;  ///< per cycle and core; 0: not stated
    double bytes_per_s;
  };
  constexpr Row rows[] = {
      {"xeon-8480", 56, 2e9, 32, 64, 1024, 2048, 8 * 4800e6 * 8},     {"xeon-6980p", 128, 2e9, 32, 64, 1024, 2048, 12 * 8800e6 * 8},
      {"epyc-9654", 96, 2.4e9, 16, 32, 64, 128, 12 * 4800e6 * 8},     {"epyc-9755", 128, 2.7e9, 32, 64, 128, 256, 12 * 6400e6 * 8},
      {"ryzen-9-9950x", 16, 4.3e9, 32, 64, 128, 256, 2 * 5600e6 * 8}, {"altra-max-m128-30", 128, 3e9, 8, 16, 0, 64, 8 * 3200e6 * 8},
      {"graviton3", 64, 2.6e9, 16, 32, 128, 256, 8 * 4800e6 * 8},     {"graviton4", 96, 2.8e9, 16, 32, 128, 256, 536.7e9}};
  const auto close = [](double value) { return Catch::Matchers::WithinRel(value, 1e-9); };
  for (const Row& row : rows) {
    INFO(row.id);
    const double cycles = row.cores * row.clock;
    CHECK_THAT(matrix(row.id, "fp64"), close(cycles * row.fp64));
    CHECK_THAT(matrix(row.id, "fp32"), close(cycles * row.fp32));
    if (row.bf16 > 0) CHECK_THAT(matrix(row.id, "bf16"), close(cycles * row.bf16));
    CHECK_THAT(matrix(row.id, "int8"), close(cycles * row.int8));
    CHECK_THAT(vector_peak(row.id, "fp32"), close(cycles * row.fp32));
    CHECK_THAT(bandwidth(row.id), close(row.bytes_per_s));
    CHECK(preset(row.id).units.value == row.cores);
    CHECK(preset(row.id).rated_clock_hz.value == row.clock);
  }
  for (const char* name : {"fp64", "fp32", "bf16", "fp16", "int8"})
    CHECK_THAT(matrix("grace-superchip", name), close(2 * matrix("grace", name)));
  CHECK(preset("Intel(R) Xeon(R) Platinum 8480+").id == "xeon-8480");
  CHECK(preset("AMD EPYC 9755 128-Core Processor").id == "epyc-9755");
}

TEST_CASE("machine presets: a GeForce card's rates are multiprocessors x boost clock x operations per clock") {
  // Of one multiprocessor and clock on GA10x, AD10x and GB20x: 256 FP32 FLOP; on the tensor cores with FP32 accumulation 512 in FP16 and
  // 1,024 in FP8, 2,048 in INT8 and 4,096 in FP4 (NVIDIA's whitepapers of the three, from the rates of the RTX 3090, 4090 and 5090).
  struct Row {
    const char* id;
    double units, clock, fp32, bytes_per_s;  ///< as published
  };
  constexpr Row rows[] = {{"rtx-5090", 170, 2407e6, 104.8e12, 1792e9},     {"rtx-5080", 84, 2617e6, 56.28e12, 960e9},
                          {"rtx-5070-ti", 70, 2452e6, 43.94e12, 896e9},    {"rtx-5070", 48, 2512e6, 30.87e12, 672e9},
                          {"rtx-5060-ti", 36, 2572e6, 23.70e12, 448e9},    {"rtx-4090", 128, 2520e6, 82.6e12, 1008e9},
                          {"rtx-4080-super", 80, 2550e6, 52.22e12, 736e9}, {"rtx-4080", 76, 2505e6, 48.74e12, 716.8e9},
                          {"rtx-4070-ti", 60, 2610e6, 40.09e12, 504e9},    {"rtx-4070", 46, 2475e6, 29.15e12, 504e9},
                          {"rtx-4060-ti", 34, 2535e6, 22.06e12, 288e9},    {"rtx-4060", 24, 2460e6, 15.11e12, 272e9},
                          {"rtx-3080-ti", 80, 1665e6, 34.1e12, 912e9},     {"rtx-3060-ti", 38, 1665e6, 16.2e12, 448e9},
                          {"rtx-3060", 28, 1777e6, 12.74e12, 360e9}};
  const auto close = [](double value) { return Catch::Matchers::WithinRel(value, 0.003); };
  for (const Row& row : rows) {
    INFO(row.id);
    const double clocks = row.units * row.clock;
    CHECK(preset(row.id).units.value == row.units);
    CHECK(preset(row.id).rated_clock_hz.value == row.clock);
    CHECK(preset(row.id).clock_headroom() < 1.3);
    CHECK(vector_peak(row.id, "fp32") == row.fp32);
    CHECK_THAT(vector_peak(row.id, "fp32"), close(clocks * 256));
    CHECK(matrix(row.id, "tf32") == row.fp32);
    CHECK_THAT(matrix(row.id, "fp16"), close(clocks * 512));
    CHECK(matrix(row.id, "bf16") == matrix(row.id, "fp16"));
    CHECK_THAT(matrix(row.id, "int8"), close(clocks * 2048));
    const bool ampere = preset(row.id).architecture == "sm_86";
    if (!ampere) CHECK_THAT(matrix(row.id, "fp8"), close(clocks * 1024));
    CHECK_THAT(matrix(row.id, preset(row.id).architecture == "sm_120" ? "nvfp4" : "int4"), close(clocks * 4096));
    CHECK_THAT(vector_peak(row.id, "fp64"), close(clocks * 4));
    CHECK(bandwidth(row.id) == row.bytes_per_s);
  }
}

TEST_CASE("machine presets: FP32 accumulation does not halve the matrix rate of workstation cards, as it does on GeForce") {
  const auto close = [](double value) { return Catch::Matchers::WithinRel(value, 0.003); };
  // 1,024 FP16 FLOP per multiprocessor and clock on Turing and Ada.
  CHECK_THAT(matrix("quadro-rtx-6000", "fp16"), close(72 * 1770e6 * 1024));
  CHECK_THAT(matrix("quadro-rtx-8000", "int8"), close(2 * matrix("quadro-rtx-6000", "fp16")));
  CHECK_THAT(matrix("rtx-5000-ada", "fp16"), close(100 * 2550e6 * 1024));
  CHECK_THAT(matrix("rtx-4500-ada", "fp8"), close(60 * 2580e6 * 2048));
  CHECK_THAT(matrix("rtx-4500-ada", "tf32"), close(60 * 2580e6 * 512));
}

TEST_CASE("machine presets: a Radeon's rates are compute units x boost clock x operations per clock") {
  // AMD states 122.8 TFLOP/s in FP16 for the RX 7900 XTX; for the RX 9070 XT 48.7 in FP32, and with sparsity 779 TOP/s in INT8 and 1,557 in
  // INT4.
  const auto close = [](double value) { return Catch::Matchers::WithinRel(value, 0.002); };
  CHECK_THAT(vector_peak("rx-7900-xtx", "fp32"), close(96 * 2500e6 * 256));
  CHECK_THAT(matrix("rx-7900-xtx", "fp16"), close(122.8e12));
  CHECK_THAT(matrix("rx-7900-xtx", "int4"), close(96 * 2500e6 * 1024));
  CHECK_THAT(vector_peak("rx-9070-xt", "fp32"), close(48.7e12));
  CHECK_THAT(matrix("rx-9070-xt", "fp16"), close(64 * 2970e6 * 1024));
  CHECK_THAT(matrix("rx-9070-xt", "fp8"), close(779e12 / 2));
  CHECK_THAT(matrix("rx-9070-xt", "int8"), close(779e12 / 2));
  CHECK_THAT(matrix("rx-9070-xt", "int4"), close(1557e12 / 2));
  CHECK(preset("AMD Radeon RX 7900 XTX").memories[0].capacity.value == 24560 * 1048576.0);
}

TEST_CASE("machine presets: multiprocessors and L2 are as the device reports them") {
  // flashinfer, pull request 4445; torchcodec's documentation; deviceQuery on an H100 NVL in thamada/nvidia-smi.
  CHECK(preset("b200-sxm").units.value == 148);
  CHECK(preset("b300-sxm").units.value == 148);
  CHECK(preset("gb200").units.value == 152);
  CHECK(preset("gb300").units.value == 152);
  CHECK(preset("a10g").units.value == 80);
  CHECK(preset("h100-nvl").units.value == 132);
  CHECK(preset("jetson-orin-nx").units.value == 8);
  const auto l2 = [](const char* id) { return preset(id).memories[1].capacity.value; };
  CHECK(l2("h200-sxm") == 62914560);
  CHECK(l2("gh200") == 62914560);  // deviceQuery on a GH200; 50 MB is the H100's
  CHECK(l2("h100-nvl") == 62914560);
  CHECK(l2("h100-sxm") == 52428800);
  CHECK(l2("rtx-3060") == 2359296);  // from deviceQuery; specification tables state 3 MB, and 4 MB for the 3060 Ti
  CHECK(l2("rtx-3060-ti") == 3145728);
}

TEST_CASE("machine presets: FP64 is 1/64 of FP32 where a multiprocessor has two FP64 units per 128 lanes") {
  for (const char* id : {"a10", "a10g", "a40", "rtx-3070", "rtx-3080", "rtx-3090", "rtx-4090", "rtx-5090", "rtx-a6000", "rtx-pro-6000"}) {
    INFO(id);
    CHECK_THAT(vector_peak(id, "fp64"), Catch::Matchers::WithinRel(vector_peak(id, "fp32") / 64, 0.02));
    CHECK(matrix(id, "fp64") == vector_peak(id, "fp64"));
  }
  // Arc B580, with the die of the B60, measured by OpenCL-Benchmark: 0.898 of 14.4 TFLOP/s, and 26.9 in FP16.
  for (const char* id : {"arc-b580", "arc-pro-b60"}) {
    CHECK_THAT(vector_peak(id, "fp64") / vector_peak(id, "fp32"), Catch::Matchers::WithinRel(0.898 / 14.4, 0.01));
    CHECK_THAT(vector_peak(id, "fp16") / vector_peak(id, "fp32"), Catch::Matchers::WithinRel(26.9 / 14.4, 0.08));
    CHECK_THAT(matrix(id, "int8") / vector_peak(id, "fp32"), Catch::Matchers::WithinRel(16, 0.01));
  }
  // Intel states 233 TOP/s in INT8 for the B580, at its highest clock.
  CHECK_THAT(matrix("arc-b580", "int8"), Catch::Matchers::WithinRel(233e12 * 2670 / 2850, 0.01));
}

TEST_CASE("machine presets: figures that an audit corrected") {
  CHECK(vector_peak("a10g", "fp32") == 35e12);  // 80 x 256 x 1.71 GHz, the clock of its 70 TFLOP/s; 31.5 assumes 72 multiprocessors
  CHECK(matrix("a10g", "fp32") == 35e12);
  CHECK(matrix("v100-pcie", "int8") == 56e12);  // four times FP32, like the V100 SXM2's 62 and 15.7
  CHECK(vector_peak("v100-pcie", "fp16") == 28e12);
  CHECK(vector_peak("h100-nvl", "fp16") == 120e12);  // the H100 whitepaper's table 3: twice FP32
  CHECK(vector_peak("a30", "fp16") == 41.2e12);      // the A100 whitepaper's table 1: four times FP32, twice in BF16
  CHECK(vector_peak("a30", "bf16") == 20.6e12);
  CHECK(vector_peak("t4", "fp16") == 16.2e12);
  CHECK(sparse("l40s", "bf16") == 733e12);  // the data sheet: 362.05 dense, 733 sparse
  CHECK(bandwidth("tpu-v4") == 1200e9);     // docs.cloud.google.com/tpu/docs/v4; not 1228
  CHECK(matrix("tpu-v5e", "int8") == 393e12);
  for (const char* id : {"mi300x", "mi325x"})
    CHECK(preset(id).memories[1].bandwidth.value == 17.2e12);  // Infinity Cache, the CDNA 3 white paper, pages 10 and 11: not 17
  CHECK(preset("arc-pro-b60").memories[0].capacity.value == 24 * 1073741824.0);
  CHECK(preset("h100-pcie").memories[0].bandwidth.basis == "estimate");
  for (const char* id : {"mi350x", "mi355x"})
    for (const Peak& peak : preset(id).matrix)
      CHECK(peak.flops.note.find("lack this format") == std::string::npos);  // MFMA has FP64 and FP32
  CHECK(preset("Tesla V100-SXM2-16GB").memories[0].capacity.value == 16 * 1073741824.0);
  CHECK(preset("Tesla V100-PCIE-16GB").memories[0].capacity.value == 16 * 1073741824.0);
  CHECK(preset("Tesla V100-SXM2-32GB").memories[0].capacity.value == 32 * 1073741824.0);
}

TEST_CASE("machine presets: capacities are as the device reports them") {
  const auto mib = [](const char* id) { return preset(id).memories[0].capacity.value / 1048576; };
  CHECK(mib("a100-80gb-sxm") == 81920);
  CHECK(mib("h100-sxm") == 81559);
  CHECK(mib("rtx-4090") == 24564);
  CHECK(mib("mi300x") == 196592);
  CHECK(mib("gaudi2") == 98304);
}

TEST_CASE("machine presets: every product has a segment") {
  for (const Machine& machine : Machines::presets().all()) {
    INFO(machine.id);
    CHECK(machine.segment.empty() == (machine.id == "custom" || machine.id == "npu-32t50"));
  }
  CHECK(preset("h100-pcie").segment == "data-centre");
  CHECK(preset("rtx-a6000").segment == "desktop");
  CHECK(preset("apple-m4").segment == "desktop");
  CHECK(preset("jetson-thor").segment == "embedded");
}

TEST_CASE("machine presets: sparse rates exceed dense ones, and narrow formats are never slower than wide ones") {
  for (const Machine& machine : Machines::presets().all()) {
    INFO(machine.id);
    for (const Peak& peak : machine.sparse) CHECK(peak.flops.value > machine.peak(Unit::matrix, peak.format));
    const char* wide_to_narrow[] = {"fp64", "fp32", "tf32", "bf16", "fp8_e4m3", "nvfp4"};
    double last = 0;
    for (const char* name : wide_to_narrow) {
      const double peak = machine.peak(Unit::matrix, format(name));
      if (std::isnan(peak)) continue;
      CHECK(peak >= last);
      last = peak;
    }
  }
}

TEST_CASE("machine presets: the default machine has one rate for every format and both units") {
  const Machine& npu = preset("npu-32t50");
  REQUIRE(npu.matrix.size() == Formats::catalogue().size());
  for (std::size_t i = 0; i < npu.matrix.size(); ++i) {
    CHECK(npu.peak(Unit::matrix, static_cast<FormatId>(i)) == 32e12);
    CHECK(npu.peak(Unit::vector, static_cast<FormatId>(i)) == 32e12);
  }
  CHECK(bandwidth("npu-32t50") == 50e9);
}

TEST_CASE("machine_json: parse_machine reads back what it writes") {
  for (const Machine& machine : Machines::presets().all()) {
    INFO(machine.id);
    const Result<Machine> back = parse_machine(machine_json(machine, true));
    if (!back) FAIL(back.error().text());
    CHECK(*back == machine);

    // The plain form keeps every number, without its source.
    const Result<Machine> plain = parse_machine(machine_json(machine, false));
    if (!plain) FAIL(plain.error().text());
    CHECK(plain->tool_chain == machine.tool_chain);
    // What the estimates follow from: the usual stack, and the medians of the machine's like.
    CHECK(plain->vendor == machine.vendor);
    CHECK(plain->segment == machine.segment);
    const auto expected = figures(machine), got = figures(*plain);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK(got[i].first == expected[i].first);
      CHECK(got[i].second == Figure{expected[i].second.value, "", "typed", ""});
    }
  }
}

TEST_CASE("machine_json: an unpublished figure keeps its source") {
  Machine machine = simple_machine("my-npu", "My NPU", 1e12, 2e10);
  machine.tdp_w = Figure{unknown, "https://example.org/my-npu", "unpublished", ""};
  const std::string json = machine_json(machine, true);
  CHECK(json.find("https://example.org/my-npu") != std::string::npos);
  CHECK(machine_json(machine, false).find("tdp_w") == std::string::npos);
  const Result<Machine> back = parse_machine(json);
  REQUIRE(back);
  CHECK(back->tdp_w == machine.tdp_w);
}

TEST_CASE("machine_json: the plain form, as in the analysis document") {
  const Machine machine = simple_machine("my-npu", "My NPU", 1e12, 2e10);
  const std::string json = machine_json(machine, false);
  CHECK(json.find(R"("id": "my-npu")") != std::string::npos);
  CHECK(json.find(R"("fp16": 1000000000000.0)") != std::string::npos);
  CHECK(json.find("\"bandwidth\": 20000000000.0,\n      \"capacity\": null") != std::string::npos);
  CHECK(json.find(R"("links": [])") != std::string::npos);
  const Result<Machine> back = parse_machine(json);
  REQUIRE(back);
  CHECK(*back == machine);
}

TEST_CASE("parse_machine: the plain form") {
  const Result<Machine> machine = parse_machine(R"({"id": "chip", "name": "Chip",
      "peaks": {"matrix": {"FP16": 3.12e14, "int8": 624e12}, "vector": {"float32": 19.5e12}},
      "memories": [{"name": "HBM", "bandwidth": 2039e9, "capacity": 80e9},
                   {"name": "VMEM", "read_bandwidth": 8e12, "write_bandwidth": 4e12, "capacity": null}],
      "links": [{"name": "NVLink", "bandwidth": 300e9}], "achievable": {"compute": 0.8}, "launch_s": 3e-6})");
  REQUIRE(machine);
  CHECK(machine->peak(Unit::matrix, format("fp16")) == 312e12);
  CHECK(machine->peak(Unit::vector, format("fp32")) == 19.5e12);
  CHECK(std::isnan(machine->peak(Unit::matrix, format("fp32"))));
  CHECK(std::isnan(machine->peak(Unit::vector, format("fp16"))));
  REQUIRE(machine->memories.size() == 2);
  CHECK_FALSE(machine->memories[0].split());
  CHECK(machine->memories[1].split());
  CHECK(machine->memories[1].write_bandwidth.value == 4e12);
  CHECK_FALSE(machine->memories[1].capacity.known());
  CHECK(machine->links[0].bandwidth.value == 300e9);
  CHECK(machine->achievable_compute.value == 0.8);
  CHECK_FALSE(machine->achievable_bandwidth.known());
  CHECK(machine->launch_s.value == 3e-6);
  CHECK(machine->matrix[0].flops.basis == "typed");
}

TEST_CASE("parse_machine: achievable fractions by format may exceed 1 if the highest clock exceeds the rated one") {
  const Result<Machine> machine = parse_machine(R"({"id": "card", "peaks": {"matrix": {"fp16": 1e14, "fp32": 1e13}, "vector": 1e13},
      "memories": [{"name": "DRAM", "bandwidth": 1e12}], "clock_hz": {"rated": 2e9, "highest": 2.5e9},
      "achievable": {"compute": 0.9, "compute_by_format": {"half": 1.2}}})");
  REQUIRE(machine);
  CHECK(machine->clock_headroom() == 1.25);
  CHECK(machine->achievable(Unit::matrix, format("fp16")).value == 1.2);
  CHECK(machine->achievable(Unit::matrix, format("fp32")).value == 0.9);
  CHECK(machine->achievable(Unit::vector, format("fp16")).value == 0.9);
  CHECK(machine->achievable_memory().basis == "assumed");
}

TEST_CASE("parse_machine: figures and their sources") {
  const Result<Machine> machine = parse_machine(R"({"name": "Chip", "sources": {"sheet": "The chip's data sheet"},
      "peaks": {"matrix": {"fp16": {"value": 1e14, "source": "sheet", "basis": "dense", "note": "at 1 GHz"}},
                "vector": {"value": 1e12, "source": "someone said so", "basis": "estimate"}},
      "memories": [{"name": "DRAM", "bandwidth": {"value": 1e11}}]})");
  REQUIRE(machine);
  CHECK(machine->id == "Chip");
  CHECK(machine->matrix[0].flops == Figure{1e14, "The chip's data sheet", "dense", "at 1 GHz"});
  CHECK(machine->vector.size() == Formats::catalogue().size());
  CHECK(machine->vector[0].flops.source == "someone said so");
}

TEST_CASE("parse_machine: a file that is not a machine") {
  const std::string expected =
      R"(expected a machine: {"id": "...", "peaks": {"matrix": {"fp16": FLOP/s}}, "memories": [{"name": "HBM", "bandwidth": B/s}]})";
  CHECK(error_of("") == "the file is empty; " + expected);
  CHECK(error_of(" \n\t") == "the file is empty; " + expected);
  CHECK(error_of("\xEF\xBB\xBF") == "the file is empty; " + expected);
  CHECK(error_of("[]") == "an array; " + expected);
  CHECK(error_of("42") == "a number; " + expected);
  CHECK(error_of("null") == "missing; " + expected);
  CHECK(error_of("{\n  \"id\": \"x\",\n}") == "line 3, column 1: not valid JSON: Missing a name for object member.");
  CHECK(error_of("{\"id\": \"x\"} }").rfind("line 1, column 13: not valid JSON", 0) == 0);
  CHECK(error_of("{\"tdp_w\": 1e999}").rfind("line 1, column 11: not valid JSON", 0) == 0);
  CHECK(error_of("{\"tdp_w\": NaN}").rfind("line 1, column 11: not valid JSON", 0) == 0);
  CHECK(error_of(std::string("{\"id\": \"\0\"}", 11)).rfind("line 1", 0) == 0);
  CHECK(error_of(std::string(256, '[') + std::string(256, ']')) == "an array; " + expected);
  for (const std::size_t closed : {100000, 0})
    CHECK(error_of(std::string(100000, '[') + std::string(closed, ']')).rfind("line 1, column 257: nested deeper than 256 levels", 0) == 0);
}

TEST_CASE("parse_machine: each error says what is wrong, where, and what was expected") {
  CHECK(error_with("id", R"("fine")") == "no error");
  CHECK(error_with("id", "1") == "id: a number; expected a text");
  CHECK(error_with("id", R"("")") == "id: missing; expected a short name for the machine");
  CHECK(error_with("memmories", "[]") == "memmories: unknown key: did you mean memories?");
  CHECK(error_with("colour", "1") == "colour: unknown key");

  CHECK(error_with("peaks", "null") == R"(peaks: missing; expected {"matrix": {"fp16": FLOP/s, ...}, "vector": {"fp32": FLOP/s, ...}})");
  CHECK(error_with("peaks", "{}") == "peaks: no peak given; expected at least one under matrix or vector");
  CHECK(error_with("peaks", R"({"matrx": {}})") == "peaks.matrx: unknown key: did you mean matrix?");
  CHECK(error_with("peaks", R"({"matrix": {"fp15": 1e12}})") == "peaks.matrix.fp15: unknown format: did you mean fp16?");
  CHECK(error_with("peaks", R"({"matrix": {"wide": 1e12}})") == "peaks.matrix.wide: unknown format");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": 1e12, "half": 2e12}})") == "peaks.matrix.half: fp16 is given twice");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": 0}})") == "peaks.matrix.fp16: is 0; expected a positive number (FLOP/s)");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": -1.5}})") == "peaks.matrix.fp16: is -1.5; expected a positive number (FLOP/s)");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": "312 TF"}})") ==
        R"(peaks.matrix.fp16: a text; expected a number (FLOP/s) or {"value": number, "source": ..., "basis": ...})");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": {"source": "x"}}})") == "peaks.matrix.fp16.value: missing; expected a number (FLOP/s)");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": {"value": "1"}}})") == "peaks.matrix.fp16.value: a text; expected a number (FLOP/s)");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": {"value": 1, "sorce": "x"}}})") ==
        "peaks.matrix.fp16.sorce: unknown key: did you mean source?");
  CHECK(error_with("peaks", R"({"matrix": {"fp16": {"value": 1, "source": 7}}})") == "peaks.matrix.fp16.source: a number; expected a text");
  CHECK(error_with("peaks", R"({"vector": -1})") == "peaks.vector: is -1; expected a positive number (FLOP/s)");
  CHECK(error_with("sparse_peaks", R"({"fp16": null, "int9": 1})") ==
        "sparse_peaks.int9: unknown format: did you mean int8 or int4 or int2?");

  const std::string memories = R"(; expected an array, the device memory first: [{"name": "HBM", "bandwidth": B/s, "capacity": bytes}])";
  CHECK(error_with("memories", "null") == "memories: missing" + memories);
  CHECK(error_with("memories", "[]") == "memories: empty" + memories);
  CHECK(error_with("memories", "{}") == "memories: an object" + memories);
  CHECK(error_with("memories", "[1]") == R"(memories[0]: a number; expected {"name": "HBM", "bandwidth": B/s, "capacity": bytes})");
  CHECK(error_with("memories", R"([{"bandwidth": 1}])") == R"(memories[0].name: missing; expected a name such as "HBM")");
  CHECK(error_with("memories", R"([{"name": "HBM"}])") == "memories[0].bandwidth: missing; the device memory's bandwidth is needed (B/s)");
  CHECK(error_with("memories", R"([{"name": "HBM", "bandwidth": 1, "bandwith": 1}])") ==
        "memories[0].bandwith: unknown key: did you mean bandwidth?");
  CHECK(error_with("memories", R"([{"name": "HBM", "bandwidth": true}])") ==
        R"(memories[0].bandwidth: true or false; expected a number (B/s) or {"value": number, "source": ..., "basis": ...})");
  CHECK(error_with("memories", R"([{"name": "HBM", "bandwidth": 1}, {"name": "hbm", "bandwidth": 2}])") ==
        R"(memories[1].name: "hbm" is given twice)");
  CHECK(error_with("memories", R"([{"name": "V", "bandwidth": 1, "read_bandwidth": 1}])") ==
        "memories[0]: has both bandwidth and read_bandwidth or write_bandwidth; expected either");
  CHECK(error_with("memories", R"([{"name": "Compute", "bandwidth": 1}])") ==
        R"(memories[0].name: "compute" is the name of the compute resource; expected another)");
  CHECK(error_with("memories", R"([{"name": "HBM", "bandwidth": 1, "capacity": -1}])") ==
        "memories[0].capacity: is -1; expected a positive number (bytes)");

  CHECK(error_with("links", "1") == R"(links: a number; expected an array: [{"name": "NVLink", "bandwidth": B/s in one direction}])");
  CHECK(error_with("links", R"([{"name": "HBM", "bandwidth": 1}])") == R"(links[0].name: "HBM" is given twice)");
  std::string links = "[";
  for (int i = 0; i < 20; ++i) links += (i ? ", " : "") + std::string(R"({"name": "L)") + std::to_string(i) + R"("})";
  CHECK(error_with("links", links + "]") == "memories: too many: memory channels and links together are at most 15");

  CHECK(error_with("achievable", R"({"compute": 1.2})") == "achievable.compute: is 1.2; expected a fraction up to 1");
  CHECK(error_with("achievable", R"({"compute_by_format": {"int8": 0.5}})") ==
        "achievable.compute_by_format.int8: the machine has no matrix peak in this format");
  CHECK(error_with("achievable", R"({"compute_by_format": {"fp15": 0.5}})") == "achievable.compute_by_format.fp15: unknown format");
  CHECK(error_with("clock_hz", R"({"rated": 2e9, "highest": 1e9})") == "clock_hz.highest: is below the rated clock");
  CHECK(error_with("segment", R"("gaming")") == R"(segment: is "gaming"; expected data-centre, desktop or embedded)");
  CHECK(error_with("tool_chain", R"("magic")") == R"(tool_chain: is "magic"; expected )" + any_of_names<ToolChain>());
  CHECK(error_with("tool_chain", "[]") == "tool_chain: an array; expected a text");
  CHECK(error_with("achievable", "0.8") == R"(achievable: a number; expected {"compute": 0.8, "bandwidth": 0.8})");
  CHECK(error_with("launch_s", "0") == "launch_s: is 0; expected a positive number (seconds)");
  CHECK(error_with("aliases", R"(["a", 1])") == "aliases[1]: a number; expected a text");
  CHECK(error_with("sources", R"({"a": 1})") == "sources.a: a number; expected a text");
}
