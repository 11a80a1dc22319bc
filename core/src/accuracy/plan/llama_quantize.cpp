// A plan for llama-quantize of llama.cpp and of ik_llama.cpp: the same types by other options and spellings.
#include <algorithm>
#include <map>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

#include "accuracy/plan/tensor_groups.hpp"
#include "analysis/wording.hpp"
#include "base/letters.hpp"

namespace roofline {
namespace {

/// ggml's name of a type: "q4_K", "f16".
std::string ggml_type(FormatId format) {
  std::string id = Formats::catalogue()[format].id;
  if (id.starts_with("fp")) id.erase(1, 1);
  if (id.ends_with("_k")) id.back() = 'K';
  return id;
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}
/// The mixture that llama-quantize applies to tensors without a rule: that of the type with most bytes.
std::string base_mixture(const std::vector<TensorGroup>& groups) {
  std::map<FormatId, double> bytes;
  for (const TensorGroup& group : groups) bytes[group.format] += group.bytes;
  const auto most = std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == bytes.end()) return "Q4_K_M";
  const std::string type = upper(ggml_type(most->first));
  return type == "Q3_K" || type == "Q4_K" || type == "Q5_K" ? type + "_M" : type;
}

std::string pattern(const TensorGroup& group) { return "blk\\." + layer_pattern(group) + "\\." + group.base + "\\.weight"; }

std::string head(const FormatPlan& plan, const std::vector<TensorGroup>& groups) {
  std::string out = "# " + printable(plan.finding) + "\n# Bytes of the tensors: " + number(plan.bytes) +
                    ". The file is larger by its metadata and tokenizer.\n";
  for (const TensorGroup& group : groups)
    out += "#   " + group.base + ", " + ggml_type(group.format) + ": " + number(group.bytes) +
           (group.layers.empty() ? "\n" : " in layers " + ranges(group.layers) + '\n');
  if (!plan.credit.empty()) out += "# " + plan.credit + '\n';
  return out + "llama-quantize \\\n" + (plan.imatrix ? "  --imatrix imatrix.gguf \\\n" : "");
}

/// Options of the tensors that belong to no layer.
std::string outer_options(const std::vector<TensorGroup>& groups, std::string (*spelt)(std::string_view)) {
  std::string out;
  for (const TensorGroup& group : groups)
    if (group.base == "output" || group.base == "token_embd")
      out += std::string("  ") + (group.base == "output" ? "--output-tensor-type " : "--token-embedding-type ") +
             spelt(ggml_type(group.format)) + " \\\n";
  return out;
}

std::string tail(const std::vector<TensorGroup>& groups) { return "  model-f16.gguf model.gguf " + base_mixture(groups) + '\n'; }

}  // namespace

std::string plan_for_llama_quantize(const FormatPlan& plan) {
  const std::vector<TensorGroup> groups = tensor_groups(plan);
  std::string out = head(plan, groups) + outer_options(groups, lower);
  for (const TensorGroup& group : groups)
    if (!group.layers.empty()) out += "  --tensor-type '" + pattern(group) + '=' + lower(ggml_type(group.format)) + "' \\\n";
  return out + tail(groups);
}

std::string plan_for_ik_llama(const FormatPlan& plan) {
  const std::vector<TensorGroup> groups = tensor_groups(plan);
  std::string rules;
  for (const TensorGroup& group : groups)
    if (!group.layers.empty()) rules += (rules.empty() ? "" : ",") + pattern(group) + '=' + ggml_type(group.format);
  return head(plan, groups) + outer_options(groups, [](std::string_view type) { return std::string(type); }) + "  --custom-q '" + rules +
         "' \\\n" + tail(groups);
}

}  // namespace roofline
