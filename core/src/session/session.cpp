#include <algorithm>
#include <array>
#include <roofline/analysis/explain.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/session/session.hpp>
#include <roofline/write/compare.hpp>

#include "base/json.hpp"
#include "llm/formulas.hpp"
#include "read/formulas.hpp"
#include "session/input.hpp"
#include "session/questions/questions.hpp"
#include "session/sources.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

constexpr std::array sort_names = {
    "source_order",      "name",     "type",      "status",  "flops",     "bytes", "intensity", "time", "predicted", "lost",
    "efficiency",        "achieved", "bandwidth", "speedup", "self_time", "count", "category",  "step", "bound_by",  "compute_utilization",
    "memory_utilization"};
constexpr std::string_view label_sort = "label:";  // and the name of a column of words or a measure

bool has_column(const Workload& w, const std::string& name) {
  return std::any_of(w.categories.begin(), w.categories.end(), [&](const Category& c) { return c.name == name; });
}

/// What a document of a language model has beside the operations: the answer and the measured points.
void add_llm_answer(std::string_view text, const Scenario& scenario, WriteOptions& options) {
  const Result<LlmRequest> request = parse_llm_request(text);
  if (!request) return;
  const LlmAnswer found = answer(*request, scenario);
  options.summary = summary_members(found, scenario);
  options.marks = marks(found);
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  if (list.is_array())
    for (const Json& text : list) out.push_back(text_of(text));
  return out;
}

}  // namespace

Session::Session() : keys_(std::make_unique<Keys>()), registry_(std::make_unique<Registry>()), scenario_(Scenario::standard()) {}

void Session::open(Workload workload) {
  if (keep_) before_ = std::move(work_);
  keep_ = false;
  work_ = std::move(workload);
  model_request_.clear();
  drop();
  static_cast<void>(configure(std::string(settings_)));  // the source may state its own machine
  workload_changed();
}

std::string Session::build(std::string_view kind, std::string_view request) {
  const BuiltSource* source = find_source(kind);
  if (!source) return failed({"nothing is built as '" + std::string(kind) + "'", 0, 0, {}});
  const auto json = parse_json(request, "what to build, such as {\"type\": \"gemm\"}");
  if (!json) return failed(json.error());
  auto workload = source->build(*json, scenario_);
  if (!workload) return failed(workload.error());
  open(std::move(*workload));
  if (kind == "model") model_request_ = request;
  return dump(Json{{"opened", opened(work_, before_ ? &*before_ : nullptr)}});
}

std::string Session::configure(std::string_view config) {
  Scenario scenario = Scenario::standard();
  if (!work_.machine_json.empty()) {
    Scenario stated = scenario;  // where it is none, the standard one stands
    if (use_stated_machine(stated, work_.machine_json)) scenario = std::move(stated);
  }
  if (auto ok = apply_config(scenario, config); !ok) return failed(ok.error());
  scenario_ = std::move(scenario);
  totals_.reset();
  settings_ = config;
  return "{}";
}

std::string Session::config() const { return config_json(scenario_); }
std::string Session::machine() const { return machine_json(scenario_.machine, true); }

