#include <algorithm>
#include <cmath>
#include <roofline/serving/engine.hpp>

#include "llm/pass.hpp"
#include "machine/all_reduce.hpp"
#include "serving/all_to_all.hpp"

namespace roofline {
namespace {

// Between stages of a pipeline, per hop; github.com/ai-dynamo/aiconfigurator, commit 095f58a, systems/*.yaml.
constexpr double hop_latency_s = 10e-6;

/// Number of pipeline hops that cross scale-up domains, if each domain holds as many whole stages as fit.
double hops_between_domains(double stages, double machines_of_stage, const Machine& machine) {
  const double in_domain = std::max(1.0, std::floor(machine.linked() / machines_of_stage));
  return std::ceil(stages / in_domain) - 1;
}

}  // namespace

ServingEngine::ServingEngine(const ServingRequest& request, const Scenario& scenario)
    : request_(request),
      scenario_(scenario),
      inference_(request.llm, scenario),
      terms_(scenario.terms_for(StackUse::language_model)),
      passes_(std::make_unique<LlmPasses>()) {
  find_largest_batch();
  if (largest_batch_ == 0) return;
  prefill_alone_ = time(1, false);
  prefill_interval_ = packed_prefill();
  decode_largest_ = decode(std::min(known_or(largest_batch_, most_sequences), most_sequences));
}

double ServingEngine::uneven_routing_s(const LlmPlan& plan, const LlmRows& rows, double tokens) const {
  const LlmSetup& s = plan.setup();
  const Model& m = s.model;
  if (m.experts == 0) return 0;
  // Of a layer of experts, what does not depend on how even its load is.
  const bool narrow = dequantises(terms_, scenario_.machine, s.formats.weights[WeightPart::experts], s.formats.activations);
  const double launches_s =
      terms_.moe_layer_s.value_or(0) + (narrow ? terms_.narrow_moe_layer_s.value_or(0) : 0) + layer_share(s) * terms_.layer_s.value_or(0);
  double more_s = 0;
  for (std::size_t i = 0; i < rows.size; ++i) {
    if (static_cast<LlmOp>(rows.op_class[i]) != LlmOp::experts) continue;
    const double even_s = std::max(0.0, rows.typical_s[i] - rows.count[i] * launches_s);
    const std::uint8_t by = rows.bound_by[i];
    if (by != no_resource && plan.resources()[by].kind == ResourceKind::memory) {
      const double read = uneven_distinct_experts(m.experts, m.top_k, tokens);
      const double uneven_s = even_s * read / distinct_experts(m.experts, m.top_k, tokens) * uneven_reads(s.ep, m.experts, read);
      more_s += std::max(uneven_s, std::min(even_s, rows.predicted_s[i])) - even_s;  // at least the bound, which assumes even routing
    } else {
      more_s += even_s * (uneven_experts(s.ep, tokens * m.top_k) - 1);
    }
  }
  return more_s;
}

double ServingEngine::exchange_s(const LlmPlan& plan, const LlmRows& rows, double tokens) const {
  const LlmSetup& s = plan.setup();
  if (s.ep <= 1) return 0;
  const Model& m = s.model;
  const double activation = Formats::catalogue()[s.formats.activations].bytes();
  constexpr double combined_bytes = 2;  // results come back in 16 bits
  const auto& links = scenario_.machine.links;
  const double link = links.empty() ? unknown : links[0].bandwidth.value * link_fraction(terms_, links[0].name);
  double more_s = 0;
  for (std::size_t i = 0; i < rows.size; ++i) {
    if (static_cast<LlmOp>(rows.op_class[i]) != LlmOp::all_to_all) continue;
    if (s.ep == s.tp) {
      // The attention is shared, too: every machine has every token, and the results are summed as in an all-reduce.
      const double summed = rows.count[i] * 2 * (s.ep - 1) / s.ep * tokens * m.hidden * terms_.sum_bytes.value_or(activation);
      const double more = std::max(0.0, summed - rows.link_bytes[i]);
      const LinkShares shares = link_shares(s.ep, scenario_.machine);
      const double between_s = shares.scale_out > 0 ? more * shares.scale_out / scenario_.machine.scale_out.value : 0;
      more_s += std::max(more * shares.first / link, between_s);
      continue;
    }
    const Exchange exchange = {s.ep, tokens / s.machines(), std::min(m.top_k, s.ep), m.hidden * activation, m.hidden * combined_bytes};
    double each_s = all_to_all_s(exchange, scenario_.machine);
    if (s.ep <= scenario_.machine.linked() && !links.empty())
      each_s = std::min(each_s, gather_and_sum_s(exchange, scenario_.machine, link_fraction(terms_, links[0].name),
                                                 all_reduce_latency_s(terms_, links[0].bandwidth.value)));
    more_s += rows.count[i] * each_s - rows.typical_s[i];
  }
  return more_s;
}

double ServingEngine::block_scales_s(const LlmPlan& plan, const LlmRows& rows) const {
  const LlmSetup& s = plan.setup();
  const Format& weights = Formats::catalogue()[s.formats.weights[s.model.largest_part()]];
  if (!request_.block_scales || weights.family != FormatFamily::floating || weights.bytes() != 1) return 0;
  double products_s = 0;
  for (std::size_t i = 0; i < rows.size; ++i) {
    const OpFamily family = info(static_cast<LlmOp>(rows.op_class[i])).family;
    if (family == OpFamily::projection || family == OpFamily::mlp || family == OpFamily::moe) products_s += rows.typical_s[i];
  }
  return products_s * (1 / terms_.block_scales.value_or(1) - 1);
}

StepTime ServingEngine::time(double sequences, bool decode) const {
  LlmRun run;
  run.phase = decode ? LlmPhase::decode : LlmPhase::prefill;
  run.batch = sequences;
  run.context = decode ? mean_context() : request_.mean_prompt();
  run.prompt = decode ? 0 : request_.new_tokens();
  inference_.evaluate(run, *passes_);
  StepTime out;
  // Layers in which a pass with prompts launches many kernels: of latent attention, and of experts.
  double launched_layers = request_.llm.setup.model.mla() ? request_.llm.setup.model.layers : 0;
  const auto add = [&](const LlmPlan& plan, const LlmRows& rows, double tokens) {
    out.bound_s += rows.total.predicted_s;
    out.typical_s +=
        rows.total.typical_s + block_scales_s(plan, rows) + uneven_routing_s(plan, rows, tokens) + exchange_s(plan, rows, tokens);
    for (std::size_t i = 0; i < out.bound_by_kind.size(); ++i) out.bound_by_kind[i] += rows.total.predicted_by_kind[i];
    for (std::size_t i = 0; i < rows.size; ++i)
      if (static_cast<LlmOp>(rows.op_class[i]) == LlmOp::experts) launched_layers += rows.count[i];
  };
  // A draft proposes one token of each sequence at a time; the model verifies all of them at once.
  const double guessed = request_.llm.speculation ? request_.llm.speculation->gamma : 0;
  const double tokens = sequences * (decode ? 1 + guessed : request_.new_tokens());
  add(inference_.plan(), decode ? passes_->decode : passes_->prefill, tokens);
  if (inference_.draft() != nullptr) add(*inference_.draft(), passes_->draft, decode ? sequences : tokens);
  if (!decode) {
    const double passes = std::ceil(request_.new_tokens() / request_.llm.chunk);
    out.typical_s += passes * launched_layers * terms_.prompt_layer_s.value_or(0);
  }
  if (const double pp = request_.layout.pp; pp > 1) {
    const FormatId activations = request_.llm.setup.formats.activations;
    const double bytes = tokens * request_.llm.setup.model.hidden * Formats::catalogue()[activations].bytes();
    const Machine& machine = scenario_.machine;
    const double stage = request_.llm.setup.machines(), far = hops_between_domains(pp, stage, machine);
    double hops_s = (pp - 1 - far) * (bytes / machine.link_rate());
    if (far > 0) hops_s += far * (bytes / (stage * machine.scale_out.value));  // each machine of a stage sends its part
    out.bound_s += hops_s;
    out.bound_by_kind[static_cast<std::size_t>(ResourceKind::link)] += hops_s;
    out.typical_s += hops_s + (pp - 1) * hop_latency_s;
  }
  return out;
}

StepTime ServingEngine::whole_batch(double batch) const {
  const double micro_batch = std::ceil(batch / request_.layout.pp);
  StepTime out = time(micro_batch, true);
  out.typical_s += terms_.sequence_s.value_or(0) * micro_batch / attention_replicas();
  if (request_.llm.speculation) {
    const double tokens = request_.llm.speculation->tokens_per_step();
    out.bound_s /= tokens;
    out.typical_s /= tokens;
    for (double& s : out.bound_by_kind) s /= tokens;
  }
  return out;
}

StepTime ServingEngine::decode(double batch) const {
  if (batch == last_batch_) return last_;
  const double low = std::max(1.0, std::floor(batch)), above = batch - low;
  StepTime out = whole_batch(low);
  if (above > 0) {
    const StepTime high = whole_batch(low + 1);
    const auto between = [above](double a, double b) { return a + above * (b - a); };
    out.bound_s = between(out.bound_s, high.bound_s);
    out.typical_s = between(out.typical_s, high.typical_s);
    for (std::size_t i = 0; i < out.bound_by_kind.size(); ++i) out.bound_by_kind[i] = between(out.bound_by_kind[i], high.bound_by_kind[i]);
  }
  last_batch_ = batch;
  return last_ = out;
}

StepTime ServingEngine::packed_prefill() const {
  // With data-parallel attention, each of its machines takes prompts of its own.
  const double packed = std::max(1.0, std::floor(request_.llm.chunk / request_.new_tokens())) * attention_replicas();
  StepTime out = time(packed, false);
  const double share = packed * request_.layout.pp;
  out.bound_s /= share;
  out.typical_s /= share;
  for (double& s : out.bound_by_kind) s /= share;
  return out;
}

MemoryFootprint ServingEngine::memory(double batch) const {
  MemoryFootprint out = one_sequence_;
  out.kv = std::ceil(batch / attention_replicas()) * sequence_bytes_;
  return out;
}

void ServingEngine::find_largest_batch() {
  const double replicas = attention_replicas(), pp = request_.layout.pp;
  const auto footprint = [&](double local, double context) {
    LlmRun run = request_.llm;
    run.phase = LlmPhase::decode;
    run.batch = local * replicas;
    run.prompt = request_.mean_prompt();
    run.generate = 0;
    run.context = context;
    MemoryFootprint out = inference_.memory_footprint(run);
    out.weights /= pp;
    out.kv /= pp;
    return out;
  };
  const double mean_bytes = footprint(1, mean_context()).kv;
  const double context = terms_.reserve_cache.value_or(0) > 0 ? request_.mean_prompt() + request_.mean_generate() : mean_context();
  one_sequence_ = footprint(1, context);
  sequence_bytes_ = one_sequence_.kv;
  const double room = inference_.usable_capacity();
  if (!(room > 0)) return;
  const auto sequences = [&](const MemoryFootprint& used) {
    return std::max(0.0, std::floor((room - used.weights - used.activations) / sequence_bytes_));
  };
  largest_batch_bound_ = std::floor((inference_.capacity() - one_sequence_.weights) / mean_bytes) * replicas;
  // The cache grows by the same bytes with every sequence of a machine; the activations hardly, so that a second look is enough.
  double local = sequences(one_sequence_);
  if (local > 1) local = sequences(footprint(local, context));
  largest_batch_ = local * replicas;
}

}  // namespace roofline
