#include "write/runs/tally_json.hpp"

#include <cstdio>

#include "write/op_json.hpp"

namespace roofline {
namespace {

constexpr Member<OpClass> format_members[] = {
    {"weight", schema::name, "", [](JsonOut& out, const OpClass& k) { write_format(out, k.weight); }},
    {"activation", schema::name, "", [](JsonOut& out, const OpClass& k) { write_format(out, k.activation); }},
    {"output", schema::name, "", [](JsonOut& out, const OpClass& k) { write_format(out, k.output); }},
    {"kv", schema::name, "", [](JsonOut& out, const OpClass& k) { write_format(out, k.kv); }}};

constexpr Member<TallyRow> kind_members[] = {
    {"name", schema::name, "null: none", [](JsonOut& out, const TallyRow& r) { write_name(out, r.name); }},
    {"type", schema::text, "", field<&TallyRow::op_class, &OpClass::type>},
    {"category", schema::text, "", field<&TallyRow::op_class, &OpClass::category>},
    {"family", schema::text, "the operator family, independent of the category", field<&TallyRow::op_class, &OpClass::family>},
    {"symbol", schema::text, "its marker on the chart", field<&TallyRow::op_class, &OpClass::symbol>},
    {"shape", schema::text, "equal for equal shapes and parameters",
     [](JsonOut& out, const TallyRow& r) {
       char text[16];
       std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(r.shape));
       out.value(text);
     }},
    {"sizes", schema::numbers, "of one occurrence of a matrix product or of attention, those that it has",
     [](JsonOut& out, const TallyRow& r) {
       out.object([&] {
         for (const auto& [name, size] : size_members)
           if (r.sizes.*size != 0) out.member(name, r.sizes.*size);
       });
     },
     [](const TallyRow& r) { return r.sizes.known(); }},
    {"formats", R"("$ref":"#/$defs/formats")", "ids; null: no such operand",
     [](JsonOut& out, const TallyRow& r) { write_object<format_members>(out, r.op_class); }},
    {"traits", schema::texts, "what is known of its work", [](JsonOut& out, const TallyRow& r) {
       out.begin_array();
       for (const Trait& trait : traits)
         if (r.op_class.*trait.flag) out.value(trait.name);
       out.end_array();
     }}};

}  // namespace

void write_tally_kind(JsonOut& out, const TallyRow& row) { write_members<kind_members>(out, row); }

void write_tally_columns(JsonOut& out, const TallyRow& row) {
  std::size_t column = 0;
  for_each_column([&](const NumberColumn& c) {
    const bool is_known = (row.known >> column & 1) != 0;
    const double value = is_known ? row.sums[column].value() : unknown;
    ++column;
    // What is not there is read as the column's standard.
    if (known(c.standard) ? value != 0 : is_known) out.member(c.name, value);
  });
}

ObjectSchema tally_kind_schema() { return ObjectSchema().with(kind_members); }

void add_tally_columns(ObjectSchema& schema) {
  for_each_column([&](const NumberColumn& c) {
    schema.add(c.name, schema::number, known(c.standard) ? "absent: 0; null: not known" : "absent: not known", false);
  });
}

ObjectSchema tally_formats_schema() { return ObjectSchema().with(format_members); }

}  // namespace roofline
