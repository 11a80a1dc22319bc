#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/sweep.hpp>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "llm/performance.hpp"
#include "llm/request_json.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_curves = 64;

/// The numbers of a request that an axis may be.
bool set_number(LlmRequest& r, const std::string& key, double value) {
  if (key == "batch") {
    r.batch = value;
  } else if (key == "prompt") {
    if (r.phase == LlmPhase::prefill) r.context += value - r.prompt;  // what is in the cache before it stays
    if (r.phase == LlmPhase::generate) r.context = value + r.generate - 1;
    r.prompt = value;
  } else if (key == "context" && r.phase == LlmPhase::decode) {
    r.context = r.prompt_stated ? std::max(value, r.prompt) : value;
    if (!r.prompt_stated) r.prompt = value;
  } else if (key == "generate" && r.phase == LlmPhase::generate) {
    r.generate = value;
    r.context = r.prompt + value - 1;
  } else {
    return false;
  }
  return true;
}

std::string bound_name(std::optional<ResourceKind> bound) { return bound ? name_of(bound) + "-bound" : "not bounded"; }

/// One curve: a request whose number varies, on one machine.
class Curve {
 public:
  Curve(LlmRequest request, const Scenario& scenario, std::string key)
      : request_(std::move(request)), scenario_(scenario), key_(std::move(key)), inference_(request_, scenario_) {
    cost_ = cost_of(request_, scenario_.machine);
  }

  LlmCurve along(const std::vector<double>& values) {
    LlmCurve c;
    const Memory device = scenario_.machine.memories.empty() ? Memory{} : scenario_.machine.memories[0];
    const double peak = inference_.plan().rates(LlmOp::up_proj).matrix;  // infinite: not known
    c.ridge = (std::isinf(peak) ? unknown : peak) / device.rate().value;
    for (const double value : values) c.points.push_back(at(value));
    for (std::size_t i = 1; i < values.size(); ++i)
      if (c.points[i].bound_by != c.points[i - 1].bound_by) {
        double low = values[i - 1], high = values[i];
        const auto before = c.points[i - 1].bound_by;
        while (high - low > 1) {
          const double middle = std::floor((low + high) / 2);
          (at(middle).bound_by == before ? low : high) = middle;
        }
        c.crossings.push_back({high, before, at(high).bound_by});
      }
    c.fits_to = last_within(inference_.usable_capacity(), c, values);
    c.limits = limits_of(c, values);
    if (!key_.empty()) c.fit = fit_of(c, values);
    return c;
  }

 private:
  LlmSweepPoint at(double value) {
    if (!key_.empty()) set_number(request_, key_, value);
    const LlmPerformance speed = performance(inference_, passes_);
    const LlmTotals& t = speed.totals;
    LlmSweepPoint p;
    p.bound = speed.bound;
    p.estimate = speed.estimate;
    p.intensity = t.flops / t.bytes;
    p.weight_share = t.weight_bytes / t.bytes;
    p.kv_share = t.kv_bytes / t.bytes;
    p.compute_share = t.predicted_by(ResourceKind::compute) / t.predicted_s;
    const MemoryVerdict memory = inference_.memory(request_);
    p.bytes_per_machine = memory.footprint.total();
    p.usd_per_million_tokens = usd_per_million(cost_.usd_per_hour, request_.setup.machines(), p.bound.tokens_per_s);
    p.bound_by = t.bound();
    p.fits = memory.in_memory();
    return p;
  }

  /// The last value that needs no more than `bytes`; 0: none, NaN: all values, or `bytes` not known.
  double last_within(double bytes, const LlmCurve& c, const std::vector<double>& values) {
    if (!(bytes > 0) || c.points.back().bytes_per_machine <= bytes) return unknown;
    for (std::size_t i = values.size(); i-- > 0;) {
      if (c.points[i].bytes_per_machine > bytes) continue;
      double low = values[i], high = values[i + 1];
      while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (at(middle).bytes_per_machine <= bytes ? low : high) = middle;
      }
      return low;
    }
    return 0;
  }

  std::string fit_of(const LlmCurve& c, const std::vector<double>& values) {
    if (!known(c.fits_to)) return {};
    const double in_memory = last_within(inference_.capacity(), c, values);  // NaN: all
    if (in_memory == 0) return "does not fit";
    std::string out = c.fits_to > 0 ? joined({"fits up to ", key_, " ", number(c.fits_to)}) : "barely fits";
    if (known(in_memory) && in_memory > c.fits_to)
      out += joined({c.fits_to > 0 ? ", barely" : "", " up to ", c.fits_to > 0 ? "" : key_ + " ", number(in_memory)});
    else if (!known(in_memory) && c.fits_to > 0)
      out += ", barely above that";
    return out;
  }

  [[nodiscard]] std::string limits_of(const LlmCurve& c, const std::vector<double>& values) {
    const LlmSweepPoint& last = c.points.back();
    if (key_.empty()) return bound_name(last.bound_by);
    std::string out;
    for (const LlmCrossing& crossing : c.crossings)
      out += joined({out.empty() ? "" : ", ", bound_name(crossing.to), " from ", key_, " ", number(crossing.at), " up"});
    if (out.empty()) out = joined({bound_name(last.bound_by), " all along"});
    if (key_ == "batch" && request_.phase == LlmPhase::decode && last.bound_by == ResourceKind::memory) {
      const double later = inference_.compute_bound_batch(request_.context);
      if (later > values.back())
        out += joined({"; compute-bound only from batch ", number(later), " up"});
      else if (!(later > 0))
        out += joined({": no batch is compute-bound, as the cache (", percent(last.kv_share), " of the bytes at batch ",
                       number(values.back()), ") grows with it"});
    }
    return out;
  }

  LlmRequest request_;
  const Scenario& scenario_;
  std::string key_;
  LlmInference inference_;  ///< of request_, whose numbers change under it: what it has compiled does not depend on them
  LlmPasses passes_;
  LlmCost cost_;
};

