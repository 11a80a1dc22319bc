#include "serving/pools.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <roofline/llm/answer.hpp>
#include <utility>
#include <vector>

#include "serving/disaggregated.hpp"
#include "serving/layouts.hpp"
#include "serving/pareto.hpp"
#include "serving/search.hpp"

namespace roofline {
namespace {

constexpr double most_workers = 16;  ///< of a pool

/// A worker of either pool.
struct Worker {
  ReplicaLayout layout;
  std::unique_ptr<ServingRequest> request;
  std::unique_ptr<ServingEngine> engine;
};

/// Those that the model fits on, in one format of `asked` for decode on `decode`.
std::vector<Worker> workers_on(const FrontierRequest& asked, std::size_t weights, const Scenario& scenario, const Scenario& decode,
                               double most_machines) {
  std::vector<Worker> out;
  const double most = std::min(scenario.machine.linked(), most_machines);
  for (const ReplicaLayout& layout : replica_layouts(asked.formats[weights].llm.setup.model, most, false)) {
    if (layout.pp > 1) continue;
    Worker worker{layout, std::make_unique<ServingRequest>(request_on(asked, weights, decode)), nullptr};
    worker.request->llm.setup.tp = layout.tp;
    worker.request->llm.setup.ep = layout.ep;
    if (link_fault(worker.request->llm.setup, {}, scenario.machine)) continue;
    worker.engine = std::make_unique<ServingEngine>(*worker.request, scenario);
    if (worker.engine->largest_batch() >= 1) out.push_back(std::move(worker));
  }
  return out;
}

/// Prefill and decode workers that make the most of each machine, where prefill keeps up with decode.
struct Counts {
  double prefill = 0, decode = 0, replicas = 1;
};
Counts best_counts(double prefill_rate, double decode_rate, double prefill_machines, double decode_machines, const FrontierRequest& asked,
                   double most_machines) {
  Counts best;
  double most = 0;
  for (double x = 1; x <= most_workers; ++x) {
    const double room = std::floor((most_machines - x * prefill_machines) / decode_machines);
    // With the same prefill, each further decode worker raises the rate per machine: take the most that prefill keeps up with.
    for (double y = std::min({most_workers, room, std::floor(x * prefill_rate / decode_rate)}); y >= 1; --y) {
      const double machines = x * prefill_machines + y * decode_machines;
      if (known(asked.gpus) && std::fmod(asked.gpus, machines) != 0) continue;
      if (const double each = y * decode_rate / machines; each > most * (1 + 1e-9)) {
        most = each;
        best = {x, y, known(asked.gpus) ? asked.gpus / machines : 1};
      }
      break;
    }
  }
  return best;
}

/// A machine that may take the prompts.
struct PrefillMachine {
  std::uint16_t place;  ///< FrontierPoint::prefill_machine
  Scenario scenario;
};

std::vector<PrefillMachine> prefill_machines(const FrontierRequest& asked, const Scenario& decode) {
  std::vector<PrefillMachine> out = {{0, decode}};
  for (std::size_t i = 0; i < asked.prefill_machines.size(); ++i) {
    if (asked.prefill_machines[i].id == decode.machine.id) continue;
    out.push_back({static_cast<std::uint16_t>(i + 1), decode});
    out.back().scenario.use(asked.prefill_machines[i]);
    use_engine_stack(out.back().scenario);
  }
  return out;
}

/// A prefill and a decode worker, with the machines that they run on.
struct Pair {
  const Worker& prefill;
  const Worker& decode;
  const Machine& prefill_machine;
  const Machine& decode_machine;
  double prefill_usd, decode_usd;  ///< per hour
  double transfer_s;               ///< of a request's cache from one to the other; NaN: no network's rate is known
  double prompts_per_s;            ///< of a prefill worker
  double sent_per_s, taken_per_s;  ///< caches that one worker of each sends and takes; NaN: as transfer_s
};

Pair pair_of(const Worker& prefill, const Worker& decode, const PrefillMachine& from, const Machine& to, double prefill_usd,
             double decode_usd) {
  const CacheTransfer transfer = cache_transfer(*decode.request, *decode.engine, prefill.layout.tp, from.scenario.machine, to);
  const auto caches_per_s = [&](const Worker& worker) { return transfer.per_s(worker.layout.machines()); };
  return {prefill,
          decode,
          from.scenario.machine,
          to,
          prefill_usd,
          decode_usd,
          transfer.time_s,
          1 / prefill.engine->prefill_interval().typical_s,
          caches_per_s(prefill),
          caches_per_s(decode)};
}

/// The best number of each worker of a pair whose transfer_s is known, where every decode worker has `batch` sequences; nullopt: prefill
/// keeps up in none.
std::optional<FrontierPoint> best_point(const Pair& pair, double batch, const FrontierRequest& asked, double most_machines) {
  const Worker &prefill = pair.prefill, &decode = pair.decode;
  const ServingRequest& r = *decode.request;
  const double steps = std::max(r.mean_generate() - 1, 1e-9), step_s = decode.engine->decode(batch).typical_s;
  const double decode_rate = batch / (steps * step_s), prefill_rate = std::min(pair.prompts_per_s, pair.sent_per_s);
  if (decode_rate > pair.taken_per_s) return std::nullopt;
  const Counts n = best_counts(prefill_rate, decode_rate, prefill.layout.machines(), decode.layout.machines(), asked, most_machines);
  if (n.prefill == 0) return std::nullopt;
  const StackTerms& terms = decode.engine->terms();
  const double rate = n.decode * decode_rate;
  const double start = r.ttft == TtftBasis::burst ? std::min(1.0, terms.burst.value_or(1) / requests_per_user) / 2 : 0;
  const double at_prefill_s = terms.request_s.value_or(0) + prefill.engine->prefill_alone().typical_s;
  // Users are in decode or wait for a first token, of which the start of a run is a part: users = n B + rate (wait + start users).
  const double wait_s = at_prefill_s + pair.transfer_s;
  const double start_s = start / pair.prompts_per_s;
  const double users = (n.decode * batch + rate * (wait_s - start_s)) / std::max(1 - rate * start_s / n.prefill, 1e-3);
  FrontierPoint p;
  p.tp = decode.layout.tp;
  p.ep = decode.layout.ep;
  p.attention_dp = decode.layout.attention_dp();
  p.prefill_tp = prefill.layout.tp;
  p.prefill_ep = prefill.layout.ep;
  p.prefill_workers = n.prefill * n.replicas;
  p.decode_workers = n.decode * n.replicas;
  p.dp = p.decode_workers;
  const double from_machines = p.prefill_workers * prefill.layout.machines(), to_machines = p.decode_workers * decode.layout.machines();
  p.machines = from_machines + to_machines;
  p.concurrency = users * n.replicas;  // on the mean
  p.request_s = p.concurrency / (rate * n.replicas);
  p.tpot_s = step_s;
  p.ttft_s = at_prefill_s + pair.transfer_s + start_s * std::max(0.0, users / n.prefill - 1);
  p.tokens_per_s_per_user = 1 / step_s;
  p.tokens_per_s = rate * n.replicas * r.mean_generate();
  p.tokens_per_s_per_machine = p.tokens_per_s / p.machines;
  p.joules_per_token =
      (from_machines * serving_power_w(pair.prefill_machine) + to_machines * serving_power_w(pair.decode_machine)) / p.tokens_per_s;
  p.usd_per_million_tokens = usd_per_million(from_machines * pair.prefill_usd + to_machines * pair.decode_usd, 1, p.tokens_per_s);
  p.bound_tpot_s = decode.engine->decode(batch).bound_s;
  constexpr double near = 0.99;
  p.limit = rate > near * n.prefill * prefill_rate    ? pair.sent_per_s < pair.prompts_per_s ? ServingLimit::link : ServingLimit::prefill
            : batch >= decode.engine->largest_batch() ? ServingLimit::cache
                                                      : limit_of_step(decode.engine->decode(batch));
  p.meets_limits = meets_limit(p.tpot_s, asked.tpot_max) && meets_limit(p.ttft_s, asked.ttft_max);
  return p;
}

/// The point of a pair with `users` users, at a batch from `low` to `high`; nullopt: matching worker counts skip this number of users.
std::optional<FrontierPoint> point_for_users(const Pair& pair, double users, double low, double high, const FrontierRequest& asked,
                                             double most_machines) {
  for (int i = 0; i < 12; ++i) {
    const double middle = (low + high) / 2;
    const std::optional<FrontierPoint> p = best_point(pair, middle, asked, most_machines);
    if (!p) return std::nullopt;
    if (has_users(*p, users)) return p;
    (p->concurrency > users ? high : low) = middle;
  }
  return std::nullopt;
}

/// The batches to try on a decode worker, in order: a grid, and the largest within each limit on the time per token.
std::vector<double> batches_for(const ServingEngine& decode, std::span<const double> tpot_limits) {
  constexpr double most_sequences = 4096;
  const double most = std::min(known_or(decode.largest_batch(), most_sequences), most_sequences);
  std::vector<double> out;
  for_each_on_grid(most, [&](double batch) { out.push_back(batch); });
  for (const double limit : tpot_limits)
    out.push_back(last_that_holds(most, [&](double batch) { return decode.decode(batch).typical_s <= limit; }));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

bool has_users(const FrontierPoint& point, double users) { return std::fabs(point.concurrency / users - 1) < 2e-3; }

std::size_t search_pools(const FrontierRequest& asked, const Scenario& scenario, std::span<const double> tpot_limits,
                         const std::function<void(std::span<const FrontierPoint>)>& use) {
  const double domain = scenario.machine.linked();
  const double most_machines = known(asked.gpus) ? asked.gpus : std::max(domain, 2 * 8.0);
  const std::vector<PrefillMachine> prefill_on = prefill_machines(asked, scenario);
  std::size_t layouts = 0;
  const auto usd_per_hour = [&](std::size_t w, const Scenario& on) { return request_on(asked, w, on).llm.cost.usd_per_hour; };
  for (std::size_t w = 0; w < asked.formats.size(); ++w) {
    const std::vector<Worker> decoding = workers_on(asked, w, scenario, scenario, most_machines);
    for (const PrefillMachine& from : prefill_on) {
      const std::vector<Worker> other =
          from.place == 0 ? std::vector<Worker>() : workers_on(asked, w, from.scenario, scenario, most_machines);
      const std::vector<Worker>& taking = from.place == 0 ? decoding : other;
      const double from_usd = usd_per_hour(w, from.scenario), usd = usd_per_hour(w, scenario);
      const auto named = [&](FrontierPoint p) {
        p.weights = static_cast<std::uint16_t>(w);
        p.prefill_machine = from.place;
        return p;
      };
      for (const Worker& decode : decoding) {
        std::vector<Pair> pairs;
        for (const Worker& prefill : taking)
          if (const Pair pair = pair_of(prefill, decode, from, scenario.machine, from_usd, usd); known(pair.transfer_s))
            pairs.push_back(pair);
        layouts += pairs.size();
        std::vector<double> users(pairs.size());  // at the batch before
        std::vector<FrontierPoint> found;
        double before = 0;
        for (const double batch : batches_for(*decode.engine, tpot_limits)) {
          found.clear();
          for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::optional<FrontierPoint> p = best_point(pairs[i], batch, asked, most_machines);
            if (!p) continue;
            found.push_back(named(*p));
            const double last = std::exchange(users[i], p->concurrency);
            const bool passed = (last < asked.concurrency) != (p->concurrency < asked.concurrency);
            if (!(before > 0) || !passed || has_users(*p, asked.concurrency)) continue;
            if (const auto between = point_for_users(pairs[i], asked.concurrency, before, batch, asked, most_machines)) {
              const FrontierPoint each = named(*between);
              use({&each, 1});
            }
          }
          use(found);
          before = batch;
        }
      }
    }
  }
  return layouts;
}

}  // namespace roofline
