#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>

#include "base/json_out.hpp"
#include "llm/totals.hpp"

namespace roofline {
namespace {

constexpr double hours_per_year = 365 * 24.0;

const char* phase_name(LlmPhase phase) {
  constexpr const char* names[] = {"prefill", "decode", "generate"};
  return names[static_cast<std::size_t>(phase)];
}

std::string bound_text(LlmBound bound, const Machine& machine) {
  switch (bound) {
    case LlmBound::compute:
      return "compute-bound";
    case LlmBound::memory:
      return "memory-bound on " + (machine.memories.empty() ? std::string("memory") : machine.memories[0].name);
    case LlmBound::link:
      return "bound by " + (machine.links.empty() ? std::string("the link") : machine.links[0].name);
    case LlmBound::none:
      break;
  }
  return "not bounded by anything known";
}

struct Throughput {
  double tokens_per_s = 0, latency_s = 0;
};

Throughput throughput(const LlmRequest& request, const Scenario& scenario) {
  const LlmStudy study(request, scenario);
  const auto parts = std::make_unique<LlmParts>();
  study.run(study.asked(), *parts);
  const double time = total(*parts).predicted_s;
  const double made = tokens(study.asked(), request.speculation);
  return {made / time, request.phase == LlmPhase::decode ? time * request.batch / made : time};
}

std::optional<bool> fits(const LlmRequest& request, const Scenario& scenario) {
  const LlmStudy study(request, scenario);
  if (!(study.capacity() > 0)) return std::nullopt;
  return study.need(request.batch, request.prompt, request.context).total() <= study.capacity();
}

/// The smallest preset with the same vocabulary, a tenth of the size at most.
const Model* draft_for(const Model& model) {
  const double limit = parameters(model).total() / 10;
  const Model* best = nullptr;
  for (const Model& m : Models::presets().all())
    if (m.vocab == model.vocab && m.family == model.family && parameters(m).total() <= limit &&
        (!best || parameters(m).total() < parameters(*best).total()))
      best = &m;
  return best;
}

class Changes {
 public:
  Changes(const LlmRequest& request, const Scenario& scenario)
      : request_(request), scenario_(scenario), today_(throughput(request, scenario)) {}

  std::vector<LlmChange> ranked() {
    batches();
    formats();
    if (request_.setup.attention == AttentionTraffic::unfused)
      add("fused attention", R"({"attention": "ideal"})", [](LlmRequest& r) { r.setup.attention = AttentionTraffic::ideal; });
    if (!scenario_.machine.links.empty() && request_.setup.tp * 2 <= request_.setup.model.heads && request_.setup.ep == 1)
      add(number(request_.setup.tp * 2) + " machines by tensor parallelism", R"({"tp": )" + shortest(request_.setup.tp * 2) + "}",
          [](LlmRequest& r) { r.setup.tp *= 2; });
    if (const Model* draft = draft_for(request_.setup.model); draft && !request_.speculation && request_.phase != LlmPhase::prefill)
      add("speculation with " + draft->name + " (4 tokens, 70 % accepted)",
          R"({"speculate": {"gamma": 4, "acceptance": 0.7, "draft": ")" + draft->id + "\"}}", [&](LlmRequest& r) {
            r.speculation = Speculation{4, 0.7, *draft};
          });
    machines();
    std::stable_sort(changes_.begin(), changes_.end(), [](const LlmChange& a, const LlmChange& b) { return a.gain > b.gain; });
    return std::move(changes_);
  }

 private:
  template <class Change>
  void add(std::string name, std::string patch, const Change& change) {
    LlmRequest r = request_;
    r.measured.clear();
    change(r);
    keep(std::move(name), std::move(patch), r, scenario_);
  }

  void keep(std::string name, std::string patch, const LlmRequest& request, const Scenario& scenario) {
    const Throughput then = throughput(request, scenario);
    LlmChange c{std::move(name), std::move(patch), then.tokens_per_s / today_.tokens_per_s, then.latency_s / today_.latency_s,
                fits(request, scenario)};
    if (c.gain > 1.01) changes_.push_back(std::move(c));
  }

  void batches() {
    const LlmStudy study(request_, scenario_);
    const double most = study.largest_batch(request_.prompt, request_.context);
    double batch = request_.batch * 4;
    if (batch > most) batch = most;
    if (batch > request_.batch)
      add("batch " + number(batch), R"({"batch": )" + shortest(batch) + "}", [&](LlmRequest& r) { r.batch = batch; });
  }

