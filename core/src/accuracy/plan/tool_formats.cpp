// The formats that each tool can apply.
#include <algorithm>
#include <roofline/accuracy/format_plan.hpp>

namespace roofline {
namespace {

/// Integers with one scale for all, or for a group, and no zero point.
bool is_symmetric_integer(const Format& f, double bits) {
  return f.family == FormatFamily::integer && f.bits == bits && !f.scale_format.empty() && f.scale_format != "e8m0" && !f.zero_point;
}
/// GGUF's own types have their scales within the blocks. Q4_K_M is a mixture of them.
bool is_gguf(const Format& f) {
  const bool plain_float = f.id == "fp32" || f.id == "fp16" || f.id == "bf16";
  return plain_float || f.id == "mxfp4" || (f.family == FormatFamily::integer && f.scale_format.empty() && f.block > 1 && f.id != "q4_k_m");
}

struct ToolFormats {
  std::string_view tool, name;
  bool (*takes)(const Format&);
  bool one_of_4_bits = false;  ///< one group size for all
};
constexpr ToolFormats tools[] = {
    {"llama-quantize", "llama-quantize", is_gguf},
    {"ik", "llama-quantize of ik_llama.cpp", is_gguf},
    {"llm-compressor", "llm-compressor",
     [](const Format& f) { return !f.code_book() && (!f.scale_format.empty() || f.id == "fp16" || f.id == "bf16"); }},
    {"onnxruntime", "onnxruntime.quantization",
     [](const Format& f) { return (is_symmetric_integer(f, 8) && f.block == 1) || (is_symmetric_integer(f, 4) && f.block > 1); }, true},
    {"nncf", "NNCF", [](const Format& f) { return (is_symmetric_integer(f, 8) && f.block == 1) || is_symmetric_integer(f, 4); }, true}};

}  // namespace

Result<std::vector<FormatId>> formats_for_tool(std::string_view tool, const std::vector<FormatId>& formats) {
  const Formats& catalogue = Formats::catalogue();
  std::vector<FormatId> out;
  for (const FormatId format : formats)
    if (std::find(out.begin(), out.end(), format) == out.end()) out.push_back(format);
  const auto* found = std::find_if(std::begin(tools), std::end(tools), [&](const ToolFormats& t) { return t.tool == tool; });
  if (found == std::end(tools)) return out;
  const auto refused = std::find_if(out.begin(), out.end(), [&](FormatId f) { return !found->takes(catalogue[f]); });
  if (refused != out.end()) {
    std::string taken;
    for (const Format& f : catalogue.all())
      if (found->takes(f)) taken += (taken.empty() ? "" : ", ") + f.id;
    return fail(std::string(found->name) + " does not take " + catalogue[*refused].id + ": expected some of " + taken);
  }
  const auto of_4_bits = std::count_if(out.begin(), out.end(), [&](FormatId f) { return catalogue[f].bits == 4; });
  if (found->one_of_4_bits && of_4_bits > 1) return fail(std::string(found->name) + " takes one group size: expected one format of 4 bits");
  return out;
}

}  // namespace roofline
