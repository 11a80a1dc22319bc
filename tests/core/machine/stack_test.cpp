// Stack files, the default stack of each machine, and the estimate as the sum of its terms.
#include <roofline/analysis/op_set.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/machine/presets.hpp>

#include "support.hpp"

using namespace roofline;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

LlmRequest request(const char* json) {
  auto parsed = parse_llm_request(json);
  INFO((parsed ? std::string() : parsed.error().text()));
  REQUIRE(parsed);
  return std::move(*parsed);
}

Scenario with(const char* machine, std::initializer_list<std::pair<const char*, const char*>> settings) {
  Scenario s;
  REQUIRE(set(s, "machine", machine));
  for (const auto& [key, value] : settings) {
    const auto ok = set(s, key, value);
    INFO((ok ? std::string() : ok.error().text()));
    REQUIRE(ok);
  }
  return s;
}

double sum(const TypicalTerms& terms) {
  double out = 0;
  for (const double s : terms) out += s;
  return out;
}
double of(const TypicalTerms& terms, TypicalTerm term) { return terms[static_cast<std::size_t>(term)]; }

TypicalTerms terms_of(const char* json, const Scenario& s) {
  const LlmRequest r = request(json);
  const Workload w = llm_workload(r, s);
  return typical_terms(OpSet(Plan(w, s)));
}

constexpr const char* decode = R"({"model": "llama-3-8b", "weights": "q4_k", "context": 1024})";
constexpr const char* prompt = R"({"model": "llama-3-8b", "weights": "q4_k", "phase": "prefill", "prompt": 1024})";

}  // namespace

TEST_CASE("stacks: every file is read, and every figure has a source", "[stack]") {
  const auto files = preset_files("stacks");
  REQUIRE(files.size() == Stacks::presets().all().size());
  for (const PresetFile& file : files) {
    INFO(file.name);
    const Result<Stack> stack = parse_stack(file.text);
    INFO((stack ? std::string() : stack.error().text()));
    REQUIRE(stack);
    CHECK(stack->id == file.name);
    for (const auto& [key, figure] : stack->figures) {
      INFO(key);
      CHECK((figure.basis == "fitted" || figure.basis == "measured" || figure.basis == "default" || figure.basis == "assumed"));
      CHECK(figure.source.size() > 10);
    }
  }
  CHECK(parse_stack(R"({"id": "x", "terms": {"layers": {"value": 1}}})").error().text() == "terms.layers: unknown term");
  CHECK(parse_stack(R"({"id": "x", "terms": {"layer_s": {"value": -1}}})").error().text() ==
        "terms.layer_s.value: expected a number from 0");
  CHECK_FALSE(parse_stack("{}"));
}

TEST_CASE("stacks: the default of each machine", "[stack]") {
  const auto default_stack = [](const char* machine, StackUse use) { return with(machine, {}).stack_for(use).id; };
  CHECK(default_stack("h100-sxm", StackUse::language_model) == "fused");
  CHECK(default_stack("mi300x", StackUse::language_model) == "fused");
  CHECK(default_stack("rtx-4090", StackUse::language_model) == "llama.cpp-cuda");
  CHECK(default_stack("jetson-agx-orin", StackUse::language_model) == "llama.cpp-cuda");
  CHECK(default_stack("apple-m2-ultra", StackUse::language_model) == "llama.cpp-metal");
  CHECK(default_stack("npu-32t50", StackUse::language_model) == "none");
  CHECK(default_stack("h100-sxm", StackUse::operations) == "kernels");
  CHECK(default_stack("mi300x", StackUse::operations) == "kernels-rocm");
  CHECK(default_stack("tpu-v5e", StackUse::operations) == "none");  // there are no measurements of its kernels
  for (const char* cpu : {"grace", "epyc-9654", "ryzen-9-9950x", "xeon-8480"}) {
    INFO(cpu);
    CHECK(default_stack(cpu, StackUse::language_model) == "none");
    CHECK(default_stack(cpu, StackUse::operations) == "none");
  }
  Scenario own = with("h100-sxm", {});
  own.base.launch_s.value = 2e-6;  // fitted to a run: it includes all overheads of its kernels
  CHECK(own.stack_for(StackUse::operations).id == "none");
  CHECK(with("h100-sxm", {{"stack", "eager"}}).stack_for(StackUse::language_model).id == "eager");
  Scenario s;
  CHECK(set(s, "stack", "fuse").error().text() == "stack: unknown stack \"fuse\": did you mean fused?");
  const Scenario set_twice = with("h100-sxm", {{"stack", "fused"}, {"estimate.layer_us", "7"}});
  Scenario again;
  REQUIRE(apply_config(again, config_json(set_twice)));
  CHECK(again.stack == set_twice.stack);
  CHECK(again.terms == set_twice.terms);
}

