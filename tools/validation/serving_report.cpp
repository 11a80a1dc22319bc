#include "serving_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>

#include "serving_fit.hpp"

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

using Parts = std::array<std::set<std::string>, serving_parts>;
std::string parts_list(const Parts& parts) {
  std::string out;
  for (std::size_t part = 0; part < serving_parts; ++part) {
    out += std::to_string(part + 1) + ". ";
    for (const std::string& block : parts[part]) out += (block == *parts[part].begin() ? "" : "; ") + block;
    out += "\n";
  }
  return out + "\n";
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

/// One batch of equal lengths at a time: by the stack `fused`, as shipped, and held back where the engine has a stack of 2024.
std::string offline_table(const std::vector<CheckedServing>& runs) {
  const StackId fused = Stacks::presets().find("fused").value_or(StackId{});
  struct Errors {
    std::vector<double> fused, shipped, held;
  };
  std::map<std::string, Errors> by;
  for (const CheckedServing& c : runs) {
    const Measurement& m = c.run->row();
    Errors& e = by[m["machine"] + " " + m["engine"] + " | `" + c.run->stack().id + "`"];
    e.fused.push_back(std::fabs(c.run->estimate_by(fused).output_tokens_per_s / c.run->measured().output_tokens_per_s - 1));
    if (c.run->stack().id != "fused") e.shipped.push_back(std::fabs(c.ratio.output_tokens_per_s - 1));
    if (known(c.held.output_tokens_per_s)) e.held.push_back(std::fabs(c.held.output_tokens_per_s - 1));
  }
  std::string out =
      "| machine and engine | stack | runs | `fused` median % | p90 % | its stack median % | p90 % | held back median % | p90 % |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, e] : by) {
    out += "| " + name + " | " + std::to_string(e.fused.size()) + " |";
    for (const std::vector<double>* some : {&e.fused, &e.shipped, &e.held})
      for (const double at : {.5, .9}) out += cell(100 * quantile(*some, at));
    out += "\n";
  }
  return out + "\n";
}

/// An open loop beyond saturation is a closed loop of as many users as the engine takes at once (vLLM's max-num-seqs).
std::string queued_loops(const std::vector<Measurement>& rows, const std::filesystem::path& models) {
  struct Loops {
    std::vector<double> tpot, throughput;
  };
  std::map<std::string, Loops> by;
  for (Measurement row : rows) {
    const std::string& conditions = row["conditions"];
    const std::size_t at = conditions.find("max-num-seqs ");
    if (row["flags"] != "queued" || row["mode"] != "agg" || row["tpot_ms"].empty() || at == std::string::npos) continue;
    row.text["concurrency"] = conditions.substr(at + 13, conditions.find(',', at) - at - 13);
    const ServingRun run(row, models);
    const ServingFigures estimate = run.estimate();
    Loops& loops = by[block_of(row) + ", " + row["engine"]];
    loops.tpot.push_back(std::fabs(estimate.tpot_s / run.measured().tpot_s - 1));
    loops.throughput.push_back(estimate.output_tokens_per_s / run.measured().output_tokens_per_s);
  }
  std::string out =
      "| machine, model and engine | runs | TPOT median % | p90 % | throughput, estimated / measured, median |\n|---|---|---|---|---|\n";
  for (const auto& [name, loops] : by)
    out += "| " + name + " | " + std::to_string(loops.tpot.size()) + " |" + cell(100 * quantile(loops.tpot, .5)) +
           cell(100 * quantile(loops.tpot, .9)) + cell(quantile(loops.throughput, .5), " %.2f |") + "\n";
  return out + "\n";
}

