// The preset machines against published measurements: tests/data/measured.csv, which tests/data/README.md describes.
#include <algorithm>
#include <map>
#include <roofline/llm/answer.hpp>
#include <set>

#include "../../../tools/validation/measurements.hpp"
#include "support.hpp"

using namespace roofline;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Row = validation::Measurement;

const std::vector<Row>& rows() {
  static const std::vector<Row> all = validation::measurements_of(file("tests/data/measured.csv"));
  return all;
}

/// The unflagged ones of bandwidths and of products as such.
const std::vector<Row>& microbenchmarks() {
  static const std::vector<Row> some = [] {
    std::vector<Row> out;
    for (const Row& row : rows())
      if ((row.text.at("kind") == "bandwidth" || row.text.at("kind") == "matmul_peak") && row.text.at("flags").empty()) out.push_back(row);
    return out;
  }();
  return some;
}

/// A card that nobody measured under its own name: the same GPU with other memory or at another clock, whose fractions it takes.
const Machine* measured_twin(const Machine& machine) {
  if (machine.id == "mi350x") return Machines::presets().find("mi355x");
  return machine.id == "v100-sxm2-16gb" || machine.id == "v100-pcie-16gb"
             ? Machines::presets().find(machine.id.substr(0, machine.id.size() - 5))
             : nullptr;
}

/// A machine with the same die and memory, if no stream benchmark of this one is known. Solvers reach less than decode passes.
const Machine* streaming_twin(const Machine& machine) {
  if (machine.id == "l40s") return Machines::presets().find("l40");
  return machine.id == "mi250x-gcd" ? Machines::presets().find("mi210") : nullptr;
}

double value(const Row& row) { return std::stod(row.text.at("value")); }

/// Of the machine's own rates that the row is a measurement of; NaN where it has no such peak.
double rate_of(const Machine& machine, const Row& row) {
  return row.text.at("kind") == "bandwidth" ? machine.memories[0].bandwidth.value
                                            : machine.peak(Unit::matrix, format(row.text.at("weights")));
}

struct Measured {
  std::vector<double> all, streaming, solver, half_precision;  ///< fractions of the rate
  std::map<std::string, std::vector<double>> by_format;
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

/// Of a machine, the rows of kind "bandwidth" or "matmul_peak".
Measured measured(const Machine& machine, const std::string& kind) {
  Measured out;
  for (const Row& row : microbenchmarks()) {
    if (row.text.at("kind") != kind || row.text.at("machine") != machine.id || !known(rate_of(machine, row))) continue;
    const double fraction = value(row) / rate_of(machine, row);
    const std::string& format = row.text.at("weights");
    out.all.push_back(fraction);
    (row.text.at("conditions").find("LBM") == std::string::npos ? out.streaming : out.solver).push_back(fraction);
    if (kind == "matmul_peak") out.by_format[format].push_back(fraction);
    if (format == "fp16" || format == "bf16") out.half_precision.push_back(fraction);
  }
  return out;
}

}  // namespace

TEST_CASE("measurements: every row is complete and names what exists", "[measured]") {
  REQUIRE(rows().size() == 3689);
  const std::set<std::string> kinds{"decode", "prefill", "generate", "gemm", "attention", "bandwidth", "matmul_peak"};
  const std::set<std::string> quantities{"time_s", "tokens_per_s", "flops", "bandwidth"};
  const std::set<std::string> others{"max-1550-1tile", "mi250x-1gcd"};  // in measured-models
  std::set<std::string> ids;
  for (const Row& row : rows()) {
    INFO(row.text.at("id"));
    CHECK(ids.insert(row.text.at("id")).second);
    CHECK(kinds.count(row.text.at("kind")) == 1);
    CHECK(quantities.count(row.text.at("quantity")) == 1);
    CHECK(value(row) > 0);
    CHECK(row.text.at("source").size() > 10);
    CHECK((Machines::presets().find(row.text.at("machine")) || others.count(row.text.at("machine"))));
    for (const char* key : {"weights", "activations", "kv"})
      if (!row.text.at(key).empty()) CHECK(Formats::catalogue().find(row.text.at(key)));
  }
  for (const std::string& id : others) CHECK(parse_machine(file("tests/data/measured-models/" + id + ".json")));
}

TEST_CASE("measurements: no machine is faster than its preset, GeForce no faster than its highest clock", "[measured]") {
  std::set<std::string> above_rated_clock;
  std::size_t checked = 0;
  for (const Row& row : microbenchmarks()) {
    const Machine* machine = Machines::presets().find(row.text.at("machine"));
    if (!machine) continue;
    const double rate = rate_of(*machine, row);
    if (!known(rate)) continue;
    const bool compute = row.text.at("kind") == "matmul_peak";
    INFO(row.text.at("id") << " " << machine->id << " " << row.text.at("weights"));
    CHECK(value(row) <= 1.02 * rate * (compute ? machine->clock_headroom() : 1));
    if (value(row) > 1.02 * rate) above_rated_clock.insert(machine->id);
    ++checked;
  }
  CHECK(checked > 280);
  CHECK(above_rated_clock == std::set<std::string>{"rtx-3080", "rtx-3090", "rtx-4090", "rtx-5090"});
  for (const std::string& id : above_rated_clock) {
    const Machine& machine = *Machines::presets().find(id);
    INFO(id);
    REQUIRE_FALSE(machine.notes.empty());
    CHECK(machine.notes[0].find("rated boost clock") != std::string::npos);
    const double lanes = machine.units.value * 128 * 2;  // the vector peak is the rated clock's
    CHECK_THAT(machine.peak(Unit::vector, format("fp32")), WithinRel(lanes * machine.rated_clock_hz.value, 0.005));
  }
}

