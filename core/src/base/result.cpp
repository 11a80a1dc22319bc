#include <roofline/base/result.hpp>

namespace roofline {

std::string Error::text() const {
  std::string out;
  if (line > 0) out = "line " + std::to_string(line);
  if (column > 0) out += (out.empty() ? "column " : ", column ") + std::to_string(column);
  if (!path.empty()) out += (out.empty() ? "" : ": ") + path;
  return out.empty() ? message : out + ": " + message;
}

}  // namespace roofline
