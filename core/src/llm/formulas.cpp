#include "llm/formulas.hpp"

#include <memory>
#include <roofline/base/text.hpp>

#include "base/joined.hpp"
#include "llm/row_formulas.hpp"

namespace roofline {
namespace {

/// Symbols of an expression, as words.
bool mentions(std::string_view expression, std::string_view symbol) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = expression.find(symbol); at != std::string_view::npos; at = expression.find(symbol, at + 1)) {
    const std::size_t end = at + symbol.size();
    if ((at == 0 || !letter(expression[at - 1])) && (end == expression.size() || !letter(expression[end]))) return true;
  }
  return false;
}

/// The row and the passes it is the sum of: contexts from `first` to `last` of one plan, or of passes that differ (`mixed`).
struct RowPasses {
  LlmRow row;
  const LlmPlan* plan = nullptr;
  LlmPass pass;
  double first = 0, last = 0;
  bool mixed = false;
};

/// The context at which one pass moves and computes as much as the row does on average: all work is linear in the context.
double mean_context(const RowPasses& f) {
  LlmRows at;
  const double wanted = (f.row.bytes + f.row.flops) / f.row.count;
  double low = f.first, high = f.last;
  for (int i = 0; i < 60 && high > low; ++i) {
    LlmPass pass = f.pass;
    pass.context = (low + high) / 2;
    f.plan->evaluate(pass, at);
    double here = wanted;
    for (const LlmRow& r : at.rows())
      if (r.op == f.row.op && r.windowed == f.row.windowed) here = (r.bytes + r.flops) / r.count;
    (here < wanted ? low : high) = pass.context;
  }
  return (low + high) / 2;
}

DerivationText derivation_text(const RowPasses& f) {
  DerivationText out;
  const LlmOpInfo& op = info(f.row.op);
  const LlmRow& r = f.row;
  LlmPass pass = f.pass;
  if (f.last > f.first) pass.context = mean_context(f);
  const Trace trace = f.plan->trace(pass, r);
  const auto formula = [&](const char* quantity, std::string_view expression, double value) {
    if (value > 0 && !expression.empty())
      out.formulas.push_back({quantity, std::string(expression), f.mixed ? std::string() : with_numbers(expression, trace, value)});
  };
  formula("FLOPs", op.flops, r.flops / r.count);
  formula("elements", op.elements, (r.weight + r.activation + r.output + r.kv_read + r.kv_write) / r.count);
  std::string legend;
  for (const auto& [symbol, meaning] : llm_sizes)
    if (mentions(op.flops, symbol) || mentions(op.elements, symbol)) legend += joined({legend.empty() ? "" : ", ", symbol, " ", meaning});
  if (legend.empty()) return out;

  // Bytes from the elements, each role at its format's width.
  const Plan::ClassRates& k = f.plan->rates(r.op);
  Trace widths;
  std::string expression;
  double bytes = 0;
  const struct {
    const char *elements, *width;
    double count, size;
  } roles[] = {{"weights", "bw", r.weight, k.weight},
               {"activations", "ba", r.activation, k.activation},
               {"outputs", "bo", r.output, k.output},
               {"cache", "bc", r.kv_read + r.kv_write, k.kv}};
  for (const auto& role : roles) {
    if (!(role.count > 0)) continue;
    expression += joined({expression.empty() ? "" : " + ", role.elements, " * ", role.width});
    widths.add(role.elements, role.count / r.count);
    widths.add(role.width, role.size);
    bytes += role.count * role.size / r.count;
  }
  if (bytes > 0) out.formulas.push_back({"bytes", expression, with_numbers(expression, widths, bytes)});
  formula("link bytes", op.link_bytes, r.link_bytes / r.count);
  out.notes.push_back(joined({"Of one of ", number(r.count), ". ", legend, "."}));
  if (f.mixed)
    out.notes.emplace_back("A sum over the draft's prefill and its steps: the numbers differ from pass to pass.");
  else if (f.last > f.first)
    out.notes.push_back(joined({"The mean over the steps with this bound: as at a context of ", number(pass.context), "."}));
  return out;
}

}  // namespace

DerivationText llm_derivation(const LlmRequest& request, const Scenario& scenario, std::size_t op) {
  const LlmInference inference(request, scenario);
  const auto passes = std::make_unique<LlmPasses>();
  inference.evaluate(request, *passes);
  const double gamma = request.speculation ? request.speculation->gamma : 0;
  const bool generating = request.phase == LlmPhase::generate, decoding = request.phase == LlmPhase::decode;
  const double context = request.phase == LlmPhase::prefill ? request.context : request.prompt;
  const double first = request.prompt + 1, last = request.prompt + request.generate - 1;

  RowPasses f;
  f.plan = &inference.plan();
  if (op < passes->prefill.size) {
    f.row = passes->prefill[op];
    f.pass = {request.batch, request.prompt, context, false};
    return derivation_text(f);
  }
  op -= passes->prefill.size;
  if (op < passes->decode.size) {
    f.row = passes->decode[op];
    f.pass = {request.batch, gamma + 1, request.context + gamma, true};
    if (generating) f.first = first + gamma, f.last = last + gamma, f.pass.context = f.first;
    return derivation_text(f);
  }
  op -= passes->decode.size;
  if (op >= passes->draft.size) return {};
  f.plan = inference.draft();
  f.row = passes->draft[op];
  f.mixed = generating;
  f.pass = decoding ? LlmPass::decode_step(request.batch, request.context) : LlmPass::prefill(request.batch, request.prompt, context);
  return derivation_text(f);
}

}  // namespace roofline
