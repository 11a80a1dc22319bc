// "roofline-summary/1". What reads it is read/operations/summaries.cpp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <roofline/write/summary.hpp>

#include "analysis/blocks.hpp"
#include "base/schemas.hpp"
#include "base/sort_stably.hpp"
#include "read/operations/summaries.hpp"
#include "write/runs/tally_json.hpp"
#include "write/scenario_json.hpp"

namespace roofline {
namespace {

/// Sums of all rows.
struct Totals {
  std::uint64_t records = 0;
  bool timed = false, bounded = false;
  ExactSum time_s, predicted_s, lost_s;

  explicit Totals(const std::vector<TallyRow>& rows) {
    std::size_t time = 0, self = 0, column = 0;
    for_each_column([&](const NumberColumn& c) {
      if (c.values == &Workload::time_s) time = column;
      if (c.values == &Workload::self_time_s) self = column;
      ++column;
    });
    for (const TallyRow& row : rows) {
      records += row.records;
      const std::size_t own = (row.known >> self & 1) != 0 ? self : time;
      timed = timed || (row.known >> own & 1) != 0;
      bounded = bounded || row.bounded;
      time_s.add(row.sums[own]);
      predicted_s.add(row.predicted_s);
      lost_s.add(row.lost_s);
    }
  }
};

struct Document {
  const RunSums& sums;
  Totals totals = Totals(sums.tally.rows());
};

void write_rest(JsonOut& out, const char* name, const ExactSum& sum) {
  std::vector<double> parts = sum.rounded();
  if (parts.size() < 2) return;
  parts.erase(parts.begin());
  out.list(name, parts);
}

constexpr Member<TallyRow::ChannelSum> channel_members[] = {
    {"name", schema::text, "", field<&TallyRow::ChannelSum::name>},
    {"link", schema::flag, "", field<&TallyRow::ChannelSum::link>},
    {"bytes", schema::number, "B", field<&TallyRow::ChannelSum::bytes, &ExactSum::value>},
    {"rest", R"("$ref":"#/$defs/rest")", "what rounding left of it",
     [](JsonOut& out, const TallyRow::ChannelSum& c) { out.object([&] { write_rest(out, "bytes", c.bytes); }); }}};

constexpr Member<TallyRow> row_members[] = {
    {"records", schema::count, "that were added up", field<&TallyRow::records>},
    {"lost_time_s", schema::number, "measured time beyond the bound, run by run and not netted, s",
     [](JsonOut& out, const TallyRow& r) { out.value(r.judged ? r.lost_s.value() : unknown); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s",
     [](JsonOut& out, const TallyRow& r) { out.value(r.bounded ? r.predicted_s.value() : unknown); }},
    {"channels", R"("type":"array","items":{"$ref":"#/$defs/channel"})", "of further memories and links",
     [](JsonOut& out, const TallyRow& r) { write_objects<channel_members>(out, r.channels); }}};

/// Columns of the workload that hold anything, then what rounding left of all sums.
void write_row(JsonOut& out, const TallyRow& row) {
  out.object([&] {
    write_tally_kind(out, row);
    write_members<row_members>(out, row);
    write_tally_columns(out, row);
    out.object("rest", [&] {
      std::size_t column = 0;
      for_each_column([&](const NumberColumn& c) { write_rest(out, c.name, row.sums[column++]); });
      write_rest(out, "lost_time_s", row.lost_s);
      write_rest(out, "predicted_time_s", row.predicted_s);
    });
  });
}

/// Those that lose most first, then those with the longest bound, then by what they are.
std::vector<const TallyRow*> worst_first(const Tally& tally) {
  struct Ranked {
    double lost, predicted;
    std::string key;
    const TallyRow* row;
  };
  std::vector<Ranked> ranked;
  for (const TallyRow& row : tally.rows()) ranked.push_back({row.lost_s.value(), row.predicted_s.value(), row.key(), &row});
  sort_stably(ranked, [](const Ranked& a, const Ranked& b) {
    if (a.lost != b.lost) return a.lost > b.lost;
    return a.predicted != b.predicted ? a.predicted > b.predicted : a.key < b.key;
  });
  std::vector<const TallyRow*> out;
  for (const Ranked& r : ranked) out.push_back(r.row);
  return out;
}

void write_raw(JsonOut& out, const std::string& json) {
  if (json.empty()) return out.null();
  out.raw(json);
}

constexpr Member<Document> members[] = {
    document_id<Document>(summary_schema_id),
    {"runs", schema::count, "files or streams added up", [](JsonOut& out, const Document& d) { out.count(d.sums.runs); }},
    {"records", schema::count, "operations added up", [](JsonOut& out, const Document& d) { out.count(d.totals.records); }},
    {"left_out", schema::count, "operations with rates and no sizes, which cannot be added up",
     [](JsonOut& out, const Document& d) { out.count(d.sums.left_out); }},
    {"time_s", schema::number, "sum of self times, s",
     [](JsonOut& out, const Document& d) { out.value(d.totals.timed ? d.totals.time_s.value() : unknown); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s",
     [](JsonOut& out, const Document& d) { out.value(d.totals.bounded ? d.totals.predicted_s.value() : unknown); }},
    {"lost_time_s", schema::number, "measured time beyond the bounds, run by run and not netted, s",
     [](JsonOut& out, const Document& d) { out.value(d.totals.timed && d.totals.bounded ? d.totals.lost_s.value() : unknown); }},
    {"assumed", schema::flag, "of some run nobody said that it was this machine",
     [](JsonOut& out, const Document& d) { out.value(d.sums.assumed); }},
    {"machine", R"("anyOf":[{"$ref":"#/$defs/machine"},{"type":"null"}])", "of all runs; null without any",
     [](JsonOut& out, const Document& d) { write_raw(out, d.sums.machine); }},
    {"settings", R"("anyOf":[{"$ref":"#/$defs/scenario"},{"type":"null"}])", "of all runs; null without any",
     [](JsonOut& out, const Document& d) { write_raw(out, d.sums.settings); }},
    {"rows", R"("type":"array","items":{"$ref":"#/$defs/row"})", "one per name, kind and shape; those that lose most first",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const TallyRow* row : worst_first(d.sums.tally)) {
         write_row(out, *row);
         out.flush_if_full();
       }
       out.end_array();
     }}};

}  // namespace

struct RunSummary::State {
  RunSums sums;
};

RunSummary::RunSummary() : state_(std::make_unique<State>()) {}
RunSummary::~RunSummary() = default;
RunSummary::RunSummary(RunSummary&&) noexcept = default;

Result<void> RunSummary::add(const OpSet& ops) {
  RunSums& sums = state_->sums;
  const Plan& plan = ops.plan();
  const Scenario& scenario = plan.scenario();
  const Result<std::string> machine = canonical_json(json_text([&](JsonOut& out) { write_machine(out, scenario.machine); }));
  const Result<std::string> settings = canonical_json(json_text([&](JsonOut& out) { write_scenario(out, plan); }));
  if (!machine) return Unexpected(machine.error());
  if (!settings) return Unexpected(settings.error());
  if (auto agreed = sums.agree(*machine, *settings, scenario.machine_in_doubt()); !agreed) return agreed;
  for_each_block(ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      if (plan.workload().class_of(block.index[j]).rates_only) {
        ++sums.left_out;
        continue;
      }
      TallyRow row = tally_row(plan.workload(), block.index[j]);
      const double own = block.share ? block.share[j] : 1, predicted = block.predicted_s[j] * own;
      row.bounded = predicted > 0 && predicted <= ExactSum::most;
      if (row.bounded) row.predicted_s.add(predicted);
      row.judged = row.bounded && std::abs(block.lost_s[j]) <= ExactSum::most;
      if (row.judged) row.lost_s.add(std::max(block.lost_s[j], 0.0));
      sums.tally.add(std::move(row));
    }
  });
  return {};
}