  void formats() {
    const Formats& all = Formats::catalogue();
    const LlmFormats& f = request_.setup.formats;
    const auto id = [&](const char* name) { return all.find(name).value_or(0); };
    const FormatId int4 = id("int4_g128"), int8 = id("int8"), fp8 = id("fp8_e4m3");
    const auto narrower = [&](FormatId a, FormatId b) { return all[a].bytes() < all[b].bytes(); };
    const auto weights = [&](const char* name, FormatId format) {
      if (narrower(format, f.weights))
        add(name,
            R"({"weights": ")" + all[format].id + R"(", "experts": ")" + all[narrower(format, f.experts) ? format : f.experts].id + "\"}",
            [&](LlmRequest& r) {
              r.setup.formats.weights = format;
              if (narrower(format, f.experts)) r.setup.formats.experts = format;
            });
    };
    weights("INT4 weights", int4);
    weights("INT8 weights", int8);
    if (scenario_.machine.peak(Unit::matrix, fp8) > scenario_.machine.peak(Unit::matrix, f.activations) && narrower(fp8, f.activations))
      add("FP8 weights and activations",
          R"({"weights": "fp8_e4m3", "activations": "fp8_e4m3", "experts": "fp8_e4m3", "kv": ")" + all[f.kv].id + "\"}",
          [&](LlmRequest& r) {
            r.setup.formats = {fp8, fp8, f.kv, fp8};
          });
    if (narrower(fp8, f.kv)) add("FP8 key-value cache", R"({"kv": "fp8_e4m3"})", [&](LlmRequest& r) { r.setup.formats.kv = fp8; });
  }

  /// The machine that gains most, of those on which it fits.
  void machines() {
    const Machine* best = nullptr;
    Scenario there = scenario_;
    double gain = 1.01;
    for (const Machine& m : Machines::presets().all()) {
      if (m.id == scenario_.base.id || (request_.setup.machines() > 1 && m.links.empty())) continue;
      there.use(m);
      if (fits(request_, there) != std::optional<bool>(true)) continue;
      const double here = throughput(request_, there).tokens_per_s / today_.tokens_per_s;
      if (here > gain) gain = here, best = &m;
    }
    if (!best) return;
    there.use(*best);
    LlmRequest r = request_;
    r.measured.clear();
    keep(best->name, R"({"machine": ")" + best->id + "\"}", r, there);
  }

  const LlmRequest& request_;
  const Scenario& scenario_;
  Throughput today_;
  std::vector<LlmChange> changes_;
};

std::string finding(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const LlmTotals& t) {
  const auto times = [](double factor) { return number(std::round(factor * 10) / 10) + "x"; };
  std::string text;
  if (a.fits == std::optional<bool>(false))
    text = "It does not fit: " + with_unit(a.need.weights, "B") + " of weights, " + with_unit(a.need.kv, "B") + " of cache and " +
           with_unit(a.need.activations, "B") + " of activations on " + with_unit(a.capacity, "B") + ". ";
  text += r.phase == LlmPhase::prefill  ? "Prefill of " + number(r.prompt) + " tokens"
          : r.phase == LlmPhase::decode ? "Decode"
                                        : "Generating " + number(r.generate) + " tokens after " + number(r.prompt);
  text += " at batch " + number(r.batch) + " is " + bound_text(a.bound, scenario.machine);
  if (a.bound == LlmBound::memory) {
    const double rest = 1 - a.weight_share - a.kv_share;
    const bool by_cache = a.kv_share > a.weight_share;
    text += rest > std::max(a.weight_share, a.kv_share) ? ": " + percent(rest) + " of the bytes are activations."
                                                        : ": " + percent(by_cache ? a.kv_share : a.weight_share) + " of the bytes are " +
                                                              (by_cache ? "key-value cache." : "weights.");
  } else if (a.bound == LlmBound::compute) {
    text += ": " + percent(t.bound_s[static_cast<std::size_t>(LlmBound::compute)] / t.predicted_s) + " of the time.";
  } else {
    text += ".";
  }
  // One change to the formats and one to the batch: what is a setting, not another machine.
  std::string changes;
  const LlmChange *format = nullptr, *batch = nullptr;
  for (const LlmChange& c : a.changes) {
    if (c.fits == std::optional<bool>(false)) continue;
    if (!batch && c.change.rfind("batch", 0) == 0) batch = &c;
    if (!format &&
        (c.change.find("weights") != std::string::npos || c.change.find("cache") != std::string::npos || c.change == "fused attention"))
      format = &c;
  }
  if (format) changes += format->change + ": " + times(format->gain);
  if (batch)
    changes += (changes.empty() ? "B" : "; b") + batch->change.substr(1) + ": " + times(batch->gain) + " the tokens per second at " +
               times(batch->latency) + " the latency";
  return changes.empty() ? text : text + " " + changes + ".";
}

}  // namespace