std::string Session::view(std::string_view text) {
  auto json = parse_json(text, "a view such as {\"search\": \"conv\"}");
  if (!json) return failed(json.error());
  if (!json->is_object()) return failed({"expected an object", 0, 0, {}});
  FrameRequest r;
  const auto count = [&](const char* key, std::size_t& target) {
    const double v = number_of(member(*json, key));
    if (v >= 0 && v < 1e9) target = static_cast<std::size_t>(v);
  };
  const auto decade = [&](const char* key, double& target) {
    const double v = number_of(member(*json, key));
    if (v - v == 0) target = v;
  };
  count("top", r.top);
  count("offset", r.offset);
  count("rows", r.rows);
  if (const double selected = number_of(member(*json, "selected")); selected >= 0 && selected < 4e9)
    r.selected = static_cast<std::uint32_t>(selected);
  own_window_ = member(*json, "log_x0").is_number();
  decade("log_x0", r.log_x0);
  decade("log_x1", r.log_x1);
  decade("log_y0", r.log_y0);
  decade("log_y1", r.log_y1);
  const Json& statuses = member(*json, "statuses");
  if (statuses.is_array()) {
    r.filter.statuses = 0;
    for (const Json& s : statuses)
      for (std::size_t i = 0; i < status_count; ++i)
        if (text_of(s) == to_string(static_cast<Status>(i))) r.filter.statuses = static_cast<std::uint16_t>(r.filter.statuses | 1u << i);
  }
  const std::string sort = text_of(member(*json, "sort"));
  for (std::size_t i = 0; i < sort_names.size(); ++i)
    if (sort == sort_names[i]) r.sort = static_cast<SortKey>(i);
  if (sort.compare(0, label_sort.size(), label_sort) == 0) r.sort = SortKey::label, r.label = sort.substr(label_sort.size());
  if (member(*json, "descending").is_boolean()) r.descending = member(*json, "descending") == Json(true);
  const bool grouped = member(*json, "grouped") == Json(true);
  std::string search = text_of(member(*json, "search"));
  const Json& types = member(*json, "types");
  std::vector<std::string> shown_types = texts(types);
  std::vector<std::string> categories = texts(member(*json, "categories")), steps = texts(member(*json, "steps")),
                           bounds = texts(member(*json, "bounds"));
  const Level level = text_of(member(*json, "level")) == "program" ? Level::program : Level::operations;
  const bool infeed = member(*json, "infeed") != Json(false);
  std::string memory = text_of(member(*json, "memory"));
  const Json& before = member(*json, "before_machine");
  before_machine_ = before.is_null() ? std::string() : dump(before);
  compare_sort_ = text_of(member(*json, "compare_sort"));
  compare_descending_ = member(*json, "compare_descending") != Json(false);

  Where where;
  if (const Json& asked = member(*json, "where"); asked.is_object())
    for (const auto& [name, words] : asked.items()) {
      where.emplace_back(name, std::vector<std::string>());
      for (const Json& word : words) where.back().second.push_back(text_of(word));
    }

  // What is costly to work out is kept while nothing it depends on changes.
  const bool regroup = grouped != grouped_;
  grouped_ = grouped;
  if (regroup && grouped_) groups_ = group_identical(work_, &members_);
  if (regroup && !grouped_) groups_ = {}, members_.clear();
  const bool search_again = regroup || search != search_ || types.is_array() == all_types_ || shown_types != types_ ||
                            categories != categories_ || steps != steps_ || level != level_ || infeed != infeed_ || where != where_;
  const bool rank_again = regroup || r.sort != request_.sort || r.label != request_.label || request_.ranks.empty();
  const auto window = [](const FrameRequest& q) { return std::array{q.log_x0, q.log_x1, q.log_y0, q.log_y1}; };
  if (search_again || bounds != bounds_ || memory != memory_ || r.top != request_.top || r.filter.statuses != request_.filter.statuses ||
      (own_window_ && window(r) != window(request_)))
    positions_.reset();
  if (regroup || level != level_ || infeed != infeed_) totals_.reset();
  if (!own_window_) {  // stays the machine's
    r.log_x0 = request_.log_x0, r.log_x1 = request_.log_x1, r.log_y0 = request_.log_y0, r.log_y1 = request_.log_y1;
  }
  search_ = std::move(search);
  types_ = std::move(shown_types);
  where_ = std::move(where);
  all_types_ = !types.is_array();
  categories_ = std::move(categories);
  steps_ = std::move(steps);
  bounds_ = std::move(bounds);
  level_ = level;
  infeed_ = infeed;
  memory_ = std::move(memory);
  std::swap(r.scope, request_.scope);
  std::swap(r.filter.ops, request_.filter.ops);
  std::swap(r.filter.kinds, request_.filter.kinds);
  std::swap(r.ranks, request_.ranks);
  request_ = std::move(r);
  if (search_again) view_changed();
  if (rank_again) rank();
  return "{}";
}

