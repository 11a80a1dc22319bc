#include "serving_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace roofline::validation {
namespace {

/// Of one run, estimated over measured: with the shipped stacks, and where its block was held back.
struct CheckedServing {
  const ServingRun* run;
  ServingFigures bound, ratio, held;
};
using ServingGroup = std::function<std::string(const CheckedServing&)>;
constexpr double ServingFigures::* figures[] = {&ServingFigures::tpot_s, &ServingFigures::output_tokens_per_s, &ServingFigures::ttft_s};

std::string cell(double v, const char* form = " %.1f |") {
  char text[64];
  std::snprintf(text, sizeof text, known(v) ? form : " |", v);
  return text;
}

std::vector<double> errors(const std::vector<CheckedServing>& runs, ServingFigures CheckedServing::* of, double ServingFigures::* figure) {
  std::vector<double> out;
  for (const CheckedServing& c : runs)
    if (known((c.*of).*figure)) out.push_back(std::fabs((c.*of).*figure - 1));
  return out;
}

std::string table(const std::string& first, const std::vector<CheckedServing>& runs, ServingFigures CheckedServing::* of,
                  const ServingGroup& group) {
  std::map<std::string, std::vector<CheckedServing>> by;
  for (const CheckedServing& c : runs) by[group(c)].push_back(c);
  std::string out =
      "| " + first +
      " | runs | TPOT median % | p90 % | throughput median % | p90 % | TTFT median % | p90 % |\n|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, some] : by) {
    out += "| " + name + " | " + std::to_string(some.size()) + " |";
    for (const auto figure : figures)
      for (const double at : {.5, .9}) out += cell(100 * quantile(errors(some, of, figure), at));
    out += "\n";
  }
  return out + "\n";
}

/// How many runs are off by more than a quarter in their time per token when held back, and which.
std::string most_off(const std::vector<CheckedServing>& runs) {
  std::map<std::string, std::size_t> by;
  std::size_t all = 0;
  for (const CheckedServing& c : runs)
    if (std::fabs(c.held.tpot_s - 1) > 0.25) ++by[block_of(c.run->row()) + " " + c.run->row()["engine"]], ++all;
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : by) order.emplace_back(count, name);
  std::sort(order.rbegin(), order.rend());
  std::string out = std::to_string(all) + " runs are off by more than a quarter in their time per token, most of them ";
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 4); ++i)
    out += (i > 0 ? ", " : "") + order[i].second + " (" + std::to_string(order[i].first) + ")";
  return out + ".\n\n";
}

/// Which runs are at a rate of requests, not with a number of users: "; open loops: gpt-oss-120b at 45 requests/s".
std::string open_loops(const std::vector<CheckedServing>& runs) {
  std::set<std::string> loops;
  for (const CheckedServing& c : runs)
    if (const Measurement& m = c.run->row(); m["concurrency"].empty())
      loops.insert(m["model"] + " at " + m["request_rate"] + " requests/s");
  std::string out;
  for (const std::string& loop : loops) out += (out.empty() ? "; open loops: " : ", ") + loop;
  return out;
}

/// Thirty runs of all kinds, one to a line: measured, and the error of the estimate with their blocks held back.
std::string thirty(const std::vector<CheckedServing>& runs) {
  std::string out =
      "| id | machine, model, engine | lengths | users | TPOT | error % | tokens/s | error % | TTFT | error % |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  const auto ids = thirty_serving_runs();
  for (const CheckedServing& c : runs) {
    const Measurement& m = c.run->row();
    if (std::find(ids.begin(), ids.end(), m["id"]) == ids.end()) continue;
    const ServingFigures& measured = c.run->measured();
    const auto off = [](double ratio) { return cell(100 * (ratio - 1), " %+.1f |"); };
    out += "| " + m["id"] + " | " + block_of(m) + " " + m["weights"] + ", " + m["engine"] + " | " + m["isl"] + " / " + m["osl"] + " | " +
           m["concurrency"] + " |" + cell(1e3 * measured.tpot_s, " %.1f ms |") + off(c.held.tpot_s) +
           cell(measured.output_tokens_per_s, " %.0f |") + off(c.held.output_tokens_per_s) + cell(1e3 * measured.ttft_s, " %.0f ms |") +
           off(c.held.ttft_s) + "\n";
  }
  return out + "\n";
}

