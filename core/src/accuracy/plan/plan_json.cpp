// A plan as neutral JSON, and as a table.
#include <cmath>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

#include "accuracy/plan/tensor_groups.hpp"
#include "analysis/wording.hpp"
#include "base/schemas.hpp"

namespace roofline {
namespace {

template <auto member>
void text_or_null(JsonOut& out, const PlannedTensor& t) {
  write_name(out, t.*member);
}
const char* unit_of(BudgetKind kind) {
  if (kind == BudgetKind::tpot || kind == BudgetKind::time) return "s";
  return kind == BudgetKind::kld ? "nats" : kind == BudgetKind::sqnr ? "dB" : "B";
}
bool of_network(const FormatPlan& p) { return known(p.sqnr_db); }

constexpr Member<PlannedTensor> tensor_members[] = {
    {"name", schema::text, "of the tensor; of a network, the node", field<&PlannedTensor::name>},
    {"module", schema::name, "in the framework; * is any name", text_or_null<&PlannedTensor::module>},
    {"weight", schema::name, "of a network: the tensor with the weights", text_or_null<&PlannedTensor::weight>},
    {"type", schema::name, "of a network: the operator", text_or_null<&PlannedTensor::type>},
    {"elements", schema::number, "of the weights", field<&PlannedTensor::elements>},
    {"format", schema::name, "null: unchanged",
     [](JsonOut& out, const PlannedTensor& t) { write_name(out, Formats::id_of(t.chosen.format)); }},
    {"bytes", schema::number, "as stored", field<&PlannedTensor::chosen, &FormatOption::bytes>},
    {"operands", schema::choice<Roles>, "of a network: the operands that take the format", field<&PlannedTensor::operands>,
     [](const PlannedTensor& t) { return t.operands.has_value(); }},
    {"time_s", schema::number, "share of the time; of a model, what it adds to the fastest plan",
     field<&PlannedTensor::chosen, &FormatOption::time_s>},
    {"noise", schema::number, "share of the KLD; of a network, of the mean noise to signal",
     field<&PlannedTensor::chosen, &FormatOption::noise>},
    {"sqnr_db", schema::number, "of the weights in this format; null: not known or exact", field<&PlannedTensor::sqnr_db>},
    {"own_error", schema::flag, "true: the error of these weights; false: what is usual in this format", field<&PlannedTensor::own_error>},
    {"shared", schema::text, "of a network: the layer that has the same weights; their bytes and noise count there",
     field<&PlannedTensor::shared>, [](const PlannedTensor& t) { return !t.shared.empty(); }},
    {"unnamed_output", schema::text, "of a network: the node's first output, if its file gives it no name",
     field<&PlannedTensor::unnamed_output>, [](const PlannedTensor& t) { return !t.unnamed_output.empty(); }}};

constexpr Member<SweepPoint> point_members[] = {
    {"cost", schema::number, "bytes; of a time budget, s", field<&SweepPoint::cost>},
    {"noise", schema::number, "KLD; of a network, mean noise to signal", field<&SweepPoint::noise>}};

constexpr Member<BestMixture> mixture_members[] = {
    {"name", schema::text, "as llama-quantize calls it", field<&BestMixture::name>},
    {"weights_bytes", schema::number, "of all tensors", field<&BestMixture::bytes>},
    {"time_s", schema::number, "per token of one sequence, estimate", field<&BestMixture::time_s>},
    {"kld", schema::number, "nats per token", field<&BestMixture::kld>}};

constexpr Member<FormatPlan> members[] = {
    document_id<FormatPlan>("roofline-format-plan/1"),
    {"subject", schema::text, "the model or network", field<&FormatPlan::subject>},
    {"machine", schema::text, "its id", field<&FormatPlan::machine>},
    {"budget", schema::text, "bytes, memory, tpot, time, kld or sqnr",
     [](JsonOut& out, const FormatPlan& p) { out.value(names_of<BudgetKind>[static_cast<std::size_t>(p.budget.kind)]); }},
    {"budget_value", schema::number, "in budget_unit", field<&FormatPlan::budget, &Budget::value>},
    {"budget_unit", schema::text, "B, s, nats (per token) or dB",
     [](JsonOut& out, const FormatPlan& p) { out.value(unit_of(p.budget.kind)); }},
    {"reached", schema::number, "by this plan, in the same unit", field<&FormatPlan::reached>},
    {"admissible", schema::flag, "the budget is kept; else this is the nearest plan", field<&FormatPlan::admissible>},
    {"finding", schema::text, "what the plan has, or by how much it misses", field<&FormatPlan::finding>},
    {"credit", schema::text, "whose measurements the quality follows", field<&FormatPlan::credit>,
     [](const FormatPlan& p) { return !p.credit.empty(); }},
    {"weights_bytes", schema::number, "of all weights", field<&FormatPlan::bytes>},
    {"time_s", schema::number, "per token of one sequence, estimate; of a network, a run where the time above the bound stays",
     field<&FormatPlan::time_s>},
    {"least_s", schema::number, "of a network: a run at today's efficiency", field<&FormatPlan::least_s>, of_network},
    {"today_s", schema::number, "of a network: a run in the formats of the file", field<&FormatPlan::today_s>, of_network},
    {"kld", schema::number, "KL divergence from the 16-bit model, nats per token", field<&FormatPlan::kld>},
    {"kld_low", schema::number, "lower end of the range that holds 80% of models", field<&FormatPlan::kld_low>},
    {"kld_high", schema::number, "upper end of the same range", field<&FormatPlan::kld_high>},
    {"sqnr_db", schema::number, "of a network: of the mean noise of its layers", field<&FormatPlan::sqnr_db>},
    {"best_mixture", object_of<mixture_members>, "of a language model for GGUF: that with the least KLD of those as small, or as fast",
     [](JsonOut& out, const FormatPlan& p) { write_object<mixture_members>(out, p.best_mixture); },
     [](const FormatPlan& p) { return !p.best_mixture.name.empty(); }},
    {"tensors", objects_of<tensor_members>, "in the model's order",
     [](JsonOut& out, const FormatPlan& p) { write_objects<tensor_members>(out, p.tensors); }},
    {"front", objects_of<point_members>, "the least noise at each cost",
     [](JsonOut& out, const FormatPlan& p) { write_objects<point_members>(out, p.front); }}};

}  // namespace

std::string plan_json(const FormatPlan& plan) { return object_text<members>(plan); }

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