LlmCost cost_of(const LlmRequest& r, const Machine& machine) {
  LlmCost cost = r.cost;
  if (cost.usd_per_hour > 0) {
    cost.price_usd = unknown;
    return cost;
  }
  if (!(cost.price_usd > 0)) cost.price_usd = machine.price_usd.value;
  cost.usd_per_hour = cost.price_usd / (cost.years * hours_per_year);
  return cost;
}

LlmAnswer answer(const LlmRequest& r, const Scenario& scenario) {
  LlmAnswer a;
  const LlmStudy study(r, scenario);
  const LlmPlan& plan = study.plan();
  const Parameters p = parameters(r.setup.model);
  a.parameters = p.total();
  a.active_parameters = p.active();
  a.machines = r.setup.machines();
  a.weights_bytes = plan.weight_bytes();
  a.kv_bytes_per_token = plan.kv_bytes_per_token();
  a.kv_bytes = plan.kv_bytes(r.batch, r.context);
  a.need = study.need(r.batch, r.prompt, r.context);
  a.activation_bytes = a.need.activations;
  a.capacity = study.capacity();
  if (a.capacity > 0) a.fits = a.need.total() <= a.capacity;
  a.largest_batch = study.largest_batch(r.prompt, r.context);
  a.longest_context = study.longest_context(r.batch);
  a.compute_bound_batch = study.compute_bound_batch(r.context);
  if (r.speculation) a.tokens_per_step = r.speculation->tokens_per_step();

  const auto parts = std::make_unique<LlmParts>();
  const auto [ideal, typical, t] = outcome(study, *parts);
  a.bound = most_of(t);
  a.weight_share = t.weight_bytes / t.bytes;
  a.kv_share = t.kv_bytes / t.bytes;
  a.ttft_s = ideal.ttft_s;
  a.tpot_s = ideal.tpot_s;
  a.total_s = ideal.total_s;
  a.tokens_per_s = ideal.tokens_per_s;
  a.tokens_per_s_per_user = ideal.tokens_per_s_per_user;
  a.typical_ttft_s = typical.ttft_s;
  a.typical_tpot_s = typical.tpot_s;
  a.typical_total_s = typical.total_s;
  a.typical_tokens_per_s = typical.tokens_per_s;
  a.typical_tokens_per_s_per_user = typical.tokens_per_s_per_user;
  LlmRows rows;
  plan.evaluate({r.batch, r.prompt, r.phase == LlmPhase::prefill ? r.context : r.prompt, false}, rows);
  a.prefill_intensity = rows.total.flops / rows.total.bytes;
  plan.evaluate({r.batch, 1, r.context, true}, rows);
  a.decode_intensity = rows.total.flops / rows.total.bytes;

  const Machine& machine = scenario.machine;
  if (machine.tdp_w.known()) {
    a.joules_per_token = machine.tdp_w.value * a.machines / a.tokens_per_s;
    a.typical_joules_per_token = machine.tdp_w.value * a.machines / a.typical_tokens_per_s;
  }
  a.cost = cost_of(r, machine);
  if (a.cost.usd_per_hour > 0) {
    const double usd_per_s = a.cost.usd_per_hour / 3600 * a.machines;
    a.usd_per_million_tokens = usd_per_s / a.tokens_per_s * 1e6;
    a.typical_usd_per_million_tokens = usd_per_s / a.typical_tokens_per_s * 1e6;
  }

  for (const LlmMeasurement& m : r.measured) a.measured.push_back(judge(m, r, scenario));
  a.changes = Changes(r, scenario).ranked();
  a.finding = finding(a, r, scenario, t);
  return a;
}