/// Why runs of a kind are far off, as far as is known.
const char* reason(const CheckedServing& c) {
  const Measurement& m = c.run->row();
  if (m["weights"] == "int4" && m["machine"].starts_with("b")) return "4-bit weights on Blackwell, where the kernel is not known";
  if (m["engine"] == "SGLang") return "requests stay in step on some of its runs, so that prompts do not come between the steps";
  if (m["machine"].starts_with("arc")) return "a stack of NVIDIA's machines on another's";
  if (c.run->measured().ttft_s > 10 && m["engine"] != "SGLang")
    return c.ratio.tpot_s < 1 ? "requests waited for the cache: more fit than are estimated"
                              : "requests waited for the cache: fewer fit than are estimated";
  return "";
}

}  // namespace

std::string serving_report(const std::vector<Measurement>& rows, const std::filesystem::path& models, const std::string& held_back) {
  std::map<std::string, ServingFigures> held;
  for (const Measurement& row : measurements_of(held_back))
    held[row["id"]] = {row.number("tpot", unknown), row.number("ttft", unknown), row.number("throughput", unknown)};
  const auto owned = serving_runs_of(rows, models);
  std::map<std::string, std::vector<CheckedServing>> by_mode;
  std::size_t faster[3] = {};
  std::map<std::string, std::size_t> above_bound;
  std::set<std::string> blocks[serving_parts];
  for (const auto& run : owned) {
    CheckedServing c{run.get(), run->bound(), run->estimate(), held[run->row()["id"]]};
    const ServingFigures measured = run->measured();
    faster[0] += measured.tpot_s < c.bound.tpot_s ? 1 : 0;
    faster[1] += measured.ttft_s < c.bound.ttft_s ? 1 : 0;
    if (measured.output_tokens_per_s > c.bound.output_tokens_per_s)
      ++above_bound[block_of(run->row()) + ", " + run->row()["engine"] + ", " + run->mode()];
    faster[2] += measured.output_tokens_per_s > c.bound.output_tokens_per_s ? 1 : 0;
    for (const auto figure : figures) c.ratio.*figure = c.ratio.*figure / measured.*figure;
    const std::string block = block_of(run->row());
    if (run->mode() == "aggregated") blocks[part_of(block, serving_parts)].insert(block);
    by_mode[run->mode()].push_back(c);
  }
  const std::vector<CheckedServing>& aggregated = by_mode["aggregated"];
  std::map<std::string, std::size_t> left;
  for (const Measurement& row : rows)
    if (const std::string why = serving_left_out(row); !why.empty()) ++left[why];

  const auto engine = [](const CheckedServing& c) { return c.run->row()["engine"]; };
  const auto block_and_engine = [](const CheckedServing& c) { return block_of(c.run->row()) + " " + c.run->row()["engine"]; };
  std::string md =
      "# Validation: serving\n\n"
      "<!-- Written by tools/validate; tests/core/serving/serving_validation_test.cpp holds it to the presets and the measurements. -->\n\n"
      "What the estimates of [serving](../guide/serving.md) are worth, by the published runs in `tests/data/measured_serving.csv.gz`. "
      "Errors are\n"
      "|estimated / measured - 1|: of the time per token (TPOT), of output tokens per second, and of the time to first token (TTFT) with "
      "the start of a\n"
      "benchmark in it. `tools/calibrate --serving` fits the stacks, `tools/validate` writes this page.\n\n"
      "## Held back\n\n"
      "Blocks of a machine and a model fall into three parts by the hash of their name. Each part is estimated by figures that were fitted "
      "to the other two. The form of\n"
      "the estimate and the priors of its figures were chosen by looking at these runs; only the figures are held back. The last terms, "
      "uneven routing,\nTensorRT-LLM's own `layer_s` and launches of prompts in latent attention, were chosen by the errors within the "
      "fitted parts\n(`tools/calibrate --serving --inside`). FP8 weights of DeepSeek, MiniMax and Qwen3\nare taken to have a scale per "
      "block, as their publishers' checkpoints have: rows do not say it.\n\n";
  std::vector<CheckedServing> with_held;
  for (const CheckedServing& c : aggregated)
    if (known(c.held.tpot_s)) with_held.push_back(c);
  md += table("engine", with_held, &CheckedServing::held, [](const CheckedServing&) { return "all"; });
  md += table("engine", with_held, &CheckedServing::held, engine);
  md += table("machine and model", with_held, &CheckedServing::held, [](const CheckedServing& c) { return block_of(c.run->row()); });
  md += most_off(with_held) +
        "Thirty runs of all kinds, without those left out, and the error of the estimate with their block held back:\n\n" +
        thirty(with_held) + "The parts:\n\n";
  for (std::size_t part = 0; part < serving_parts; ++part) {
    md += std::to_string(part + 1) + ". ";
    for (const std::string& block : blocks[part]) md += (block == *blocks[part].begin() ? "" : "; ") + block;
    md += "\n";
  }
  md += "\n## As shipped\n\nThe stacks' files hold figures that were fitted to all of these runs.\n\n";
  md += table("engine", aggregated, &CheckedServing::ratio, engine);
  md += table("source", aggregated, &CheckedServing::ratio,
              [](const CheckedServing& c) { return c.run->row()["block"].substr(0, c.run->row()["block"].find(':')); });
  md += table("machine", aggregated, &CheckedServing::ratio, [](const CheckedServing& c) { return c.run->row()["machine"]; });
  md += table("model", aggregated, &CheckedServing::ratio,
              [](const CheckedServing& c) { return c.run->row()["model"] + " " + c.run->row()["weights"]; });
  md += "## Disaggregated\n\nRuns whose layout is stated" + open_loops(by_mode["disaggregated"]) + ". Nothing was fitted to them.\n\n" +
        table("runs", by_mode["disaggregated"], &CheckedServing::ratio, [](const CheckedServing&) { return "all"; }) +
        table("machine, model and engine", by_mode["disaggregated"], &CheckedServing::ratio, block_and_engine);
  md += "## Medians\n\nRuns whose source states medians; the estimates are means. Nothing was fitted to them.\n\n" +
        table("machine, model and engine", by_mode["medians"], &CheckedServing::ratio, block_and_engine);
  md +=
      "## Offline\n\nStatic batches, of which only the throughput is stated; those before 2025 are estimated by the stack `fused`. Nothing "
      "was fitted to them.\n\n" +
      table("machine and engine", by_mode["offline"], &CheckedServing::ratio,
            [](const CheckedServing& c) { return c.run->row()["machine"] + " " + c.run->row()["engine"]; });
  md += "## Beside the bound\n\nOf " + std::to_string(owned.size()) + " runs, " + std::to_string(faster[0]) +
        " had a shorter time per token than their bound, " + std::to_string(faster[1]) + " a shorter time to first token, and " +
        std::to_string(faster[2]) + " a higher throughput.\n\n";
  for (const auto& [block, count] : above_bound) md += "* " + block + ": " + std::to_string(count) + "\n";
  md += above_bound.empty() ? "" : "\n";
  md +=
      "## The worst\n\n| id | machine, model, engine | lengths | users | TPOT measured | estimated / measured | why "
      "|\n|---|---|---|---|---|---|---|\n";
  std::vector<CheckedServing> worst = aggregated;
  std::sort(worst.begin(), worst.end(), [](const CheckedServing& a, const CheckedServing& b) {
    return std::fabs(std::log(a.ratio.tpot_s)) > std::fabs(std::log(b.ratio.tpot_s));
  });
  std::map<std::string, int> listed;
  int lines = 0;
  for (const CheckedServing& c : worst) {
    const Measurement& m = c.run->row();
    if (++listed[block_of(m) + m["engine"]] > 2 || ++lines > 20) continue;
    md += "| " + m["id"] + " | " + block_of(m) + " " + m["weights"] + ", " + m["engine"] + " | " + m["isl"] + " / " + m["osl"] + " | " +
          m["concurrency"] + " |" + cell(1e3 * c.run->measured().tpot_s, " %.1f ms |") + cell(c.ratio.tpot_s, " %.2f |") + " " + reason(c) +
          " |\n";
  }
  md += "\n## Left out\n\n| why | rows |\n|---|---|\n";
  for (const auto& [why, count] : left) md += "| " + why + " | " + std::to_string(count) + " |\n";
  return md + "\nThe flags are described in [tests/data](../../tests/data/README.md).\n";
}

}  // namespace roofline::validation
