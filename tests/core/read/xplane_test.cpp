// XLA's xplane: rows of the line "XLA Ops" summed over cores, the device's own machine, and files that are cut.
#include <algorithm>

#include "support.hpp"

using namespace roofline;

namespace {

bool says(const Workload& w, const std::string& words) {
  return std::any_of(w.diagnostics.begin(), w.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
}

std::size_t row_of(const Workload& w, const std::string& name, const std::string& step) {
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == name && w.steps[w.step[i]] == step) return i;
  FAIL(name + " in step " + step);
  return 0;
}

}  // namespace

TEST_CASE("xplane: operations of a step, over all cores, with what they move in which memory") {
  const Workload w = open(file("tests/data/operations.xplane.pb"));
  CHECK(w.source_format == SourceFormat::xplane);
  REQUIRE(w.size() == 4);
  const std::size_t fusion = row_of(w, "fusion.2", "0"), loop = row_of(w, "while.1", "0"), copy = row_of(w, "copy.3", "1");
  CHECK(w.count_of(fusion) == 4);  // two on each of two cores
  CHECK(w.matrix_flops[fusion] == 4e9);
  CHECK(w.given_bytes[fusion] == 6e6);
  CHECK(w.time_s[fusion] == Approx(2 * (19e-6 + 21e-6)));  // by the device's clock
  CHECK(w.channels[0].name == "VMEM Read");
  CHECK(w.channels[0].bytes[fusion] == 4.8e6);
  CHECK(w.channels[1].bytes[fusion] == 1.2e6);
  CHECK(w.channels[2].name == "All memories");
  CHECK(w.channels[2].bytes[fusion] == 12e6);
  CHECK(w.measures[0].values[fusion] == Approx(3.6e9 / 80e-6));
  CHECK(w.measures[1].values[fusion] == Approx(40e-6));
  CHECK(w.class_of(fusion).category == "convolution fusion");
  CHECK(w.class_of(fusion).symbol == Symbol::square);
  CHECK(w.categories[0].word(fusion) == "12345678901234567890");

  CHECK(loop < fusion);  // in the order in which they begin
  CHECK(w.time_s[loop] == Approx(120e-6));
  CHECK(w.self_time_s[loop] == Approx(120e-6 - 80e-6));  // what the operations in it leave
  CHECK(!known(w.matrix_flops[loop]));                   // XLA's zeros: not known

  CHECK(!known(w.given_bytes[copy]));  // no memory is named
  CHECK(w.channels[2].bytes[copy] == 4e6);
  CHECK(w.time_s[copy] == Approx(10e-6));
  CHECK(says(w, "sums over 2 cores: 10 executions, 5 of them on the first"));
  CHECK(says(w, "planes left out: 1, the first /device:TPU:0 SparseCore 0"));
}

TEST_CASE("xplane: the machine is the one that the device's plane states") {
  const Workload w = open(file("tests/data/operations.xplane.pb"));
  const Result<Machine> machine = parse_machine(w.machine_json);
  REQUIRE(machine);
  CHECK(machine->name == "TPU v5 lite");
  CHECK(machine->peak(Unit::matrix, format("bf16")) == 197e12);
  REQUIRE(machine->memories.size() == 2);
  CHECK(machine->memories[0].bandwidth.value == 819e9);
  CHECK(machine->memories[1].read_bandwidth.value == 1e13);
  CHECK(machine->memories[1].write_bandwidth.value == 5e12);
  CHECK(w.properties[0] == std::pair<std::string, std::string>("Device type", "TPU v5 lite"));
}

TEST_CASE("xplane: read in pieces of any size, it is the same") {
  const std::string bytes = file("tests/data/operations.xplane.pb");
  const Workload whole = open(bytes);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100}, std::size_t{1000}}) {
    Reader reader{{}};
    for (std::size_t at = 0; at < bytes.size(); at += piece) REQUIRE(reader.feed(std::string_view(bytes).substr(at, piece)));
    const Result<Workload> w = reader.finish();
    REQUIRE(w);
    CHECK(w->time_s == whole.time_s);
    CHECK(w->count == whole.count);
    CHECK(w->machine_json == whole.machine_json);
  }
}