void RunSummary::end_run() { ++state_->sums.runs; }

Result<std::size_t> RunSummary::add_documents(std::string_view text, bool last) {
  std::size_t taken = 0;
  for (;;) {
    taken = std::min(text.find_first_not_of(" \t\r\n", taken), text.size());
    const std::string_view rest = text.substr(taken);
    if (rest.empty()) return taken;
    // A document is a line; one that somebody has indented ends with a brace at the beginning of a line.
    std::size_t end = rest.find('\n');
    if (end != std::string_view::npos && rest.substr(0, end).find('}') == std::string_view::npos) {
      end = rest.find("\n}");
      end = end == std::string_view::npos ? end : rest.find('\n', end + 1);
    }
    if (end == std::string_view::npos && !last) return taken;
    const Result<std::size_t> added = add_summary(rest.substr(0, end), state_->sums);
    if (!added) return added;
    taken += *added;
  }
}

void RunSummary::write(const Sink& sink) const {
  JsonOut out(sink);
  write_object<members>(out, Document{state_->sums});
  out.send();
  sink("\n");
}

ObjectSchema run_summary_schema() { return ObjectSchema().with(members); }
ObjectSchema run_summary_channel_schema() { return ObjectSchema().with(channel_members); }
ObjectSchema run_summary_row_schema() {
  ObjectSchema schema = tally_kind_schema().with(row_members);
  add_tally_columns(schema);
  return schema.add("rest", R"("$ref":"#/$defs/rest")", "what rounding left of each sum: added to it when documents are merged");
}

}  // namespace roofline