Result<void> check_axis(const SweepAxis& axis, const LlmRequest& r) {
  const bool generating = r.phase == LlmPhase::generate, decoding = r.phase == LlmPhase::decode;
  LlmRequest tried = r;
  if (axis.keys.size() == 1 && set_number(tried, axis.keys[0], axis.from)) {
    if (axis.from >= 1 && axis.to > axis.from && axis.to <= 1e9 && axis.points >= 2 && axis.points <= 4096) return {};
    return fail("expected a rising range from 1 up to 1000000000 with 2 to 4096 points", axis.keys[0]);
  }
  return fail(joined({"expected batch, prompt",
                      generating ? " or generate"
                      : decoding ? " or context"
                                 : "",
                      " as the range in this phase"}),
              axis.keys.empty() ? std::string() : axis.keys[0]);
}

/// What a person calls a value of a choice.
std::string label_of(const std::string& key, const std::string& value) {
  if (key == "machine") return Machines::presets().find(value)->name;
  if (key == "model") return Models::presets().find(value)->name;
  return key == "tp" || key == "ep" ? key + " " + value : format_names(value);
}

}  // namespace

Result<LlmChoices> parse_llm_choices(std::string_view text) {
  const std::size_t equals = text.find('=');
  LlmChoices out;
  if (equals != std::string_view::npos) out.key = text.substr(0, equals);
  for (std::string_view rest = text.substr(equals == std::string_view::npos ? text.size() : equals + 1); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) out.values.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (out.key.empty() || out.values.empty())
    return fail("expected a range such as batch=1..512, or values such as weights=fp16,int8,int4_g128 or machine=a100-80gb-sxm,h100-sxm",
                std::string(text));
  return out;
}

Result<LlmSweep> llm_sweep(std::string_view request, const std::optional<SweepAxis>& axis, std::vector<LlmChoices> choices,
                           const Scenario& scenario) {
  const auto json = parse_json(request, R"(a request such as {"model": "llama-3-8b", "phase": "decode"})");
  return json ? llm_sweep_of(*json, axis, std::move(choices), scenario) : Unexpected(json.error());
}

Result<LlmSweep> llm_sweep_of(const Json& base, const std::optional<SweepAxis>& axis, std::vector<LlmChoices> choices,
                              const Scenario& scenario) {
  constexpr std::string_view able[] = {"weights", "activations", "kv", "experts", "attention", "mla", "tp", "ep", "model", "machine"};
  const Result<LlmRequest> first = llm_request_from(base);
  if (!first) return Unexpected(first.error());

  LlmSweep out;
  out.source = first->setup.model.id;
  out.phase = first->phase;
  out.values = {0};
  if (axis) {
    if (auto ok = check_axis(*axis, *first); !ok) return Unexpected(ok.error());
    out.key = axis->keys[0];
    out.values = values_of(*axis);
  }
  std::size_t curves = 1;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const LlmChoices& c = choices[i];
    if (std::find(std::begin(able), std::end(able), c.key) == std::end(able))
      return fail("expected one of weights, activations, kv, experts, attention, mla, tp, ep, model, machine to choose from", c.key);
    for (std::size_t k = 0; k < i; ++k)
      if (choices[k].key == c.key) return fail("is varied twice", c.key);
    if (c.values.empty()) return fail("expected at least one value", c.key);
    curves *= c.values.size();
    if (curves > most_curves) return fail("more than " + std::to_string(most_curves) + " curves", c.key);
  }
  out.choices = std::move(choices);

  const std::size_t several = out.choices.size();
  for (std::size_t n = 0; n < curves; ++n) {
    std::vector<std::string> chosen(several);
    std::string label;
    Json request = base;
    Scenario there = scenario;
    for (std::size_t rest = n, i = several; i-- > 0;) {
      const LlmChoices& c = out.choices[i];
      const std::string& value = chosen[i] = c.values[rest % c.values.size()];
      rest /= c.values.size();
      if (c.key == "machine") {
        const Machine* machine = Machines::presets().find(value);
        if (!machine) return fail(Machines::presets().unknown_name_message(value), "machine");
        if (machine->id != scenario.base.id) there.use(*machine);
      } else {
        Json typed = value;
        if (c.key == "tp" || c.key == "ep")
          if (auto number = parse_json(value, "a whole number"); number && number->is_number()) typed = std::move(*number);
        request[c.key] = std::move(typed);
      }
    }
    const Result<LlmRequest> r = llm_request_from(request);
    if (!r) return Unexpected(r.error());
    for (std::size_t i = 0; i < several; ++i)
      label += joined(
          {i > 0 ? ", " : "", several > 1 ? out.choices[i].key : "", several > 1 ? " " : "", label_of(out.choices[i].key, chosen[i])});
    LlmCurve& curve = out.curves.emplace_back(Curve(*r, there, out.key).along(out.values));
    curve.choice = std::move(chosen);
    const Stack& stack = there.stack_for(StackUse::language_model);
    curve.stack = stack.id;
    constexpr std::string_view phases[] = {"prefill", "decode", "generate"};
    if (const StackError* error = stack.error(phases[static_cast<std::size_t>(out.phase)])) {
      curve.error_median = error->median;
      curve.error_p90 = error->p90;
    }
    curve.label = std::move(label);
  }
  return out;
}

}  // namespace roofline
