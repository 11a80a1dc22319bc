// A request's operators as a workload: the same rows that LlmPlan evaluates, for the views, tables and exports of every workload.
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/inference.hpp>

#include "llm/pass.hpp"
#include "workload/sizes_index.hpp"

namespace roofline {
namespace {

class Builder {
 public:
  Builder(Workload& w, const Machine& machine) : w_(w) {
    if (!machine.links.empty()) w_.channels.push_back({machine.links[0].name, true, {}});
  }

  void add(const LlmPlan& plan, const LlmRows& rows, const std::string& step, double prompt_tokens) {
    if (rows.size == 0) return;
    prompt_tokens_ = prompt_tokens;
    w_.steps.push_back(step);
    classes_.fill(none);
    for (const LlmRow& r : rows.rows()) {
      w_.op_class.push_back(op_class(plan, r));
      w_.name.push_back(name(r.op));
      w_.step.push_back(static_cast<std::uint32_t>(w_.steps.size() - 1));
      w_.count.push_back(r.count);
      w_.matrix_flops.push_back(r.matrix_flops);
      w_.vector_flops.push_back(r.vector_flops);
      w_.weight.push_back(r.weight);
      w_.activation.push_back(r.activation);
      w_.output.push_back(r.output);
      w_.kv_read.push_back(r.kv_read);
      w_.kv_write.push_back(r.kv_write);
      sizes_.append(w_, w_.op_class.size() - 1, r.sizes);
      // Only communication has anything to do with the link.
      if (!w_.channels.empty()) w_.channels[0].bytes.push_back(r.link_bytes > 0 ? r.link_bytes : unknown);
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t op_class(const LlmPlan& plan, const LlmRow& r) {
    std::uint32_t& known = classes_[static_cast<std::size_t>(r.op) * 2 + (r.windowed ? 1 : 0)];
    if (known != none) return known;
    OpClass k = roofline::op_class(plan.setup(), r.op);
    const Model& m = plan.setup().model;
    k.layer_share = layer_share(plan.setup());
    k.prompt_tokens = prompt_tokens_;
    if (r.windowed) k.category += (m.chunked ? ", chunks of " : ", window ") + number(m.window);
    for (known = 0; known < w_.classes.size(); ++known)
      if (w_.classes[known] == k) return known;
    w_.classes.push_back(std::move(k));
    return known;
  }

  TextRange name(LlmOp op) {
    const std::string_view id = info(op).id;
    const std::string_view text = w_.text;
    std::size_t at = text.find(std::string(id) + '\n');
    while (at != std::string::npos && at > 0 && text[at - 1] != '\n') at = text.find(std::string(id) + '\n', at + 1);
    if (at == std::string::npos) {
      at = w_.text.size();
      w_.text += std::string(id) + '\n';
    }
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(id.size())};
  }

  Workload& w_;
  SizesIndex sizes_;
  double prompt_tokens_ = 0;
  std::array<std::uint32_t, llm_op_count * 2> classes_;
};

}  // namespace

Workload pass_workload(const LlmPlan& plan, const LlmRows& rows, const std::string& step, double prompt_tokens) {
  Workload w;
  Builder(w, plan.scenario().machine).add(plan, rows, step, prompt_tokens);
  return w;
}

std::vector<std::string> assumptions(const Model& model) {
  std::vector<std::string> out = model.notes;
  if (model.experts > 0)
    out.emplace_back("Experts: tokens are taken to choose each expert equally often; the expected number of distinct experts is read.");
  return out;
}

Workload llm_workload(const LlmRequest& request, const Scenario& scenario) {
  const LlmInference inference(request, scenario);
  const auto passes = std::make_unique<LlmPasses>();
  inference.evaluate(request, *passes);

  Workload w;
  Builder builder(w, scenario.machine);
  builder.add(inference.plan(), passes->prefill, "prefill",
              prompt_tokens(request.setup, {request.batch, request.prompt, request.prompt, false}));
  builder.add(inference.plan(), passes->decode, request.speculation ? "verify" : "decode", 0);
  if (inference.draft()) builder.add(*inference.draft(), passes->draft, "draft", 0);
  w.source = request.setup.model.id;
  w.source_format = SourceFormat::model;
  w.fill_bytes();

  const auto say = [&](Severity severity, std::string message) {
    w.diagnostics.push_back({severity, std::move(message), {}, 0, 0, "model"});
  };
  for (const std::string& note : assumptions(request.setup.model)) say(Severity::info, note);
  if (request.setup.machines() > 1) {
    say(Severity::info, "Work and times are of one machine of " + number(request.setup.machines()) + ".");
    if (scenario.machine.links.empty() || !scenario.machine.links[0].bandwidth.known())
      say(Severity::warning, scenario.machine.name + " states no link: the time of all_reduce and all_to_all is not known and left out.");
  }
  return w;
}

Trace llm_trace(const LlmPlan& plan, const LlmPass& pass, const LlmRow& r) {
  const LlmSetup& s = plan.setup();
  const Model& m = s.model;
  const double n = s.machines(), replicas = n / s.tp;
  const double B = replicas > 1 ? std::ceil(pass.batch / replicas) : pass.batch, S = pass.query, T = B * S;
  const double h = std::ceil(m.heads / s.tp), g = std::ceil(m.kv_heads / s.tp);
  const bool absorbed = m.mla() && (s.mla == MlaForm::absorbed || (s.mla == MlaForm::automatic && pass.decode));
  const bool at_attention = r.op == LlmOp::qk || r.op == LlmOp::pv || r.op == LlmOp::softmax || r.op == LlmOp::attention;
  const double d = absorbed ? m.kv_rank + m.rope_dim : m.query_dim(), dv = absorbed ? m.kv_rank : m.output_dim();
  Trace t;
  const auto has = [&](std::string_view symbol, double value) { t.add(symbol, value); };
  has("T", T);
  has("B", B);
  has("S", S);
  has("H", m.hidden);
  has("V", m.vocab / s.tp);
  has("To", pass.decode || !s.last_token ? T : B);
  has("Pe", m.positions > 0 ? 1 : 0);
  has("Nf", m.layer_norm ? 7 : 4);
  has("Nw", m.layer_norm ? 2 : 1);
  has("h", h);
  has("Q", h * m.query_dim());
  has("K", g * m.head_dim);
  has("O", h * m.output_dim());
  has("bq", m.qkv_bias ? 1 : 0);
  has("bo", m.o_bias ? 1 : 0);
  has("bm", m.mlp_bias ? 1 : 0);
  has("bh", m.head_bias ? 1 : 0);
  has("br", m.expert_bias || m.router_correction ? 1 : 0);
  has("be", expert_bias_elements(s));
  has("gs", m.shared_gate ? 1 : 0);
  has("Rq", m.q_rank);
  has("R", m.kv_rank);
  has("dn", m.nope_dim);
  has("G", m.gated ? 2 : 1);
  has("Af", m.gated ? 5 : 4);
  has("I", m.intermediate / s.tp);
  has("Is", m.shared_intermediate / s.tp);
  has("E", m.experts);
  has("k", m.top_k);
  has("Ie", m.expert_intermediate / (n / s.ep));
  has("Ts", pass.batch * S * m.top_k / s.ep);
  has("Tm", pass.batch * S / n);
  if (m.experts > 0) has("Ea", distinct_experts(m.experts, m.top_k, pass.batch * S) / s.ep);
  has("Kv", m.mla() ? m.kv_rank + m.rope_dim : 2 * g * m.head_dim);
  // Rotary embedding, with the norms that models do beside it.
  has("Hr", m.mla() ? h + 1 : h + g);
  const double normed = m.mla() ? m.q_rank + m.kv_rank : m.qk_norm ? (h + g) * m.head_dim : 0;
  has("Qf", normed > 0 ? 4 : 0);
  has("Qn", normed);
  has("Qw", m.mla() ? m.q_rank + m.kv_rank : m.qk_norm ? 2 * m.head_dim : 0);
  has("Rm", m.mla() ? (h + 1) * m.rope_dim + normed : m.qk_norm ? normed : (h + g) * m.rotary_dim);
  if (at_attention) {
    has("P", r.vector_flops > 0 ? r.vector_flops / r.count / (5 * B * h)
                                : r.matrix_flops / r.count / (2 * B * h * (r.op == LlmOp::pv ? dv : d)));
    has("d", d);
    has("dv", dv);
    const double heads = !m.mla() ? g : absorbed ? 1 : h, both = absorbed ? d : d + dv;
    const double width = r.op == LlmOp::qk ? d : r.op == LlmOp::pv ? dv : both;
    const double own =
        r.op == LlmOp::pv ? B * h * (r.matrix_flops / r.count / (2 * B * h * dv)) : T * h * d;  // activations that are not keys
    has("Kr", (r.kv_read > 0 ? r.kv_read / r.count : r.activation / r.count - own) / (B * heads * width));
    has("g", heads);
    has("dkv", both);
  } else {
    has("dr", m.mla() ? m.rope_dim : m.rotary_dim);
    has("dv", m.value_dim);
    has("X", absorbed ? T : B * pass.context);
    has("Xi", absorbed ? T * h * (m.nope_dim + m.kv_rank) : B * pass.context * m.kv_rank);
    has("Xo", absorbed ? T * h * (m.kv_rank + m.value_dim) : B * pass.context * h * (m.nope_dim + m.value_dim));
  }
  return t;
}

}  // namespace roofline
