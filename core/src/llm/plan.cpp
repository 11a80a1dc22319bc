// A model on a machine: what bounds the operators of a pass, how long they take, and the memory they need.
#include <algorithm>
#include <cmath>
#include <roofline/llm/llm.hpp>

#include "analysis/slice.hpp"
#include "llm/pass.hpp"

namespace roofline {
namespace {

Workload classes_of(const LlmSetup& setup, const Machine& machine) {
  Workload w;
  const double share = layer_share(setup);
  for (std::size_t op = 0; op < llm_op_count; ++op) {
    w.classes.push_back(op_class(setup, static_cast<LlmOp>(op)));
    w.classes.back().layer_share = share;
  }
  w.channels = link_channels(setup, machine);
  return w;
}

constexpr auto not_known = [] {
  LlmRows::Column<double> column{};
  for (double& v : column) v = unknown;
  return column;
}();

}  // namespace

LlmPlan::LlmPlan(const LlmSetup& setup, const Scenario& scenario)
    : setup_(setup),
      scenario_(scenario),
      without_whatif_(scenario.without_whatif()),
      classes_(classes_of(setup, scenario.machine)),
      plan_(classes_, without_whatif_) {
  const Machine& machine = scenario.machine;
  // FlashAttention: tiles of Q, O, K and V share the on-chip memory. The innermost memory whose capacity is known, else the usual kernel's.
  const Model& m = setup.model;
  for (std::size_t i = machine.memories.size(); i-- > 1;) {
    const double capacity = machine.memories[i].capacity.value;
    if (!(capacity > 0)) continue;
    const double row = 2 * (m.query_dim() + m.output_dim()) * rates(LlmOp::attention).activation;
    tile_rows_ = std::max(1.0, std::floor(capacity / row));
    break;
  }
}

void LlmPlan::evaluate(const LlmPass& pass, LlmRows& out) const {
  lay_out(setup_, pass, tile_rows_, out);
  LlmRows::Column<double> first, scale_out;
  const double* channels[] = {out.link_bytes.data(), scale_out.data()};
  if (classes_.channels.size() > 1) {
    for (std::size_t i = 0; i < out.size; ++i) {
      const LinkShares shares = link_shares(setup_, static_cast<LlmOp>(out.op_class[i]), scenario_.machine);
      first[i] = out.link_bytes[i] * shares.first;
      scale_out[i] = out.link_bytes[i] * shares.scale_out;
    }
    channels[0] = first.data();
  }
  Plan::Slice slice;
  slice.count = out.size;
  slice.op_class = out.op_class.data();
  slice.matrix_flops = out.matrix_flops.data();
  slice.vector_flops = out.vector_flops.data();
  slice.weight = out.weight.data();
  slice.activation = out.activation.data();
  slice.output = out.output.data();
  slice.kv_read = out.kv_read.data();
  slice.kv_write = out.kv_write.data();
  slice.occurrences = out.count.data();
  slice.given = not_known.data();
  slice.channels = channels;
  slice.prompt_tokens = prompt_tokens(setup_, pass);
  Plan::Block block;
  plan_.evaluate(slice, block);
  plan_.typical(slice, block, out.typical_s.data(), out.typical_piece.data());

  LlmTotals t;
  for (std::size_t i = 0; i < out.size; ++i) {
    const Plan::ClassRates& k = plan_.rates(out.op_class[i]);
    const double flops = block.flops[i], bytes = block.bytes[i], predicted_s = block.predicted_s[i];
    const auto bound_by = static_cast<std::uint8_t>(block.bound[i]);
    if (k.lack(out.matrix_flops[i], out.vector_flops[i])) t.lacks_rate = true, out.typical_s[i] = unknown;
    t.flops += flops;
    t.matrix_flops += out.matrix_flops[i];
    t.bytes += bytes;
    t.weight_bytes += out.weight[i] * k.weight;
    t.kv_bytes += (out.kv_read[i] + out.kv_write[i]) * k.kv;
    t.link_bytes += out.link_bytes[i];
    t.predicted_s += predicted_s;
    t.typical_s += out.typical_s[i];
    t.launches += out.count[i];
    constexpr std::size_t kinds = std::tuple_size_v<decltype(t.predicted_by_kind)>;
    const std::size_t bound = bound_by == no_resource ? kinds : static_cast<std::size_t>(resources()[bound_by].kind);
    for (std::size_t kind = 0; kind < kinds; ++kind) t.predicted_by_kind[kind] += bound == kind ? predicted_s : 0;
    out.flops[i] = flops;
    out.bytes[i] = bytes;
    out.predicted_s[i] = predicted_s;
    out.bound_by[i] = bound_by;
  }
  out.total = t;
}

Trace LlmPlan::trace(const LlmPass& pass, const LlmRow& row) const {
  LlmRows rows;
  SizesOfRow traced = {row.op, row.windowed};
  lay_out(setup_, pass, tile_rows_, rows, &traced);
  Trace out;
  for (std::size_t i = 0; i < LlmSizes::names.size(); ++i) out.add(LlmSizes::names[i], traced.sizes.values()[i]);
  return out;
}

// --- memory ----------------------------------------------------------------------------------------------------------------------------

namespace {

/// Elements of a part, over all layers, that every machine keeps whole: projections into MLA's latents, biases added after a sum over the
/// machines, and the one-column gate of shared experts.
double whole_weights(const Model& m, WeightPart part) {
  switch (part) {
    case WeightPart::q:
      return m.mla() ? m.attention_layers() * m.hidden * m.q_rank : 0;
    case WeightPart::o:
      return m.o_bias ? m.attention_layers() * m.hidden : 0;
    case WeightPart::down:
      return m.mlp_bias ? m.dense_layers() * m.hidden : 0;
    case WeightPart::shared_experts:
      return m.shared_gate ? m.moe_layers * m.hidden : 0;
    default:
      return 0;
  }
}

/// Of the other weights of a part, the fraction that one machine keeps.
double share_of_machine(const LlmSetup& setup, WeightPart part) {
  const Model& m = setup.model;
  switch (part) {
    case WeightPart::norms:
    case WeightPart::indexer:
    case WeightPart::router:
      return 1;
    case WeightPart::experts:
      return 1 / setup.machines();
    case WeightPart::q:
    case WeightPart::kv_b:
    case WeightPart::o:
      return setup.share_of(m.heads);
    case WeightPart::k:
    case WeightPart::v:
      return m.mla() ? 1 : setup.share_of(m.kv_heads);  // a latent belongs to all heads
    case WeightPart::linear:
      return m.recurrent.shared_by(setup.tp).projections(m.hidden) / m.recurrent.projections(m.hidden);
    default:
      return 1 / setup.tp;
  }
}

/// Bytes of a model's file that no operator reads, whatever the format of the others.
double unread_bytes(const Model& m) { return m.stored ? m.stored->other_bytes + m.stored->mtp_bytes : 0; }

}  // namespace

double LlmPlan::weight_bytes() const {
  const WeightFormats& weights = setup_.formats.weights;
  const Parameters p = parameters(setup_.model);
  double bytes = p.expert_biases * weights.bytes(WeightPart::norms);
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (p.by_part[i] > 0) bytes += p.by_part[i] * weights.bytes(static_cast<WeightPart>(i));
  return bytes + unread_bytes(setup_.model);
}

double LlmPlan::weight_bytes_per_machine(bool with_vocabulary) const {
  const WeightFormats& weights = setup_.formats.weights;
  const Parameters p = parameters(setup_.model);
  double bytes = p.expert_biases * weights.bytes(WeightPart::norms) * share_of_machine(setup_, WeightPart::experts);
  for (std::size_t i = 0; i < weight_parts; ++i) {
    const auto part = static_cast<WeightPart>(i);
    if (!(p.by_part[i] > 0) || (!with_vocabulary && (part == WeightPart::embedding || part == WeightPart::head))) continue;
    const double whole = std::min(whole_weights(setup_.model, part), p.by_part[i]);
    bytes += (whole + (p.by_part[i] - whole) * share_of_machine(setup_, part)) * weights.bytes(part);
  }
  return bytes + unread_bytes(setup_.model) / setup_.tp;
}

double LlmPlan::index_bytes_per_token() const {
  const Model& m = setup_.model;
  return m.index_layers > 0 ? m.index_layers * m.index_elements() * rates(LlmOp::index_proj).kv : 0;
}

double LlmPlan::kv_bytes_per_token() const { return setup_.model.cache_elements() * rates(LlmOp::kv_write).kv + index_bytes_per_token(); }

double LlmPlan::kv_bytes(double batch, double context) const {
  const Model& m = setup_.model;
  const double seen = m.window > 0 ? std::min(context, m.window) : context;
  const double elements = m.full_caches() * context * m.kv_elements() + m.windowed_caches() * seen * m.kv_elements(true);
  return batch * elements * rates(LlmOp::kv_write).kv + batch * context * index_bytes_per_token();
}

double LlmPlan::state_bytes(double batch) const {
  const Model& m = setup_.model;
  return batch * m.recurrent.layers * m.recurrent.state_elements() * rates(LlmOp::short_conv).kv;
}

double LlmPlan::kv_bytes_per_machine(double batch, double context) const {
  const Model& m = setup_.model;
  const double sequences = setup_.sequences_of_replica(batch), state = state_bytes(sequences);
  return kv_bytes(sequences, context) * share_of_machine(setup_, WeightPart::k) +
         (state > 0 ? state * m.recurrent.shared_by(setup_.tp).state_elements() / m.recurrent.state_elements() : 0);
}

double LlmPlan::kv_copy_bytes(double batch, double context) const {
  const Model& m = setup_.model;
  if (!Formats::catalogue()[setup_.formats.kv].weights_only) return 0;
  const bool windowed = m.full_layers() == 0;
  const double tokens = windowed ? std::min(context, m.window) : context;
  constexpr double fp16_bytes = 2;
  return setup_.sequences_of_replica(batch) * tokens * m.kv_elements(windowed) * share_of_machine(setup_, WeightPart::k) * fp16_bytes;
}

double LlmPlan::activation_bytes(const LlmPass& pass) const {
  LlmRows at;
  lay_out(setup_, pass, tile_rows_, at);
  double most = 0;
  for (std::size_t i = 0; i < at.size; ++i) {
    const Plan::ClassRates& k = plan_.rates(at.op_class[i]);
    most = std::max(most, (at.activation[i] * k.activation + at.output[i] * k.output) / at.count[i]);
  }
  return most + setup_.sequences_of_replica(pass.batch) * pass.query * setup_.model.hidden * rates(LlmOp::residual).activation;
}

}  // namespace roofline
