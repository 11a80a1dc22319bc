#include "read/trace/step_annotation.hpp"

#include <charconv>
#include <cstdint>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

/// Reads a text from its beginning on, and stops at the first thing that is not there.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}
  bool word(std::string_view expected) {
    if (!ok_ || rest_.substr(0, expected.size()) != expected) return ok_ = false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  [[nodiscard]] bool next_is(std::string_view expected) const { return ok_ && rest_.substr(0, expected.size()) == expected; }
  double number() {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (!ok_ || error != std::errc()) return ok_ = false, unknown;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return static_cast<double>(value);
  }
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// What has no requests has no tokens either, whether or not that is stated.
StepPart nothing() { return {0, 0, 0, 0, 0}; }

/// 1(4), or 1(sq4sk4sqsq16sqsk16)
StepPart vllm_part(Scan& scan) {
  StepPart part;
  part.requests = scan.number();
  scan.word("(");
  if (scan.next_is("sq")) {
    scan.word("sq"), part.queries = scan.number();
    scan.word("sk"), part.keys = scan.number();
    scan.word("sqsq"), part.squared_queries = scan.number();
    scan.word("sqsk"), part.query_keys = scan.number();
  } else {
    part.queries = scan.number();
  }
  scan.word(")");
  return part.requests > 0 ? part : nothing();
}

std::optional<StepAnnotation> vllm_step(std::string_view annotation) {
  Scan scan(annotation);
  StepAnnotation step;
  scan.word("execute_");
  if (!scan.next_is("context_")) scan.number(), scan.word("_");
  scan.word("context_");
  step.prefill = vllm_part(scan);
  scan.word("_generation_");
  step.decode = vllm_part(scan);
  return scan.done() ? std::optional(step) : std::nullopt;
}

std::optional<StepAnnotation> sglang_step(std::string_view annotation) {
  const bool decode = annotation.substr(0, 11) == "step[DECODE";
  if ((!decode && annotation.substr(0, 11) != "step[EXTEND") || annotation.back() != ']') return std::nullopt;
  const auto value = [&](std::string_view key) {
    const std::size_t at = annotation.find(key);
    return at == std::string_view::npos ? unknown : Scan(annotation.substr(at + key.size())).number();
  };
  StepPart part;
  part.requests = value(" bs=");
  part.queries = decode ? part.requests : value(" toks=");
  if (decode) part.squared_queries = part.requests;
  StepAnnotation step{nothing(), nothing()};
  (decode ? step.decode : step.prefill) = part;
  return step;
}

std::string part_text(const char* phase, const StepPart& part) {
  const auto count = [](double n, const char* what) { return number(n) + ' ' + what + (n == 1 ? "" : "s"); };
  std::string text = std::string(phase) + " of " + count(part.requests, "sequence");
  if (known(part.queries) && part.queries != part.requests) text += ", " + count(part.queries, "new token");
  if (known(part.keys)) text += ", " + count(part.keys, "token") + " of context together";
  return text;
}

}  // namespace

StepPart StepAnnotation::whole() const {
  return {requests(), prefill.queries + decode.queries, prefill.keys + decode.keys, prefill.squared_queries + decode.squared_queries,
          prefill.query_keys + decode.query_keys};
}

std::optional<StepAnnotation> parse_step(std::string_view annotation) {
  std::optional<StepAnnotation> step = annotation.substr(0, 5) == "step[" ? sglang_step(annotation) : vllm_step(annotation);
  return step && step->requests() > 0 ? step : std::nullopt;
}

std::string description(const StepAnnotation& step) {
  std::string text;
  if (step.prefill.requests > 0) text = part_text("prefill", step.prefill);
  if (step.decode.requests > 0) text += (text.empty() ? "" : "; ") + part_text("decode", step.decode);
  return text;
}

}  // namespace roofline
