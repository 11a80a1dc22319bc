#include <roofline/accuracy/accuracy.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>
#include <roofline/write/compare.hpp>
#include <roofline/write/operation_rows.hpp>

#include "llm/request_json.hpp"
#include "session/failed.hpp"
#include "session/frame_cache.hpp"
#include "session/frame_json.hpp"
#include "session/opened.hpp"
#include "session/questions/questions.hpp"
#include "session/read_overrides.hpp"
#include "session/sources.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

/// What a document of a language model has beside the operations: the answer and the measured points.
void add_llm_answer(const LlmRequest& request, const Scenario& scenario, WriteOptions& options) {
  const LlmAnswer found = answer(request, scenario);
  options.summary = summary_members(found, scenario);
  options.marks = marks(found);
}

}  // namespace

Session::Session(const WorkloadLimits& limits)
    : limits_(limits),
      keys_(std::make_unique<Keys>()),
      registry_(std::make_unique<Registry>()),
      scenario_(Scenario::standard()),
      view_(std::make_unique<ViewSettings>()),
      frames_(std::make_unique<FrameCache>()) {}

Session::~Session() = default;

void Session::open(Workload workload) {
  if (keep_) before_ = std::move(work_);
  keep_ = false;
  work_ = std::move(workload);
  ++opened_;
  model_request_.reset();
  drop();
  static_cast<void>(configure(std::string(settings_)));  // the source may state its own machine
}

std::string Session::build(std::string_view kind, std::string_view request) {
  const BuiltSource* source = find_source(kind);
  if (!source) return failed({"nothing is built as '" + std::string(kind) + "'", 0, 0, {}});
  const auto json = parse_json(request, "what to build, such as {\"type\": \"gemm\"}");
  if (!json) return failed(json.error());
  auto workload = source->build(*json, scenario_);
  if (!workload) return failed(workload.error());
  open(std::move(*workload));
  if (kind == "model") model_request_ = std::make_unique<LlmRequest>(*llm_request_from(*json));
  return dump(Json{{"opened", opened(work_, before_ ? &*before_ : nullptr)}});
}

Result<Scenario> Session::scenario_for(const Workload& workload, std::string_view config) const {
  Scenario scenario = Scenario::standard();
  if (!workload.machine_json.empty()) {
    Scenario stated = scenario;  // where it is none, the standard one stands
    if (use_stated_machine(stated, workload.machine_json)) scenario = std::move(stated);
  }
  if (auto ok = apply_config(scenario, config); !ok) return Unexpected(ok.error());
  return scenario;
}

std::string Session::configure(std::string_view config) {
  auto scenario = scenario_for(work_, config);
  if (!scenario) return failed(scenario.error());
  scenario_ = std::move(*scenario);
  ++configured_;
  settings_ = config;
  return "{}";
}

std::string Session::config() const { return config_json(scenario_); }
std::string Session::machine() const { return machine_json(scenario_.machine, true); }

std::string Session::view(std::string_view text) {
  auto view = parse_view(text);
  if (!view) return failed(view.error());
  *view_ = std::move(*view);
  return "{}";
}

FrameSubject Session::subject() const { return {work_, opened_, scenario_, configured_, *view_}; }

const Workload& Session::shown() const { return frames_->rows(subject()); }

Session::Screen Session::frame() { return screen(false); }
Session::Screen Session::chart() { return screen(true); }

Session::Screen Session::screen(bool chart_alone) {
  const Plan plan(shown(), scenario_);
  FrameRequest request = frames_->request(subject(), plan);
  request.chart_alone = chart_alone;
  Screen screen{frames_->frame(subject(), plan, request), {}};
  if (screen.frame.chart_alone)
    screen.json = chart_json(plan, request, screen.frame);
  else
    screen.json = frame_json(frames_->ops(subject(), plan), request, screen.frame, view_->grouped, frames_->profile_rank(subject()));
  return screen;
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
    const OpSet ops = frames_->ops(subject(), plan);
    const auto distinct = [&]() -> const DistinctOps& { return frames_->distinct(subject(), plan); };
    const auto mismatch = [&] { return frames_->machine_mismatch(subject(), plan); };
    answer = question->answer({ops, frames_->request(subject(), plan), *keys_, *registry_, distinct, mismatch}, *json);
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

OpSet Session::listed(const Plan& plan) const {
  OpFilter filter = in_force(*view_, work_);
  filter.level = Level::both;
  return {plan, std::make_shared<RowSelection>(select_rows(work_, filter)), results_in_force(*view_, plan)};
}

std::pair<Columns, std::string> Session::columns() const {
  const Plan plan(work_, scenario_);
  Columns columns = columns_of(listed(plan));
  std::string words = column_words_json(columns, plan);
  return {std::move(columns), std::move(words)};
}

Result<void> Session::write(std::string_view kind, const Sink& sink, std::uint32_t baseline) {
  const Plan plan(work_, scenario_);
  const OpSet ops = listed(plan);
  WriteOptions options;
  options.memory = view_->memory;
  if (model_request_) add_llm_answer(*model_request_, scenario_, options);
  if (kind == "json" && work_.source_format == SourceFormat::calculation && baseline < work_.size())
    options.comparison = comparison_json(plan, baseline);
  if (kind == "json") return write_json(ops, options, sink), Result<void>();
  if (kind == "csv") return write_csv(ops, options, sink), Result<void>();
  if (kind == "svg") return write_svg(ops, options, sink), Result<void>();
  if (kind == "compare.csv" || kind == "compare_types.csv") {
    const CompareOptions listed{.by_type = kind == "compare_types.csv"};
    return with_changes([&](const Plan& a, const Plan& b, const Comparison& changes) { write_compare_csv(a, b, changes, listed, sink); });
  }
  return fail("no document \"" + std::string(kind) + "\": expected json, csv, svg, compare.csv or compare_types.csv");
}

void Session::write_operation_rows(std::size_t most, const Sink& sink) const { roofline::write_operation_rows(work_, most, sink); }

}  // namespace roofline
