#include <algorithm>
#include <limits>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/serving/operating_point.hpp>

#include "serving/disaggregated.hpp"

namespace roofline {
namespace {

/// What the closed forms need of one replica, by the bound or by the estimate.
class Replica {
 public:
  Replica(const ServingRequest& request, const ServingEngine& engine, bool typical)
      : engine_(engine),
        typical_(typical),
        alone_s(engine.prefill_alone().at(typical)),
        interval_s(engine.prefill_interval().at(typical)),
        steps(request.mean_generate() - 1),
        fixed_s(typical ? engine.terms().request_s.value_or(0) : 0),
        burst(typical ? engine.terms().burst.value_or(1) : 1),
        together(typical && request.length_spread == 1 ? engine.terms().together.value_or(0) : 0) {}

  [[nodiscard]] double step_s(double batch) const { return engine_.decode(batch).at(typical_); }

 private:
  const ServingEngine& engine_;
  bool typical_;

 public:
  double alone_s;     ///< a prompt's prefill by itself
  double interval_s;  ///< what a prompt takes of the replica
  double steps;       ///< decode steps of a request
  double fixed_s;     ///< of every time to first token
  double burst;       ///< times the mean wait of the start
  double together;    ///< prompts that arrive with one: requests of equal length that start together also end together
};

/// Requests/s that keep one replica busy with `batch` sequences in decode, whose steps take `step_s`.
double rate_of(const Replica& r, double batch, double step_s) { return 1 / (r.interval_s + std::max(0.0, r.steps) * step_s / batch); }

/// `users` of one replica, of which as many run as its cache holds. While one request is served, each other is replaced once: what it does
/// not wait for before its first token, at the start of a run, comes between its later ones.
ServingSpeed closed_loop(const Replica& r, double users, double cache, double requests_each) {
  ServingSpeed s;
  const double running = std::min(users, cache), others = running - 1;
  const double step = r.step_s(running), prompts_s = others * r.interval_s;
  const double start = requests_each > 0 ? std::min(1.0, r.burst / requests_each) / 2 : 0;
  const double waited_s = r.steps <= 0 ? prompts_s : std::min(prompts_s, start * prompts_s + r.together * r.interval_s * others / running);
  s.tpot_s = step + (r.steps > 0 ? (prompts_s - waited_s) / r.steps : 0);
  // A prompt waits for the step that is under way, too.
  s.ttft_s = r.fixed_s + r.alone_s + step * others / running + waited_s;
  const double served_s = s.ttft_s + std::max(0.0, r.steps) * s.tpot_s;
  s.requests_per_s = running / served_s;
  s.ttft_s += served_s * (users / running - 1);  // those that the cache has no room for
  s.concurrency = users;
  s.batch = running;
  return s;
}

/// What no schedule beats: a request's own steps, and the work of all.
/// `most`: sequences that no engine exceeds, where `cache` is what an engine leaves room for.
ServingSpeed closed_loop_bound(const Replica& r, double users, double cache, double most) {
  ServingSpeed s;
  s.batch = std::min(users, most);
  s.concurrency = users;
  s.tpot_s = r.step_s(std::min(users, cache));
  s.ttft_s = r.alone_s;
  const double step_s = r.step_s(s.batch);
  s.requests_per_s = std::min(rate_of(r, s.batch, step_s), s.batch / (r.alone_s + std::max(0.0, r.steps) * step_s));
  return s;
}

/// A `rate` that arrives at one replica, below saturation.
ServingSpeed open_loop(const Replica& r, double rate, double cache) {
  ServingSpeed s;
  const double utilisation = rate * r.interval_s;
  double low = 0, high = std::min(cache, ServingEngine::most_sequences);
  // The smallest batch at which as much is served as arrives. Below one sequence a step takes as long as with one.
  for (int i = 0; i < 60 && high - low > 1e-6 * high; ++i) {
    const double middle = low < 1 && high > 1 ? 1 : (low + high) / 2;
    (rate_of(r, middle, r.step_s(middle)) >= rate ? high : low) = middle;
  }
  s.batch = high;
  s.tpot_s = r.step_s(s.batch) / (1 - utilisation);
  s.ttft_s = r.fixed_s + r.alone_s + std::min(1.0, s.batch) * r.step_s(s.batch) + queue_s(utilisation, r.interval_s);
  s.requests_per_s = rate;
  s.concurrency = rate * (s.ttft_s + std::max(0.0, r.steps) * s.tpot_s);
  return s;
}

/// What no schedule beats: steps that no prompt delays, and a prefill alone.
ServingSpeed open_loop_bound(Replica r, double rate, double cache) {
  r.interval_s = 0;
  ServingSpeed s = open_loop(r, rate, cache);
  s.ttft_s = r.alone_s;
  s.concurrency = rate * (s.ttft_s + std::max(0.0, r.steps) * s.tpot_s);
  return s;
}

/// From one replica to all that have users.
void deploy(ServingSpeed& s, const ServingRequest& request, double replicas) {
  s.requests_per_s *= replicas;
  s.concurrency *= replicas;
  s.batch *= replicas;
  s.output_tokens_per_s = s.requests_per_s * request.mean_generate();
  s.output_tokens_per_s_per_machine = s.output_tokens_per_s / request.machines();
  if (request.mean_generate() <= 1) s.tpot_s = unknown;
  s.tokens_per_s_per_user = 1 / s.tpot_s;
}

ServingLimit limit_of(const ServingPoint& p, const ServingEngine& engine, const ServingRequest& request) {
  const double dp = request.layout.dp;
  if (p.typical.concurrency > p.concurrency_max) return ServingLimit::cache;
  if (p.prefill_share > 0.5) return ServingLimit::prefill;
  const StepTime step = engine.decode(p.typical.batch / dp);
  return limit_of_step(step);
}

}  // namespace

ServingLimit limit_of_step(const StepTime& step) {
  const auto most = std::max_element(step.bound_by_kind.begin(), step.bound_by_kind.end());
  if (!(*most > 0)) return ServingLimit::unknown;
  constexpr ServingLimit limits[] = {ServingLimit::compute, ServingLimit::memory, ServingLimit::link};
  return limits[most - step.bound_by_kind.begin()];
}

double queue_s(double busy, double service_s) { return busy * service_s / (2 * (1 - busy)); }

Error beyond_saturation(const ServingRequest& request, const std::string& machines, double most_rate, const std::string& limit,
                        const std::string& advice) {
  return {plain(request.rate) + " requests/s are beyond saturation: " + machines + " serve " + number(most_rate) + " requests/s at most, " +
              limit + "; queues would grow without end. Expected a lower rate or " + advice,
          0, 0, "rate"};
}

double serving_power_w(const Machine& machine) { return known_or(machine.all_in_w.value, machine.tdp_w.value); }

std::string unfit_text(const ServingRequest& request, const Machine& machine, const ServingEngine& engine) {
  const MemoryFootprint need = engine.memory(1);
  const bool in_memory = need.total() <= engine.inference().capacity();
  return std::string("does not fit") + (in_memory ? " with " + percent(request.llm.reserve) + " of the memory free: " : ": ") +
         with_unit(need.weights, "B") + " of weights, " + with_unit(need.kv, "B") + " of cache for one request and " +
         with_unit(need.activations, "B") + " of activations on each " + machine.name + " with " +
         with_unit(engine.inference().usable_capacity(), "B") + " to use; expected more machines (tp, ep, pp) or narrower weights";
}

Result<ServingPoint> operating_point(const ServingRequest& request, const Scenario& scenario) {
  const ServingEngine engine(request, scenario);
  if (!request.prefill) return operating_point(request, scenario, engine);
  const ServingRequest prompts = prefill_worker(request);
  Scenario other = scenario;
  if (request.prefill->machine) other.use(*request.prefill->machine);
  const ServingEngine prefill(prompts, other);
  return disaggregated_point(request, scenario, prefill, other.machine, engine);
}

Result<ServingPoint> operating_point(const ServingRequest& request, const Scenario& scenario, const ServingEngine& engine) {
  const Machine& machine = scenario.machine;
  if (const auto fault = link_fault(request.llm.setup, request.layout, machine)) return Unexpected(*fault);
  const double dp = request.layout.dp, cache = engine.largest_batch();
  const double replicas = known(request.rate) ? dp : std::min(dp, request.concurrency);  // with fewer users than replicas some are idle
  ServingPoint p;
  p.machines = request.machines();
  p.concurrency_max = cache * dp;
  if (cache < 1) return fail(unfit_text(request, machine, engine), "machine");
  const double room = known(cache) ? cache : std::numeric_limits<double>::infinity();
  for (const bool typical : {false, true}) {
    const Replica replica(request, engine, typical);
    ServingSpeed& s = typical ? p.typical : p.bound;
    const double largest = std::min(room, ServingEngine::most_sequences),
                 saturation = rate_of(replica, largest, engine.decode_largest().at(typical));
    if (typical && known(cache)) p.saturation_rate = saturation * dp;
    if (known(request.rate)) {
      const double rate = request.rate / dp;
      if (rate >= saturation) {
        if (typical)
          return Unexpected(beyond_saturation(request, number(p.machines) + " x " + machine.name, saturation * dp,
                                              "with " + number(largest * dp) + " requests in decode", "more replicas (dp)"));
        continue;
      }
      s = typical ? open_loop(replica, rate, room) : open_loop_bound(replica, rate, room);
      if (typical) p.prefill_share = rate * replica.interval_s;
    } else {
      const double users = request.concurrency / replicas;
      s = typical ? closed_loop(replica, users, room, request.ttft == TtftBasis::burst ? request.requests / request.concurrency : 0)
                  : closed_loop_bound(replica, users, room, known_or(engine.largest_batch_bound(), room));
      if (typical) p.prefill_share = request.mean_generate() <= 1 ? 1 : 1 - replica.step_s(s.batch) / s.tpot_s;
    }
    deploy(s, request, replicas);
  }
  p.memory = engine.memory(p.typical.batch / dp);
  p.limit = limit_of(p, engine, request);
  p.joules_per_token = serving_power_w(machine) * p.machines / p.typical.output_tokens_per_s;
  if (const LlmCost cost = cost_of(request.llm, machine); cost.usd_per_hour > 0)
    p.usd_per_million_tokens = usd_per_million(cost.usd_per_hour, p.machines, p.typical.output_tokens_per_s);
  return p;
}

}  // namespace roofline
