#include <array>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/machine/machine_import.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>
#include <roofline/write/compare.hpp>

#include "llm/request_json.hpp"
#include "session/failed.hpp"
#include "session/frame_cache.hpp"
#include "session/frame_json.hpp"
#include "session/opened.hpp"
#include "session/questions/questions.hpp"
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

Session::Session()
    : keys_(std::make_unique<Keys>()),
      registry_(std::make_unique<Registry>()),
      scenario_(Scenario::standard()),
      view_(std::make_unique<ViewSettings>()),
      frames_(std::make_unique<FrameCache>()) {}

Session::~Session() = default;

char* Session::begin(std::size_t size, std::string name) {
  drop();
  pending_.resize(size);
  pending_name_ = std::move(name);
  return pending_.data();
}

std::string Session::prepare() {
  auto text = to_utf8(std::move(pending_));
  pending_.clear();
  if (!text) return failed(text.error());
  const FileKind kind = detect(*text);
  constexpr std::array names = {"operations", "registry", "config",
                                "machine",    "model",    "operations"};  // unknown: the reader says what is wrong
  Json out = {{"kind", names[static_cast<std::size_t>(kind)]}};
  if (kind == FileKind::operations || kind == FileKind::unknown) {
    ReadOptions options;
    options.source_name = pending_name_;
    options.registry = registry_.get();
    options.keys = keys_.get();
    reader_ = std::make_unique<Reader>(std::move(*text), std::move(options));
  } else {
    if (kind == FileKind::machine) {  // from whatever tool: what is handed back is a machine file
      const auto machine = import_machine(*text);
      if (!machine) return failed(machine.error());
      *text = machine_json(*machine, true);
    }
    out["text"] = std::move(*text);
  }
  return dump(out);
}

std::string Session::step(std::size_t bytes) {
  if (!reader_) return failed({"nothing is being read", 0, 0, {}});
  const auto more = reader_->step(bytes);
  Json out = {{"position", reader_->position()}, {"size", reader_->size()}};
  if (!more) {
    out["error"] = fault(more.error());
    drop();
    return dump(out);
  }
  out["done"] = !*more;
  if (*more) return dump(out);
  open(reader_->take());
  out["opened"] = opened(work_, before_ ? &*before_ : nullptr);
  return dump(out);
}

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

void Session::drop() {
  reader_.reset();
  pending_.clear();
  pending_.shrink_to_fit();
}

std::string Session::tensors(std::uint64_t file_size) {
  const std::string head = std::move(pending_);
  drop();
  const std::uint64_t header = tensor_header_size(head, file_size);
  if (header == 0 || (head.size() < header && head.size() < file_size)) return dump(Json{{"header_bytes", header}});
  auto file = read_tensor_header(head, file_size);
  if (!file) return failed(file.error());
  tensor_file_ = std::move(*file);
  return tensors_json(tensor_file_);
}

std::string Session::unpacked(std::size_t index) {
  const std::string start = std::move(pending_);
  drop();
  if (index >= tensor_file_.tensors.size() || !tensor_file_.tensors[index].packed) return failed({"expected a packed tensor", 0, 0, {}});
  TensorInfo& tensor = tensor_file_.tensors[index];
  if (auto ok = read_packed(tensor, start); !ok) return failed(ok.error());
  return tensors_json({tensor_file_.format, {tensor}});
}

std::string Session::accuracy(std::string_view name) {
  const std::string bytes = std::move(pending_);
  const std::string file = std::move(pending_name_);
  drop();
  const auto tensor = find_tensor(tensor_file_, name);
  if (!tensor) return failed(tensor.error());
  if (bytes.size() != (*tensor)->bytes)
    return failed({"expected the " + std::to_string((*tensor)->bytes) + " bytes of one tensor", 0, 0, {}});
  const MeasuredTensor measured{file, **tensor, measure_accuracy(tensor_values(**tensor, bytes))};
  return accuracy_json({{"tensor", measured.accuracy.sqnr_db}}, quantising_formats(), &measured);
}

std::string Session::add_registry(std::string_view text) {
  auto keys = std::make_unique<Keys>(*keys_);
  auto registry = std::make_unique<Registry>(*registry_);
  if (auto ok = registry->add(text, *keys); !ok) return failed(ok.error());
  keys_ = std::move(keys);
  registry_ = std::move(registry);
  Json ops = Json::array();
  for (const RegistryOperation& op : registry_->operations()) ops.push_back(op.type);
  return dump(Json{{"ops", std::move(ops)}});
}

void Session::clear_registry() {
  keys_ = std::make_unique<Keys>();
  registry_ = std::make_unique<Registry>();
}

std::string Session::configure(std::string_view config) {
  Scenario scenario = Scenario::standard();
  if (!work_.machine_json.empty()) {
    Scenario stated = scenario;  // where it is none, the standard one stands
    if (use_stated_machine(stated, work_.machine_json)) scenario = std::move(stated);
  }
  if (auto ok = apply_config(scenario, config); !ok) return failed(ok.error());
  scenario_ = std::move(scenario);
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

Session::Screen Session::frame() {
  const Plan plan(shown(), scenario_);
  const FrameRequest request = frames_->request(subject(), plan);
  Screen screen{frames_->frame(subject(), plan, request), {}};
  screen.json = frame_json(plan, request, screen.frame, view_->grouped, frames_->profile_rank(subject()));
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
    answer = question->answer({frames_->ops(subject(), plan), frames_->request(subject(), plan)}, *json);
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
  // A profile's totals are listed, too.
  const OpFilter listed = in_force({*view_, Level::both}, work_);
  const OpSet ops(plan, std::make_shared<RowSelection>(select_rows(work_, listed)), results_in_force(*view_, plan));
  options.memory = view_->memory;
  if (model_request_) add_llm_answer(*model_request_, scenario_, options);
  if (kind == "json" && work_.source_format == "operator") options.comparison = comparison_json(plan, 0);  // with its first format
  if (kind == "json") write_json(ops, options, sink);
  if (kind == "csv") write_csv(ops, options, sink);
  if (kind == "svg") write_svg(ops, options, sink);
  if (kind == "compare.csv")
    static_cast<void>(
        with_changes([&](const Plan& a, const Plan& b, const Comparison& changes) { write_compare_csv(a, b, changes, {}, sink); }));
}

}  // namespace roofline
