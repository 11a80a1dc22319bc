#include "llm.hpp"

#include <chrono>
#include <cstdio>
#include <functional>
#include <roofline/llm/inference.hpp>
#include <roofline/session/session.hpp>
#include <vector>

namespace {

using namespace roofline;

volatile double sink;

/// Microseconds of one call: the best of five runs of `calls`, so that a neighbour's load does not count.
double microseconds(int calls, const std::function<void(int)>& work) {
  double best = 1e30;
  for (int run = 0; run < 5; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) work(i);
    const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / calls;
    best = us < best ? us : best;
  }
  return best;
}

}  // namespace

std::string llm_figures() {
  const auto request =
      parse_llm_request(R"({"model": "llama-2-7b", "phase": "generate", "prompt": 1024, "generate": 256, "attention": "unfused"})");
  Scenario scenario;
  scenario.use(*Machines::presets().find("a100-80gb-sxm"));
  const LlmInference inference(*request, scenario);
  LlmRows prefill, decode;
  const double analysis = microseconds(20000, [&](int i) {  // both phases, every field of every row
    const double batch = 1 + i % 64;
    inference.plan().evaluate({batch, 2048, 2048, false}, prefill);
    inference.plan().evaluate({batch, 1, 2048, true}, decode);
    sink = prefill.total.predicted_s + decode.total.predicted_s;
  });
  LlmPasses passes;
  LlmRun run = *request;
  const double generate = microseconds(2000, [&](int i) {
    run.batch = 1 + i % 64;
    inference.evaluate(run, passes);
    sink = passes.prefill.total.predicted_s + passes.decode.total.predicted_s;
  });
  std::vector<double> batches, contexts;
  for (int i = 1; i <= 128; ++i) batches.push_back(i * 8), contexts.push_back(i * 1024);
  const double map = microseconds(2, [&](int) { sink = llm_heat_map(inference, batches, contexts)[0]; });
  Session page;  // every machine in every format, as the page asks for it
  page.build("model", R"({"model": "llama-2-7b", "phase": "generate", "prompt": 1024, "generate": 256})");
  std::string formats;
  for (const Format& format : Formats::catalogue().all()) formats += (formats.empty() ? "\"" : ",\"") + format.id + '"';
  const std::string cells = "{\"formats\": [" + formats + "]}";
  const double matrix = microseconds(4, [&](int) { sink = page.ask("machine_formats", cells).columns[0].second[0]; });
  char text[200];
  std::snprintf(text, sizeof text,
                "\"llm_analysis_us\": %.2f, \"llm_generate_us\": %.2f, \"llm_map_128_ms\": %.2f, \"llm_matrix_ms\": %.2f", analysis,
                generate, map / 1000, matrix / 1000);
  return text;
}
