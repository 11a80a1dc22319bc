#include "build/sources.hpp"

#include <vector>

namespace roofline {

const BuiltSource* find_source(std::string_view kind) {
  static const std::vector<BuiltSource> sources = {
      {"model", build_model},
      {"operator", build_operator},
  };
  for (const BuiltSource& source : sources)
    if (source.kind == kind) return &source;
  return nullptr;
}

}  // namespace roofline
