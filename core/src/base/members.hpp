// The members of a JSON object as a table: what writes them, what its schema says of them, and what conditions may name.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_out.hpp"

namespace roofline {

/// JSON Schema of a value, without its braces. A number is null where it is not known.
namespace schema {
inline constexpr std::string_view number = R"("type":["number","null"])", count = R"("type":"integer","minimum":0)",
                                  index = R"("type":["integer","null"],"minimum":0)", text = R"("type":"string")",
                                  name = R"("type":["string","null"])", flag = R"("type":"boolean")",
                                  maybe = R"("type":["boolean","null"])",
                                  numbers = R"("type":"object","additionalProperties":{"type":["number","null"]})",
                                  counts = R"("type":"object","additionalProperties":{"type":"integer"})",
                                  texts = R"("type":"array","items":{"type":"string"})",
                                  names = R"("type":"array","items":{"type":["string","null"]})",
                                  series = R"("type":"array","items":{"type":["number","null"]})";
}  // namespace schema

/// What a member may hold: one of schema::, JSON Schema in the same form, or the schema of a table's objects (object_of and the like,
/// below).
class MemberSchema {
 public:
  constexpr MemberSchema(const char* text) : text_(text) {}
  constexpr MemberSchema(std::string_view text) : text_(text) {}
  constexpr MemberSchema(std::string (*made)()) : made_(made) {}
  [[nodiscard]] std::string text() const { return made_ ? made_() : std::string(text_); }

 private:
  std::string_view text_;
  std::string (*made_)() = nullptr;
};

/// One member of the object that is written of an `Of`.
template <class Of>
struct Member {
  std::string_view name;
  MemberSchema schema;
  std::string_view meaning;  ///< with its unit
  void (*write)(JsonOut&, const Of&);
  bool (*present)(const Of&) = nullptr;  ///< null: always
};

/// The members of an object that is already begun.
template <class Table, class Of>
void write_members(JsonOut& out, const Table& table, const Of& of) {
  for (const auto& member : table) {
    if (member.present && !member.present(of)) continue;
    out.key(member.name);
    member.write(out, of);
  }
}

/// An object of its own.
template <class Table, class Of>
void write_object(JsonOut& out, const Table& table, const Of& of) {
  out.object([&] { write_members(out, table, of); });
}

/// A list of values; a list of objects that a table describes.
template <class Values>
void write_list(JsonOut& out, const Values& values) {
  out.begin_array();
  for (const auto& v : values) out.value(v);
  out.end_array();
}
template <class Table, class Objects>
void write_objects(JsonOut& out, const Table& table, const Objects& objects) {
  out.begin_array();
  for (const auto& of : objects) write_object(out, table, of);
  out.end_array();
}

/// `name` where there is one, else null.
inline void write_name(JsonOut& out, std::string_view name) {
  if (name.empty())
    out.null();
  else
    out.value(name);
}

/// What a table says of its members, as the pieces of an object's schema.
class ObjectSchema {
 public:
  /// `optional`: members that only some documents have.
  template <class Table>
  ObjectSchema& with(const Table& table, bool optional = false) {
    for (const auto& member : table) add(member.name, member.schema.text(), member.meaning, !optional && !member.present);
    return *this;
  }
  ObjectSchema& add(std::string_view name, std::string_view shape, std::string_view meaning, bool required = true) {
    const std::string key = json_text([&](JsonOut& out) { out.value(name); });
    if (!names_.insert(key).second) return *this;  // of two tables the first describes it
    properties_ += (properties_.empty() ? "" : ",") + key + ":{" + std::string(shape);
    if (!meaning.empty()) properties_ += ",\"description\":" + json_text([&](JsonOut& out) { out.value(meaning); });
    properties_ += '}';
    if (required) required_ += (required_.empty() ? "" : ",") + key;
    return *this;
  }
  /// What is no object of known members.
  static ObjectSchema of(std::string_view shape) {
    ObjectSchema out;
    out.shape_ = shape;
    return out;
  }
  /// Without braces, as schema:: has them.
  [[nodiscard]] std::string text() const {
    if (!shape_.empty()) return shape_;
    return R"("type":"object","properties":{)" + properties_ + "},\"required\":[" + required_ + ']';
  }

 private:
  std::string properties_, required_, shape_;
  std::set<std::string> names_;
};

/// The objects that a document's schema refers to, by name.
using Definitions = std::vector<std::pair<const char*, ObjectSchema>>;

/// A list of such values; such a value or null.
[[nodiscard]] inline std::string list_of(std::string_view shape) { return R"("type":"array","items":{)" + std::string(shape) + '}'; }
[[nodiscard]] inline std::string or_null(std::string_view shape) { return R"("anyOf":[{)" + std::string(shape) + R"(},{"type":"null"}])"; }

/// The shape of a member that is an object whose members another table has; that may be null instead; that is a list of them.
template <const auto& table>
std::string object_of() {
  return ObjectSchema().with(table).text();
}
template <const auto& table>
std::string object_or_null() {
  return or_null(object_of<table>());
}
template <const auto& table>
std::string objects_of() {
  return list_of(object_of<table>());
}

}  // namespace roofline
