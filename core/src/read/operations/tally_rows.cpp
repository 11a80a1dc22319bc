#include "read/operations/tally_rows.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdlib>
#include <roofline/operators/operator.hpp>

#include "base/letters.hpp"

namespace roofline {
namespace {

/// Whether writing it again, which recurses, is safe.
bool shallow(const rapidjson::Value& value, int levels) {
  if (levels == 0) return false;
  if (value.IsArray())
    for (const rapidjson::Value& element : value.GetArray())
      if (!shallow(element, levels - 1)) return false;
  if (value.IsObject())
    for (const auto& m : value.GetObject())
      if (!shallow(m.value, levels - 1)) return false;
  return true;
}

class RowReader {
 public:
  RowReader(const rapidjson::Value& value, std::string path) : value_(value), path_(std::move(path)) {}

  Result<TallyRow> read() {
    if (!value_.IsObject()) return fail("expected an object", path_);
    row_.name = text_of(find_member(value_, "name"));
    OpClass& op_class = row_.op_class;
    op_class.type = text_of(find_member(value_, "type"));
    op_class.category = text_of(find_member(value_, "category"));
    const Operator* op = find_operator(op_class.type);
    op_class.family = named<OpFamily>(text_of(find_member(value_, "family"))).value_or(op ? op->family : OpFamily::other);
    if (const rapidjson::Value* sizes = find_member(value_, "sizes"))
      for (const auto& [name, size] : size_members)
        if (sizes->IsObject() && sizes->HasMember(name)) row_.sizes.*size = size_of((*sizes)[name]);
    op_class.symbol = named<Symbol>(text_of(find_member(value_, "symbol"))).value_or(Symbol::star);
    const rapidjson::Value* formats = find_member(value_, "formats");
    for (const auto& [key, to] : {std::pair("weight", &op_class.weight), std::pair("activation", &op_class.activation),
                                  std::pair("output", &op_class.output), std::pair("kv", &op_class.kv)}) {
      const std::string id = formats ? text_of(find_member(*formats, key)) : std::string();
      if (id.empty()) continue;
      const auto format = Formats::catalogue().find(id);
      if (!format) return fail(Formats::catalogue().unknown_name_message(id), path_ + ".formats." + key);
      *to = *format;
    }
    if (const rapidjson::Value* words = find_member(value_, "traits"); words && words->IsArray())
      for (const rapidjson::Value& word : words->GetArray())
        for (const Trait& trait : traits)
          if (text_of(&word) == trait.name) op_class.*trait.flag = true;
    row_.shape = static_cast<std::uint32_t>(std::strtoul(text_of(find_member(value_, "shape")).c_str(), nullptr, 16));
    row_.records = count_of(find_member(value_, "records"));
    std::size_t column = 0;
    for_each_column([&](const NumberColumn& c) {
      // Work that is not there is none, and null is not known; a time or bytes that are not there are not known.
      const bool stated = sum(value_, c.name, row_.sums[column]);
      const double total = row_.sums[column].value();
      if (c.of == ColumnOf::count ? !(total > 0) : total < 0) fault_ = c.name;
      if (stated ? total > 0 || c.values != &Workload::time_s : known(c.standard) && !value_.HasMember(c.name)) row_.known |= 1u << column;
      ++column;
    });
    row_.bounded = sum(value_, "predicted_time_s", row_.predicted_s);
    row_.judged = sum(value_, "lost_time_s", row_.lost_s);
    if (const rapidjson::Value* channels = find_member(value_, "channels"); channels && channels->IsArray())
      for (const rapidjson::Value& channel : channels->GetArray()) {
        const rapidjson::Value* link = find_member(channel, "link");
        row_.channels.push_back({text_of(find_member(channel, "name")), link && link->IsTrue(), {}});
        if (!sum(channel, "bytes", row_.channels.back().bytes) || row_.channels.back().bytes.value() < 0) fault_ = "channels";
      }
    if (!fault_.empty()) return fail("expected a number from 0 to 8e270", path_ + '.' + fault_);
    return std::move(row_);
  }

 private:
  /// The number `key` of an object and what "rest" has of it; false where there is none.
  bool sum(const rapidjson::Value& object, const char* key, ExactSum& to) {
    const rapidjson::Value* number = find_member(object, key);
    if (!number) return false;
    term(*number, key, to);
    const rapidjson::Value* rest = find_member(object, "rest");
    if (const rapidjson::Value* parts = rest ? find_member(*rest, key) : nullptr; parts && parts->IsArray())
      for (const rapidjson::Value& part : parts->GetArray()) term(part, key, to);
    return true;
  }
  /// Null: not the same in all occurrences.
  double size_of(const rapidjson::Value& value) {
    if (value.IsNull()) return unknown;
    if (!value.IsNumber() || !(value.GetDouble() >= 0)) fault_ = "sizes";
    return value.IsNumber() ? value.GetDouble() : unknown;
  }
  void term(const rapidjson::Value& value, const char* key, ExactSum& to) {
    if (value.IsNumber() && std::abs(value.GetDouble()) <= ExactSum::most)
      to.add(value.GetDouble());
    else
      fault_ = key;
  }

  const rapidjson::Value& value_;
  std::string path_, fault_;
  TallyRow row_;
};

}  // namespace

const rapidjson::Value* find_member(const rapidjson::Value& object, const char* key) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(key);
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

std::string text_of(const rapidjson::Value* value) {
  return value && value->IsString() ? std::string(value->GetString(), value->GetStringLength()) : std::string();
}

std::uint64_t count_of(const rapidjson::Value* value) { return value && value->IsUint64() ? value->GetUint64() : 0; }

Result<std::string> json_of(const rapidjson::Value& value) {
  constexpr int levels = 16;
  if (!shallow(value, levels)) return fail("nested deeper than " + std::to_string(levels) + " levels");
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

bool begins_with_schema(std::string_view text, std::string_view schema_id) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && contains(text.substr(first, 64), schema_id);
}

Result<TallyRow> read_tally_row(const rapidjson::Value& value, std::string path) { return RowReader(value, std::move(path)).read(); }

WorkloadRow workload_row(const TallyRow& row, WorkloadBuilder& rows) {
  WorkloadRow out;
  out.op_class = rows.op_class(row.op_class);
  out.numbers.sizes = row.sizes;
  std::size_t column = 0;
  for_each_column([&](const NumberColumn& c) {
    out.numbers.*c.value = (row.known >> column & 1) != 0 ? row.sums[column].value() : unknown;
    ++column;
  });
  if (!row.name.empty()) out.name = rows.keep(row.name);
  out.shape_hash = row.shape;
  return out;
}

}  // namespace roofline
