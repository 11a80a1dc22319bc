// The analysis as text for a terminal: the machine, the finding, the operations that lose most time, the totals.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <roofline/analysis/explain.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/parity.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/write/write.hpp>

#include "analysis/steps.hpp"
#include "analysis/wording.hpp"
#include "write/network_json.hpp"

namespace roofline {
namespace {

constexpr std::size_t default_rows = 20;
constexpr std::size_t name_width = 40;

std::string label(std::string_view text) { return shortened(text, name_width); }

/// With the sizes of a product after the name, where they are known.
std::string sized_name(const Workload& w, std::uint32_t op) {
  const std::string name = printable(w.name_of(op)), sizes = product_sizes(w, op);
  return sizes.empty() ? name : name + ' ' + sizes;
}

/// A label for each operation that tells it from the others: names that would be cut to the same text begin where they differ, equal names
/// get their sizes.
std::vector<std::string> labels(const Workload& w, const std::vector<std::uint32_t>& ops) {
  std::map<std::string, std::vector<std::size_t>> same_label;
  std::vector<std::string> out(ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) same_label[label(w.name_of(ops[i]))].push_back(i);
  for (const auto& [shown, places] : same_label) {
    std::vector<std::string> names;
    for (const std::size_t i : places) names.push_back(places.size() > 1 ? sized_name(w, ops[i]) : printable(w.name_of(ops[i])));
    const auto [least, most] = std::minmax_element(names.begin(), names.end());
    auto from = static_cast<std::size_t>(std::mismatch(least->begin(), least->end(), most->begin(), most->end()).first - least->begin());
    while (from > 0 && (std::isalnum(static_cast<unsigned char>((*least)[from - 1])) != 0 || ((*least)[from - 1] & 0x80) != 0)) --from;
    const bool cut = places.size() > 1 && *least != *most && label(*least) == label(*most);
    for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = label((cut ? "…" : "") + names[i].substr(cut ? from : 0));
  }
  return out;
}

std::string machine_line(const Plan& plan) {
  const Machine& machine = plan.scenario().machine;
  std::string line = std::string(plan.scenario().basis == MachineBasis::assumed   ? "Assumed: "
                                 : plan.scenario().basis == MachineBasis::guessed ? "Guessed: "
                                                                                  : "") +
                     printable(machine.name);
  if (const double highest = machine.highest_peak(); known(highest)) line += ", up to " + WorkUnit(plan.scenario()).rate(highest);
  for (const Memory& memory : machine.memories) {
    line += ", " + printable(memory.name) + " " + with_unit(memory.rate().value, "B/s");
    if (memory.split()) line += " read, " + with_unit(memory.write_bandwidth.value, "B/s") + " write";
  }
  return line;
}

/// `judged`: with what they lose, which means nothing where they ran on another machine.
std::string ops_table(const Plan& plan, const std::vector<std::uint32_t>& ops, bool judged) {
  const WorkUnit work(plan.scenario());
  std::vector<std::vector<std::string>> rows{
      {"#", "name", "type", "status", "bound by", work.name(), "bytes", work.name() + "/B", "time", "predicted"}};
  if (judged) rows[0].insert(rows[0].end(), {"efficiency", "above bound"});
  const std::vector<std::string> names = labels(plan.workload(), ops);
  for (const std::uint32_t i : ops) {
    const OpAnalysis op = plan.analyze(i);
    rows.push_back({std::to_string(i), names[rows.size() - 1], label(plan.workload().class_of(i).type), status_text(op),
                    printable(resource_name(plan, op.bound_by, "-")), or_dash(work.scaled(op.flops), ""), or_dash(op.bytes, "B"),
                    or_dash(work.scaled(op.intensity), number), or_dash(op.time_s, seconds), or_dash(op.predicted_time_s, seconds)});
    if (judged) rows.back().insert(rows.back().end(), {efficiency_text(op), op.partly_known ? "-" : or_dash(op.lost_time_s, seconds)});
  }
  return align(rows, judged ? "rllllrrrrrrr" : "rllllrrrrr");
}

/// Predicted against measured, in source order.
std::string parity_table(const OpSet& ops, std::size_t limit) {
  const Plan& plan = ops.plan();
  const Parity parity = compare_with_measured(ops);
  const auto error = [](double e) { return std::isnan(e) ? "-" : (e > 0 ? "+" : "") + percent(e); };
  const bool typical = std::any_of(parity.rows.begin(), parity.rows.end(), [](const ParityRow& r) { return r.typical_s > r.predicted_s; });
  const bool stated = parity.stated.ops > 0;
  const std::string over = parity.baseline == no_format ? "" : " over " + Formats::catalogue()[parity.baseline].name;
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"#", "name", "measured", "predicted", "error"};
  if (typical) rows[0].insert(rows[0].end(), {"typical", "error"});
  if (stated) rows[0].insert(rows[0].end(), {"table's own", "error"});
  rows[0].insert(rows[0].end(), {"measured" + over, "predicted" + over});
  for (const ParityRow& r : parity.rows) {
    if (rows.size() > limit) break;
    std::vector<std::string> row = {std::to_string(r.op), label(plan.workload().name_of(r.op)), or_dash(r.measured_s, seconds),
                                    or_dash(r.predicted_s, seconds), error(r.error)};
    if (typical) row.insert(row.end(), {or_dash(r.typical_s, seconds), error(r.typical_error)});
    if (stated) row.insert(row.end(), {or_dash(r.stated_s, seconds), error(r.stated_error)});
    row.insert(row.end(), {or_dash(r.speedup_measured, times), or_dash(r.speedup_predicted, times)});
    rows.push_back(std::move(row));
  }
  std::string text =
      printable(parity_finding(plan, parity).text()) + "\n\n" + align(rows, std::string("rl") + std::string(rows[0].size() - 2, 'r'));
  if (parity.rows.size() > limit) text += "and " + with_commas(parity.rows.size() - limit) + " more\n";
  const auto agreement = [&text](const char* what, const Agreement& a) {
    if (a.ops > 0)
      text += std::string(what) + ": mean absolute error " + percent(a.mape) + ", " + percent(a.within) + " of " + with_commas(a.ops) +
              " within ±" + percent(Parity::band) + "\n";
  };
  agreement("predicted", parity.predicted);
  if (typical) agreement("typical", parity.typical);
  agreement("table's own", parity.stated);
  return text;
}

std::string totals(const OpSet& ops, const Summary& summary) {
  const Plan& plan = ops.plan();
  const std::optional<std::uint32_t> program = program_row(ops);
  std::vector<std::vector<std::string>> rows{{"operations", with_commas(summary.ops)}};
  const bool work_known = summary.work_known() && !nothing_counted(plan.workload());
  if (work_known) {
    const bool all_counted = summary.partly_known == 0;
    const auto sum = [&](double work, const std::string& unit) {
      return work > 0 || all_counted ? with_unit(work, unit) : unit + " not known";
    };
    const WorkUnit unit(plan.scenario());
    rows.push_back({"work", sum(unit.scaled(summary.flops), unit.name()) + ", " + sum(summary.bytes, "B")});
  }
  if (work_known) rows.push_back({"predicted time", seconds(summary.predicted_time_s)});
  if (summary.timed_ops > 0) {
    std::string some;
    if (summary.timed_ops < summary.ops)
      some = ", of " + with_commas(summary.timed_ops) + " of " + quantity(summary.ops, "operation", "operations") +
             (summary.judged_time_s > 0 ? ", whose predicted time is " + seconds(summary.judged_predicted_s) : "");
    const std::string& tool = plan.workload().simulated_by;
    rows.push_back({"time", seconds(summary.time_s) + (tool.empty() ? "" : ", simulated by " + tool) + some});
    if (summary.work_known() && !summary.machine_mismatch() && !summary.mostly_partly_known()) {
      rows.push_back({"time above bound", seconds(summary.lost_time_s)});
      if (summary.below_bound_s() > 0) rows.push_back({"time below bound", seconds(summary.below_bound_s()) + ", of those above the roof"});
      rows.push_back({program ? "efficiency of the operations" : "efficiency", percent(summary.efficiency())});
    }
  }
  if (program && known(plan.analyze(*program).efficiency))
    rows.push_back({"efficiency of the program", percent(plan.analyze(*program).efficiency)});
  const bool judged = !summary.machine_mismatch();  // times measured on another machine do not show the limits of this one
  if (work_known && judged && !summary.mostly_partly_known())
    rows.push_back({"bound by", printable(resource_name(plan, summary.bound_by, "-"))});
  std::string statuses;
  for (std::size_t i = 0; i < status_count; ++i) {
    const auto status = static_cast<Status>(i);
    if (judged && summary.shown_as(status) > 0)
      statuses += (statuses.empty() ? "" : ", ") + with_commas(summary.shown_as(status)) + " " + words_of(status);
  }
  if (summary.above_roof > 0) statuses += (statuses.empty() ? "" : ", ") + with_commas(summary.above_roof) + " above the roof";
  if (!statuses.empty()) rows.push_back({"status", statuses});
  if (summary.neither > 0 && judged)
    rows.push_back({"limited by neither", with_commas(summary.neither) + ", " + seconds(summary.neither_s) + ": " + beyond_roofs});
  if (summary.partly_known > 0)
    rows.push_back({partly_known_words, with_commas(summary.partly_known) +
                                            (summary.partly_known_s > 0 ? ", " + seconds(summary.partly_known_s) : std::string())});
  if (plan.has_whatif()) {
    const WhatIfOutcome outcome = whatif_outcome(plan, summary);
    const std::string least = seconds(outcome.then_s.low), most = seconds(outcome.then_s.high);
    const std::string for_items = outcome.per_item ? " per item" : "";
    if (known(outcome.today_s))
      rows.push_back({"what-if", (least == most ? most : least + " to " + most) + for_items + ", was " + seconds(outcome.today_s)});
    else if (known(outcome.then_s.low))
      rows.push_back({"what-if", at_least(outcome) + for_items});
  }
  return align(rows, "ll");
}

}  // namespace

void write_table(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  FrameRequest request;  // sorted by lost time, the most first
  request.rows = options.top.value_or(default_rows);
  const Frame frame = make_frame(ops, request);
  sink(machine_line(plan) + "\n");
  sink(printable(headline(ops, frame).text()) + "\n");
  const std::vector<CategoryTotal> categories = category_totals(ops);
  if (categories.size() > 1) sink(printable(categories_finding(ops, categories).text()) + "\n");
  if (plan.workload().steps.size() > 1) sink(printable(steps_finding(plan, step_totals(ops), categories).text()) + "\n");
  sink("\n");
  if (!frame.rows.empty()) {
    sink(ops_table(plan, frame.rows, !frame.all.machine_mismatch()));
    const std::size_t more = frame.all.ops - frame.rows.size();
    if (more > 0)
      sink("and " + with_commas(more) + " more with less " + (frame.all.machine_mismatch() ? "time" : "time above the bound") + "\n");
    sink("\n");
  }
  if (is_results(plan.workload())) sink(parity_table(ops, options.top.value_or(default_rows)) + "\n");
  sink(totals(ops, frame.all));
}

}  // namespace roofline