/// Open loops, and why MLPerf's results are not among the runs.
std::string server_section(const std::vector<Measurement>& rows, const std::filesystem::path& models) {
  std::map<std::string, std::size_t> mlperf;
  for (const Measurement& row : rows)
    if (row["block"].starts_with("mlperf")) {
      ++mlperf[row["mode"]];
      if (row["mode"] != "server") continue;
      if (row["isl"].empty()) ++mlperf["no lengths"];
      if (row["weights"].empty()) ++mlperf["no format"];
    }
  const auto count = [&](const char* what) { return std::to_string(mlperf[what]); };
  return "## Server\n\nOpen loops: requests come at a rate. Two that do not saturate are under [Disaggregated](#disaggregated). The others "
         "of "
         "vLLM were sent faster than they were served (`queued`),\nso that the engine always ran `max-num-seqs` of them, and are estimated "
         "as "
         "that many users. They cannot be judged: their lengths are means of ShareGPT's, and their ends, when\nfew requests are left, are "
         "in the throughput. Nothing was fitted to them.\n\n" +
         queued_loops(rows, models) + "**MLPerf.** " + std::to_string(mlperf["server"] + mlperf["offline"]) + " rows (" + count("server") +
         " of *Server* and *Interactive*, " + count("offline") +
         " of *Offline*) are not judged. They state a throughput and limits of latency, but no rate, users, layout or times; "
         "their\nlengths are means of data sets, and of the " +
         count("server") + " server rows " + count("no lengths") + " state none and " + count("no format") +
         " no format of weights. Nor do MLCommons' guidelines\n([section "
         "4](https://github.com/mlcommons/policies/blob/0249d261fb6d8b54ec251db420ff0741a5185174/"
         "MLPerf_Results_Messaging_Guidelines.adoc)) allow a comparison of MLPerf\nresults with others: errors on them are not shown, and "
         "nothing was fitted to them.\n\n";
}

/// Median ratio of the measured time to first token to the bound of one prompt alone.
std::string ttft_over_bound(const std::vector<CheckedServing>& runs) {
  std::vector<double> times;
  for (const CheckedServing& c : runs) times.push_back(c.run->measured().ttft_s / c.bound.ttft_s);
  return cell(quantile(times, .5), "%.0f");
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

/// Rows of this page and of aiconfigurator.
std::string beside_aiconfigurator(const std::vector<CheckedServing>& held) {
  std::vector<CheckedServing> vllm;
  std::copy_if(held.begin(), held.end(), std::back_inserter(vllm),
               [](const CheckedServing& c) { return c.run->row()["engine"] == "vLLM"; });
  const auto own = [](const char* name, const std::vector<CheckedServing>& runs) {
    std::string out = std::string("| this page, ") + name + ", held back |";
    const char* const names[] = {"TPOT", "throughput", "TTFT"};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<double> off = errors(runs, &CheckedServing::held, figures[i]);
      out +=
          std::string(i > 0 ? ", " : " ") + names[i] + cell(100 * mean(off), " %.1f%%") + cell(100 * quantile(off, .5), " (median %.1f)");
    }
    return out + " | " + std::to_string(runs.size()) + " runs |\n";
  };
  return "| | mean error | of |\n|---|---|---|\n" + own("all engines", held) + own("vLLM", vllm) +
         "| aiconfigurator, [its "
         "code](https://github.com/ai-dynamo/aiconfigurator/blob/095f58a51c4ca8e61b66ec108d86f223f8d559ce/aic-core/src/"
         "aiconfigurator_core/sdk/backends/vllm_backend.py) | TTFT 18.0%, 26.4% before the factor that was fitted to these runs | its "
         "corpus "
         "of vLLM runs, 1 to 64 users |\n"
         "| aiconfigurator, [issue 1205](https://github.com/ai-dynamo/aiconfigurator/issues/1205) | TTFT 45% | a user's four A100 SXM, "
         "vLLM "
         "|\n"
         "| aiconfigurator, [issue 1254](https://github.com/ai-dynamo/aiconfigurator/issues/1254) | prefill -47% (signed; median -51%) | "
         "2,000 "
         "passes of gpt-oss-120b, B200, TensorRT-LLM |\n"
         "| aiconfigurator, [issue 1396](https://github.com/ai-dynamo/aiconfigurator/issues/1396) | throughput 4.6 times the measured, "
         "TPOT "
         "2.0 times | Kimi-K2.5 NVFP4, eight B200, vLLM, 384 users: more than the cache holds |\n\n";
}

}  // namespace

std::string serving_headline(const std::string& held_back) {
  std::vector<double> tpot, throughput, ttft;
  for (const Measurement& row : measurements_of(held_back)) {
    if (row["tpot"].empty()) continue;  // a static batch
    tpot.push_back(std::fabs(row.number("tpot", unknown) - 1));
    throughput.push_back(std::fabs(row.number("throughput", unknown) - 1));
    ttft.push_back(std::fabs(row.number("ttft", unknown) - 1));
  }
  return "[Serving under load](validation-serving.md) is on a page of its own: with their machine and model held back, " +
         std::to_string(tpot.size()) + " runs are off by" + cell(100 * quantile(tpot, .5), " %.1f%%") + " in their time per token," +
         cell(100 * quantile(throughput, .5), " %.1f%%") + " in throughput and" + cell(100 * quantile(ttft, .5), " %.1f%%") +
         " in their time to first token (medians).\n";
}

