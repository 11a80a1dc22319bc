// What would help: changes to batch, formats, parallelism and machine, and what each buys.
#include <roofline/analysis/estimate.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>
#include <tuple>

#include "base/json_out.hpp"
#include "base/sort_stably.hpp"
#include "llm/performance.hpp"

namespace roofline {
namespace {

/// By the bounds, and by the typical times.
struct Throughput {
  double tokens_per_s = 0, latency_s = 0, typical_tokens_per_s = 0, typical_latency_s = 0;
};

Throughput throughput(const LlmRequest& request, const Scenario& scenario) {
  const LlmInference inference(request, scenario);
  const auto passes = std::make_unique<LlmPasses>();
  inference.evaluate(request, *passes);
  const LlmTotals t = total(*passes);
  const double made = tokens(request, request.speculation);
  const auto latency = [&](double time) { return request.phase == LlmPhase::decode ? time * request.batch / made : time; };
  return {made / t.predicted_s, latency(t.predicted_s), made / t.typical_s, latency(t.typical_s)};
}

MemoryVerdict memory_of(const LlmRequest& request, const Scenario& scenario) { return LlmInference(request, scenario).memory(request); }
std::optional<bool> fits(const LlmRequest& request, const Scenario& scenario) { return memory_of(request, scenario).in_memory(); }

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

constexpr double least_listed = 1.01;  // gain by the estimate

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
      add("speculation with " + draft->name + " (4 tokens, 70% accepted)",
          R"({"speculate": {"gamma": 4, "acceptance": 0.7, "draft": ")" + draft->id + "\"}}",
          [&](LlmRequest& r) { r.speculation = Speculation{4, 0.7, *draft}; });
    machines();
    const bool fits_today = fits(request_, scenario_) != std::optional<bool>(false);
    const auto rank = [&](const LlmChange& c) {
      const bool may_fit = c.fits != std::optional<bool>(false);
      return std::tuple(!may_fit, !fits_today && c.fits != std::optional<bool>(true), c.hardware, -c.typical_gain);
    };
    sort_stably(changes_, [&](const LlmChange& a, const LlmChange& b) { return rank(a) < rank(b); });
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
    const MemoryVerdict memory = memory_of(request, scenario);
    LlmChange c{std::move(name),
                std::move(patch),
                then.tokens_per_s / today_.tokens_per_s,
                then.latency_s / today_.latency_s,
                then.typical_tokens_per_s / today_.typical_tokens_per_s,
                then.typical_latency_s / today_.typical_latency_s,
                memory.in_memory(),
                memory.in_memory() == std::optional<bool>(true) && !memory.keeps_reserve()};
    c.hardware = request.setup.machines() > request_.setup.machines() || scenario.machine.id != scenario_.machine.id;
    if (c.typical_gain > least_listed) changes_.push_back(std::move(c));
  }

  void batches() {
    const LlmInference inference(request_, scenario_);
    const double most = inference.largest_batch(request_);
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
      WeightFormats narrowed = f.weights;
      for (std::size_t i = 0; i < weight_parts; ++i)
        if (const auto part = static_cast<WeightPart>(i); all[format].bytes() < narrowed.bytes(part)) narrowed.set(part, format);
      if (narrowed == f.weights) return;
      const std::string text = (narrowed.uniform() ? "rest=" : "") + narrowed.text();
      WeightFormats stated;  // a list of formats cannot state the averages of a mixture
      if (stated.apply(text)) add(name, R"({"weights": ")" + text + "\"}", [&](LlmRequest& r) { r.setup.formats.weights = stated; });
    };
    weights("INT4 weights in groups of 128", int4);
    weights("INT8 weights", int8);
    for (const FormatId format : {fp8, int8}) {  // INT8 only if FP8 has no higher peak than today's format
      const Machine& m = scenario_.machine;
      if (!(m.peak(Unit::matrix, format) > m.peak(Unit::matrix, f.activations)) || !narrower(format, f.activations)) continue;
      const std::string& name = all[format].id;
      add(format == fp8 ? "FP8 weights and activations" : "INT8 weights and activations",
          R"({"weights": "rest=)" + name + R"(", "activations": ")" + name + R"(", "kv": ")" + all[f.kv].id + "\"}",
          [&](LlmRequest& r) { r.setup.formats = {format, format, f.kv}; });
      break;
    }
    if (narrower(fp8, f.kv)) add("FP8 key-value cache", R"({"kv": "fp8_e4m3"})", [&](LlmRequest& r) { r.setup.formats.kv = fp8; });
  }

  /// The machine that gains most, of those on which it fits: of the user's own class, or of any where nothing of that holds it.
  void machines() {
    const std::string& own = scenario_.base.segment;
    if (!machine(own) && !own.empty() && fits(request_, scenario_) == std::optional<bool>(false)) machine({});
  }

  /// Whether there is one of a segment; "": of any.
  bool machine(const std::string& segment) {
    const Machine* best = nullptr;
    Scenario there = scenario_;
    double gain = least_listed;
    for (const Machine& m : Machines::presets().all()) {
      if (!segment.empty() && m.segment != segment) continue;
      if (m.id == scenario_.base.id || (request_.setup.machines() > 1 && m.links.empty())) continue;
      there.use(m);
      if (estimate_is_assumed(there, StackUse::language_model)) continue;  // without a benchmark its gain would be a guess
      if (!memory_of(request_, there).keeps_reserve()) continue;
      const double gain_there = throughput(request_, there).typical_tokens_per_s / today_.typical_tokens_per_s;
      if (gain_there > gain) gain = gain_there, best = &m;
    }
    if (!best) return false;
    there.use(*best);
    LlmRequest r = request_;
    r.measured.clear();
    keep(best->name, R"({"machine": ")" + best->id + "\"}", r, there);
    return true;
  }

  const LlmRequest& request_;
  const Scenario& scenario_;
  Throughput today_;
  std::vector<LlmChange> changes_;
};

}  // namespace

std::vector<LlmChange> ranked_changes(const LlmRequest& request, const Scenario& scenario) { return Changes(request, scenario).ranked(); }

}  // namespace roofline