TEST_CASE("measurements: achievable bandwidths are what was measured", "[measured]") {
  for (const Machine& machine : Machines::presets().all()) {
    const Measured m = measured(machine, "bandwidth");
    const Figure& stated = machine.achievable_bandwidth;
    INFO(machine.id << " states " << stated.value);
    if (const Machine* streamed = streaming_twin(machine)) {
      CHECK(m.streaming.empty());
      CHECK(stated.basis == "estimate");
      CHECK(stated.value == streamed->achievable_bandwidth.value);
    } else if (const Machine* twin = measured_twin(machine)) {
      CHECK(stated.basis == "estimate");
      CHECK(stated.value == twin->achievable_bandwidth.value);
    } else if (m.all.empty()) {
      CHECK_FALSE(stated.known());
    } else {
      const double streaming = m.streaming.empty() ? 0 : median(m.streaming);
      const double solver = m.solver.empty() ? 0 : *std::max_element(m.solver.begin(), m.solver.end());
      CHECK(stated.basis == "measured");
      CHECK_THAT(stated.value, WithinAbs(std::max(streaming, solver), 0.0006));
      // MI300X: a solver written for other machines at 0.60 and 0.66. H100 NVL: the same solver's two number formats, 0.64 and 0.79.
      const bool apart = machine.id == "mi300x" || machine.id == "h100-nvl";
      CHECK_THAT(stated.value, WithinRel(median(m.all), apart ? 0.11 : 0.1));
    }
  }
}

TEST_CASE("measurements: achievable fractions of the peaks are what was measured, by format", "[measured]") {
  for (const Machine& machine : Machines::presets().all()) {
    const Measured m = measured(machine, "matmul_peak");
    INFO(machine.id << " states " << machine.achievable_compute.value);
    if (const Machine* twin = measured_twin(machine)) {
      CHECK(machine.achievable_compute.basis == "estimate");
      CHECK(machine.achievable_compute.value == twin->achievable_compute.value);
      for (const Peak& peak : machine.matrix) {
        const double theirs = twin->achievable(Unit::matrix, peak.format).value;
        CHECK(machine.achievable(Unit::matrix, peak.format).value == theirs);
      }
      continue;
    }
    CHECK(machine.achievable_compute.known() == !m.all.empty());
    for (const Peak& peak : machine.matrix) {
      const std::string& id = Formats::catalogue()[peak.format].id;
      INFO(id);
      // FP16 and BF16 run on the same units at the same rate: their few figures are one. The MI300X's are of two libraries.
      const bool half = id == "fp16" || id == "bf16", apart = machine.id == "mi300x";
      CHECK(peak.achievable.known() == (half ? apart : m.by_format.count(id) == 1));
      if (!peak.achievable.known() || m.by_format.count(id) == 0) continue;
      CHECK(peak.achievable.basis == "measured");
      CHECK_THAT(peak.achievable.value, WithinAbs(median(m.by_format.at(id)), 0.0006));
      CHECK(&machine.achievable(Unit::matrix, peak.format) == &peak.achievable);
    }
    if (m.all.empty() || machine.id == "mi300x") continue;
    CHECK(machine.achievable_compute.basis == "measured");
    CHECK_THAT(machine.achievable_compute.value, WithinAbs(median(m.half_precision.empty() ? m.all : m.half_precision), 0.0006));
  }
}

TEST_CASE("measurements: what nobody measured is the median of its kind, and says assumed", "[measured]") {
  const auto preset = [](const char* id) -> const Machine& { return *Machines::presets().find(id); };
  for (const Machine& machine : Machines::presets().all())
    for (const Figure* fraction : {&machine.achievable(Unit::matrix, format("fp16")), &machine.achievable_memory()}) {
      INFO(machine.id);
      CHECK(fraction->value > 0.3);
      CHECK(fraction->value < 1.2);
      if (fraction->basis == "assumed") CHECK(fraction->value < 0.95);
    }
  const Figure& b100 = preset("b100").achievable_memory();
  CHECK(b100.basis == "assumed");
  CHECK(b100.source.find("of the same vendor and segment") != std::string::npos);
  CHECK(&b100 == &preset("gb300").achievable_memory());
  // No Jetson's and no TPU's memory was measured: the median of all machines.
  CHECK(&preset("jetson-thor").achievable_memory() == &preset("tpu-v5e").achievable_memory());
  CHECK(preset("jetson-orin-nx").achievable(Unit::matrix, format("bf16")).value < 0.7);  // as the two Jetsons that were
  Machine typed = preset("h100-sxm");
  typed.set_achievable_compute({0.5, "", "typed", ""});
  CHECK(typed.achievable(Unit::matrix, format("fp8")).value == 0.5);
}

TEST_CASE("measurements: a run that filled an A100 fits it", "[measured]") {
  // gen-0617, and by it what published runs at batch 52, 60 and 64 take: 81,920 MiB are 85.9 GB.
  const Result<LlmRequest> request =
      parse_llm_request(R"({"model": "gpt-j-6b", "phase": "generate", "prompt": 2048, "generate": 128, "batch": 60, "reserve": 0})");
  REQUIRE(request);
  const LlmAnswer a = answer(*request, on(*Machines::presets().find("a100-80gb-sxm")));
  CHECK(a.memory.capacity == 85899345920);
  CHECK(a.largest_batch >= 60);
}