void Session::workload_changed() {
  positions_.reset();
  totals_.reset();
  members_.clear();
  groups_ = grouped_ ? group_identical(work_, &members_) : Workload();
  view_changed();
  rank();
}

void Session::rank() {
  request_.ranks = sorts_by_rank(request_.sort) ? ranks(shown(), request_.sort, request_.label) : std::vector<std::uint32_t>();
}

void Session::view_changed() {
  const Workload& w = shown();
  standing_.reset();
  if (!w.views.empty()) standing_ = profile_rank(w, infeed_);
  request_.scope = scope(w, level_, infeed_);
  if (level_ == Level::operations || w.views.empty()) request_.scope = operations_of(w, scope(w, Level::both, infeed_));
  filter_by_words(w, request_.filter);
}

void Session::filter_by_words(const Workload& w, Filter& filter) const {
  const auto holds = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  filter.ops = search(w, search_);
  if (!steps_.empty() && !work_.step.empty()) {
    if (filter.ops.empty()) filter.ops.assign(w.size(), 1);
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w.step.empty() || !holds(steps_, w.steps[w.step[i]])) filter.ops[i] = 0;
  }
  for (const auto& column : where_) {
    if (has_column(w, column.first) && has_column(work_, column.first)) keep_where(w, {column}, filter.ops);
    if (!has_column(w, column.first) && has_column(work_, column.first)) filter.ops.assign(w.size(), 0);
  }
  filter.kinds.clear();
  if (all_types_ && categories_.empty()) return;
  for (const OpClass& kind : w.classes)
    filter.kinds.push_back((all_types_ || holds(types_, kind.type)) && (categories_.empty() || holds(categories_, kind.category)));
}

