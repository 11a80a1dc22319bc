#include "serving/disaggregated.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/llm/answer.hpp>

namespace roofline {
namespace {

/// B/s between deployments: of the scale-out link, else of the first one.
double network_rate(const Machine& m) { return known_or(m.scale_out.value, m.links.empty() ? unknown : m.links[0].bandwidth.value); }

/// Prefill and decode, each with its workers, by the bound or by the estimate.
struct Pools {
  double workers, alone_s, interval_s, fixed_s, transfer_s, burst;  ///< of prefill
  double replicas, steps, cache;                                    ///< of decode
};

/// A closed loop of two stations. Users are in a prefill, whose workers take X prompts a second at most, or decode at B on each replica:
/// X = replicas B / (steps t(B)). The batch grows until prefill, the cache or the users limit it.
template <class Step>
ServingSpeed two_stations(const Pools& p, double users, double requests_each, double most_rate, const Step& step_s) {
  ServingSpeed s;
  const double queue = requests_each > 0 ? std::min(1.0, p.burst / requests_each) / 2 : 0;
  const double ttft = p.fixed_s + p.alone_s + p.transfer_s + queue * std::max(0.0, users / p.workers - 1) * p.interval_s;
  const auto rate_at = [&](double batch) { return p.replicas * batch / (p.steps * step_s(batch)); };
  double low = 0, high = std::min(users / p.replicas, p.cache);
  for (int i = 0; i < 50 && high - low > 1e-6 * high; ++i) {
    const double middle = (low + high) / 2, rate = rate_at(middle);
    (rate > most_rate || p.replicas * middle + rate * ttft > users ? high : low) = middle;
  }
  const double batch = low > 0 ? low : high;
  s.batch = batch * p.replicas;
  s.tpot_s = step_s(batch);
  s.requests_per_s = rate_at(batch);
  s.ttft_s = std::max(ttft, users / s.requests_per_s - p.steps * s.tpot_s);  // Little: who is not in decode waits for a first token
  s.concurrency = users;
  return s;
}

}  // namespace

ServingRequest prefill_worker(const ServingRequest& request) {
  ServingRequest out = request;
  out.llm.setup.tp = request.prefill->tp;
  out.llm.setup.ep = request.prefill->ep;
  out.layout = {};
  return out;
}

double cache_transfer_s(const ServingRequest& request, const Machine& from, const Machine& to, const ServingEngine& engine) {
  const double bytes = request.mean_prompt() * engine.inference().plan().kv_bytes_per_token();
  const double interfaces = std::min(request.prefill->tp, request.llm.setup.tp);
  return bytes / (interfaces * std::min(network_rate(from), network_rate(to)));
}

Result<ServingPoint> disaggregated_point(const ServingRequest& request, const Scenario& scenario, const ServingEngine& prefill,
                                         const Machine& prefill_machine, const ServingEngine& decode) {
  const PrefillPool& pool = *request.prefill;
  const Machine& machine = scenario.machine;
  if (prefill.largest_batch() < 1) return fail("prefill " + unfit_text(request, prefill_machine, prefill), "prefill_machine");
  if (decode.largest_batch() < 1) return fail("decode " + unfit_text(request, machine, decode), "machine");
  ServingPoint p;
  p.machines = request.machines();
  p.concurrency_max = decode.largest_batch() * request.layout.dp;
  p.transfer_s = cache_transfer_s(request, prefill_machine, machine, decode);
  const double sent_per_s = request.prefill_machines() / std::max(1.0, pool.tp) / p.transfer_s * std::min(pool.tp, request.llm.setup.tp);
  const double steps = std::max(request.mean_generate() - 1, 1e-9);
  for (const bool typical : {false, true}) {
    const Pools pools{pool.workers,
                      prefill.prefill_alone().at(typical),
                      prefill.prefill_interval().at(typical),
                      typical ? decode.terms().request_s.value_or(0) : 0,
                      known_or(p.transfer_s, 0),
                      typical ? decode.terms().burst.value_or(1) : 0,
                      request.layout.dp,
                      steps,
                      known_or(decode.largest_batch(), ServingEngine::most_sequences)};
    const double by_prefill = pool.workers / pools.interval_s,
                 most_rate = known(sent_per_s) ? std::min(by_prefill, sent_per_s) : by_prefill;
    const auto step_s = [&](double batch) { return decode.decode(batch).at(typical); };
    ServingSpeed& s = typical ? p.typical : p.bound;
    s = two_stations(pools, request.concurrency, request.ttft == TtftBasis::burst ? request.requests / request.concurrency : 0, most_rate,
                     step_s);
    s.output_tokens_per_s = s.requests_per_s * request.mean_generate();
    s.output_tokens_per_s_per_machine = s.output_tokens_per_s / p.machines;
    s.tokens_per_s_per_user = 1 / s.tpot_s;
    if (!typical) {
      s.ttft_s = pools.alone_s + pools.transfer_s;
      continue;
    }
    p.saturation_rate = std::min(most_rate, pools.replicas * pools.cache / (steps * decode.decode_largest().at(typical)));
    p.prefill_share = 0;
    constexpr double near = 0.99;
    if (s.requests_per_s > near * most_rate)
      p.limit = most_rate < by_prefill ? ServingLimit::link : ServingLimit::prefill;
    else if (s.batch > near * p.concurrency_max)
      p.limit = ServingLimit::cache;
    else
      p.limit = limit_of_step(decode.decode(s.batch / request.layout.dp));
  }
  p.memory = decode.memory(p.typical.batch / request.layout.dp);
  const double decode_machines = p.machines - request.prefill_machines();
  p.joules_per_token = (serving_power_w(prefill_machine) * request.prefill_machines() + serving_power_w(machine) * decode_machines) /
                       p.typical.output_tokens_per_s;
  if (const LlmCost cost = cost_of(request.llm, machine); cost.usd_per_hour > 0)
    p.usd_per_million_tokens = cost.usd_per_hour / 3600 * p.machines / p.typical.output_tokens_per_s * 1e6;
  return p;
}

}  // namespace roofline
