// What the core costs, native and in wasm from the same source. `bench generate N` writes the input; `bench core`, `bench llm` and
// `bench network` print one JSON object each.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/read/read.hpp>

#include "generate.hpp"
#include "llm.hpp"
#include "network.hpp"
#include "timing.hpp"

namespace {

using namespace roofline;

/// The workload's ops again and again, until there are n.
Workload repeated(const Workload& from, std::size_t n) {
  Workload to;
  to.classes = from.classes;
  to.distinct_sizes = from.distinct_sizes;
  const auto fill = [&](auto& column, const auto& source) {
    if (source.empty()) return;
    column.reserve(n);
    for (std::size_t i = 0; i < n; ++i) column.push_back(source[i % source.size()]);
  };
  fill(to.op_class, from.op_class);
  fill(to.sizes, from.sizes);
  fill(to.matrix_flops, from.matrix_flops);
  fill(to.vector_flops, from.vector_flops);
  fill(to.weight, from.weight);
  fill(to.activation, from.activation);
  fill(to.output, from.output);
  fill(to.kv_read, from.kv_read);
  fill(to.kv_write, from.kv_write);
  fill(to.given_bytes, from.given_bytes);
  fill(to.time_s, from.time_s);
  to.fill_bytes();
  fill(to.count, from.count);
  return to;
}

/// Reads every column the analysis reads while a machine's slider is dragged, once, with eight accumulators: the least that any analysis
/// can cost.
double bare_read(const Workload& w) {
  double total = 0;
  for (const auto* column : {&w.matrix_flops, &w.vector_flops, &w.bytes, &w.time_s, &w.count}) {
    double a[8] = {};
    const double* p = column->data();
    const std::size_t n = column->size() / 8 * 8;
    for (std::size_t i = 0; i < n; i += 8)
      for (std::size_t k = 0; k < 8; ++k) a[k] += p[i + k];
    for (const double v : a) total += v;
  }
  std::uint32_t k[8] = {};
  for (std::size_t i = 0; i + 8 <= w.op_class.size(); i += 8)
    for (std::size_t j = 0; j < 8; ++j) k[j] += w.op_class[i + j];
  for (const std::uint32_t v : k) total += v;
  return total;
}

volatile double sink;

/// A heat map of a matrix product over m and k in four formats, as the page asks for it while a range is dragged.
double sweep_map() {
  const auto calculation = parse_calculation("gemm", {"m=1", "n=4096", "k=4096"}, {"fp16", "int8", "fp8", "int4:fp16"});
  Scenario scenario;
  if (!calculation || !set(scenario, "machine", "h100-sxm")) return 0;
  const auto swept = sweep(*calculation, {{"m"}, 1, 8192, true, 256, true}, SweepAxis{{"k"}, 64, 16384, true, 256, true}, scenario);
  return swept ? swept->series[3].predicted_s.back() : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "generate") == 0) {
    const std::string text = benchmark_input::commands(static_cast<std::size_t>(std::atoll(argv[2])));
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "llm") == 0) {
    std::printf("{%s}\n", llm_figures().c_str());
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "network") == 0) {
    std::printf("{%s}\n", network_figures().c_str());
    return 0;
  }
  const std::string text = benchmark_input::commands(100000);
  double parse_ms = median(5, [&] { sink = static_cast<double>(read(text, {})->size()); });
  const Workload sample = *read(text, {});
  const double resident = static_cast<double>(sample.resident_bytes()) / static_cast<double>(sample.size());

  Scenario scenario = Scenario::standard();
  const auto frame = [&](const Workload& w, const Frame* positions = nullptr) {
    scenario.machine.memories[0].bandwidth.value *= 1.0001;  // a slider moved
    const Plan plan(w, scenario);
    sink = static_cast<double>(make_frame(plan, {}, {.positions = positions}).points.size());
  };
  const Workload million = repeated(sample, 1000000), four = repeated(sample, 4000000);
  const double bare_ms = median(9, [&] { sink = bare_read(million); });
  const double summary_ms = median(9, [&] { sink = summarize(Plan(million, scenario)).predicted_time_s; });
  const double frame_ms = median(9, [&] { frame(million); });
  const Frame positions = make_frame(Plan(million, scenario), {});
  const double drag_ms = median(9, [&] { frame(million, &positions); });
  const double frame4_ms = median(5, [&] { frame(four); });
  const double sweep_ms = median(9, [] { sink = sweep_map(); });
  scenario.whatif.weight = scenario.whatif.activation = Formats::catalogue().find("int4");
  const double whatif_ms = median(5, [&] { frame(million); });
  const double sqnr_ms = milliseconds([&] { sink = sqnr_db(0, Sample::gaussian); });  // of all formats on all samples, once
  std::printf(
      "{\"sweep_map_ms\": %.2f, \"read_100k_ms\": %.2f, \"resident_bytes_per_op\": %.1f, \"bare_read_1m_ms\": %.2f, "
      "\"summary_1m_ms\": %.2f, \"frame_1m_ms\": "
      "%.2f, \"drag_1m_ms\": %.2f, \"frame_4m_ms\": %.2f, "
      "\"frame_whatif_1m_ms\": %.2f, \"sqnr_table_ms\": %.2f}\n",
      sweep_ms, parse_ms, resident, bare_ms, summary_ms, frame_ms, drag_ms, frame4_ms, whatif_ms, sqnr_ms);
}
