#include <roofline/analysis/explain.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/write/markdown.hpp>

#include "analysis/wording.hpp"
#include "write/op_json.hpp"
#include "write/runs/type_changes.hpp"

namespace roofline {
namespace {

constexpr std::size_t worst_shown = 5, changes_shown = 10, levers_shown = 3, name_width = 60;

/// A name that fits a column.
std::string label(std::string_view text) { return markdown(shortened(text, name_width)); }

/// Cells are Markdown already. `sides` has an 'l' or an 'r' per column.
std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view sides) {
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += '|';
    for (const std::string& text : rows[r]) out += ' ' + text + " |";
    out += '\n';
    if (r > 0) continue;
    out += '|';
    for (const char side : sides) out += side == 'r' ? "--:|" : "---|";
    out += '\n';
  }
  return out;
}

std::string bold(const std::string& sentence) { return "**" + markdown(sentence) + "**\n\n"; }

/// "71%: 1.2 ms of 1.7 ms." for each figure of a sentence.
std::string evidence(const Finding& finding) {
  std::string out;
  for (const Finding::Part& part : finding.parts)
    if (part.from && !part.from->formula.empty()) out += (out.empty() ? "" : "; ") + part.text + " is " + part.from->formula;
  return out.empty() ? out : '\n' + markdown(capitalised(out)) + ".\n";
}

std::string resource_cell(const Plan& plan, std::uint8_t resource) { return markdown(resource_name(plan, resource, "-")); }

/// "results.csv on NVIDIA H100 SXM", and whether anybody said so.
std::string on_machine(const Plan& plan) {
  const std::string& source = plan.workload().source;
  return (source.empty() ? "" : markdown(source) + " on ") + markdown(plan.scenario().machine.name) +
         (plan.scenario().machine_in_doubt() ? std::string(", which is ") + to_string(plan.scenario().basis) : std::string());
}

std::string totals(const Plan& plan, const Summary& s) {
  std::string out = on_machine(plan) + ": " + quantity(s.ops, "operation", "operations");
  if (s.timed_ops > 0) out += ", " + seconds(s.time_s) + " measured";
  if (s.work_known()) out += ", " + seconds(s.predicted_time_s) + " at the bound";
  if (s.judged_time_s > 0 && !s.machine_mismatch() && !s.mostly_partly_known()) out += ", efficiency " + percent(s.efficiency());
  return out + ".\n\n";
}

/// The operations that lose most, the most first.
std::string worst_table(const Plan& plan, const std::vector<std::uint32_t>& worst, bool timed, bool judged) {
  std::vector<std::vector<std::string>> rows{{"operation", "type", "bound by"}};
  if (timed) rows[0].emplace_back("time");
  rows[0].emplace_back("bound");
  if (judged) rows[0].insert(rows[0].end(), {"efficiency", "above bound"});
  for (const std::uint32_t op : worst) {
    const OpAnalysis a = plan.analyze(op);
    rows.push_back({label(plan.workload().name_of(op)), label(plan.workload().class_of(op).type), resource_cell(plan, a.bound_by)});
    if (timed) rows.back().push_back(or_dash(a.time_s, seconds));
    rows.back().push_back(or_dash(a.predicted_time_s, seconds));
    if (judged) rows.back().insert(rows.back().end(), {efficiency_text(a), a.partly_known ? "-" : or_dash(a.lost_time_s, seconds)});
  }
  return rows.size() < 2 ? std::string() : table(rows, "lll" + std::string(rows[0].size() - 3, 'r'));
}

/// The diagnosis of one operation: why it is bound, and what would move it.
std::string lever(const Plan& plan, std::uint32_t op, bool elsewhere) {
  const std::string said = diagnose(plan, op, plan.analyze(op), elsewhere).text();
  return said.empty() ? said : label(plan.workload().name_of(op)) + ": " + markdown(said) + "\n\n";
}

}  // namespace

