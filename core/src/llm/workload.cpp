// A request's operators as a workload: the same rows that LlmPlan evaluates, for the views, tables and exports of every workload.
#include <roofline/base/text.hpp>
#include <roofline/llm/inference.hpp>

#include "llm/pass.hpp"
#include "workload/sizes_index.hpp"

namespace roofline {
namespace {

class Builder {
 public:
  Builder(Workload& w, const LlmPlan& plan) : w_(w) { w_.channels = link_channels(plan.setup(), plan.scenario().machine); }

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
      // Only communication has anything to do with links.
      const LinkShares shares = link_shares(plan.setup(), r.op, plan.scenario().machine);
      for (std::size_t c = 0; c < w_.channels.size(); ++c) {
        const double bytes = r.link_bytes * (c == 0 ? shares.first : shares.scale_out);
        w_.channels[c].bytes.push_back(bytes > 0 ? bytes : unknown);
      }
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
  Builder(w, plan).add(plan, rows, step, prompt_tokens);
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
  Builder builder(w, inference.plan());
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
    if (!known(scenario.machine.link_rate()))
      say(Severity::warning, scenario.machine.name + " states no link: the time of all_reduce and all_to_all is not known and left out.");
    else if (request.setup.machines() > scenario.machine.linked() && !scenario.machine.scale_out.known())
      say(Severity::warning, scenario.machine.name + " does not state how more than " + number(scenario.machine.linked()) +
                                 " machines are linked (scale_out): all_reduce and all_to_all are timed over " +
                                 scenario.machine.links[0].name + " alone.");
  }
  return w;
}

}  // namespace roofline