std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& a, const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> out;
  /// A member whose value is written by `write`.
  const auto put = [&](const char* key, const auto& write) {
    std::string text;
    const Sink sink = [&](std::string_view piece) { text += piece; };
    JsonOut json(sink);
    write(json);
    json.send();
    out.emplace_back(key, std::move(text));
  };
  const std::pair<const char*, double> sizes[] = {{"parameters", a.parameters},
                                                  {"active_parameters", a.active_parameters},
                                                  {"weights_bytes", a.weights_bytes},
                                                  {"kv_bytes", a.kv_bytes},
                                                  {"kv_bytes_per_token", a.kv_bytes_per_token},
                                                  {"activation_bytes", a.activation_bytes},
                                                  {"largest_batch", a.largest_batch},
                                                  {"longest_context", a.longest_context},
                                                  {"compute_bound_batch", a.compute_bound_batch},
                                                  {"machines", a.machines},
                                                  {"ttft_s", a.ttft_s},
                                                  {"tpot_s", a.tpot_s},
                                                  {"total_s", a.total_s},
                                                  {"typical_ttft_s", a.typical_ttft_s},
                                                  {"typical_tpot_s", a.typical_tpot_s},
                                                  {"typical_total_s", a.typical_total_s},
                                                  {"typical_tokens_per_s", a.typical_tokens_per_s},
                                                  {"typical_tokens_per_s_per_machine", a.typical_tokens_per_s / a.machines},
                                                  {"typical_tokens_per_s_per_user", a.typical_tokens_per_s_per_user},
                                                  {"tokens_per_s", a.tokens_per_s},
                                                  {"tokens_per_s_per_machine", a.tokens_per_s / a.machines},
                                                  {"tokens_per_s_per_user", a.tokens_per_s_per_user},
                                                  {"tokens_per_step", a.tokens_per_step},
                                                  {"prefill_intensity", a.prefill_intensity},
                                                  {"decode_intensity", a.decode_intensity},
                                                  {"weight_share_of_bytes", a.weight_share},
                                                  {"kv_share_of_bytes", a.kv_share},
                                                  {"joules_per_million_tokens", a.joules_per_token * 1e6},
                                                  {"typical_joules_per_million_tokens", a.typical_joules_per_token * 1e6},
                                                  {"usd_per_million_tokens", a.usd_per_million_tokens},
                                                  {"typical_usd_per_million_tokens", a.typical_usd_per_million_tokens}};
  for (const auto& [key, value] : sizes) put(key, [v = value](JsonOut& json) { json.value(v); });
  const auto flag = [](JsonOut& json, const std::optional<bool>& value) {
    if (value)
      json.value(*value);
    else
      json.null();
  };
  put("fits", [&](JsonOut& json) { flag(json, a.fits); });
  put("bytes_per_machine", [&](JsonOut& json) {
    json.begin_object();
    json.member("weights", a.need.weights);
    json.member("kv", a.need.kv);
    json.member("activations", a.need.activations);
    json.member("total", a.need.total());
    json.member("capacity", a.capacity);
    json.end_object();
  });
  put("cost", [&](JsonOut& json) {
    json.begin_object();
    json.member("usd_per_hour", a.cost.usd_per_hour);
    json.member("price_usd", a.cost.price_usd);
    json.member("years", a.cost.years);
    json.end_object();
  });
  // What the typical figures take of the machine's rates; 1 where no fraction is known.
  put("achievable", [&](JsonOut& json) {
    const Machine& m = scenario.machine;
    json.begin_object();
    json.member("compute", m.achievable_compute.known() ? m.achievable_compute.value : 1);
    json.member("bandwidth", m.achievable_bandwidth.known() ? m.achievable_bandwidth.value : 1);
    json.member("launch_s", m.launch_s.known() ? m.launch_s.value : 0);
    json.end_object();
  });
  put("measured", [&](JsonOut& json) {
    json.begin_array();
    for (const LlmMeasured& m : a.measured) {
      const bool point = m.measurement.flops > 0;
      json.begin_object();
      json.member("name", m.measurement.name);
      json.key("phase");
      if (point)
        json.null();
      else
        json.value(phase_name(m.measurement.phase));
      json.member("time_s", m.measurement.time_s);
      json.member("predicted_time_s", m.predicted_s);
      json.member("typical_time_s", m.typical_s);
      json.member("intensity", point ? m.measurement.intensity : m.flops / m.bandwidth);
      json.member("achieved_flops", m.flops);
      json.member("achieved_bandwidth", m.bandwidth);
      json.member("attainable_flops", m.attainable_flops);
      json.member("efficiency", m.efficiency);
      json.member("mfu", m.mfu);
      json.member("mbu", m.mbu);
      json.member("bottleneck", m.bottleneck);
      json.key("explanations");
      json.begin_array();
      for (const auto& e : m.explanations) {
        json.begin_object();
        json.member("assumption", e.assumption);
        json.member("time_s", e.time_s);
        json.end_object();
      }
      json.end_array();
      json.end_object();
    }
    json.end_array();
  });
  put("changes", [&](JsonOut& json) {
    json.begin_array();
    for (const LlmChange& c : a.changes) {
      json.begin_object();
      json.member("change", c.change);
      json.key("patch");
      json.raw(c.patch);
      json.member("tokens_per_s_factor", c.gain);
      json.member("latency_factor", c.latency);
      json.key("fits");
      flag(json, c.fits);
      json.end_object();
    }
    json.end_array();
  });
  put("bound", [&](JsonOut& json) {
    if (a.bound == LlmBound::none)
      json.null();
    else
      json.value(bound_text(a.bound, scenario.machine));
  });
  put("finding", [&](JsonOut& json) { json.value(a.finding); });
  return out;
}

}  // namespace roofline