TEST_CASE("stacks: rows, summary, answer and terms have the same sum", "[stack]") {
  for (const char* machine : {"rtx-4090", "h100-sxm", "apple-m2-ultra", "npu-32t50"})
    for (const char* json :
         {decode, prompt, R"({"model": "llama-3-8b", "phase": "generate", "prompt": 700, "generate": 100, "batch": 3, "tp": 2})",
          R"({"model": "mixtral-8x7b", "phase": "prefill", "prompt": 2048, "batch": 2})",
          R"({"model": "llama-3-8b", "phase": "generate", "speculate": {"gamma": 4, "acceptance": 0.7, "draft": "llama-3.2-1b"}})"}) {
      INFO(machine << " " << json);
      const Scenario s = with(machine, {});
      const LlmRequest r = request(json);
      const Workload w = llm_workload(r, s);
      const Plan plan(w, s);
      double rows = 0;
      for (std::size_t op = 0; op < w.size(); ++op) {
        const OpAnalysis a = plan.analyze(op);
        rows += a.typical_time_s;
        CHECK_THAT(sum(a.typical.terms), WithinRel(a.typical_time_s, 1e-9));
        CHECK(a.typical_time_s >= a.predicted_time_s * (s.machine.clock_headroom() > 1 ? 0.5 : 1));  // GeForce: FP16 sums at twice its peak
      }
      CHECK_THAT(summarize(OpSet(plan)).typical_time_s, WithinRel(rows, 1e-12));
      CHECK_THAT(sum(typical_terms(OpSet(plan))), WithinRel(rows, 1e-9));
      const LlmAnswer a = answer(r, s);
      const double typical = r.phase == LlmPhase::generate ? a.estimate.total_s
                             : r.phase == LlmPhase::decode ? a.estimate.tpot_s
                                                           : a.estimate.ttft_s;
      CHECK_THAT(typical, WithinRel(rows, 1e-9));
    }
}