std::string serving_report(const std::vector<Measurement>& rows, const std::filesystem::path& models, const std::string& held_back) {
  std::map<std::string, ServingFigures> held;
  for (const Measurement& row : measurements_of(held_back))
    held[row["id"]] = {row.number("tpot", unknown), row.number("ttft", unknown), row.number("throughput", unknown)};
  const auto owned = serving_runs_of(rows, models);
  std::map<std::string, std::vector<CheckedServing>> by_mode;
  std::size_t faster[3] = {};
  std::map<std::string, std::size_t> above_bound;
  Parts blocks, offline_blocks;
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
    if (is_in_serving_fit(*run)) (run->mode() == "offline" ? offline_blocks : blocks)[part_of(block, serving_parts)].insert(block);
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
  md += parts_list(blocks);
  md += "## As shipped\n\nThe stacks' files hold figures that were fitted to all of these runs.\n\n";
  md += table("engine", aggregated, &CheckedServing::ratio, engine);
  md += table("source", aggregated, &CheckedServing::ratio,
              [](const CheckedServing& c) { return c.run->row()["block"].substr(0, c.run->row()["block"].find(':')); });
  md += table("machine", aggregated, &CheckedServing::ratio, [](const CheckedServing& c) { return c.run->row()["machine"]; });
  md += table("model", aggregated, &CheckedServing::ratio,
              [](const CheckedServing& c) { return c.run->row()["model"] + " " + c.run->row()["weights"]; });
  md += "## Disaggregated\n\nRuns whose layout is stated" + open_loops(by_mode["disaggregated"]) + ". Nothing was fitted to them.\n\n" +
        table("runs", by_mode["disaggregated"], &CheckedServing::ratio, [](const CheckedServing&) { return "all"; }) +
        table("machine, model and engine", by_mode["disaggregated"], &CheckedServing::ratio, block_and_engine);
  md +=
      "## Medians\n\nRuns whose source states medians; the estimates are means. Nothing was fitted to them. Their times to first token "
      "are " +
      ttft_over_bound(by_mode["medians"]) + " times the bound of a prompt\nalone (median; " + ttft_over_bound(aggregated) +
      " in the aggregated runs above), and long even with four users: the requests waited for something that the source does not state.\n"
      "Each user sent 10 requests of 128 tokens, so that the start of the engine is likely to weigh much.\n\n" +
      table("machine, model and engine", by_mode["medians"], &CheckedServing::ratio, block_and_engine);
  md +=
      "## Offline\n\nStatic batches of equal lengths, of which only the throughput is stated. All are of 2024, without speculation. The "
      "file has no runs "
      "of 2023. From January to September\n2025 it has only runs that cannot be fitted: pools alone, answers shorter than stated, "
      "MLPerf's, and "
      "eight runs of "
      "DeepSeek-R1 over two nodes.\n\n"
      "The stacks `vllm-2024` (NVIDIA) and `vllm-2024-rocm` (AMD) have the figures of `vllm` except two, the host's time per layer "
      "(`layer_s`) "
      "and per sequence (`sequence_s`),\nwhich were fitted to these runs. Blocks are held back by the same rule. That two figures suffice, "
      "and that "
      "AMD needs its "
      "own, was seen in these errors. TensorRT-LLM of 2024 has no stack:\none fitted in the same way was off by 13% (median; p90 29%) on "
      "blocks held "
      "back, and by 11% (25%) with seven figures of its own. `fused`, which was fitted to other runs, is off by less,\nand stays. "
      "The largest errors are those of Llama 3.1 405B in FP8, whose runs have other sources, and of one or two AMD machines with 32 or "
      "more sequences.\n\n" +
      offline_table(by_mode["offline"]) + "Parts of vLLM's runs:\n\n" + parts_list(offline_blocks);
  md += server_section(rows, models);
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
  md +=
      "\n## Beside aiconfigurator\n\nWhat its code and its users state, each on its own runs. Most runs of this page come from its "
      "`silicon_sample.csv`, to which its factor for TTFT was fitted\nand on which it is judged; its code states no error of TPOT or "
      "throughput. "
      "This page's errors are of blocks held back. They are means because aiconfigurator states means.\n\n" +
      beside_aiconfigurator(with_held);
  md += "## Left out\n\n| why | rows |\n|---|---|\n";
  for (const auto& [why, count] : left) md += "| " + why + " | " + std::to_string(count) + " |\n";
  return md + "\nThe flags are described in [tests/data](../../tests/data/README.md).\n";
}

}  // namespace roofline::validation
