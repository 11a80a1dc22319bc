#include "analysis/wording.hpp"

#include <algorithm>

#include "base/joined.hpp"

namespace roofline {

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string ranges(const std::vector<int>& numbers) {
  std::string out;
  for (std::size_t i = 0, end = 0; i < numbers.size(); i = end) {
    for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    out += (out.empty() ? "" : ", ") + std::to_string(numbers[i]) + (end > i + 1 ? "-" + std::to_string(numbers[end - 1]) : "");
  }
  return out;
}

std::string faster(double low, double high) {
  const bool slower = high < 1;
  if (low < 0.995 && high > 1.005) return "from " + times(1 / low) + " slower to " + times(high) + " faster";
  const std::string from = times(slower ? 1 / high : low), to = times(slower ? 1 / low : high);
  return (from == to ? from : from + " to " + to) + (slower ? " slower" : " faster");
}

std::string formats_words(const WhatIf& whatif) {
  if (whatif.weight && whatif.activation == whatif.weight && whatif.output == whatif.weight && whatif.kv == whatif.weight)
    return Formats::catalogue()[*whatif.weight].name + " in all operands";
  const std::pair<std::optional<FormatId>, const char*> roles[] = {
      {whatif.weight, "weights"}, {whatif.activation, "activations"}, {whatif.output, "outputs"}, {whatif.kv, "KV cache"}};
  std::vector<std::pair<FormatId, std::vector<std::string>>> formats;  // each with the operands that take it
  for (const auto& [format, operand] : roles) {
    if (!format) continue;
    const auto same = std::find_if(formats.begin(), formats.end(), [wanted = *format](const auto& f) { return f.first == wanted; });
    (same == formats.end() ? formats.emplace_back(*format, std::vector<std::string>()) : *same).second.emplace_back(operand);
  }
  std::string out;
  for (const auto& [format, operands] : formats)
    out += (out.empty() ? "" : ", ") + Formats::catalogue()[format].describe(joined(operands, ", ", " and "));
  return out;
}

std::string whatif_words(const WhatIf& whatif) {
  std::vector<std::string> changes;
  if (std::string formats = formats_words(whatif); !formats.empty()) changes.push_back(std::move(formats));
  const auto scaled = [&](double scale, const char* what) {
    if (scale != 1) changes.push_back(std::string(what) + " x" + number(scale));
  };
  scaled(whatif.batch_scale, "batch");
  scaled(whatif.peak_scale, "peaks");
  scaled(whatif.bandwidth_scale, "bandwidths");
  std::string out;
  for (const std::string& change : changes) out += (out.empty() ? "with " : ", ") + change;
  if (whatif.machine) out += (out.empty() ? "on " : " on ") + whatif.machine->name;
  return out;
}

bool computes_narrower_at_one_rate(const Plan& plan) {
  const Scenario& s = plan.scenario();
  if (!plan.has_whatif() || !s.machine.has_one_peak() || (s.whatif.machine && !s.whatif.machine->has_one_peak())) return false;
  const auto narrower = [](FormatId then, FormatId today) {
    const Formats& formats = Formats::catalogue();
    return then != no_format && today != no_format && formats[then].bytes() < formats[today].bytes();
  };
  for (std::size_t kind = 0; kind < plan.workload().classes.size(); ++kind) {
    const OpClass& c = plan.workload().classes[kind];
    const Plan::ClassRates &today = plan.rates(kind), &then = plan.whatif_rates(kind);
    if (c.matrix_work && narrower(then.compute, today.compute)) return true;
    if (c.vector_work && narrower(then.vector_compute, today.vector_compute)) return true;
  }
  return false;
}

std::string on_assumed(const Scenario& scenario) {
  if (scenario.basis != MachineBasis::assumed) return {};
  const std::string& name = scenario.machine.name;
  const std::size_t comma = name.find(", ");  // "NPU, 32 TOPS, 50 GB/s"
  return " on an assumed " + (comma == std::string::npos ? name : name.substr(0, comma) + " (" + name.substr(comma + 2) + ')');
}

std::string above_roof_advice(const Scenario& scenario) {
  return scenario.machine_in_doubt() ? std::string("check the machine, which is ") + to_string(scenario.basis) + ", or the byte count"
                                     : "check the peak, the clock or the byte count";
}

std::string resource_name(const Plan& plan, std::size_t resource, const char* otherwise) {
  return resource < plan.resources().size() ? plan.resources()[resource].name : otherwise;
}

std::string resource_name(const std::vector<std::string>& names, std::size_t resource, const char* otherwise) {
  return resource < names.size() ? names[resource] : otherwise;
}

std::string bound_word(const Plan& plan, std::uint8_t resource) {
  if (resource == no_resource) return "without a bound";
  switch (plan.resources()[resource].kind) {
    case ResourceKind::compute:
      return "compute-bound";
    case ResourceKind::memory:
      return "memory-bound";
    case ResourceKind::link:
      break;
  }
  return "link-bound";
}

std::string product_sizes(const Workload& workload, std::size_t op) {
  const OpSizes sizes = workload.sizes_of(op);
  if (!sizes.known() || !known(sizes.m) || !known(sizes.n) || !known(sizes.k)) return {};
  const auto length = [](double n) { return std::to_string(static_cast<std::uint64_t>(n)); };  // no commas: 1x4096x4096
  return length(sizes.m) + 'x' + length(sizes.n) + 'x' + length(sizes.k);
}

std::string short_name(const Workload& workload, std::size_t op) {
  const std::string name = printable(workload.name_of(op));
  const std::size_t begin = name.find(" [[");
  if (begin == std::string::npos || !name.ends_with("]]") || name.find_first_not_of("0123456789,[] ", begin) != std::string::npos)
    return name;
  std::string sizes = product_sizes(workload, op);
  if (sizes.empty()) {
    std::vector<std::string> operands;
    for (std::size_t at = name.find_first_of("0123456789", begin); at != std::string::npos; at = name.find_first_of("0123456789", at)) {
      const std::size_t end = name.find(']', at);
      std::string lengths;
      for (; at < end; ++at)
        if (name[at] != ' ') lengths += name[at] == ',' ? 'x' : name[at];
      if (std::find(operands.begin(), operands.end(), lengths) == operands.end()) operands.push_back(std::move(lengths));
    }
    sizes = joined(operands, ", ");
  }
  return name.substr(0, begin + (sizes.empty() ? 0 : 1)) + sizes;
}

std::string limit_word(const Plan& plan, const OpAnalysis& op) {
  if (op.limit == Limit::neither) return "limited by neither";
  return op.partly_known ? partly_known_words : bound_word(plan, op.bound_by);
}

std::string efficiency_text(const OpAnalysis& op) {
  return op.above_roof() ? above_roof_words : known(op.efficiency) && !op.partly_known ? percent(op.efficiency) : "-";
}

const char* counting_command(SourceFormat format) {
  switch (format) {
    case SourceFormat::nsight_compute_csv:
    case SourceFormat::nsight_compute_report:
    case SourceFormat::nsight_systems:
      return "ncu --set roofline --metrics \"regex:sm__ops_path_tensor_src_.*\" --clock-control none -o profile ./app";
    case SourceFormat::rocprofv3:
    case SourceFormat::rocprof_compute:
      return "rocprof-compute profile -n run -- ./app";
    default:
      return "";
  }
}

namespace {

/// "; it computes INT8 and INT16"; empty for more than 4 formats.
std::string computed_formats(const Machine& machine) {
  constexpr std::size_t few = 4;
  std::vector<std::string> names;
  for (const Peak& peak : machine.matrix) names.push_back(Formats::catalogue()[peak.format].name);
  return names.empty() || names.size() > few ? std::string() : "; it computes " + listed(names);
}

}  // namespace

std::string what_is_missing(const Plan& plan, std::size_t op, const std::string& of) {
  const OpAnalysis a = plan.analyze(op);
  if (known(a.flops) && known(a.bytes)) {
    const FormatId format = plan.rates(plan.workload().op_class[op]).wanted;
    return plan.scenario().machine.name + " has no known rate for " +
           (format == no_format ? std::string("its format") : Formats::catalogue()[format].name) +
           computed_formats(plan.scenario().machine) + '.';
  }
  const std::string not_counted = std::string(known(a.flops) ? "the bytes" : "the FLOPs") + of + " are not counted.";
  const std::string command = counting_command(plan.workload().source_format);
  if (!command.empty()) return not_counted + " To count them: `" + command + "`.";
  return not_counted + (known(a.flops) ? " Add them, or the shapes." : " Add them, or the sizes M, N and K.");
}

}  // namespace roofline