TEST_CASE("stacks: each term equals a calculation by hand", "[stack]") {
  const char* machine = "rtx-4090";
  const auto only = [&](const char* json, const char* key, const char* value) {
    return terms_of(json, with(machine, {{"stack", "none"}, {key, value}}));
  };
  const TypicalTerms bare = terms_of(decode, with(machine, {{"stack", "none"}}));
  CHECK(of(bare, TypicalTerm::layers) == 0);
  CHECK_THAT(of(only(decode, "estimate.layer_us", "50"), TypicalTerm::layers), WithinRel(32 * 50e-6, 1e-9));  // 32 layers
  CHECK_THAT(of(only(prompt, "estimate.layer_us", "50"), TypicalTerm::layers), WithinRel(32 * 50e-6, 1e-9));
  const Scenario chunks = with(machine, {{"stack", "none"}, {"estimate.layer_us", "50"}, {"estimate.prefill_chunk", "256"}});
  CHECK_THAT(of(terms_of(prompt, chunks), TypicalTerm::layers), WithinRel(4 * 32 * 50e-6, 0.003));  // four passes; the embedding runs once
  // Three more passes over the 8.03e9 weights without the embedding table, 4.5 bits each.
  const Scenario m = with(machine, {});
  const double bandwidth = m.machine.memories[0].bandwidth.value * m.machine.achievable_memory().value;
  CHECK_THAT(of(terms_of(prompt, chunks), TypicalTerm::chunks),
             WithinRel(3 * (8030261248.0 - 128256.0 * 4096) * 4.5 / 8 / bandwidth, 0.001));
  const double vector = m.machine.peak(Unit::vector, format("fp32"));
  CHECK_THAT(of(only(decode, "estimate.widen", "2"), TypicalTerm::dequantise),
             WithinRel((8030261248.0 - 128256.0 * 4096) * 2 / (vector / 2), 0.001));
  CHECK(of(only(R"({"model": "llama-3-8b"})", "estimate.widen", "2"), TypicalTerm::dequantise) == 0);  // nothing to dequantise
  // 32 heads of 32 layers, 1,024 keys.
  CHECK_THAT(of(only(decode, "estimate.score_bytes", "20"), TypicalTerm::scores), WithinRel(32 * 32 * 1024.0 * 20 / bandwidth, 1e-9));
  CHECK(of(only(decode, "estimate.elementwise", "10"), TypicalTerm::elementwise) > 0);
  // Two all-reduces per layer.
  const char* shared = R"({"model": "llama-3-8b", "tp": 2})";
  const Scenario links = with("h100-sxm", {{"stack", "none"}, {"estimate.all_reduce_us", "24"}, {"estimate.nvlink", "50"}});
  CHECK_THAT(of(terms_of(shared, links), TypicalTerm::all_reduce_latency), WithinRel(64 * 24e-6, 1e-9));
  // Between two nodes, 30 us more; in a rack of 72, none.
  const char* nodes = R"({"model": "llama-3-8b", "tp": 16})";
  CHECK_THAT(of(terms_of(nodes, links), TypicalTerm::all_reduce_latency), WithinRel(64 * (24e-6 + 30e-6), 1e-9));
  const Scenario rack = with("gb200", {{"stack", "none"}, {"estimate.all_reduce_us", "24"}});
  CHECK_THAT(of(terms_of(nodes, rack), TypicalTerm::all_reduce_latency), WithinRel(64 * 24e-6, 1e-9));
  CHECK(of(terms_of(nodes, with("h100-sxm", {{"stack", "none"}})), TypicalTerm::all_reduce_latency) == 0);
  const char* much = R"({"model": "llama-3-8b", "tp": 2, "phase": "prefill", "prompt": 8192})";
  CHECK_THAT(of(terms_of(much, links), TypicalTerm::link),
             WithinRel(2 * of(terms_of(much, with("h100-sxm", {{"stack", "none"}})), TypicalTerm::link), 1e-9));
  // Twice the link's rate, half the latency; a slower link keeps it. NVLink 4 has 450 GB/s one way, NVLink 5 900 GB/s, NVLink 3 300 GB/s.
  for (const auto& [id, share] : {std::pair("h100-sxm", 1.0), std::pair("b200-sxm", 0.5), std::pair("a100-80gb-sxm", 1.0)}) {
    Scenario s = with(id, {{"stack", "none"}, {"estimate.all_reduce_us", "24"}});
    s.terms.all_reduce_link = 450e9;
    INFO(id);
    CHECK_THAT(of(terms_of(shared, s), TypicalTerm::all_reduce_latency), WithinRel(share * 64 * 24e-6, 1e-9));
  }
  // Sums of two bytes an element, where the activations have one.
  const char* narrow =
      R"({"model": "llama-3-8b", "tp": 2, "phase": "prefill", "prompt": 8192, "weights": "fp8_e4m3", "activations": "fp8_e4m3"})";
  Scenario wide = with("h100-sxm", {{"stack", "none"}});
  wide.terms.sum_bytes = 2;
  CHECK_THAT(of(terms_of(narrow, wide), TypicalTerm::link),
             WithinRel(2 * of(terms_of(narrow, with("h100-sxm", {{"stack", "none"}})), TypicalTerm::link), 1e-9));
  CHECK_THAT(of(terms_of(much, wide), TypicalTerm::link), WithinRel(of(terms_of(much, links), TypicalTerm::link) / 2, 1e-9));
  // 61 layers of latent attention, 58 of experts; those are dequantised where the matrix units lack their format.
  const auto layers = [&](const char* id, const std::string& json, std::optional<double> StackTerms::* term) {
    Scenario s = with(id, {{"stack", "none"}, {"estimate.native", "1"}});
    s.terms.*term = 10e-6;
    return of(terms_of(json.c_str(), s), TypicalTerm::layers);
  };
  const auto deepseek = [](const std::string& weights) {
    return R"({"model": "deepseek-v3", "activations": "fp16", "weights": ")" + weights + "\"}";
  };
  CHECK_THAT(layers("h100-sxm", deepseek("fp8_e4m3"), &StackTerms::latent_layer_s), WithinRel(61 * 10e-6, 1e-9));
  CHECK_THAT(layers("h100-sxm", deepseek("nvfp4"), &StackTerms::narrow_moe_layer_s), WithinRel(58 * 10e-6, 1e-9));
  CHECK(layers("b200-sxm", deepseek("nvfp4"), &StackTerms::narrow_moe_layer_s) == 0);
  CHECK(layers("h100-sxm", decode, &StackTerms::latent_layer_s) == 0);
  // FP16 sums at half the INT8 rate, twice the preset's peak on GeForce; a data-centre part gains nothing.
  const char* half = R"({"model": "llama-3-8b", "phase": "prefill", "prompt": 1024})";
  for (const auto& [id, gain] : {std::pair("rtx-4090", 2.0), std::pair("a100-80gb-sxm", 1.0)}) {
    const double today = of(terms_of(half, with(id, {{"stack", "none"}})), TypicalTerm::compute);
    const double then = of(terms_of(half, with(id, {{"stack", "none"}, {"estimate.accumulate_fp16", "1"}})), TypicalTerm::compute);
    INFO(id);
    CHECK_THAT(today / then, WithinAbs(gain, 0.03));
  }
  // Without overlap, compute and memory times add up.
  const TypicalTerms serial = only(decode, "overhead.overlap", "0");
  CHECK(of(serial, TypicalTerm::overlap) == 0);
  CHECK(of(bare, TypicalTerm::overlap) < 0);
}