Session::Screen Session::frame() {
  const Workload& w = shown();
  const Plan plan(w, scenario_);
  const Axes axes = chart_axes(scenario_.machine);
  if (!own_window_ && (request_.log_x0 != axes.log_x0 || request_.log_x1 != axes.log_x1 || request_.log_y0 != axes.log_y0 ||
                       request_.log_y1 != axes.log_y1)) {
    positions_.reset();
    request_.log_x0 = axes.log_x0;
    request_.log_x1 = axes.log_x1;
    request_.log_y0 = axes.log_y0;
    request_.log_y1 = axes.log_y1;
  }
  request_.filter.bounds = bounds_of(plan, bounds_).value_or(~0u);
  request_.every_memory = memory_ == "all";
  request_.axis = plan.axis(memory_).value_or(plan.axis("bottleneck").value_or(device_axis));
  if (request_.axis == bottleneck_axis) positions_.reset();  // which memory it is depends on the machine
  Screen screen;
  screen.frame = make_frame(plan, request_, {positions_ ? &*positions_ : nullptr, totals_ ? &*totals_ : nullptr});
  if (!positions_ && screen.frame.all.timed_ops == w.size() && request_.filter.statuses == 0xffff && request_.filter.bounds == ~0u) {
    positions_ = Frame();
    positions_->points = screen.frame.points;
    positions_->density = screen.frame.density;
    positions_->density_outside = screen.frame.density_outside;
  }
  if (!totals_) {
    totals_ = Frame();
    totals_->all = screen.frame.all;
    totals_->worst = screen.frame.worst;
    totals_->positive_lost_s = screen.frame.positive_lost_s;
  }
  const Frame& frame = screen.frame;
  screen.json = json_text([&](JsonOut& out) {
    out.begin_object();
    out.member("headline", headline(plan, frame));
    out.member("source", w.source);
    out.member("grouped", grouped_);
    out.member("ops_per_mac", scenario_.ops_per_mac);
    out.key("statuses");
    out.begin_array();
    for (std::size_t i = 0; i < status_count; ++i) out.value(to_string(static_cast<Status>(i)));
    out.end_array();
    out.key("symbols");
    out.begin_array();
    for (int i = 0; i <= static_cast<int>(Symbol::x); ++i) out.value(to_string(static_cast<Symbol>(i)));
    out.end_array();
    out.key("resources");
    out.begin_array();
    for (const Resource& r : plan.resources()) out.value(r.name);
    out.end_array();
    out.key("memories");  // that can be on the x axis
    out.begin_array();
    for (const std::string& name : plan.axes()) out.value(name);
    out.end_array();
    out.member("lost_below_roof_s", frame.positive_lost_s);
    out.key("all");
    write_summary(out, plan, frame.all);
    out.key("shown");
    write_summary(out, plan, frame.shown);
    out.key("roofs");
    out.begin_array();
    constexpr std::array kinds = {"compute", "memory", "link"};
    for (const Roof& r : frame.roofs) {
      out.begin_object();
      out.member("kind", kinds[static_cast<std::size_t>(r.kind)]);
      out.member("name", r.name);
      out.member("rate", r.rate);
      out.member("in_play", r.in_play);
      out.member("whatif", r.whatif);
      out.member("achievable", r.achievable);
      out.end_object();
    }
    out.end_array();
    out.key("density");
    out.begin_object();
    out.member_count("width", Frame::grid_width);
    out.member_count("height", Frame::grid_height);
    out.member("log_x0", request_.log_x0);
    out.member("log_x1", request_.log_x1);
    out.member("log_y0", request_.log_y0);
    out.member("log_y1", request_.log_y1);
    out.member_count("outside", frame.density_outside);
    out.member_count("ops", frame.shown.ops - frame.points.size());
    out.end_object();
    out.key("axes");
    out.begin_object();
    out.member("log_x0", axes.log_x0);
    out.member("log_x1", axes.log_x1);
    out.member("log_y0", axes.log_y0);
    out.member("log_y1", axes.log_y1);
    out.end_object();
    out.key("table");
    out.begin_object();
    out.member_count("total", frame.shown.ops);
    out.member_count("offset", request_.offset);
    out.key("selected_row");
    if (frame.selected_row)
      out.count(*frame.selected_row);
    else
      out.null();
    out.key("rows");
    out.begin_array();
    for (const std::uint32_t op : frame.rows) write_row(out, plan, op, standing_ ? &*standing_ : nullptr);
    out.end_array();
    out.end_object();
    out.end_object();
  });
  return screen;
}

namespace {

void write_derivation(JsonOut& out, const DerivationText& derivation) {
  out.key("formulas");
  out.begin_array();
  for (const FormulaText& f : derivation.formulas) {
    out.begin_object();
    out.member("quantity", f.quantity);
    out.member("expression", f.expression);
    out.member("with_numbers", f.with_numbers);
    out.end_object();
  }
  out.end_array();
  out.key("notes");
  out.begin_array();
  for (const std::string& note : derivation.notes) out.value(note);
  out.end_array();
}

}  // namespace

