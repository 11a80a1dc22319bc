// Rows of operations in the JSON documents that Roofline writes to read again: "roofline-summary/1" and "roofline-operations/1".
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

#include "workload/builder.hpp"
#include "workload/tally.hpp"

namespace roofline {

/// The member of an object; null: there is none, or it is null.
[[nodiscard]] const rapidjson::Value* find_member(const rapidjson::Value& object, const char* key);
/// Empty: it is no text.
[[nodiscard]] std::string text_of(const rapidjson::Value* value);
/// 0: it is no count.
[[nodiscard]] std::uint64_t count_of(const rapidjson::Value* value);
/// The JSON text of a machine or of settings; fails if it is nested deeply.
[[nodiscard]] Result<std::string> json_of(const rapidjson::Value& value);

/// Whether a text begins as a document with that "schema".
[[nodiscard]] bool begins_with_schema(std::string_view text, std::string_view schema_id);

/// A row as write_tally_kind() and write_tally_columns() of write/runs/tally_json.hpp write it. `path`: where it is in the document.
[[nodiscard]] Result<TallyRow> read_tally_row(const rapidjson::Value& value, std::string path);

/// That row as a row of operations; `rows` keeps its words and its name.
[[nodiscard]] WorkloadRow workload_row(const TallyRow& row, WorkloadBuilder& rows);

}  // namespace roofline
