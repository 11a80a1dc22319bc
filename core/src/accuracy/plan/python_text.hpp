// Python source text of plans.
#pragma once

#include <algorithm>
#include <roofline/accuracy/format_plan.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace roofline {

/// Between quotes: JSON's escapes are Python's, too.
[[nodiscard]] inline std::string python_text(const std::string& text) { return compact(Json(text)); }

/// `name = [...]`, one string a line.
[[nodiscard]] inline std::string python_list(const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return name + " = []\n";
  std::string out = name + " = [\n";
  for (const std::string& text : texts) out += "    " + python_text(text) + ",\n";
  return out + "]\n";
}

/// The finding as comments, whatever is in it.
[[nodiscard]] inline std::string python_comment(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return "# " + text + '\n';
}

/// The plan's names of the nodes that their ONNX file leaves without one, and a loop in comments that sets them. Empty: all have names.
[[nodiscard]] inline std::string python_names_of_nodes(const FormatPlan& plan) {
  std::string names;
  for (const PlannedTensor& layer : plan.tensors)
    if (!layer.unnamed_output.empty()) names += "    " + python_text(layer.unnamed_output) + ": " + python_text(layer.name) + ",\n";
  if (names.empty()) return {};
  return "\n# The ONNX file gives these nodes no names. Uncomment the loop to name each by its first output.\nnode_names = {\n" + names +
         "}\n# for node in model.graph.node:\n#     node.name = node.name or node_names.get(node.output[0], \"\")\n";
}

}  // namespace roofline
