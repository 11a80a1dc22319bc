// Any bytes as an input file: read, analysed under a what-if, drawn and written without a fault, and the same in pieces as at once.
#include <nlohmann/json.hpp>
#include <roofline/analysis/explain.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/write/write.hpp>

#include "check.hpp"

using namespace roofline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const Result<std::string> text = to_utf8(bytes)) static_cast<void>(detect(*text));

  const Result<Workload> whole = read(bytes, {});
  Reader reader({});
  Result<void> ok;
  for (std::size_t at = 0; ok && at < size; at += 64) ok = reader.feed(bytes.substr(at, 64));
  const Result<Workload> pieces = ok ? reader.finish() : Result<Workload>(tl::unexpected(ok.error()));
  check(pieces.has_value() == whole.has_value());
  if (!whole) {
    check(!whole.error().message.empty() && whole.error().text() == pieces.error().text());
    return 0;
  }
  const Workload& w = *whole;
  check(pieces->op_class == w.op_class);
  const std::size_t source = w.own_records ? w.text.size() : size;
  for (std::size_t i = 0; i < w.size(); ++i) check(w.record[i].offset + w.record[i].length <= source && w.op_class[i] < w.classes.size());

  static const Scenario scenario = [] {
    Scenario s;
    s.use(*Machines::presets().find("h100-sxm"));
    s.whatif.weight = s.whatif.activation = Formats::catalogue().find("int4");
    s.whatif.batch_scale = 3;
    return s;
  }();
  const Plan plan(w, scenario);
  FrameRequest request;
  request.top = 3;
  const Frame frame = make_frame(plan, request);
  std::size_t counted = 0;
  for (const std::size_t n : frame.all.by_status) counted += n;
  check(counted == w.size() && frame.rows.size() <= w.size());
  for (std::size_t i = 0; i < w.size() && i < 50; ++i) {
    const OpAnalysis a = plan.analyze(i);
    check(a.predicted_time_s > 0 || a.predicted_time_s != a.predicted_time_s);
    check((a.bound_by == no_resource) == (a.status == Status::unknown));
    check(!diagnose(plan, i).sentence.empty());
  }
  check(!headline(plan, frame).empty());

  std::string json, csv, svg;
  write_json(plan, {}, [&](std::string_view piece) { json += piece; });
  check(nlohmann::json::accept(json));
  write_csv(plan, {}, [&](std::string_view piece) { csv += piece; });
  write_svg(plan, {}, [&](std::string_view piece) { svg += piece; });
  check(!csv.empty() && svg.find("nan") == std::string::npos);
  check(group_identical(w).size() <= w.size());
  return 0;
}
