// The tools that apply plans of formats, by name.
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

namespace roofline {

std::string plan_for(const FormatPlan& plan, std::string_view tool) {
  if (tool == "json") return plan_json(plan) + '\n';
  if (tool == "llama-quantize") return plan_for_llama_quantize(plan);
  if (tool == "ik") return plan_for_ik_llama(plan);
  if (tool == "llm-compressor") return plan_for_llm_compressor(plan);
  if (tool == "onnxruntime") return plan_for_onnx_runtime(plan);
  if (tool == "nncf") return plan_for_nncf(plan);
  return {};
}

Result<std::vector<FormatId>> plan_formats(const std::vector<std::string>& names, std::string_view tool) {
  std::vector<FormatId> formats;
  for (const std::string& name : names) {
    const std::optional<FormatId> format = Formats::catalogue().find(name);
    if (!format) return fail(Formats::catalogue().unknown_name_message(name));
    formats.push_back(*format);
  }
  return formats_for_tool(tool, formats);
}

std::vector<FormatId> network_plan_formats(std::string_view tool) {
  std::vector<FormatId> formats = *plan_formats({"int8", "int4_g128", "fp8_e4m3"}, {});
  std::erase_if(formats, [&](FormatId format) { return !formats_for_tool(tool, {format}); });
  return formats;
}

}  // namespace roofline