std::string Session::detail(std::size_t op, std::string_view record) {
  const Workload& w = shown();
  if (op >= w.size()) return failed({"no operation has the index " + std::to_string(op), 0, 0, {}});
  const bool has_record = op < w.record.size() && w.record[op].length > 0, own = has_record && w.own_records;
  if (own) record = w.record_of(op);
  const Plan plan(w, scenario_);
  const Diagnosis d = diagnose(plan, op);
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.key("op");
    write_op(out, plan, op);
    out.key("row");
    write_row(out, plan, op);
    out.member("sentence", d.sentence);
    out.key("remarks");
    out.begin_array();
    for (const std::string& remark : d.remarks) out.value(remark);
    out.end_array();
    out.key("suggestions");
    out.begin_array();
    for (const Suggestion& s : d.suggestions) {
      out.begin_object();
      out.member("change", s.change);
      out.key("whatif");
      out.begin_object();
      const auto format = [&](const char* name, const std::optional<FormatId>& f) {
        if (!f) return;
        out.key(name);
        write_format(out, *f);
      };
      format("weight", s.whatif.weight);
      format("activation", s.whatif.activation);
      format("output", s.whatif.output);
      format("kv", s.whatif.kv);
      if (s.whatif.batch_scale != 1) out.member("batch_scale", s.whatif.batch_scale);
      out.end_object();
      out.member("bytes_factor", s.bytes_factor);
      out.member("low", s.low);
      out.member("high", s.high);
      out.member("at_roof", s.at_roof);
      out.end_object();
    }
    out.end_array();
    write_derivation(out, model_request_.empty() ? derivation_of(record, *keys_, *registry_)
                                                 : llm_derivation(model_request_, scenario_, grouped_ ? members_[op].at(0) : op));
    out.key("record");
    if (has_record && !own) {
      out.begin_object();
      out.member("offset", static_cast<double>(w.record[op].offset));  // a file may be larger than what size_t counts
      out.member_count("length", w.record[op].length);
      out.end_object();
    } else {
      out.null();
    }
    out.key("text");
    if (own)
      out.value(record);
    else
      out.null();
    out.key("members");
    out.begin_array();
    if (grouped_)
      for (std::size_t i = 0; i < members_[op].size() && i < 100; ++i) out.count(members_[op][i]);
    out.end_array();
    out.end_object();
  });
}

std::string Session::diagnostics(std::size_t offset, std::size_t limit) const {
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.member_count("total", work_.diagnostics.size() + work_.hidden_diagnostics);
    out.key("items");
    out.begin_array();
    write_diagnostics(out, work_, offset, limit);
    out.end_array();
    out.end_object();
  });
}

void Session::forget() {
  before_.reset();
  keep_ = false;
}

Answer Session::ask(std::string_view name, std::string_view request) {
  const Question* question = find_question(name);
  if (!question) return {failed({"no question is called '" + std::string(name) + "'", 0, 0, {}}), {}};
  const auto json = parse_json(request, "a question such as {\"metric\": \"time\"}");
  if (!json) return {failed(json.error()), {}};
  Result<Answer> answer = Answer();
  if (question->answer_compared) {
    const auto ok = with_changes(
        [&](const Plan& a, const Plan& b, const Comparison& changes) { answer = question->answer_compared(a, b, changes, *json); });
    if (!ok) answer = Unexpected(ok.error());
  } else {
    const Plan plan(shown(), scenario_);
    answer = question->answer_shown ? question->answer_shown(plan, request_, *json) : question->answer(plan, *json);
  }
  if (!answer) return {failed(answer.error()), {}};
  return std::move(*answer);
}

int Session::index_of(std::string_view name) const {
  const Workload& w = shown();
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == name) return static_cast<int>(i);
  return -1;
}

void Session::write(std::string_view kind, const Sink& sink) {
  const Plan plan(work_, scenario_);
  WriteOptions options;
  options.rows = scope(work_, Level::both, infeed_);
  options.memory = memory_;
  if (!model_request_.empty()) add_llm_answer(model_request_, scenario_, options);
  if (kind == "json" && work_.source_format == "operator") options.comparison = comparison_json(plan, 0);  // with its first format
  if (kind == "json") write_json(plan, options, sink);
  if (kind == "csv") write_csv(plan, options, sink);
  if (kind == "svg") write_svg(plan, options, sink);
  if (kind == "compare.csv")
    static_cast<void>(
        with_changes([&](const Plan& a, const Plan& b, const Comparison& changes) { write_compare_csv(a, b, changes, {}, sink); }));
}

}  // namespace roofline
