#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/write/write.hpp>

#include "analysis/steps.hpp"
#include "write/op_json.hpp"
#include "write/parity_json.hpp"

namespace roofline {

void write_format(JsonOut& out, FormatId format) {
  if (format == no_format)
    out.null();
  else
    out.value(Formats::catalogue()[format].id);
}

void write_formats(JsonOut& out, const Plan& plan, std::size_t op, FormatId compute) {
  const OpClass& kind = plan.workload().class_of(op);
  out.begin_object();
  const auto format = [&](const char* name, FormatId id) {
    out.key(name);
    write_format(out, id);
  };
  format("weight", kind.weight);
  format("activation", kind.activation);
  format("output", kind.output);
  format("kv", kind.kv);
  format("compute", kind.invalid ? no_format : compute);
  out.end_object();
}

namespace {

void write_resource(JsonOut& out, const Plan& plan, std::uint8_t resource) {
  if (resource == no_resource)
    out.null();
  else
    out.value(plan.resources()[resource].name);
}

/// {"compute": ..., "HBM": ...}: one value per resource, from `first`.
template <class Value>
void write_by_resource(JsonOut& out, const Plan& plan, std::size_t first, const Value& value_of) {
  out.begin_object();
  for (std::size_t i = first; i < plan.resources().size(); ++i) out.member(plan.resources()[i].name, value_of(i));
  out.end_object();
}

/// `basis`: how the scenario came by it; a what-if's machine has none.
void write_machine(JsonOut& out, const Machine& machine, std::optional<MachineBasis> basis = {}) {
  std::string text = machine_json(machine, false);
  if (basis) text.insert(1, std::string("\"basis\":\"") + to_string(*basis) + "\",");
  out.raw(text);
}

/// The model behind typical_time_s, as it is in force: the machine's own figures where none are set.
void write_overhead(JsonOut& out, const Plan& plan) {
  const Scenario& s = plan.scenario();
  const StackTerms& terms = plan.terms_in_force();
  const auto format = [&](const char* name, const std::optional<FormatId>& f) {
    out.key(name);
    write_format(out, f.value_or(no_format));
  };
  out.key("overhead");
  out.begin_object();
  out.member("launch_s", terms.launch_s.value_or(unknown));
  out.member("compute", s.machine.achievable(Unit::matrix, no_format).value);
  out.member("bandwidth", s.machine.achievable_memory().value);
  out.member("units", s.machine.units.value);
  out.member("overlap", terms.overlap.value_or(1));
  out.member("tile_rows", s.overhead.tile.rows > 0 ? s.overhead.tile.rows : unknown);
  out.member("tile_columns", s.overhead.tile.rows > 0 ? s.overhead.tile.columns : unknown);
  format("network", s.overhead.network);
  format("accumulator", s.overhead.accumulator);
  out.end_object();
}

void write_scenario(JsonOut& out, const Plan& plan) {
  const Scenario& s = plan.scenario();
  out.begin_object();
  out.member("ops_per_mac", s.ops_per_mac);
  out.member("bound_threshold", s.bound_threshold);
  out.member("memory_threshold", s.memory_threshold);
  out.member("compute_threshold", s.compute_threshold);
  const auto format = [&](const char* name, const std::optional<FormatId>& f) {
    out.key(name);
    write_format(out, f.value_or(no_format));
  };
  out.key("formats");
  out.begin_object();
  format("weight", s.whatif.weight);
  format("activation", s.whatif.activation);
  format("output", s.whatif.output);
  format("kv", s.whatif.kv);
  out.end_object();
  out.member("batch_scale", s.whatif.batch_scale);
  out.member("peak_scale", s.whatif.peak_scale);
  out.member("bandwidth_scale", s.whatif.bandwidth_scale);
  write_overhead(out, plan);
  out.key("whatif_machine");
  if (s.whatif.machine)
    write_machine(out, *s.whatif.machine);
  else
    out.null();
  out.end_object();
}

}  // namespace

void write_typical(JsonOut& out, const Plan& plan, const Typical& t) {
  out.begin_object();
  out.member("compute_s", t.compute_s);
  out.member("transfer_s", t.transfer_s);
  out.member("exposed_s", t.exposed_s);
  out.member("launch_s", t.launch_s);
  out.member("conversion_s", t.conversion_s);
  out.member("fused_time_s", t.fused_time_s);
  out.member("waves", t.waves);
  out.member("wave_efficiency", t.wave_efficiency);
  out.key("terms");
  out.begin_object();
  for (std::size_t i = 0; i < t.terms.size(); ++i)
    if (t.terms[i] != 0) out.member(to_string(static_cast<TypicalTerm>(i)), t.terms[i]);
  out.end_object();
  out.key("cache");
  if (t.cache > 0)
    out.value(plan.scenario().machine.memories[t.cache].name);
  else
    out.null();
  out.end_object();
}

namespace {

/// What the source says beside names and numbers of ours: {"labels": {"Program ID": ...}, "measures": {"Model FLOP Rate": ...}}.
void write_words(JsonOut& out, const Workload& w, std::size_t op) {
  if (w.categories.empty() && w.measures.empty()) return;
  out.key("labels");
  out.begin_object();
  for (const Category& c : w.categories) out.member(c.name, c.word(op));
  out.end_object();
  out.key("measures");
  out.begin_object();
  for (const Measure& m : w.measures) out.member(m.name, m.values[op]);
  out.end_object();
}

}  // namespace

void write_op(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a) {
  const Workload& w = plan.workload();
  const OpClass& kind = w.class_of(op);
  const auto intensity = [&](std::size_t i) { return a.work[i] > 0 ? a.flops / a.work[i] : unknown; };
  const auto unrated = [&](const auto& visit) {  // memories that the machine has no rate for
    for (std::size_t c = 0; c < w.channels.size(); ++c)
      if (!w.channels[c].link && !plan.resource_of(c)) visit(w.channels[c].name, w.channels[c].bytes[op]);
  };
  out.begin_object();
  out.member_count("index", op);
  out.member("name", w.name_of(op));
  out.member("type", kind.type);
  out.member("category", kind.category);
  out.member("symbol", to_string(kind.symbol));
  out.key("step");
  if (w.step.empty() || w.steps[w.step[op]].empty())
    out.null();
  else
    out.value(w.steps[w.step[op]]);
  out.member("count", w.count_of(op));
  write_words(out, w, op);
  out.key("formats");
  write_formats(out, plan, op, a.compute);
  out.member("flops", a.flops);
  out.member("macs", a.flops / 2);
  out.member("bytes", a.bytes);
  out.key("bytes_by_memory");
  out.begin_object();
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    if (plan.resources()[i].kind == ResourceKind::memory) out.member(plan.resources()[i].name, a.work[i]);
  unrated([&](const std::string& name, double bytes) { out.member(name, bytes); });
  out.end_object();
  out.member("derived_bytes", a.derived_bytes);
  out.member("hw_bytes", a.hw_bytes);
  out.member("intensity", a.intensity);
  out.key("intensity_by_memory");
  out.begin_object();
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    if (plan.resources()[i].kind == ResourceKind::memory) out.member(plan.resources()[i].name, intensity(i));
  unrated([&](const std::string& name, double bytes) { out.member(name, bytes > 0 ? a.flops / bytes : unknown); });
  out.end_object();
  out.key("min_time_s");
  write_by_resource(out, plan, 0, [&](std::size_t i) { return a.min_time_s[i]; });
  out.key("utilization");
  write_by_resource(out, plan, 0, [&](std::size_t i) { return a.min_time_s[i] / a.time_s; });
  out.key("bound_by");
  write_resource(out, plan, a.bound_by);
  out.key("bound_unit");
  if (a.bound_by == 0)
    out.value(a.bound_unit == Unit::matrix ? "matrix" : "vector");
  else
    out.null();
  out.member("attainable_flops", a.attainable_flops);
  out.member("predicted_time_s", a.predicted_time_s);
  out.member("typical_time_s", a.typical_time_s);
  out.key("typical");
  write_typical(out, plan, a.typical);
  out.member("time_s", a.time_s);
  out.member("self_time_s", a.self_time_s);
  out.member("lost_time_s", a.lost_time_s);
  out.member("achieved_flops", a.achieved_flops);
  out.member("achieved_bandwidth", a.achieved_bandwidth);
  out.member("efficiency", a.efficiency);
  out.member("status", to_string(a.status));
  out.key("whatif");
  if (plan.has_whatif()) {
    const OpWhatIf then = plan.what_if(op);
    out.begin_object();
    out.member("bytes", then.bytes);
    out.member("predicted_time_s", then.predicted_time_s);
    out.key("bound_by");
    write_resource(out, plan, then.bound_by);
    out.member("speedup_optimistic", then.speedup_optimistic);
    out.member("speedup_pessimistic", then.speedup_pessimistic);
    out.member("upper_bound", then.upper_bound);
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
}

void write_summary(JsonOut& out, const Plan& plan, const Summary& s, const std::vector<std::pair<std::string, std::string>>& further) {
  const bool timed = s.timed_ops > 0, work = s.work_known();
  out.begin_object();
  out.member_count("ops", s.ops);
  out.member_count("timed_ops", s.timed_ops);
  out.member_count("above_roof", s.above_roof);
  out.member_count("far_above_roof", s.far_above);
  out.member("ran_elsewhere", s.ran_elsewhere());
  out.member_count("rates_only", s.rates_only);
  out.member("flops", work ? s.flops : unknown);
  out.member("bytes", work ? s.bytes : unknown);
  out.member("predicted_time_s", work ? s.predicted_time_s : unknown);
  out.member("time_s", timed ? s.time_s : unknown);
  out.member("lost_time_s", timed && work ? s.lost_time_s : unknown);
  out.member("efficiency", s.efficiency());
  if (known(s.typical_time_s)) out.member("typical_time_s", s.typical_time_s);
  out.key("bound_by");
  write_resource(out, plan, s.bound_by);
  out.key("by_status");
  out.begin_object();
  for (std::size_t i = 0; i < status_count; ++i)
    if (s.by_status[i] > 0) out.member_count(to_string(static_cast<Status>(i)), s.by_status[i]);
  out.end_object();
  out.key("time_by_status");
  out.begin_object();
  for (std::size_t i = 0; i < status_count; ++i)
    if (s.by_status[i] > 0) out.member(to_string(static_cast<Status>(i)), s.time_by_status[i]);
  out.end_object();
  out.key("by_bound");
  out.begin_object();
  for (std::size_t i = 0; i < s.by_bound.size(); ++i)
    if (s.by_bound[i] > 0) out.member_count(plan.resources()[i].name, s.by_bound[i]);
  out.end_object();
  out.key("predicted_time_by_bound");
  write_by_resource(out, plan, 0, [&](std::size_t i) { return s.predicted_by_bound[i]; });
  out.key("whatif");
  if (plan.has_whatif()) {
    const bool judged = s.judged_time_s > 0;
    out.begin_object();
    out.member("predicted_time_s", s.whatif_predicted_s);
    out.member("time_optimistic_s", judged ? s.whatif_optimistic_s : unknown);
    out.member("time_pessimistic_s", judged ? s.whatif_pessimistic_s : unknown);
    const Range speedup = s.whatif_speedup();
    out.member("speedup_optimistic", speedup.high);
    out.member("speedup_pessimistic", speedup.low);
    out.end_object();
  } else {
    out.null();
  }
  for (const auto& [key, json] : further) {
    out.key(key);
    out.raw(json);
  }
  out.end_object();
}

void write_row(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, const ProfileRank* ranks) {
  const Workload& w = plan.workload();
  const OpClass& kind = w.class_of(op);
  const OpWhatIf then = plan.what_if(op);
  out.begin_object();
  out.member_count("index", op);
  out.member("name", w.name_of(op));
  out.member("type", kind.type);
  out.member("symbol", to_string(kind.symbol));
  out.member("category", kind.category);
  out.key("step");
  if (w.step.empty())
    out.null();
  else
    out.value(w.steps[w.step[op]]);
  out.member("count", w.count_of(op));
  write_words(out, w, op);
  out.key("formats");
  write_formats(out, plan, op, a.compute);
  out.member("status", to_string(a.status));
  out.key("bound_by");
  write_resource(out, plan, a.bound_by);
  out.member("flops", a.flops);
  out.member("bytes", a.bytes);
  out.member("intensity", a.intensity);
  out.member("time_s", a.time_s);
  out.member("predicted_time_s", a.predicted_time_s);
  out.member("self_time_s", a.self_time_s);
  out.member("lost_time_s", a.lost_time_s);
  out.member("efficiency", a.efficiency);
  out.member("compute_utilization", compute_utilization(a));
  out.member("memory_utilization", memory_utilization(plan, a));
  out.member("achieved_flops", a.achieved_flops);
  out.member("achieved_bandwidth", a.achieved_bandwidth);
  out.member("attainable_flops", a.attainable_flops);
  out.member("speedup_pessimistic", then.speedup_pessimistic);
  out.member("speedup_optimistic", then.speedup_optimistic);
  out.key("bandwidths");
  out.begin_object();
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    if (plan.resources()[i].kind == ResourceKind::memory) out.member(plan.resources()[i].name, a.work[i] / a.time_s);
  for (std::size_t c = 0; c < w.channels.size(); ++c)
    if (!w.channels[c].link && !plan.resource_of(c)) out.member(w.channels[c].name, w.channels[c].bytes[op] / a.time_s);
  out.end_object();
  if (ranks) {
    const bool listed = ranks->rank[op] > 0;
    out.key("rank");
    if (listed)
      out.count(ranks->rank[op]);
    else
      out.null();
    out.member("time_share", a.time_s / ranks->whole_s);
    out.member("self_time_share", listed ? a.self_time_s / ranks->whole_s : unknown);
    out.member("cumulative_share", listed ? ranks->cumulative_s[op] / ranks->whole_s : unknown);
  }
  out.end_object();
}

void write_diagnostics(JsonOut& out, const Workload& w, std::size_t offset, std::size_t limit) {
  for (std::size_t i = offset; i < w.diagnostics.size() && i - offset < limit; ++i) {
    const Diagnostic& d = w.diagnostics[i];
    out.begin_object();
    out.member("severity", to_string(d.severity));
    out.member("message", d.message);
    out.key("op");
    if (d.op)
      out.count(*d.op);
    else
      out.null();
    out.member_count("line", d.line);
    out.member_count("column", d.column);
    out.member("path", d.path);
    out.end_object();
  }
}

std::vector<std::uint32_t> selected_ops(const OpSet& ops, const WriteOptions& options) {
  if (!options.top) return ops.listed();
  FrameRequest request;
  request.top = 0;
  request.rows = *options.top;
  std::vector<std::uint32_t> worst = make_frame(ops, request).rows;
  std::sort(worst.begin(), worst.end());
  return worst;
}

void write_json(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  JsonOut out(sink);
  out.begin_object();
  out.member("schema", "roofline-analysis/1");
  out.member("source", w.source);
  out.key("machine");
  write_machine(out, plan.scenario().machine, plan.scenario().basis);
  out.key("scenario");
  write_scenario(out, plan);
  out.key("ops");
  out.begin_array();
  for (const std::uint32_t op : selected_ops(ops, options)) {
    write_op(out, plan, op, plan.analyze(op));
    out.breathe();
  }
  out.end_array();
  out.key("summary");
  auto further = options.summary;
  if (const std::optional<std::uint32_t> row = program_row(ops))
    if (const double efficiency = plan.analyze(*row).efficiency; known(efficiency))
      further.emplace_back("program_efficiency", json_text([&](JsonOut& text) { text.value(efficiency); }));
  const TypicalTerms terms = typical_terms(ops);
  further.emplace_back("estimate", estimate_json(plan, &terms));
  write_summary(out, plan, summarize(ops), further);
  FrameRequest worst;
  worst.top = worst.rows = 0;
  const std::vector<CategoryTotal> categories = category_totals(ops);
  const std::vector<StepTotals> steps = step_totals(ops);
  out.object("findings", [&] {
    out.member("roofline", headline(ops, make_frame(ops, worst)).text());
    out.member("categories", categories_finding(ops, categories).text());
    out.member("steps", steps_finding(plan, steps, categories).text());
  });
  out.key("comparison");
  if (options.comparison.empty())
    out.null();
  else
    out.raw(options.comparison);
  out.key("parity");
  if (is_results(w))
    write_parity(out, plan, compare_with_measured(ops));
  else
    out.null();
  out.key("steps");
  write_steps(out, plan, steps);
  out.key("diagnostics");
  out.begin_array();
  write_diagnostics(out, w, 0, w.diagnostics.size());
  if (w.hidden_diagnostics > 0) {
    out.begin_object();
    out.member("severity", "info");
    out.member("message", std::to_string(w.hidden_diagnostics) + " more diagnostics are not listed");
    out.key("op");
    out.null();
    out.member_count("line", 0);
    out.member_count("column", 0);
    out.member("path", "");
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

}  // namespace roofline
