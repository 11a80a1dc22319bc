// A plan as a recipe.yaml of llm-compressor. Source: github.com/vllm-project/llm-compressor, QuantizationModifier.
#include <map>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

#include "accuracy/plan/tensor_groups.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

/// The members of `weights` for a format; empty: llm-compressor has no such scheme.
std::string scheme(const Format& format) {
  if (format.bits >= 16 || format.code_book()) return {};
  const std::string block = std::to_string(format.block);
  if (format.family == FormatFamily::integer && format.scale_format.empty()) return {};  // GGUF's
  std::string out = "{num_bits: " + plain(format.bits) + ", type: " + (format.family == FormatFamily::integer ? "int" : "float");
  if (format.tensor_scale)
    out += ", strategy: tensor_group, group_size: " + block;
  else if (format.block > 1)
    out += ", strategy: group, group_size: " + block;
  else
    out += ", strategy: channel";
  if (format.scale_format == "e8m0") out += ", scale_dtype: torch.uint8";
  return out + ", symmetric: " + (format.zero_point ? "false" : "true") + ", dynamic: false}";
}

std::string activation_scheme(const Format& format) {
  return "{num_bits: 8, type: " + std::string(format.family == FormatFamily::integer ? "int" : "float") +
         ", strategy: token, symmetric: true, dynamic: true}";
}

/// A pattern that the modules of a group match, from "layers" on: wrappers put other names before it.
std::string target(const TensorGroup& group) {
  std::string out;
  std::string_view module = group.module;
  if (const std::size_t layers = module.find("layers."); layers != std::string_view::npos) module.remove_prefix(layers);
  for (std::size_t i = 0; i < module.size(); ++i) {
    if (module.substr(i).starts_with(".N.") && !group.layers.empty()) {
      out += "\\." + layer_pattern(group);
      ++i;
    } else if (module[i] == '*') {
      out += "[^.]*";
    } else if (module[i] == '\'') {
      out += "''";
    } else {
      out += std::string_view(".+()[]{}|^$?\\").find(module[i]) == std::string_view::npos ? std::string(1, module[i])
                                                                                          : std::string("\\") + module[i];
    }
  }
  return "'re:(.*\\.)?" + out + "$'";
}

}  // namespace

std::string plan_for_llm_compressor(const FormatPlan& plan) {
  std::map<FormatId, std::vector<std::string>> targets;
  std::vector<std::string> ignored;
  std::size_t unnamed = 0;
  for (const TensorGroup& group : tensor_groups(plan)) {
    const bool quantised = group.format != no_format && !scheme(Formats::catalogue()[group.format]).empty();
    if (group.module.empty())
      ++unnamed;
    else
      (quantised ? targets[group.format] : ignored).push_back(target(group));
  }
  std::string out = "# " + printable(plan.finding) + '\n';
  if (!plan.credit.empty()) out += "# " + plan.credit + '\n';
  if (unnamed > 0) out += "# Not in the recipe: " + quantity(unnamed, "layer", "layers") + " without a module path.\n";
  out += "quant_stage:\n  quant_modifiers:\n    QuantizationModifier:\n      ignore:" + std::string(ignored.empty() ? " []\n" : "\n");
  for (const std::string& name : ignored) out += "        - " + name + '\n';
  out += "      config_groups:" + std::string(targets.empty() ? " {}\n" : "\n");
  std::size_t index = 0;
  for (const auto& [id, names] : targets) {
    const Format& format = Formats::catalogue()[id];
    out += "        group_" + std::to_string(index++) + ":\n          targets:\n";
    for (const std::string& name : names) out += "            - " + name + '\n';
    out += "          weights: " + scheme(format) + '\n';
    if (plan.activations && format.bits == 8) out += "          input_activations: " + activation_scheme(format) + '\n';
  }
  return out;
}

}  // namespace roofline
