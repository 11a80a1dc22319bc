// JSON Schemas of the documents, made from the tables that write them.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct SchemaInfo {
  std::string name;   ///< "analysis"
  std::string id;     ///< "roofline-analysis/1", the document's "schema"; empty: it has none
  std::string title;  ///< what it is
};

[[nodiscard]] std::vector<SchemaInfo> schemas();

/// The JSON Schema (2020-12) by name or id. Within a version members are only added, so that a reader passes over those it does not know.
[[nodiscard]] Result<std::string> schema_json(std::string_view name);

}  // namespace roofline
