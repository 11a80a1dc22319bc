// The members of a JSON object as a table: what writes them, what its schema says of them, and what conditions may name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"
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

/// One of an enumeration's names.
template <class Enum>
[[nodiscard]] std::string choice() {
  return "\"enum\":" + json_text([](JsonOut& out) { write_value(out, names_of<Enum>); });
}
}  // namespace schema

/// What a member may hold: one of schema::, JSON Schema in the same form, one text only, or the schema of a table's objects (object_of and
/// the like, below).
class MemberSchema {
 public:
  constexpr MemberSchema(const char* text) : text_(text) {}
  constexpr MemberSchema(std::string_view text) : text_(text) {}
  constexpr MemberSchema(std::string (*made)()) : made_(made) {}
  static constexpr MemberSchema constant(std::string_view value) {
    MemberSchema out("");
    out.constant_ = value;
    return out;
  }
  [[nodiscard]] std::string text() const {
    if (!constant_.empty()) return "\"const\":\"" + std::string(constant_) + '"';
    return made_ ? made_() : std::string(text_);
  }
  /// The only text that it allows; empty: it is not a constant().
  [[nodiscard]] constexpr std::string_view only() const { return constant_; }

 private:
  std::string_view text_, constant_;
  std::string (*made_)() = nullptr;
};

/// One member of the object that is written of an `Of`.
template <class Of>
struct Member {
  std::string_view name;
  MemberSchema schema;
  std::string_view meaning;              ///< with its unit
  void (*write)(JsonOut&, const Of&);    ///< null: the schema's constant
  bool (*present)(const Of&) = nullptr;  ///< null: always
};

/// The first member of a document: which one it is, as "roofline-sweep/1".
template <class Of>
constexpr Member<Of> document_id(std::string_view id) {
  return {"schema", MemberSchema::constant(id), "", nullptr};
}

/// What writing takes of a member. The rest is for schemas: a program that prints none is linked without it.
template <class Of>
struct MemberWriter {
  std::string_view name, constant;
  void (*write)(JsonOut&, const Of&);
  bool (*present)(const Of&);
};

template <class Of>
constexpr MemberWriter<Of> writer_of(const Member<Of>& member) {
  return {member.name, member.schema.only(), member.write, member.present};
}

template <const auto& table>
inline constexpr auto writers_of = std::apply([](const auto&... member) { return std::array{writer_of(member)...}; }, std::to_array(table));

template <const auto& table, class Of>
bool any_present(const Of& of) {
  return std::any_of(writers_of<table>.begin(), writers_of<table>.end(),
                     [&](const auto& member) { return !member.present || member.present(of); });
}

/// The members of an object that is already begun.
template <const auto& table, class Of>
void write_members(JsonOut& out, const Of& of) {
  for (const auto& member : writers_of<table>) {
    if (member.present && !member.present(of)) continue;
    out.key(member.name);
    if (member.write)
      member.write(out, of);
    else
      out.value(member.constant);
  }
}

/// An object of its own.
template <const auto& table, class Of>
void write_object(JsonOut& out, const Of& of) {
  out.object([&] { write_members<table>(out, of); });
}

/// Writes a number, a count, a flag, a text or an enumeration's name; null for an optional without a value; an array for any list.
template <class Value>
void write_value(JsonOut& out, const Value& value) {
  if constexpr (std::is_same_v<Value, bool> || std::is_floating_point_v<Value> || std::is_convertible_v<Value, std::string_view>) {
    out.value(value);
  } else if constexpr (std::is_integral_v<Value>) {
    out.count(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_enum_v<Value>) {
    out.value(to_string(value));
  } else if constexpr (requires { value.has_value(); }) {
    if (value)
      write_value(out, *value);
    else
      out.null();
  } else {
    out.begin_array();
    for (const auto& v : value) write_value(out, v);
    out.end_array();
  }
}

/// Writes what a path of members, or of functions without arguments, leads to: field<&Answer::memory, &Memory::context>. A member may be
/// a pointer on the way; C++ has no pointers to members that are references.
template <auto member, auto... path, class Of>
void field(JsonOut& out, const Of& of) {
  const auto& value = std::invoke(member, of);
  if constexpr (sizeof...(path) > 0)
    field<path...>(out, value);
  else
    write_value(out, value);
}

/// A list of objects that a table describes.
template <const auto& table, class Objects>
void write_objects(JsonOut& out, const Objects& objects) {
  out.begin_array();
  for (const auto& of : objects) write_object<table>(out, of);
  out.end_array();
}

/// The object as dump() writes it.
template <const auto& table, class Of>
[[nodiscard]] std::string object_text(const Of& of) {
  return dump(json_value([&](JsonOut& out) { write_object<table>(out, of); }));
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
