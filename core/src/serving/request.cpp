#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <string>
#include <utility>

#include "llm/member_reader.hpp"
#include "llm/request_json.hpp"
#include "machine/json.hpp"
#include "serving/request_json.hpp"

namespace roofline {
namespace {

/// The keys that serving adds to a model's request.
constexpr const char* serving_keys[] = {"concurrency",
                                        "rate",
                                        "requests",
                                        "length_spread",
                                        "prefix_hit",
                                        "ttft",
                                        "block_scales",
                                        "attention_dp",
                                        "pp",
                                        "dp",
                                        "decode_tp",
                                        "decode_ep",
                                        "decode_workers",
                                        "decode_attention_dp",
                                        "prefill_tp",
                                        "prefill_ep",
                                        "prefill_workers",
                                        "prefill_machine",
                                        "prefill_attention_dp"};
/// What they are called where prefill has machines of its own.
constexpr std::pair<const char*, const char*> decode_keys[] = {{"decode_tp", "tp"}, {"decode_ep", "ep"}};

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

std::optional<Error> link_fault(const LlmSetup& setup, const ServingLayout& layout, const Machine& machine) {
  const auto fault = [&](const std::string& between, const char* link, const std::string& fewer) {
    return Error{machine.name + " states no rate for a link between " + between + ", so their exchanges take an unknown time; expected " +
                     fewer + ", or a machine file with \"" + link + '"',
                 0, 0, "machine"};
  };
  const double machines = setup.machines() * layout.pp;
  if (machines > 1 && !known(machine.link_rate()))
    return fault(number(machines) + " machines", "links", "one machine for each replica (tp, ep and pp of 1)");
  if (machines > machine.linked() && !machine.scale_out.known())
    return fault("groups of " + number(machine.linked()) + " machines", "scale_out",
                 "at most " + number(machine.linked()) + " machines for each replica (tp, ep and pp)");
  return std::nullopt;
}

void use_engine_formats(ServingRequest& request, const Scenario& scenario) {
  const Formats& formats = Formats::catalogue();
  LlmFormats& f = request.llm.setup.formats;
  const auto id = [&](const char* name) { return formats.find(name).value_or(no_format); };
  const auto has = [&](FormatId format) { return known(scenario.machine.peak(Unit::matrix, format)); };
  const Model& m = request.llm.setup.model;
  const FormatId weights = f.weights[m.largest_part()], mxfp4 = id("mxfp4");
  if (!request.activations_stated) {
    const bool narrow = formats[weights].family == FormatFamily::floating && formats[weights].bytes() < 2;
    f.activations = !narrow || !has(weights) ? id("fp16") : weights == mxfp4 ? id("mxfp8") : weights;
  }
  if (request.kv_stated) return;
  const bool narrow_kernels = has(id("nvfp4")) || has(mxfp4);  // those of attention read an FP8 cache as it is
  const bool wide =
      formats[weights].bytes() == 1 && !narrow_kernels && scenario.terms_for(StackUse::language_model).wide_cache.value_or(0) > 0;
  f.kv = formats[f.activations].bytes() >= 2 ? f.activations : id(wide ? "fp16" : "fp8_e4m3");
}

void use_engine_stack(Scenario& scenario) {
  const Stacks& stacks = Stacks::presets();
  if (!scenario.stack && stacks[stacks.usual(scenario.machine, StackUse::language_model)].id == "fused")
    scenario.stack = stacks.find("vllm");
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
  for (const auto& [key, usual] : decode_keys)
    if (json.contains(key)) model[usual] = json[key];
  MemberReader in(json);
  ServingRequest r;
  r.layout.pp = in.whole("pp", 1);
  r.layout.dp = in.whole("decode_workers", in.whole("dp", 1));
  r.layout.attention_dp = in.flag("decode_attention_dp", in.flag("attention_dp", false));
  const bool prefill_attention_dp = in.flag("prefill_attention_dp", false);
  if (json.contains("prefill_workers")) {
    PrefillPool& pool = r.prefill.emplace();
    pool.workers = in.whole("prefill_workers", 1);
    pool.tp = in.whole("prefill_tp", 1);
    pool.ep = in.whole("prefill_ep", 1);
    if (prefill_attention_dp) pool.ep = std::max(pool.tp, pool.ep), pool.tp = 1;
    if (const Json& machine = member(json, "prefill_machine"); !machine.is_null()) {
      Result<Machine> found = machine_from_id_or_object(machine, "prefill_machine");
      if (!found) return Unexpected(found.error());
      pool.machine = std::move(*found);
    }
  } else {
    for (const char* key : {"prefill_machine", "prefill_tp", "prefill_ep", "prefill_attention_dp", "decode_tp", "decode_ep",
                            "decode_workers", "decode_attention_dp"})
      if (json.contains(key)) in.fault(key, "expected prefill_workers, too");
  }
  r.block_scales = in.flag("block_scales", false);
  r.concurrency = in.whole("concurrency", unknown);
  r.rate = in.positive("rate", "requests per second", unknown);
  r.requests = in.whole("requests", unknown);
  r.prefix_hit = in.fraction("prefix_hit", 0);
  r.ttft = in.choice("ttft", TtftBasis::burst);
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
  if (member(json, "block_scales").is_null()) r.block_scales = r.llm.setup.model.block_scales;
  r.kv_stated = !member(json, "kv").is_null() || r.activations_stated;
  LlmSetup& s = r.llm.setup;
  if (const auto fault = layout_fault(s, r.layout)) return Unexpected(*fault);
  if (r.prefill) {
    LlmSetup pool = s;
    pool.tp = r.prefill->tp;
    pool.ep = r.prefill->ep;
    if (auto fault = layout_fault(pool, {1, 1, prefill_attention_dp})) return fail(fault->message, "prefill_" + fault->path);
    if (r.layout.pp > 1) return fail("expected 1 where prefill has machines of its own", "pp");
  }
  if (r.layout.attention_dp) {
    s.ep = s.machines();
    s.tp = 1;
    if (const auto fault = layout_fault(s, r.layout)) return Unexpected(*fault);
  }
  return r;
}

}  // namespace roofline
