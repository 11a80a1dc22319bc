// A plan as neutral JSON, and as a table.
#include <cmath>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

#include "accuracy/plan/tensor_groups.hpp"
#include "analysis/wording.hpp"
#include "base/entries.hpp"
#include "base/schemas.hpp"

namespace roofline {
namespace {

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
const char* unit_of(BudgetKind kind) {
  if (kind == BudgetKind::tpot || kind == BudgetKind::time) return "s";
  return kind == BudgetKind::kld ? "nats" : kind == BudgetKind::sqnr ? "dB" : "B";
}
bool of_network(const FormatPlan& p) { return known(p.sqnr_db); }

constexpr Entry<PlannedTensor> tensor_members[] = {
    {"name", schema::text, "of the tensor; of a network, the node", [](const PlannedTensor& t) { return Json(t.name); }},
    {"module", schema::name, "in the framework; * is any name", [](const PlannedTensor& t) { return or_null(t.module); }},
    {"weight", schema::name, "of a network: the tensor with the weights", [](const PlannedTensor& t) { return or_null(t.weight); }},
    {"type", schema::name, "of a network: the operator", [](const PlannedTensor& t) { return or_null(t.type); }},
    {"elements", schema::number, "of the weights", [](const PlannedTensor& t) { return Json(t.elements); }},
    {"format", schema::name, "null: unchanged",
     [](const PlannedTensor& t) { return t.chosen.format == no_format ? Json() : Json(Formats::catalogue()[t.chosen.format].id); }},
    {"bytes", schema::number, "as stored", [](const PlannedTensor& t) { return Json(t.chosen.bytes); }},
    {"operands", R"("enum":["weights","weights_activations","all"])", "of a network: that take the format",
     [](const PlannedTensor& t) { return Json(to_string(*t.operands)); }, [](const PlannedTensor& t) { return t.operands.has_value(); }},
    {"time_s", schema::number, "share of the time; of a model, what it adds to the fastest plan",
     [](const PlannedTensor& t) { return Json(t.chosen.time_s); }},
    {"noise", schema::number, "share of the KLD; of a network, of the mean noise to signal",
     [](const PlannedTensor& t) { return Json(t.chosen.noise); }},
    {"sqnr_db", schema::number, "of the weights in this format; null: not known or exact",
     [](const PlannedTensor& t) { return Json(t.sqnr_db); }},
    {"own_error", schema::flag, "by the weights themselves; else what is usual in this format",
     [](const PlannedTensor& t) { return Json(t.own_error); }},
    {"shared", schema::text, "of a network: the layer that has the same weights; their bytes and noise count there",
     [](const PlannedTensor& t) { return Json(t.shared); }, [](const PlannedTensor& t) { return !t.shared.empty(); }},
    {"unnamed_output", schema::text, "of a network: the node's first output, if its file gives it no name",
     [](const PlannedTensor& t) { return Json(t.unnamed_output); }, [](const PlannedTensor& t) { return !t.unnamed_output.empty(); }}};

constexpr Entry<SweepPoint> point_members[] = {
    {"cost", schema::number, "bytes; of a time budget, s", [](const SweepPoint& p) { return Json(p.cost); }},
    {"noise", schema::number, "KLD; of a network, mean noise to signal", [](const SweepPoint& p) { return Json(p.noise); }}};

constexpr Entry<BestMixture> mixture_members[] = {
    {"name", schema::text, "as llama-quantize calls it", [](const BestMixture& m) { return Json(m.name); }},
    {"weights_bytes", schema::number, "of all tensors", [](const BestMixture& m) { return Json(m.bytes); }},
    {"time_s", schema::number, "per token of one sequence, estimate", [](const BestMixture& m) { return Json(m.time_s); }},
    {"kld", schema::number, "nats per token", [](const BestMixture& m) { return Json(m.kld); }}};

constexpr Entry<FormatPlan> members[] = {
    {"schema", R"("const":"roofline-format-plan/1")", "", [](const FormatPlan&) { return Json("roofline-format-plan/1"); }},
    {"subject", schema::text, "the model or network", [](const FormatPlan& p) { return Json(p.subject); }},
    {"machine", schema::text, "its id", [](const FormatPlan& p) { return Json(p.machine); }},
    {"budget", schema::text, "bytes, memory, tpot, time, kld or sqnr",
     [](const FormatPlan& p) { return Json(names_of<BudgetKind>[static_cast<std::size_t>(p.budget.kind)]); }},
    {"budget_value", schema::number, "in budget_unit", [](const FormatPlan& p) { return Json(p.budget.value); }},
    {"budget_unit", schema::text, "B, s, nats (per token) or dB", [](const FormatPlan& p) { return Json(unit_of(p.budget.kind)); }},
    {"reached", schema::number, "by this plan, in the same unit", [](const FormatPlan& p) { return Json(p.reached); }},
    {"admissible", schema::flag, "the budget is kept; else this is the nearest plan",
     [](const FormatPlan& p) { return Json(p.admissible); }},
    {"finding", schema::text, "what the plan has, or by how much it misses", [](const FormatPlan& p) { return Json(p.finding); }},
    {"credit", schema::text, "whose measurements the quality follows", [](const FormatPlan& p) { return Json(p.credit); },
     [](const FormatPlan& p) { return !p.credit.empty(); }},
    {"weights_bytes", schema::number, "of all weights", [](const FormatPlan& p) { return Json(p.bytes); }},
    {"time_s", schema::number, "per token of one sequence, estimate; of a network, a run where the time above the bound stays",
     [](const FormatPlan& p) { return Json(p.time_s); }},
    {"least_s", schema::number, "of a network: a run at today's efficiency", [](const FormatPlan& p) { return Json(p.least_s); },
     of_network},
    {"today_s", schema::number, "of a network: a run in the formats of the file", [](const FormatPlan& p) { return Json(p.today_s); },
     of_network},
    {"kld", schema::number, "KL divergence from the 16-bit model, nats per token", [](const FormatPlan& p) { return Json(p.kld); }},
    {"kld_low", schema::number, "lower end of the range that holds 80% of models", [](const FormatPlan& p) { return Json(p.kld_low); }},
    {"kld_high", schema::number, "upper end of the same range", [](const FormatPlan& p) { return Json(p.kld_high); }},
    {"sqnr_db", schema::number, "of a network: of the mean noise of its layers", [](const FormatPlan& p) { return Json(p.sqnr_db); }},
    {"best_mixture", object_of<mixture_members>, "of a language model for GGUF: that with the least KLD of those as small, or as fast",
     [](const FormatPlan& p) { return json_of(mixture_members, p.best_mixture); },
     [](const FormatPlan& p) { return !p.best_mixture.name.empty(); }},
    {"tensors", objects_of<tensor_members>, "in the model's order",
     [](const FormatPlan& p) { return json_list(tensor_members, p.tensors); }},
    {"front", objects_of<point_members>, "the least noise at each cost",
     [](const FormatPlan& p) { return json_list(point_members, p.front); }}};

}  // namespace

std::string plan_json(const FormatPlan& plan) { return dump(json_of(members, plan)); }

ObjectSchema format_plan_schema() { return ObjectSchema().with(members); }

std::string plan_table(const FormatPlan& plan) {
  std::vector<std::vector<std::string>> rows;
  const auto name_of = [](FormatId format) { return format == no_format ? std::string("unchanged") : Formats::catalogue()[format].name; };
  if (of_network(plan)) {
    rows.push_back({"layer", "operator", "format", "weights", "SQNR"});
    for (const PlannedTensor& t : plan.tensors)
      rows.push_back({printable(t.name), printable(t.type), name_of(t.chosen.format), with_unit(t.chosen.bytes, "B"),
                      std::isfinite(t.sqnr_db) ? number(t.sqnr_db) + " dB" : "-"});
  } else {
    rows.push_back({"tensors", "format", "layers", "weights", ""});
    for (const TensorGroup& group : tensor_groups(plan))
      rows.push_back(
          {group.base, name_of(group.format), group.layers.empty() ? "-" : ranges(group.layers), with_unit(group.bytes, "B"), ""});
  }
  return plan.finding + "\n\n" + align(rows, "lllrr") + (plan.credit.empty() ? "" : '\n' + plan.credit + '\n');
}

}  // namespace roofline
