#include "read/operations/operation_rows.hpp"

#include <algorithm>
#include <map>
#include <roofline/write/operation_rows.hpp>

#include "base/schemas.hpp"
#include "base/sort_stably.hpp"
#include "write/runs/tally_json.hpp"

namespace roofline {
namespace {

struct Row {
  TallyRow tally;
  std::size_t first = 0;  ///< the row of the workload that it comes from, or the first of those added up
  bool single = true;
};

struct Document {
  const Workload& workload;
  std::vector<Row> rows;
  bool whole = true;
};

struct RowOf {
  const Document& document;
  const Row& row;
  [[nodiscard]] const Workload& workload() const { return document.workload; }
};

double channel_bytes(const Row& row, const Channel& channel) {
  for (const TallyRow::ChannelSum& sum : row.tally.channels)
    if (sum.name == channel.name && sum.link == channel.link) return sum.bytes.value();
  return unknown;
}

// Values of the document's channels, measures and labels, in their order.
constexpr Member<RowOf> row_members[] = {
    {"step", schema::text, "", [](JsonOut& out, const RowOf& r) { out.value(r.workload().steps[r.workload().step[r.row.first]]); },
     [](const RowOf& r) { return !r.workload().step.empty(); }},
    {"views", schema::count, "of a profile: bits of the views that it counts in",
     [](JsonOut& out, const RowOf& r) { out.count(r.workload().views[r.row.first]); },
     [](const RowOf& r) { return !r.workload().views.empty(); }},
    {"channel_bytes", schema::series, "of each of the channels, B",
     [](JsonOut& out, const RowOf& r) {
       out.begin_array();
       for (const Channel& channel : r.workload().channels) out.value(channel_bytes(r.row, channel));
       out.end_array();
     },
     [](const RowOf& r) { return !r.workload().channels.empty(); }},
    {"measures", schema::series, "of each of the measures",
     [](JsonOut& out, const RowOf& r) {
       out.begin_array();
       for (const Measure& measure : r.workload().measures) out.value(measure.values[r.row.first]);
       out.end_array();
     },
     [](const RowOf& r) { return r.row.single && !r.workload().measures.empty(); }},
    {"labels", schema::names, "the word of each of the labels; null: none",
     [](JsonOut& out, const RowOf& r) {
       out.begin_array();
       for (const Category& label : r.workload().categories)
         label.value[r.row.first] < label.values.size() ? out.value(label.values[label.value[r.row.first]]) : out.null();
       out.end_array();
     },
     [](const RowOf& r) { return r.row.single && !r.workload().categories.empty(); }}};

constexpr Member<Channel> channel_members[] = {{"name", schema::text, "", field<&Channel::name>},
                                               {"link", schema::flag, "to other machines", field<&Channel::link>}};

constexpr Member<Measure> measure_members[] = {{"name", schema::text, "", field<&Measure::name>},
                                               {"unit", schema::text, "", field<&Measure::unit>}};

constexpr Member<DeviceTime> device_time_members[] = {
    {"devices", schema::count, "whose times are added up", field<&DeviceTime::devices>},
    {"span_s", schema::number, "from the first work to the end of the last, s", field<&DeviceTime::span_s>},
    {"busy_s", schema::number, "the part of span_s in which anything ran, s", field<&DeviceTime::busy_s>},
    {"launches", schema::count, "number of launches; 0: not known", field<&DeviceTime::launches>},
    {"gaps", schema::count, "between launches, in which the device idles", field<&DeviceTime::gaps>},
    {"longest_gap_s", schema::number, "the longest of these gaps, s", field<&DeviceTime::longest_gap_s>}};

constexpr Member<Document> members[] = {
    document_id<Document>(operations_schema_id),
    {"format", schema::text, "of the file", [](JsonOut& out, const Document& d) { out.value(to_string(d.workload.source_format)); }},
    {"whole", schema::flag, "false: the operations with the least time are added up by type", field<&Document::whole>},
    {"machine", R"("type":["object","string"])", "that the file states: an id or a machine",
     [](JsonOut& out, const Document& d) { out.raw(d.workload.machine_json); },
     [](const Document& d) { return !d.workload.machine_json.empty(); }},
    {"machine_words", schema::texts, "words of the file that may name its machine",
     [](JsonOut& out, const Document& d) { write_value(out, d.workload.machine_words); },
     [](const Document& d) { return !d.workload.machine_words.empty(); }},
    {"simulated_by", schema::text, "the tool that simulated its times",
     [](JsonOut& out, const Document& d) { out.value(d.workload.simulated_by); },
     [](const Document& d) { return !d.workload.simulated_by.empty(); }},
    {"properties", R"("type":"object","additionalProperties":{"type":"string"})", "of the device, as the file states them",
     [](JsonOut& out, const Document& d) {
       out.object([&] {
         for (const auto& [name, text] : d.workload.properties) out.member(name, text);
       });
     },
     [](const Document& d) { return !d.workload.properties.empty(); }},
    {"device_time", object_of<device_time_members>, "how the work of a trace lies in time",
     [](JsonOut& out, const Document& d) { write_object<device_time_members>(out, d.workload.device_time); },
     [](const Document& d) { return known(d.workload.device_time.span_s); }},
    {"channels", objects_of<channel_members>, "of further memories and links",
     [](JsonOut& out, const Document& d) { write_objects<channel_members>(out, d.workload.channels); },
     [](const Document& d) { return !d.workload.channels.empty(); }},
    {"measures", objects_of<measure_members>, "figures that the file says beside",
     [](JsonOut& out, const Document& d) { write_objects<measure_members>(out, d.workload.measures); },
     [](const Document& d) { return !d.workload.measures.empty(); }},
    {"labels", schema::texts, "columns of words",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const Category& label : d.workload.categories) out.value(label.name);
       out.end_array();
     },
     [](const Document& d) { return !d.workload.categories.empty(); }},
    {"rows", R"("type":"array","items":{"$ref":"#/$defs/row"})", "operations in the order of the file",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const Row& row : d.rows) {
         out.object([&] {
           write_tally_kind(out, row.tally);
           write_tally_columns(out, row.tally);
           write_members<row_members>(out, RowOf{d, row});
         });
         out.flush_if_full();
       }
       out.end_array();
     }}};

