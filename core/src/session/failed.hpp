// What the page is told where something cannot be done.
#pragma once

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] inline Json fault(const Error& e) {
  return {{"message", e.message}, {"line", e.line}, {"column", e.column}, {"path", e.path}};
}

[[nodiscard]] inline std::string failed(const Error& e) { return dump(Json{{"error", fault(e)}}); }

}  // namespace roofline
