#include <roofline/base/text.hpp>
#include <roofline/serving/operating_point.hpp>

#include "base/schemas.hpp"
#include "llm/beyond_training.hpp"

namespace roofline {
namespace {

/// A point that is being written.
struct ServingDocument {
  const ServingPoint& p;
  const ServingRequest& request;
  const Scenario& scenario;
  [[nodiscard]] const Stack& stack() const { return scenario.stack_for(StackUse::language_model); }
  [[nodiscard]] const StackError* error(std::string_view kind) const { return stack().error_on(scenario.machine.id, kind); }
};

void write_error(JsonOut& out, const StackError* e) {
  if (!e) return out.null();
  out.object([&] {
    out.member("median", e->median);
    out.member("p90", e->p90);
    out.member("rows", e->rows);
  });
}
constexpr std::string_view error_shape = R"("type":["object","null"],"additionalProperties":{"type":["number","null"]})";
constexpr Member<ServingDocument> estimate_members[] = {
    {"stack", schema::text, "whose estimate it is", [](JsonOut& out, const ServingDocument& d) { out.value(d.stack().id); }},
    {"tpot", error_shape, "|estimated / measured - 1| on published runs that were held back: median, p90, rows; null: none on this machine",
     [](JsonOut& out, const ServingDocument& d) { write_error(out, d.error("tpot")); }},
    {"ttft", error_shape, "the same of the time to first token",
     [](JsonOut& out, const ServingDocument& d) { write_error(out, d.error("ttft")); }},
    {"throughput", error_shape, "the same of output tokens per second",
     [](JsonOut& out, const ServingDocument& d) { write_error(out, d.error("throughput")); }}};

constexpr Member<ServingPoint> operating_point_members[] = {
    {"tpot_s", schema::number, "bound: time per token after the first, s", field<&ServingPoint::bound, &ServingSpeed::tpot_s>},
    {"ttft_s", schema::number, "bound: mean time to first token, s", field<&ServingPoint::bound, &ServingSpeed::ttft_s>},
    {"output_tokens_per_s", schema::number, "bound, of the whole deployment",
     field<&ServingPoint::bound, &ServingSpeed::output_tokens_per_s>},
    {"output_tokens_per_s_per_machine", schema::number, "bound",
     field<&ServingPoint::bound, &ServingSpeed::output_tokens_per_s_per_machine>},
    {"tokens_per_s_per_user", schema::number, "bound: 1 / tpot_s", field<&ServingPoint::bound, &ServingSpeed::tokens_per_s_per_user>},
    {"typical_tpot_s", schema::number, "estimate, s", field<&ServingPoint::typical, &ServingSpeed::tpot_s>},
    {"typical_ttft_s", schema::number, "estimate, s", field<&ServingPoint::typical, &ServingSpeed::ttft_s>},
    {"typical_output_tokens_per_s", schema::number, "estimate", field<&ServingPoint::typical, &ServingSpeed::output_tokens_per_s>},
    {"typical_output_tokens_per_s_per_machine", schema::number, "estimate",
     field<&ServingPoint::typical, &ServingSpeed::output_tokens_per_s_per_machine>},
    {"typical_tokens_per_s_per_user", schema::number, "estimate", field<&ServingPoint::typical, &ServingSpeed::tokens_per_s_per_user>},
    {"typical_requests_per_s", schema::number, "estimate", field<&ServingPoint::typical, &ServingSpeed::requests_per_s>},
    {"machines", schema::number, "of the whole deployment", field<&ServingPoint::machines>},
    {"concurrency", schema::number, "requests in flight or queued", field<&ServingPoint::typical, &ServingSpeed::concurrency>},
    {"batch", schema::number, "sequences that decode together, of the whole deployment, estimate",
     field<&ServingPoint::typical, &ServingSpeed::batch>},
    {"concurrency_max", schema::number, "requests whose cache fits; null: the capacity is not known",
     field<&ServingPoint::concurrency_max>},
    {"saturation_rate", schema::number, "requests/s that can be served, estimate", field<&ServingPoint::saturation_rate>},
    {"prefill_share", schema::number, "of the estimated time per token, the part that other requests' prompts take",
     field<&ServingPoint::prefill_share>},
    {"transfer_s", schema::number,
     "of a request's cache from prefill to decode, part of the time to first token; null: one pool, or no link's rate is known",
     field<&ServingPoint::transfer_s>},
    {"bound_by", schema::name, "what keeps throughput from growing: cache, prefill, compute, memory or link",
     [](JsonOut& out, const ServingPoint& p) { write_name(out, to_string(p.limit)); }},
    {"weights_bytes", schema::number, "of one machine", field<&ServingPoint::memory, &MemoryFootprint::weights>},
    {"kv_bytes", schema::number, "of one machine, at the mean length", field<&ServingPoint::memory, &MemoryFootprint::kv>},
    {"typical_joules_per_million_tokens", schema::number,
     "J per million output tokens, at all-in power (server, network, cooling) where it is stated, else rated; estimate",
     [](JsonOut& out, const ServingPoint& p) { out.value(p.joules_per_token * 1e6); }},
    {"typical_usd_per_million_tokens", schema::number, "USD per million output tokens, estimate; null: no price was given",
     field<&ServingPoint::usd_per_million_tokens>}};

/// Written behind the members of the operating point.
constexpr Member<ServingDocument> further_members[] = {
    {"estimate", object_of<estimate_members>, "whose estimate it is, and its error",
     [](JsonOut& out, const ServingDocument& d) { write_object<estimate_members>(out, d); }},
    {"finding", schema::text, "the answer in a sentence",
     [](JsonOut& out, const ServingDocument& d) { out.value(serving_finding(d.p, d.request, d.scenario)); }}};

std::string summary_schema() { return ObjectSchema().with(operating_point_members).with(further_members).text(); }

constexpr Member<ServingDocument> serving_members[] = {
    document_id<ServingDocument>("roofline-serving/1"),
    {"model", schema::text, "its id", [](JsonOut& out, const ServingDocument& d) { out.value(d.request.llm.setup.model.id); }},
    {"machine", schema::text, "its id", [](JsonOut& out, const ServingDocument& d) { out.value(d.scenario.machine.id); }},
    {"summary", summary_schema, "", [](JsonOut& out, const ServingDocument& d) {
       out.object([&] {
         write_members<operating_point_members>(out, d.p);
         write_members<further_members>(out, d);
       });
     }}};

std::string with_error(const std::string& text, const StackError* e) {
  return e ? text + " (error " + percent(e->median) + " median, " + percent(e->p90) + " in nine of ten)" : text;
}

std::string load_text(const ServingRequest& r) {
  return known(r.rate) ? number(r.rate) + " requests/s" : number(r.concurrency) + (r.concurrency == 1 ? " user" : " users");
}

}  // namespace

std::string serving_finding(const ServingPoint& p, const ServingRequest& request, const Scenario& scenario) {
  const std::string machines = number(p.machines) + " x " + scenario.machine.name;
  std::string out = load_text(request) + " on " + machines + ": " + number(p.typical.output_tokens_per_s) + " output tokens/s, " +
                    seconds(p.typical.tpot_s) + " per token, first token after " +
                    (known(p.typical.ttft_s) ? seconds(p.typical.ttft_s) : "an unknown time: no link rate for cache transfers") + ". ";
  out += beyond_training_sentence(request.llm);
  if (!known(p.concurrency_max))
    out += "This assumes that all requests fit: the memory size of " + scenario.machine.name + " is not known. ";
  switch (p.limit) {
    case ServingLimit::unknown:
      break;
    case ServingLimit::cache:
      out += "The cache holds " + number(p.concurrency_max) + " requests; the others wait.";
      break;
    case ServingLimit::prefill:
      out += "Other requests' prompts take " + percent(p.prefill_share) + " of a token's time.";
      break;
    case ServingLimit::compute:
    case ServingLimit::memory:
    case ServingLimit::link:
      out += std::string("Decode steps are limited by ") + to_string(p.limit) + '.';
      break;
  }
  return out;
}

std::string serving_json(const ServingPoint& point, const ServingRequest& request, const Scenario& scenario) {
  return object_text<serving_members>(ServingDocument{point, request, scenario});
}

ObjectSchema serving_schema() { return ObjectSchema().with(serving_members); }

std::string serving_table(const ServingPoint& p, const ServingRequest& request, const Scenario& scenario) {
  const ServingDocument document{p, request, scenario};
  std::vector<std::vector<std::string>> rows;
  const auto line = [&](std::string name, std::string typical, std::string bound) {
    rows.push_back({std::move(name), std::move(typical), std::move(bound)});
  };
  line("", "estimate", "bound");
  line("time per token", with_error(seconds(p.typical.tpot_s), document.error("tpot")), seconds(p.bound.tpot_s));
  line("time to first token", with_error(seconds(p.typical.ttft_s), document.error("ttft")), seconds(p.bound.ttft_s));
  line("output tokens/s", with_error(number(p.typical.output_tokens_per_s), document.error("throughput")),
       number(p.bound.output_tokens_per_s));
  line("per machine", number(p.typical.output_tokens_per_s_per_machine), number(p.bound.output_tokens_per_s_per_machine));
  line("per user", number(p.typical.tokens_per_s_per_user), number(p.bound.tokens_per_s_per_user));
  line("requests/s", number(p.typical.requests_per_s), number(p.bound.requests_per_s));
  line("sequences in decode", number(p.typical.batch), number(p.bound.batch));
  line("requests that fit the cache", known(p.concurrency_max) ? number(p.concurrency_max) : "unknown", "");
  line("saturation, requests/s", number(p.saturation_rate), "");
  if (known(p.transfer_s)) line("cache transfer", seconds(p.transfer_s), "");
  line("memory of a machine", with_unit(p.memory.weights, "B") + " weights + " + with_unit(p.memory.kv, "B") + " cache", "");
  if (p.joules_per_token > 0) line("energy per output token", with_unit(p.joules_per_token, "J"), "");
  if (p.usd_per_million_tokens > 0) line("USD per million output tokens", number(p.usd_per_million_tokens), "");
  line("estimated for", document.stack().name, "");
  return serving_finding(p, request, scenario) + "\n\n" + align(rows, "lll") + "\n";
}

}  // namespace roofline
