// A model's operators beside the kernels of a step: which is which by order and name, each kernel once, and work counted here by hand.
#include <roofline/llm/kernels_of_step.hpp>
#include <roofline/read/read.hpp>

#include "llm/kernels/kernel_places.hpp"
#include "step_trace.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

LlmSetup small_model(int layers = 2) {
  const Result<Model> model = parse_model(small_config(layers));
  REQUIRE(model);
  LlmSetup setup;
  setup.model = *model;
  setup.formats = {format("fp16"), format("fp16"), format("fp16")};
  return setup;
}

Result<Workload> placed(const std::string& text, const LlmSetup& setup, double context = unknown) {
  const Result<Workload> launches = read(text, launch_by_launch());
  REQUIRE(launches);
  return place_kernels(*launches, {setup, context}, on(round_machine()));
}

std::size_t row(const Workload& w, std::string_view name) {
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == name) return i;
  FAIL("no row " << name);
  return 0;
}

std::vector<KernelPlace> places(const std::vector<std::pair<const char*, double>>& kernels, const Model& model) {
  std::vector<StepKernel> step;
  for (const auto& [name, us] : kernels) step.push_back({name, us * 1e-6});
  const Result<std::vector<KernelPlace>> found = places_of(step, model);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("kernels of a step: each beside the operator that it runs", "[step]") {
  const Result<Workload> w = placed(step_trace(decode), small_model());
  REQUIRE(w);
  CHECK(w->steps == std::vector<std::string>{decode});

  struct Expected {
    const char* name;
    double us, kernels;
  };
  const Expected expected[] = {{"embed", 1, 1},
                               {"input_norm + residual + post_norm + final_norm", 2 + 9 + 13 + 19 + 23, 5},
                               {"q_proj + k_proj + v_proj", 3 + 14, 2},
                               {"rope", 4 + 15, 2},
                               {"kv_write", 5 + 16, 2},
                               {"attention", 6 + 17, 2},
                               {"o_proj", 7 + 8 + 18, 3},  // the first in two kernels
                               {"gate_proj + up_proj", 10 + 20, 2},
                               {"act_mul", 11 + 21, 2},
                               {"down_proj", 12 + 22, 2},
                               {"lm_head", 24, 1},
                               {"argmax", 25, 1}};
  REQUIRE(w->size() == std::size(expected));
  for (const Expected& e : expected) {
    INFO(e.name);
    const std::size_t i = row(*w, e.name);
    CHECK_THAT(w->time_s[i] * 1e6, WithinRel(e.us, 1e-9));
    CHECK(w->count_of(i) == e.kernels);
    CHECK(w->class_of(i).time_only == (std::string_view(e.name) == "argmax"));
  }
  const std::size_t qkv = row(*w, "q_proj + k_proj + v_proj"), attention = row(*w, "attention");
  CHECK(w->matrix_flops[qkv] == 2 * (2.0 * 2 * 64 * (64 + 32 + 32)));
  CHECK(w->weight[qkv] == 2 * 64.0 * (64 + 32 + 32));
  CHECK(w->matrix_flops[attention] == 2 * (2.0 * 4 * 24 * (16 + 16)));
  CHECK(w->vector_flops[attention] == 2 * (5.0 * 4 * 24));
  CHECK(w->kv_read[attention] == 2 * (24.0 * 2 * 16 * 2));
  CHECK(w->matrix_flops[row(*w, "lm_head")] == 2.0 * 2 * 64 * 1000);

  bool said = false;
  for (const Diagnostic& d : w->diagnostics)
    said =
        said || d.message == "matched 24 of 25 kernels and copies (92% of the GPU's time, 325 µs) to operators of llama, by order and name";
  for (const Diagnostic& d : w->diagnostics) UNSCOPED_INFO(d.message);
  CHECK(said);
}

TEST_CASE("kernels of a step: a prefill has the pairs that its annotation states", "[step]") {
  // 3 new tokens after 2, and 4 from the start: 3 + 4 + 5 and 1 + 2 + 3 + 4 pairs.
  const Result<Workload> w = placed(step_trace("execute_7_context_2(sq7sk9sqsq25sqsk31)_generation_0(sq0sk0sqsq0sqsk0)"), small_model());
  REQUIRE(w);
  CHECK_THAT(w->matrix_flops[row(*w, "attention")], WithinRel(2 * (2.0 * 4 * (3 + 4 + 5 + 1 + 2 + 3 + 4) * (16 + 16)), 1e-12));
  CHECK_THAT(w->matrix_flops[row(*w, "o_proj")], WithinRel(2 * (2.0 * 7 * 64 * 64), 1e-12));
  CHECK_THAT(w->matrix_flops[row(*w, "lm_head")], WithinRel(2.0 * 2 * 64 * 1000, 1e-12));  // the last token of each sequence
}

TEST_CASE("kernels of a step: a context that the step does not state is given", "[step]") {
  const Result<Workload> w = placed(step_trace("step[DECODE bs=2]"), small_model(), 12),
                         stated = placed(step_trace(decode), small_model(), 99);
  REQUIRE(w);
  REQUIRE(stated);
  const std::size_t attention = row(*w, "attention");
  CHECK(w->matrix_flops[attention] == stated->matrix_flops[attention]);
  CHECK(w->kv_read[attention] == stated->kv_read[attention]);
  CHECK_FALSE(placed(step_trace("step[EXTEND bs=2]"), small_model(), 12));  // how many tokens are new is not known
}

TEST_CASE("kernels of a step: what does not fit is refused", "[step]") {
  const auto fault = [](const std::string& text, const LlmSetup& setup) {
    const Result<Workload> w = placed(text, setup);
    REQUIRE_FALSE(w);
    return w.error().message;
  };
  CHECK(fault(step_trace(decode), small_model(3)).find("the step has 2 attentions one after the other, and ") == 0);
  CHECK(fault(step_trace(decode, 10000), small_model()).find("2.9% of the GPU's time could be matched") == 0);
  CHECK(fault(step_trace("step[DECODE bs=2]"), small_model()).find("does not state its context") != std::string::npos);
  CHECK(fault(step_trace("ProfilerStep#1"), small_model()).find("no step of the trace says what was run") == 0);
}

TEST_CASE("kernels of a step: a mixture of experts", "[step]") {
  Model model = small_model().model;
  const std::vector<std::pair<const char*, double>> step = {
      {"gemm", 1},      {"attention", 1}, {"gemm", 1},      {"rmsnorm", 1},   {"gemm", 1}, {"topk", 1},    {"fused_moe", 1},
      {"fused_moe", 1}, {"rmsnorm", 1},   {"gemm", 1},      {"attention", 1}, {"gemm", 1}, {"rmsnorm", 1}, {"gemm", 1},
      {"topk", 1},      {"fused_moe", 1}, {"fused_moe", 1}, {"rmsnorm", 1},   {"gemm", 1}};
  using enum KernelPlace;
  CHECK(places(step, model) == std::vector<KernelPlace>{qkv, attention, output, norms, router, none, experts, experts, norms,  //
                                                        qkv, attention, output, norms, router, none, experts, experts, norms, head});
}

TEST_CASE("kernels of a step: layers with a window by their number, else by their time", "[step]") {
  Model model = small_model(4).model;
  std::vector<std::pair<const char*, double>> step;
  const auto layers = [&](std::initializer_list<std::pair<const char*, double>> attentions) {
    step.clear();
    for (const auto& attention : attentions)
      step.insert(step.end(), {{"gemm", 1}, attention, {"gemm", 1}, {"rmsnorm", 1}, {"gemm", 1}, {"gemm", 1}});
    const std::vector<KernelPlace> all = places(step, model);
    std::vector<KernelPlace> found;
    for (std::size_t i = 1; i < all.size(); i += 6) found.push_back(all[i]);
    return found;
  };
  using enum KernelPlace;
  model.windowed_layers = 3;
  CHECK(layers({{"attn_a", 9}, {"attn_b", 1}, {"attn_a", 9}, {"attn_a", 9}}) ==
        std::vector{windowed_attention, attention, windowed_attention, windowed_attention});
  model.windowed_layers = 2;
  CHECK(layers({{"attn_a", 1}, {"attn_b", 3}, {"attn_a", 1}, {"attn_b", 3}}) ==
        std::vector{windowed_attention, attention, windowed_attention, attention});
  // Neither one name nor other numbers tell.
  CHECK(layers({{"attn", 1}, {"attn", 3}, {"attn", 1}, {"attn", 3}}) == std::vector{attention, attention, attention, attention});
  CHECK(layers({{"attn_a", 1}, {"attn_b", 3}, {"attn_b", 1}, {"attn_b", 3}}) == std::vector{attention, attention, attention, attention});
}

TEST_CASE("kernels of a step: names of several libraries", "[step]") {
  const std::pair<const char*, KernelClass> names[] = {
      {"void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, (vllm::Fp8KVCacheDataType)0>()", KernelClass::cache},
      {"void paged_attention_ll4mi_QKV_mfma16_kernel<0, (vllm::Fp8KVCacheDataType)0>()", KernelClass::attention},
      {"void flashinfer::BatchDecodeWithPagedKVCacheKernel<8>()", KernelClass::attention},
      {"create_flashinfer_kv_indices_triton", KernelClass::other},
      {"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT64x32x256", KernelClass::product},
      {"nvjet_tst_128x64_64x8_1x2_h_bz_TNT", KernelClass::product},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n", KernelClass::product},
      {"_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu", KernelClass::experts},
      {"fused_moe_kernel", KernelClass::experts},
      {"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256E", KernelClass::norm},
      {"void vllm::rotary_embedding_kernel<c10::BFloat16, true>()", KernelClass::rope},
      {"void vllm::act_and_mul_kernel<c10::BFloat16>()", KernelClass::activation},
      {"void vllm::cross_device_reduce_1stage<c10::BFloat16, 8>()", KernelClass::sum},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL()", KernelClass::sum},
      {"ncclDevKernel_AllGather_RING_LL()", KernelClass::other},
      {"void at::native::vectorized_gather_kernel<16, long>()", KernelClass::embedding},
      {"Memcpy DtoD (Device -> Device)", KernelClass::other},
  };
  for (const auto& [name, expected] : names) {
    INFO(name);
    CHECK(kernel_class(name) == expected);
  }
}