std::string markdown(std::string_view text) {
  std::string out;
  const std::string line = printable(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const std::string_view rest = std::string_view(line).substr(i);
    const bool link = (c == ':' && rest.substr(0, 3) == "://") || (c == '.' && i >= 3 && (line[i - 1] | 0x20) == 'w');  // www.
    if (c == '&' || c == '<' || c == '>' || c == '@' || c == '#' || c == '$' || link)
      out += "&#" + std::to_string(static_cast<int>(c)) + ';';
    else if (std::string_view("\\`*_[]|~").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

void write_markdown(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  const Summary s = summarize(ops, false);
  const Finding finding = headline(ops);
  const std::vector<std::uint32_t> worst = worst_ops(ops, options.top.value_or(worst_shown));
  sink(bold(finding.text()));
  if (!worst.empty()) sink(lever(plan, worst[0], s.machine_mismatch()));
  sink(totals(plan, s));
  sink(worst_table(plan, worst, s.timed_ops > 0, s.judged_time_s > 0 && !s.machine_mismatch()));
  sink(evidence(finding));
}

void write_formats_markdown(const Plan& plan, std::uint32_t baseline, const Sink& sink) {
  const std::vector<FormatComparison> compared = compare_formats(plan, baseline);
  const Finding finding = formats_finding(plan, compared, baseline);
  if (!finding.parts.empty()) sink(bold(finding.text()));
  sink(lever(plan, baseline, false));
  sink(on_machine(plan) + ".\n\n");
  std::vector<std::vector<std::string>> rows{{"format", "bound by", "FLOP/B", "bound", "typical", "speed-up", "typical speed-up"}};
  for (const FormatComparison& c : compared) {
    const OpAnalysis a = plan.analyze(c.op);
    rows.push_back({label(plan.workload().name_of(c.op)), resource_cell(plan, a.bound_by), or_dash(a.intensity, number),
                    or_dash(a.predicted_time_s, seconds), or_dash(a.typical_time_s, seconds), or_dash(c.speedup, times),
                    or_dash(c.typical_speedup, times)});
  }
  sink(table(rows, "llrrrrr"));
  sink(evidence(finding));
}

void write_llm_markdown(const Plan& plan, const LlmAnswer& answer, const WriteOptions& options, const Sink& sink) {
  sink(bold(answer.finding));
  std::string levers;
  for (std::size_t i = 0; i < answer.changes.size() && i < levers_shown; ++i) {
    const LlmChange& c = answer.changes[i];
    levers += (i == 0 ? "" : "; ") + c.change + ", about " + times(c.typical_gain) + " the tokens/s" +
              (c.fits == std::optional<bool>(false) ? ", which does not fit"
               : c.barely_fits                      ? ", which barely fits"
                                                    : "");
  }
  if (!levers.empty()) sink("What would help: " + markdown(levers) + ".\n\n");
  sink(on_machine(plan) + ".\n\n");
  const auto row = [](const char* name, double bound, double typical, std::string (*text)(double)) {
    return std::vector<std::string>{name, or_dash(bound, text), or_dash(typical, text)};
  };
  sink(table({{"", "bound", "estimate"},
              row("time to first token", answer.bound.ttft_s, answer.estimate.ttft_s, seconds),
              row("time per token", answer.bound.tpot_s, answer.estimate.tpot_s, seconds),
              row("tokens/s", answer.bound.tokens_per_s, answer.estimate.tokens_per_s, number)},
             "lrr"));
  if (const std::string memory = answer.memory.text(); !memory.empty()) sink("\nMemory: " + markdown(memory) + ".\n");
  sink("\n" + worst_table(plan, worst_ops(OpSet(plan), options.top.value_or(worst_shown)), false, false));
}

void write_compare_markdown(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  const Finding finding = compare_finding(a, b, c.totals, c.predicted);
  sink(bold(finding.text()));
  sink(on_machine(a) + ", then " + on_machine(b) + ".\n\n");
  if (TypeTable types = type_table(c, options); !types.rows.empty()) {
    for (auto& row : types.rows) row[0] = label(row[0]);
    sink(table(types.rows, types.sides));
    if (types.left_out > 0) sink("\nAnd " + quantity(types.left_out, "more type", "more types") + ".\n");
    if (options.by_type) return sink(evidence(finding));
    sink("\n");
  }
  std::vector<std::vector<std::string>> rows{{"operation", "type", "change", "before", "after", "ratio", "time change", "efficiency"}};
  std::size_t more = 0;
  for (const OpChange& o : c.ops) {
    const bool both = o.in_both();
    if (both && o.verdict != Verdict::faster && o.verdict != Verdict::slower) continue;
    if (rows.size() > options.top.value_or(changes_shown)) {
      ++more;
      continue;
    }
    const Plan& plan = o.pick(a, b);
    rows.push_back({label(name_of_change(a.workload(), b.workload(), o)), label(plan.workload().class_of(o.op()).type),
                    both ? to_string(o.verdict) : o.change_word(), or_dash(o.time_a_s, seconds), or_dash(o.time_b_s, seconds),
                    or_dash(o.time_ratio, number), time_change_text(o.time_saved_s), efficiency_text(plan.analyze(o.op()))});
  }
  if (rows.size() > 1) sink(table(rows, "lllrrrrr"));
  if (more > 0) sink("\nAnd " + quantity(more, "smaller change", "smaller changes") + ".\n");
  sink(evidence(finding));
}

}  // namespace roofline
