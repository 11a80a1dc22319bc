// The closed forms of serving against published runs.
#include <algorithm>
#include <cmath>
#include <map>

#include "../../../tools/validation/serving_report.hpp"
#include "support.hpp"

using namespace roofline;

TEST_CASE("serving: thirty published points come out with their error", "[serving][validation]") {
  const std::span<const std::string_view> ids = validation::thirty_serving_runs();
  std::vector<double> tpot, ttft, throughput;
  std::size_t found = 0;
  for (const validation::Measurement& row :
       validation::measurements_of(validation::text_of_packed_file("tests/data/measured_serving.csv.gz"))) {
    if (std::find(ids.begin(), ids.end(), row["id"]) == ids.end()) continue;
    ++found;
    const validation::ServingRun run(row, "tests/data/measured-models");
    const validation::ServingFigures measured = run.measured(), bound = run.bound(), estimate = run.estimate();
    INFO(row["id"] << " " << row["machine"] << " " << row["model"] << " " << row["engine"] << ": TPOT " << measured.tpot_s
                   << " s measured, " << estimate.tpot_s << " s estimated, " << bound.tpot_s << " s bound");
    CHECK(measured.tpot_s > bound.tpot_s);
    CHECK(measured.ttft_s > bound.ttft_s);
    CHECK(measured.output_tokens_per_s < bound.output_tokens_per_s);
    CHECK(std::abs(estimate.tpot_s / measured.tpot_s - 1) < 0.9);
    tpot.push_back(std::abs(estimate.tpot_s / measured.tpot_s - 1));
    ttft.push_back(std::abs(estimate.ttft_s / measured.ttft_s - 1));
    throughput.push_back(std::abs(estimate.output_tokens_per_s / measured.output_tokens_per_s - 1));
  }
  CHECK(found == ids.size());
  CHECK(validation::quantile(tpot, .5) < 0.12);
  CHECK(validation::quantile(tpot, .9) < 0.44);  // Llama 3.1 8B in vLLM, whose prompts were cached, and Qwen3 235B in SGLang
  CHECK(validation::quantile(throughput, .5) < 0.12);
  CHECK(validation::quantile(ttft, .5) < 0.32);
}

TEST_CASE("serving: the layouts of Kimi K2.5 with pools of prefill and decode, to which nothing was fitted", "[serving][validation]") {
  std::vector<double> tpot, throughput;
  for (const validation::Measurement& row :
       validation::measurements_of(validation::text_of_packed_file("tests/data/measured_serving.csv.gz"))) {
    if (row["model"] != "kimi-k2.5" || row["mode"] != "disagg" || !validation::serving_left_out(row).empty()) continue;
    const validation::ServingRun run(row, "tests/data/measured-models");
    const validation::ServingFigures measured = run.measured(), bound = run.bound(), estimate = run.estimate();
    INFO(row["id"]);
    CHECK(measured.tpot_s > bound.tpot_s);
    CHECK(measured.output_tokens_per_s < bound.output_tokens_per_s);
    tpot.push_back(std::abs(estimate.tpot_s / measured.tpot_s - 1));
    throughput.push_back(std::abs(estimate.output_tokens_per_s / measured.output_tokens_per_s - 1));
  }
  CHECK(tpot.size() == 28);
  CHECK(validation::quantile(tpot, .5) < 0.07);
  CHECK(validation::quantile(throughput, .5) < 0.06);
}

TEST_CASE("serving: vLLM of 2024 shares the hardware's figures with today's, and is off by less than the stack before it",
          "[serving][validation]") {
  const Stacks& stacks = Stacks::presets();
  const StackTerms today = stacks[*stacks.find("vllm")].terms;
  for (const char* id : {"vllm-2024", "vllm-2024-rocm"}) {
    StackTerms terms = stacks[*stacks.find(id)].terms;
    CHECK(*terms.layer_s > 2 * *today.layer_s);
    CHECK(*terms.sequence_s > 2 * *today.sequence_s);
    terms.layer_s = today.layer_s;
    terms.sequence_s = today.sequence_s;
    terms.native = today.native;  // no kernels for 4-bit products then
    CHECK(terms == today);
  }
  std::map<std::string, double> held;
  for (const validation::Measurement& row : validation::measurements_of(file("tests/data/serving_held_back.csv")))
    if (row["tpot"].empty()) held[row["id"]] = row.number("throughput", unknown);
  std::map<std::string, std::vector<double>> errors, by_fused;
  for (const auto& run :
       validation::serving_runs_of(validation::measurements_of(validation::text_of_packed_file("tests/data/measured_serving.csv.gz")),
                                   "tests/data/measured-models")) {
    if (run->mode() != "offline" || !run->stack().id.starts_with("vllm-2024")) continue;
    REQUIRE(held.count(run->row()["id"]) == 1);
    errors[run->stack().id].push_back(std::abs(held[run->row()["id"]] - 1));
    const double fused = run->estimate_by(*stacks.find("fused")).output_tokens_per_s;
    by_fused[run->stack().id].push_back(std::abs(fused / run->measured().output_tokens_per_s - 1));
  }
  CHECK(errors["vllm-2024"].size() == 439);
  CHECK(errors["vllm-2024-rocm"].size() == 676);
  CHECK(validation::quantile(errors["vllm-2024"], .5) < 0.1);
  CHECK(validation::quantile(errors["vllm-2024-rocm"], .5) < 0.15);
  CHECK(validation::quantile(by_fused["vllm-2024"], .5) > 0.25);
  CHECK(validation::quantile(by_fused["vllm-2024-rocm"], .5) > 1);
}

TEST_CASE("serving: the document is what the measurements say", "[serving][validation]") {
  const auto rows = validation::measurements_of(validation::text_of_packed_file("tests/data/measured_serving.csv.gz"));
  const std::string written = validation::serving_report(rows, "tests/data/measured-models", file("tests/data/serving_held_back.csv"));
  CHECK(written == file("docs/reference/validation-serving.md"));  // else: tools/validate
}
