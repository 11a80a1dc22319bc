#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <string>

#include "llm/member_reader.hpp"
#include "llm/request_json.hpp"
#include "serving/request_json.hpp"

namespace roofline {
namespace {

/// The keys that serving adds to a model's request.
constexpr const char* serving_keys[] = {"concurrency",  "rate", "requests", "length_spread", "prefix_hit", "ttft",
                                        "attention_dp", "pp",   "dp"};
constexpr double requests_per_user = 10;  // of InferenceX's benchmark: num_prompts = 10 x concurrency

bool divides(double part, double whole) { return std::fmod(whole, part) == 0; }

}  // namespace

double ServingRequest::new_tokens() const { return std::max(1.0, std::round((1 - prefix_hit) * mean_prompt())); }

std::optional<Error> layout_fault(const LlmSetup& setup, const ServingLayout& layout) {
  const Model& m = setup.model;
  if (!divides(setup.tp, m.heads)) return Error{"expected a divisor of the model's " + number(m.heads) + " attention heads", 0, 0, "tp"};
  if (m.experts > 0 && !divides(setup.ep, m.experts))
    return Error{"expected a divisor of the model's " + number(m.experts) + " experts", 0, 0, "ep"};
  if (layout.pp > m.layers) return Error{"expected no more than the model's " + number(m.layers) + " layers", 0, 0, "pp"};
  if (layout.attention_dp && m.experts == 0)
    return Error{"the model has no experts that attention data parallelism could share; expected dp for replicas", 0, 0, "attention_dp"};
  return std::nullopt;
}

void use_engine_formats(ServingRequest& request, const Machine& machine) {
  const Formats& formats = Formats::catalogue();
  LlmFormats& f = request.llm.setup.formats;
  const auto id = [&](const char* name) { return formats.find(name).value_or(no_format); };
  const auto has = [&](FormatId format) { return known(machine.peak(Unit::matrix, format)); };
  const Model& m = request.llm.setup.model;
  const FormatId weights = f.weights[m.experts > 0 ? WeightPart::experts : WeightPart::up], mxfp4 = id("mxfp4");
  if (!request.activations_stated) {
    const bool narrow = formats[weights].family == FormatFamily::floating && formats[weights].bytes() < 2;
    f.activations = !narrow || !has(weights) ? id("fp16") : weights == mxfp4 ? id("mxfp8") : weights;
  }
  if (!request.kv_stated) f.kv = formats[f.activations].bytes() < 2 ? id("fp8_e4m3") : f.activations;
}

Result<ServingRequest> parse_serving_request(std::string_view text) {
  const Result<Json> json =
      parse_json(text, R"(a request such as {"model": "llama-3.1-70b", "prompt": 8000, "generate": 1000, "concurrency": 64})");
  return json ? serving_request_from(*json) : Unexpected(json.error());
}

Result<ServingRequest> serving_request_from(const Json& json) {
  if (!json.is_object()) return fail(std::string("expected an object, found ") + kind_of(json));
  Json model = json;
  for (const char* key : serving_keys) model.erase(key);
  model["phase"] = "generate";
  MemberReader in(json);
  ServingRequest r;
  r.layout.pp = in.whole("pp", 1);
  r.layout.dp = in.whole("dp", 1);
  r.layout.attention_dp = in.flag("attention_dp", false);
  r.concurrency = in.whole("concurrency", unknown);
  r.rate = in.positive("rate", "requests per second", unknown);
  r.requests = in.whole("requests", unknown);
  r.prefix_hit = in.fraction("prefix_hit", 0);
  r.ttft = in.choice("ttft", {"burst", "steady"}, TtftBasis::burst);
  if (const Json& spread = member(json, "length_spread"); !spread.is_null()) r.length_spread = number_of(spread);
  if (!(r.length_spread > 0 && r.length_spread <= 1))
    in.fault("length_spread", "expected a fraction above 0 and up to 1, found " + shown(member(json, "length_spread")));
  if (known(r.concurrency) == known(r.rate) && !in.error)
    in.fault("concurrency", known(r.rate) ? "expected either concurrency or rate" : "expected a number of users, or a rate");
  if (in.error) return Unexpected(*in.error);
  if (known(r.concurrency) && !known(r.requests)) r.requests = requests_per_user * r.concurrency;
  if (r.requests < r.concurrency)
    return fail("expected no fewer than the " + number(r.concurrency) + " users that send at once", "requests");

  Result<LlmRequest> llm = llm_request_from(model);
  if (!llm) return Unexpected(llm.error());
  r.llm = std::move(*llm);
  r.activations_stated = !member(json, "activations").is_null();
  r.kv_stated = !member(json, "kv").is_null() || r.activations_stated;
  LlmSetup& s = r.llm.setup;
  if (const auto fault = layout_fault(s, r.layout)) return Unexpected(*fault);
  if (r.layout.attention_dp) {
    s.ep = s.machines();
    s.tp = 1;
    if (const auto fault = layout_fault(s, r.layout)) return Unexpected(*fault);
  }
  return r;
}

}  // namespace roofline
