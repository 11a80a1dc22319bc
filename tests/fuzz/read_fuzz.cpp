// Any bytes as an input file: read and analysed under a what-if without a fault, the same in slices as at once; and one input in 32 also
// drawn and written as every document.
#include <nlohmann/json.hpp>
#include <roofline/analysis/explain.hpp>
#include <roofline/base/number.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/write/write.hpp>

#include "check.hpp"

using namespace roofline;

namespace {

Workload check_reading(const std::string& text, const ReadOptions& options) {
  Result<Workload> whole = read(text, options);
  Reader reader(text, options);
  Result<bool> more = true;
  while (more && *more) more = reader.step(256);
  check(more.has_value() == whole.has_value());
  if (!whole) {
    check(whole.error().line > 0 && whole.error().text() == more.error().text());
    return {};
  }
  const Workload& w = *whole;
  check(reader.take().op_class == w.op_class);
  for (std::size_t i = 0; i < w.size(); ++i)
    check(std::size_t{w.record[i].offset} + w.record[i].length <= text.size() && w.op_class[i] < w.classes.size());
  return *std::move(whole);
}

void check_analysis(const Plan& plan) {
  const std::size_t ops = plan.workload().size();
  for (std::size_t i = 0; i < ops && i < 20; ++i) {
    const OpAnalysis a = plan.analyze(i);
    check(a.predicted_time_s > 0 || !known(a.predicted_time_s));
    check((a.bound_by == no_resource) == (a.status == Status::unknown));
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
  for (std::size_t i = 0; i < w.size() && i < 20; ++i) check(!diagnose(plan, i).sentence.empty());
  check(!headline(plan, make_frame(plan, {})).empty());
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

  const Result<std::string> text = to_utf8(std::string(reinterpret_cast<const char*>(data), size));
  if (!text) return check(!text.error().message.empty()), 0;
  static_cast<void>(detect(*text));
  ReadOptions options;
  options.keys = &keys;
  const Workload w = check_reading(*text, options);
  if (w.size() == 0) return 0;
  const Plan plan(w, scenario);
  check_analysis(plan);
  if (one_in(32, *text)) check_documents(plan);
  return 0;
}