TEST_CASE("xplane: a file that is cut anywhere is refused, or says what of it is read") {
  const std::string whole = file("tests/data/operations.xplane.pb");
  std::size_t partial = 0;
  for (std::size_t size = 64; size < whole.size(); ++size) {
    const Result<Workload> w = read(whole.substr(0, size), {});
    if (!w) {
      CHECK(w.error().message.find("expected") != std::string::npos);
    } else if (says(*w, "ends in the middle of a plane; what comes before it is read")) {
      ++partial;
      CHECK(w->count_of(row_of(*w, "fusion.2", "0")) == 2);  // the first core's, or both
      if (partial > 1000) return;
    }
  }
  CHECK(partial > 500);
}

TEST_CASE("xplane: one without a TPU says what it has") {
  using namespace std::string_literals;
  const auto space = [](const std::string& name) {
    const std::string plane = "\x08\x01\x12" + std::string(1, static_cast<char>(name.size())) + name;
    return "\x0a" + std::string(1, static_cast<char>(plane.size())) + plane;
  };
  const Result<Workload> gpu = read(space("/device:GPU:0") + space("/host:CPU"), {});
  REQUIRE(!gpu);
  CHECK(gpu.error().text() ==
        "an XSpace without operations of a TPU or kernels of a GPU: it has /device:GPU:0 (no streams); expected a plane /device:TPU:0 with "
        "a line \"XLA Ops\" or a plane /device:GPU:0 with streams, as jax.profiler records them");
  const Result<Workload> empty = read(space("/device:TPU:0"), {});
  REQUIRE(!empty);
  CHECK(empty.error().text().find("/device:TPU:0 (no line \"XLA Ops\")") != std::string::npos);
  const Result<Workload> wrong = read(space("/host:CPU") + "\x0b\x0b", {});
  REQUIRE(!wrong);
  CHECK(wrong.error().text() == "byte 15: no field of an XSpace: expected a whole .xplane.pb of a TPU or a GPU");
}

TEST_CASE("xplane: a GPU has the kernels of its streams, with their times alone") {
  using namespace std::string_literals;
  const auto field = [](int number, const std::string& bytes) {
    return std::string(1, static_cast<char>(number << 3 | 2)) + std::string(1, static_cast<char>(bytes.size())) + bytes;
  };
  const auto number = [](int field_number, unsigned value) {  // below 2^14
    return std::string(1, static_cast<char>(field_number << 3)) + static_cast<char>(value % 128 | 128) + static_cast<char>(value / 128);
  };
  const auto event = [&](unsigned kind, unsigned begin_ps, unsigned duration_ps) {
    return field(4, number(1, kind) + number(2, begin_ps) + number(3, duration_ps));
  };
  const auto kind = [&](unsigned id, const std::string& name) {
    return field(4, number(1, id) + field(2, number(1, id) + field(2, name)));
  };
  const std::string compute = field(2, "Stream #2(Compute)") + event(1, 1000, 500) + event(2, 2000, 400) + event(1, 3000, 700);
  const std::string names = field(2, "XLA Modules") + event(1, 1000, 9000);
  const Workload w = open(field(1, field(2, "/device:GPU:0") + field(3, compute) + field(3, names) + kind(1, "gemm") + kind(2, "add")));
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "gemm");
  CHECK(w.count_of(0) == 2);
  CHECK_THAT(w.time_s[0], WithinRel(1200e-12, 1e-12));
  CHECK_THAT(w.time_s[1], WithinRel(400e-12, 1e-12));
  CHECK(w.class_of(0).time_only);
  CHECK(says(w, "their times alone are read"));
  const std::string gpu = field(1, field(2, "/device:GPU:0") + field(3, compute) + kind(1, "gemm") + kind(2, "add"));
  const Workload both = open(file("tests/data/operations.xplane.pb") + gpu);
  CHECK(both.size() == 4);
  CHECK(says(both, "kernels of GPUs are left out: the operations of the TPU are read"));
}
