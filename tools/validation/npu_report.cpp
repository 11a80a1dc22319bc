#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "report.hpp"

namespace roofline::validation {
namespace {

struct Npu {
  std::vector<const Run*> runs;
  std::set<std::string> networks;
};

/// The rest of a line of held_back_npu.csv: runs, median and nine in ten.
std::vector<std::string> held_back_of(const std::string& csv, const std::string& machine) {
  const std::string start = "network," + machine + ',';
  const std::size_t at = csv.find(start);
  std::vector<std::string> out(1);
  if (at == std::string::npos) return {"", "not measured", "not measured"};
  for (std::size_t i = at + start.size(); i < csv.size() && csv[i] != '\n'; ++i)
    if (csv[i] == ',')
      out.emplace_back();
    else
      out.back() += csv[i];
  return out;
}

std::string row(const std::string& machine, const Npu& npu, const std::string& held_back) {
  std::vector<double> bounds, errors;
  for (const Run* run : npu.runs) {
    bounds.push_back(std::fabs(run->bound_s() / run->measured_s() - 1));
    errors.push_back(std::fabs(run->estimate_s() / run->measured_s() - 1));
  }
  const Run& any = *npu.runs.front();
  const double run_s = any.stack().terms.run_s.value_or(0), flops = 2 * any.row().number("macs", unknown) * any.row().number("batch", 1);
  const double at_peak_s = flops / any.machine().peak(Unit::matrix, *Formats::catalogue().find(any.row()["activations"]));
  const std::vector<std::string> held = held_back_of(held_back, machine);
  char text[512];
  std::snprintf(text, sizeof text, "| %s | %zu | %zu | %.0f | %.2g | %.1f | %s | %s | %.0f |\n", any.machine().name.c_str(),
                npu.networks.size(), npu.runs.size(), 100 * at_peak_s / any.terms()[static_cast<std::size_t>(TypicalTerm::compute)],
                1e3 * run_s, 100 * quantile(errors, .5), held[1].c_str(), held[2].c_str(), 100 * quantile(bounds, .5));
  return text;
}

}  // namespace

std::string npu_report(const std::vector<Measurement>& rows, const std::filesystem::path& models, const std::string& held_back) {
  const auto runs = runs_of(rows, models);
  std::map<std::string, Npu> npus;
  for (const auto& run : runs) {
    npus[run->row()["machine"]].runs.push_back(run.get());
    npus[run->row()["machine"]].networks.insert(run->row()["model"]);
  }
  std::string md =
      "\n## Networks on NPUs\n\n"
      "Whole networks by their multiply-adds, from `tests/data/measured_npu.csv`: the time is `run_s` for each run and the work at a "
      "fraction of\n"
      "the peak, one of each per NPU. On NPUs without device memory (Coral, Hailo-8 and 8L) weights and activations stay on the chip, as "
      "in\n"
      "the analysis of a network's file, and the input crosses the host's link; the table has no size of outputs.\n"
      "They were fitted by "
      "`tools/calibrate tests/data/measured_npu.csv`, and held back by network: all "
      "rows of a network\n"
      "together, in four parts that were listed before anything was fitted.\n\n"
      "| NPU | networks | runs | of the peak % | per run, ms | median % | held back: median % | nine in ten % | the bound alone, median % "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [machine, npu] : npus) md += row(machine, npu, held_back);
  md +=
      "\nTransformers reach a tenth of the rate of convolutions on the Hailo-8, and networks of depthwise convolutions a fifth: "
      "multiply-adds alone do not\n"
      "tell these apart. Of the RK3588 and RK3576 one core ran, and the fraction is of all cores.\n";
  if (const auto assumed = Stacks::presets().find("npu")) {
    md += "\n**Assumed**, the median fraction of these, because too few of their networks were published:";
    for (const std::string& id : Stacks::presets()[*assumed].machines)
      if (const Machine* machine = Machines::presets().find(id)) md += (md.back() == ':' ? " " : ", ") + machine->name;
    md += ".\n";
  }
  std::map<std::string, std::size_t> left;
  for (const Measurement& m : rows)
    if (const std::string why = left_out(m); !why.empty()) ++left[why];
  md += "\nLeft out, by flag:";
  for (const auto& [why, count] : left) md += (md.back() == ':' ? " `" : ", `") + why + "` " + std::to_string(count);
  return md + ".\n";
}

}  // namespace roofline::validation
