// What the tests of the pipeline share: opening text, machines with round numbers, workloads row by row.
#pragma once

#include <fstream>
#include <roofline/analysis/analysis.hpp>
#include <roofline/read/read.hpp>
#include <roofline/registry/registry.hpp>
#include <sstream>

#include "catch.hpp"

namespace roofline {

inline FormatId format(std::string_view id) {
  const auto found = Formats::catalogue().find(id);
  INFO(id);
  REQUIRE(found);
  return *found;
}

/// A file of the repository, by its path from the root, where the tests run.
inline std::string file(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  INFO(path);
  REQUIRE(in.good());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The workload of a file's bytes; the test fails where they are refused.
inline Workload open(std::string_view bytes, const ReadOptions& options = {}) {
  Result<Workload> workload = read(bytes, options);
  INFO((workload ? std::string() : workload.error().text()));
  REQUIRE(workload);
  return std::move(*workload);
}

/// Of a trace: ReadOptions::each_launch.
inline ReadOptions launch_by_launch() {
  ReadOptions options;
  options.each_launch = true;
  return options;
}

inline Scenario on(Machine machine) {
  Scenario scenario;
  scenario.use(std::move(machine));
  return scenario;
}

inline Peak peak(std::string_view id, double flops) {
  Peak p;
  p.format = format(id);
  p.flops.value = flops;
  return p;
}

/// FP16 at 100 FLOP/s on the matrix unit and 10 on the vector unit, a memory of 10 B/s: ridge point 10. Kernels reach all of it.
inline Machine round_machine() {
  Machine m;
  m.id = m.name = "round";
  m.matrix = {peak("fp16", 100)};
  m.vector = {peak("fp16", 10)};
  m.memories.emplace_back();
  m.memories[0].name = "HBM";
  m.memories[0].bandwidth.value = 10;
  m.achievable_compute.value = m.achievable_bandwidth.value = 1;
  return m;
}

/// A machine with one peak for every format and both units, and one memory, "DRAM". FLOP/s, B/s.
inline Machine simple_machine(std::string id, std::string name, double peak_flops, double bandwidth) {
  const auto typed = [](double value) { return Figure{value, "", "typed", ""}; };
  Machine machine;
  machine.id = std::move(id);
  machine.name = std::move(name);
  for (std::size_t i = 0; i < Formats::catalogue().size(); ++i) machine.matrix.push_back({static_cast<FormatId>(i), typed(peak_flops)});
  machine.vector = machine.matrix;
  machine.memories.push_back({"DRAM", typed(bandwidth), {}, {}, {}});
  return machine;
}

/// One row with what a profiler states: FLOPs, bytes, seconds. NaN: not known.
inline void add_row(Workload& w, double flops, double bytes, double time, std::string_view format_id = "fp16") {
  OpClass kind;
  kind.type = "op";
  kind.activation = format(format_id);
  kind.matrix_work = flops > 0;
  kind.roles_unknown = true;
  std::uint32_t k = 0;
  while (k < w.classes.size() && !(w.classes[k] == kind)) ++k;
  if (k == w.classes.size()) w.classes.push_back(kind);
  w.op_class.push_back(k);
  w.matrix_flops.push_back(flops);
  w.activation.push_back(bytes / Formats::catalogue()[kind.activation].bytes());
  w.given_bytes.push_back(bytes);
  w.time_s.push_back(time);
}

inline Workload one_row(double flops, double bytes, double time, std::string_view format_id = "fp16") {
  Workload w;
  add_row(w, flops, bytes, time, format_id);
  return w;
}

inline bool same(double a, double b) { return a == b || (a != a && b != b); }

}  // namespace roofline