/// The rows of a workload with the most time first, else those with the most bytes.
std::vector<std::uint32_t> most_time_first(const Workload& w) {
  const auto time = [&](std::size_t i) { return known_or(at(w.self_time_s, i, unknown), known_or(at(w.time_s, i, unknown), 0)); };
  const auto bytes = [&](std::size_t i) { return known_or(at(w.bytes, i, unknown), 0); };
  const auto before = [&](std::size_t a, std::size_t b) { return time(a) != time(b) ? time(a) > time(b) : bytes(a) > bytes(b); };
  return sorted_indices(w.size(), ComesBefore(before));
}

Document whole_document(const Workload& w) {
  Document out{w, {}, true};
  for (std::size_t i = 0; i < w.size(); ++i) out.rows.push_back({tally_row(w, i), i});
  return out;
}

/// The `most` rows with the most time, and the others added up by type. Rates without sizes have no sum: they are left out.
Document shortened(const Workload& w, std::size_t most) {
  Document out{w, {}, false};
  std::vector<std::uint32_t> order = most_time_first(w);
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::sort(order.begin(), cut);
  std::sort(cut, order.end());
  for (auto i = order.begin(); i != cut; ++i) out.rows.push_back({tally_row(w, *i), *i});
  std::map<std::pair<std::uint32_t, int>, std::pair<std::size_t, Tally>> sums;  // by step and views: their first row, and the sums
  for (auto i = cut; i != order.end(); ++i) {
    if (w.class_of(*i).rates_only) continue;
    TallyRow row = tally_row(w, *i);
    row.name = "other " + row.op_class.type;
    row.shape = 0;
    row.sizes = {};
    const auto key = std::pair(w.step.empty() ? 0 : w.step[*i], w.views.empty() ? 0 : w.views[*i]);
    sums.try_emplace(key, *i, Tally()).first->second.second.add(std::move(row));
  }
  for (const auto& [key, sum] : sums)
    for (const TallyRow& row : sum.second.rows()) out.rows.push_back({row, sum.first, false});
  return out;
}

void write_document(const Document& document, const Sink& sink) {
  JsonOut out(sink);
  write_object<members>(out, document);
  out.send();
}

}  // namespace

void write_operation_rows(const Workload& workload, std::size_t most, const Sink& sink) {
  if (workload.size() <= most) return write_document(whole_document(workload), sink);
  const Workload merged = group_identical(workload);
  write_document(merged.size() <= most ? whole_document(merged) : shortened(merged, most), sink);
}

ObjectSchema operation_rows_schema() { return ObjectSchema().with(members); }
ObjectSchema operation_rows_row_schema() {
  ObjectSchema schema = tally_kind_schema().with(row_members);
  add_tally_columns(schema);
  return schema;
}

}  // namespace roofline
