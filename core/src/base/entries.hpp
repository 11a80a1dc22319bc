// As members.hpp, for documents so small that they are made as a whole.
#pragma once

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

/// One member of the JSON object that is made of an `Of`.
template <class Of>
struct Entry {
  const char* name;
  MemberSchema schema;
  std::string_view meaning;  ///< with its unit
  Json (*value)(const Of&);
  bool (*present)(const Of&) = nullptr;  ///< null: always
};

/// An object of these members, after those that `out` has.
template <class Table, class Of>
[[nodiscard]] Json json_of(const Table& table, const Of& of, Json out = Json::object()) {
  for (const auto& entry : table)
    if (!entry.present || entry.present(of)) out[entry.name] = entry.value(of);
  return out;
}
template <class Table, class All>
[[nodiscard]] Json json_list(const Table& table, const All& all) {
  Json out = Json::array();
  for (const auto& of : all) out.push_back(json_of(table, of));
  return out;
}

}  // namespace roofline
