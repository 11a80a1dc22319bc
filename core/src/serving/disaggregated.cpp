#include "serving/disaggregated.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>

namespace roofline {
namespace {

/// B/s between deployments: of the scale-out link, else of the first one.
double network_rate(const Machine& m) { return known_or(m.scale_out.value, m.link_rate()); }

/// Prefill and decode, each with its workers, by the bound or by the estimate.
struct Pools {
  double workers, alone_s, interval_s, fixed_s, transfer_s, burst;  ///< of prefill; `transfer_s` is NaN where no link's rate is known
  double replicas, steps, cache;                                    ///< of decode
  double sent_per_s;                                                ///< caches that the network takes; NaN: its rate is not known
  [[nodiscard]] double prompts_per_s() const { return workers / interval_s; }
  /// The most requests/s that prefill and the network allow.
  [[nodiscard]] double most_rate() const { return known(sent_per_s) ? std::min(prompts_per_s(), sent_per_s) : prompts_per_s(); }
  /// Requests/s that finish with `batch` sequences on each replica, whose steps take `step_s`.
  [[nodiscard]] double decode_rate(double batch, double step_s) const { return replicas * batch / (steps * step_s); }
};

/// A closed loop of two stations. Users are in a prefill, or decode at B on each replica. The batch grows until prefill, the network, the
/// cache or the users limit it.
template <class Step>
ServingSpeed two_stations(const Pools& p, double users, double requests_each, const Step& step_s) {
  ServingSpeed s;
  const double queue = requests_each > 0 ? std::min(1.0, p.burst / requests_each) / 2 : 0;
  const double at_prefill_s = p.fixed_s + p.alone_s + queue * std::max(0.0, users / p.workers - 1) * p.interval_s;
  const double ttft = at_prefill_s + p.transfer_s, wait_s = known_or(ttft, at_prefill_s), most_rate = p.most_rate();
  double low = 0, high = std::min(users / p.replicas, p.cache);
  for (int i = 0; i < 50 && high - low > 1e-6 * high; ++i) {
    const double middle = (low + high) / 2, rate = p.decode_rate(middle, step_s(middle));
    (rate > most_rate || p.replicas * middle + rate * wait_s > users ? high : low) = middle;
  }
  const double batch = low > 0 ? low : high;
  s.batch = batch * p.replicas;
  s.tpot_s = step_s(batch);
  s.requests_per_s = p.decode_rate(batch, s.tpot_s);
  s.ttft_s = std::max(ttft, users / s.requests_per_s - p.steps * s.tpot_s);  // Little: who is not in decode waits for a first token
  s.concurrency = users;
  return s;
}

/// Requests arrive at `rate`, below saturation. Prompts queue at each prefill worker, and caches at the network.
template <class Step>
ServingSpeed stations_at_rate(const Pools& p, double rate, const Step& step_s) {
  ServingSpeed s;
  double low = 0, high = p.cache;
  // The smallest batch whose decode rate reaches the arrival rate. Below one sequence a step takes as long as with one.
  for (int i = 0; i < 60 && high - low > 1e-6 * high; ++i) {
    const double middle = low < 1 && high > 1 ? 1 : (low + high) / 2;
    (p.decode_rate(middle, step_s(middle)) >= rate ? high : low) = middle;
  }
  s.batch = high * p.replicas;
  s.tpot_s = step_s(high);
  s.ttft_s = p.fixed_s + p.alone_s + queue_s(rate / p.prompts_per_s(), p.interval_s) + p.transfer_s;
  if (known(p.sent_per_s)) s.ttft_s += queue_s(rate / p.sent_per_s, p.transfer_s);
  s.requests_per_s = rate;
  s.concurrency = rate * (s.ttft_s + p.steps * s.tpot_s);
  return s;
}

/// The error for a rate beyond the saturation of the pools of `point`.
Error pools_beyond_saturation(const ServingRequest& request, const Machine& decode_machine, const ServingPoint& point, ServingLimit limit) {
  const Machine prefill_machine = request.prefill->machine.value_or(decode_machine);
  const std::string machines = number(request.prefill_machines()) + " x " + prefill_machine.name + " for prefill and " +
                               number(point.machines - request.prefill_machines()) + " x " + decode_machine.name + " for decode";
  const auto error = [&](const std::string& limited, const std::string& advice) {
    return beyond_saturation(request, machines, point.saturation_rate, limited, advice);
  };
  switch (limit) {
    case ServingLimit::cache:
      return error("with " + number(point.concurrency_max) + " requests in decode", "more decode workers (decode_workers)");
    case ServingLimit::link:
      return error("limited by the transfer of caches", "more prefill and decode workers");
    default:
      return error("limited by prefill", "more prefill workers (prefill_workers)");
  }
}

}  // namespace

ServingRequest prefill_worker(const ServingRequest& request) {
  ServingRequest out = request;
  out.llm.setup.tp = request.prefill->tp;
  out.llm.setup.ep = request.prefill->ep;
  out.layout = {};
  return out;
}

CacheTransfer cache_transfer(const ServingRequest& decode, const ServingEngine& engine, double prefill_tp, const Machine& from,
                             const Machine& to) {
  const LlmPlan& plan = engine.inference().plan();
  const double bytes = plan.kv_bytes(1, decode.mean_prompt()) + plan.state_bytes(1);
  const double interfaces = std::min(prefill_tp, decode.llm.setup.tp);
  const double sent = network_rate(from), taken = network_rate(to);
  return {known(sent) && known(taken) ? bytes / (interfaces * std::min(sent, taken)) : unknown, interfaces};
}

Result<ServingPoint> disaggregated_point(const ServingRequest& request, const Scenario& scenario, const ServingEngine& prefill,
                                         const Machine& prefill_machine, const ServingEngine& decode) {
  const PrefillPool& pool = *request.prefill;
  const Machine& machine = scenario.machine;
  const ServingRequest prompts = prefill_worker(request);
  if (const auto fault = link_fault(prompts.llm.setup, prompts.layout, prefill_machine)) return fail(fault->message, "prefill_machine");
  if (const auto fault = link_fault(request.llm.setup, request.layout, machine)) return Unexpected(*fault);
  if (prefill.largest_batch() < 1) return fail("prefill " + unfit_text(request, prefill_machine, prefill), "prefill_machine");
  if (decode.largest_batch() < 1) return fail("decode " + unfit_text(request, machine, decode), "machine");
  ServingPoint p;
  p.machines = request.machines();
  p.concurrency_max = decode.largest_batch() * request.layout.dp;
  const CacheTransfer transfer = cache_transfer(request, decode, pool.tp, prefill_machine, machine);
  p.transfer_s = transfer.time_s;
  const double steps = std::max(request.mean_generate() - 1, 1e-9);
  for (const bool typical : {false, true}) {
    const Pools pools{pool.workers,
                      prefill.prefill_alone().at(typical),
                      prefill.prefill_interval().at(typical),
                      typical ? decode.terms().request_s.value_or(0) : 0,
                      p.transfer_s,
                      typical ? decode.terms().burst.value_or(1) : 0,
                      request.layout.dp,
                      steps,
                      known_or(decode.largest_batch(), ServingEngine::most_sequences),
                      transfer.per_s(std::min(request.prefill_machines(), p.machines - request.prefill_machines()))};
    const auto step_s = [&](double batch) { return decode.decode(batch).at(typical); };
    const double most_rate = pools.most_rate(),
                 saturation = std::min(most_rate, pools.decode_rate(pools.cache, decode.decode_largest().at(typical)));
    const ServingLimit by_most_rate = most_rate < pools.prompts_per_s() ? ServingLimit::link : ServingLimit::prefill;
    ServingSpeed& s = typical ? p.typical : p.bound;
    if (typical) p.saturation_rate = saturation;
    if (known(request.rate)) {
      if (request.rate >= saturation) {
        if (typical)
          return Unexpected(pools_beyond_saturation(request, machine, p, saturation < most_rate ? ServingLimit::cache : by_most_rate));
        continue;
      }
      s = stations_at_rate(pools, request.rate, step_s);
    } else {
      s = two_stations(pools, request.concurrency, request.ttft == TtftBasis::burst ? request.requests / request.concurrency : 0, step_s);
    }
    s.output_tokens_per_s = s.requests_per_s * request.mean_generate();
    s.output_tokens_per_s_per_machine = s.output_tokens_per_s / p.machines;
    if (request.mean_generate() <= 1) s.tpot_s = unknown;
    s.tokens_per_s_per_user = 1 / s.tpot_s;
    if (!typical) {
      s.ttft_s = pools.alone_s + pools.transfer_s;
      continue;
    }
    p.prefill_share = 0;
    constexpr double near = 0.99;
    if (s.requests_per_s > near * most_rate)
      p.limit = by_most_rate;
    else if (s.batch > near * p.concurrency_max)
      p.limit = ServingLimit::cache;
    else
      p.limit = limit_of_step(decode.decode(s.batch / request.layout.dp));
  }
  p.memory = decode.memory(p.typical.batch / request.layout.dp);
  const double decode_machines = p.machines - request.prefill_machines();
  p.joules_per_token = (serving_power_w(prefill_machine) * request.prefill_machines() + serving_power_w(machine) * decode_machines) /
                       p.typical.output_tokens_per_s;
  const double usd_per_hour = cost_of(request.llm, prefill_machine).usd_per_hour * request.prefill_machines() +
                              cost_of(request.llm, machine).usd_per_hour * decode_machines;
  p.usd_per_million_tokens = usd_per_million(usd_per_hour, 1, p.typical.output_tokens_per_s);
  return p;
}

}  // namespace roofline
