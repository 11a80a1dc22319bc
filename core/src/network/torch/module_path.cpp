#include "network/torch/module_path.hpp"

namespace roofline::torch_export {

std::string module_path(std::string_view stack) {
  if (const std::size_t last = stack.rfind(';'); last != std::string_view::npos) stack.remove_prefix(last + 1);
  const std::size_t first = stack.find(','), end = stack.rfind(',');
  if (first == std::string_view::npos || end <= first) return {};
  std::string_view path = stack.substr(first + 1, end - first - 1);
  if (path.find("_empty_nn_module_stack") != std::string_view::npos) return {};
  // Python's expression for the module: what is in brackets, quoted or not, and what follows a dot, are its parts.
  std::string out;
  const auto add = [&](std::string_view part) {
    if (part.empty() || part == "_modules" || part == "getattr") return;
    if (!out.empty()) out += '.';
    out += part;
  };
  if (path.starts_with("L[")) path.remove_prefix(path.find(']') == std::string_view::npos ? path.size() : path.find(']') + 1);
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && std::string_view(".[]'\"(), ").find(path[i]) == std::string_view::npos) continue;
    std::string_view part = path.substr(begin, i - begin);
    if (part == "L" && path.substr(i).starts_with("['")) {  // L['self'] within getattr()
      i = path.find(']', i);
      if (i == std::string_view::npos) break;
      begin = i + 1;
      continue;
    }
    add(part.substr(0, part.find('@')));  // "blocks.0@1": its second call
    begin = i + 1;
  }
  return out;
}

}  // namespace roofline::torch_export
