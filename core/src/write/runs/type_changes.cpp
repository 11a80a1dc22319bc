#include "write/runs/type_changes.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

#include "base/csv_row.hpp"

namespace roofline {
namespace {

constexpr std::size_t few_ops = 12;        // up to this number, operations are listed without sums
constexpr std::size_t default_types = 10;  // rows of sums above a list of operations

constexpr Member<TypeChange> members[] = {
    {"type", schema::text, "the common part of types, Conv of Conv and QLinearConv, or the family", field<&TypeChange::type>},
    {"types", schema::texts, "as the runs write them", field<&TypeChange::types>},
    {"ops_a", schema::count, "operations before", field<&TypeChange::ops_a>},
    {"ops_b", schema::count, "operations after", field<&TypeChange::ops_b>},
    {"time_a_s", schema::number, "of those with a time, s", field<&TypeChange::time_a_s>},
    {"time_b_s", schema::number, "s", field<&TypeChange::time_b_s>},
    {"time_ratio", schema::number, "after / before: below 1 is faster", field<&TypeChange::time_ratio>},
    {"time_saved_s", schema::number, "before - after, s; a run without such operations spends no time on them",
     field<&TypeChange::time_saved_s>}};

}  // namespace

void write_type_change(JsonOut& out, const TypeChange& change) { write_object<members>(out, change); }
ObjectSchema type_change_schema() { return ObjectSchema().with(members); }

std::string time_change_text(double saved) {
  if (!known(saved)) return "-";
  return (saved < 0 ? "+" : saved > 0 ? "-" : "") + seconds(std::abs(saved));
}

void write_types_csv(const Comparison& c, const CompareOptions& options, const Sink& sink) {
  CsvRow row;
  for (const char* name : {"type", "ops_a", "ops_b", "time_a_s", "time_b_s", "time_ratio", "time_saved_s"}) row.add_plain(name);
  sink(row.take());
  for (std::size_t i = 0; i < std::min(c.by_type.size(), options.top.value_or(c.by_type.size())); ++i) {
    const TypeChange& t = c.by_type[i];
    row.add(t.type);
    row.add_plain(std::to_string(t.ops_a));
    row.add_plain(std::to_string(t.ops_b));
    for (const double v : {t.time_a_s, t.time_b_s, t.time_ratio, t.time_saved_s}) row.add(v);
    sink(row.take());
  }
}

TypeTable type_table(const Comparison& c, const CompareOptions& options) {
  TypeTable table;
  if (!options.by_type && (c.ops.size() <= few_ops || c.by_type.size() < 2)) return table;
  const std::size_t most = options.by_type ? options.top.value_or(c.by_type.size()) : default_types,
                    listed = std::min(most, c.by_type.size());
  table.rows.push_back({c.by_family ? "family" : "type", "ops", "before", "after", "ratio", "time change"});
  for (std::size_t i = 0; i < listed; ++i) {
    const TypeChange& t = c.by_type[i];
    table.rows.push_back({t.type, with_commas(t.ops_a) + (t.ops_a == t.ops_b ? "" : " → " + with_commas(t.ops_b)),
                          or_dash(t.time_a_s, seconds), or_dash(t.time_b_s, seconds), or_dash(t.time_ratio, number),
                          time_change_text(t.time_saved_s)});
  }
  table.left_out = c.by_type.size() - listed;
  return table;
}

}  // namespace roofline