TEST_CASE("stacks: kernels' tiles, launches and misaligned rows", "[stack]") {
  const auto time = [](double m, double n, double k, const Scenario& s) {
    Workload w;
    OpClass kind;
    kind.set_family(OpFamily::matrix_product);
    kind.matrix_work = true;
    kind.weight = kind.activation = kind.output = format("fp16");
    w.classes.push_back(kind);
    w.op_class = {0};
    w.matrix_flops = {2 * m * n * k};
    w.weight = {n * k};
    w.activation = {m * k};
    w.output = {m * n};
    w.sizes = {1};
    w.distinct_sizes = {{}, {m, n, k, 1}};
    return Plan(w, s).analyze(0);
  };
  const Scenario plain = with("h100-sxm", {{"stack", "none"}});
  const Scenario launch = with("h100-sxm", {{"stack", "none"}, {"overhead.launch_us", "5"}});
  CHECK_THAT(time(64, 64, 64, launch).typical_time_s - time(64, 64, 64, plain).typical_time_s, WithinRel(5e-6, 1e-9));
  // 132 units: 132 tiles of 256 x 256 fill one wave, 133 need a second wave or smaller tiles.
  const Scenario tiles = with("h100-sxm", {{"stack", "none"}, {"estimate.tile_edge", "20"}});
  const OpAnalysis full = time(256 * 132, 256, 4096, tiles), over = time(256 * 133, 256, 4096, tiles);
  CHECK(full.typical.waves == 1);
  CHECK_THAT(full.typical.compute_s, WithinRel(time(256 * 132, 256, 4096, plain).typical.compute_s * (1 + 10 * 2 / 256.0), 1e-9));
  CHECK(over.typical.compute_s / full.typical.compute_s > 1.02);
  CHECK(of(over.typical.terms, TypicalTerm::waves) > of(full.typical.terms, TypicalTerm::waves));
  const Scenario rows = with("h100-sxm", {{"stack", "none"}, {"estimate.tile_edge", "20"}, {"estimate.misaligned", "5"}});
  CHECK_THAT(time(4096, 4096, 4096, rows).typical.compute_s, WithinRel(time(4096, 4096, 4096, tiles).typical.compute_s, 1e-12));
  CHECK_THAT(time(4096, 4096, 4097, rows).typical.compute_s, WithinRel(5 * time(4096, 4096, 4097, tiles).typical.compute_s, 1e-9));
}

TEST_CASE("stacks: a run of a network costs its time once, whatever its operations", "[stack]") {
  const auto launches = [](const std::string& network) {
    const Workload w =
        open("{" + network +
             R"("commands":[{"type":"relu","inputs":[[4]],"data_type":"int8"},{"type":"relu","inputs":[[4]],"data_type":"int8"}]})");
    return of(typical_terms(OpSet(Plan(w, with("hailo-8", {{"stack", "none"}, {"estimate.run_us", "300"}})))), TypicalTerm::launches);
  };
  CHECK_THAT(launches(R"("network":{"nodes":2},)"), WithinRel(300e-6, 1e-9));
  CHECK(launches("") == 0);  // operations that are no network
}

TEST_CASE("stacks: an NPU has its own, measured or assumed", "[stack]") {
  const auto usual = [](const char* machine) {
    return Stacks::presets()[Stacks::presets().usual(*Machines::presets().find(machine), StackUse::operations)];
  };
  CHECK(usual("hailo-8").id == "npu-hailo-8");
  CHECK(usual("hailo-8").figures.front().second.basis == "measured");
  CHECK(usual("hailo-8").basis == "measured");
  CHECK(usual("hailo-8").error("network")->rows == 70);
  CHECK(usual("stm32n6").id == "npu");
  // A copy under another name has the same stack, in its file, too.
  Machine copy = *Machines::presets().find("hailo-8");
  copy.id = "mine";
  CHECK(Stacks::presets()[Stacks::presets().usual(copy, StackUse::operations)].id == "none");
  copy.based_on = "hailo-8";
  const auto read = parse_machine(machine_json(copy, true));
  REQUIRE(read);
  CHECK(read->based_on == "hailo-8");
  CHECK(Stacks::presets()[Stacks::presets().usual(*read, StackUse::operations)].id == "npu-hailo-8");
  CHECK(usual("stm32n6").basis == "assumed");
  CHECK(usual("h100-sxm").id == "kernels");
}
