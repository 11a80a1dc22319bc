// Any bytes as an input file: read and analysed under a what-if without a fault; one input in 8 is read in pieces and as a machine and as
// a serving benchmark's result, too, and one in 64 is drawn and written as every document.
#include <cmath>
#include <nlohmann/json.hpp>
#include <roofline/analysis/explain.hpp>
#include <roofline/base/number.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/machine/machine_import.hpp>
#include <roofline/serving/measured_runs.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/write/write.hpp>

#include "check.hpp"

using namespace roofline;

namespace {

void check_workload(const Workload& w, std::size_t size) {
  const std::size_t source = w.own_records ? w.text.size() : size;
  for (std::size_t i = 0; i < w.size(); ++i) check(w.record[i].offset + w.record[i].length <= source && w.op_class[i] < w.classes.size());
}

/// In pieces: the same operations, or the same reason why there are none.
void check_pieces(std::string_view bytes, const ReadOptions& options, const Result<Workload>& whole) {
  Reader reader(options);
  Result<void> ok;
  for (std::size_t at = 0; ok && at < bytes.size(); at += 64) ok = reader.feed(bytes.substr(at, 64));
  const Result<Workload> pieces = ok ? reader.finish() : Result<Workload>(tl::unexpected(ok.error()));
  check(pieces.has_value() == whole.has_value());
  if (whole)
    check(pieces->op_class == whole->op_class);
  else
    check(whole.error().text() == pieces.error().text());
}

/// As what holds no operations.
void check_other_files(const std::string& text) {
  static_cast<void>(detect(text));
  if (const Result<Machine> machine = import_machine(text))
    for (const Memory& memory : machine->memories) check(!(memory.bandwidth.value <= 0) && !std::isinf(memory.bandwidth.value));
  const auto runs = parse_serving_runs(text);
  if (!runs) return check(!runs.error().message.empty());
  for (const ServingRun& run : *runs) check(run.tpot_s > 0 && run.output_tokens_per_s > 0);
  check(!runs->empty() && nlohmann::json::accept(serving_runs_json(*runs)));
}

void check_analysis(const Plan& plan) {
  const std::size_t ops = plan.workload().size();
  for (std::size_t i = 0; i < ops && i < 20; ++i) {
    const OpAnalysis a = plan.analyze(i);
    check(a.predicted_time_s > 0 || !known(a.predicted_time_s));
    check((a.bound_by == no_resource) == (a.status == Status::unknown || a.status == Status::time_only));
  }
  FrameRequest request;
  request.top = 3;
  const Frame frame = make_frame(plan, request);
  std::size_t counted = 0;
  for (const std::size_t n : frame.all.by_status) counted += n;
  check(counted == ops && frame.rows.size() <= ops);
}

void check_documents(const Plan& plan) {
  const Workload& w = plan.workload();
  for (std::size_t i = 0; i < w.size() && i < 20; ++i) check(!diagnose(plan, i).verdict.empty());
  check(!headline(plan, make_frame(plan, {})).text().empty());
  std::string json, csv, svg;
  write_json(plan, {}, [&](std::string_view piece) { json += piece; });
  check(nlohmann::json::accept(json));
  write_csv(plan, {}, [&](std::string_view piece) { csv += piece; });
  check(!csv.empty());
  write_svg(plan, {}, [&](std::string_view piece) { svg += piece; });
  check(finite_drawing(svg));
  check(group_identical(w).size() <= w.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Keys keys;
  static const Scenario scenario = [] {
    Scenario s;
    s.use(*Machines::presets().find("h100-sxm"));
    s.whatif.weight = s.whatif.activation = Formats::catalogue().find("int4");
    s.whatif.batch_scale = 3;
    return s;
  }();

  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.keys = &keys;
  const Result<Workload> w = read(bytes, options);
  if (one_in(8, bytes)) {
    if (const Result<std::string> text = to_utf8(bytes)) check_other_files(*text);
    check_pieces(bytes, options, w);
  }
  if (!w) return check(!w.error().message.empty()), 0;
  check_workload(*w, size);
  const Plan plan(*w, scenario);
  check_analysis(plan);
  if (one_in(64, bytes)) check_documents(plan);
  return 0;
}
