#include "serving/pools.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "serving/disaggregated.hpp"
#include "serving/layouts.hpp"
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

/// Prefill and decode workers that make the most of each machine, where prefill keeps up with decode.
struct Counts {
  double prefill = 0, decode = 0, replicas = 1;
};
Counts best_counts(double prefill_rate, double decode_rate, double prefill_machines, double decode_machines, const FrontierRequest& asked,
                   double most_machines) {
  Counts best;
  double most = 0;
  for (double x = 1; x <= most_workers; ++x)
    for (double y = 1; y <= most_workers; ++y) {
      const double machines = x * prefill_machines + y * decode_machines;
      if (machines > most_machines) break;
      if (y * decode_rate > x * prefill_rate || (known(asked.gpus) && std::fmod(asked.gpus, machines) != 0)) continue;
      if (const double each = y * decode_rate / machines; each > most * (1 + 1e-9)) {
        most = each;
        best = {x, y, known(asked.gpus) ? asked.gpus / machines : 1};
      }
    }
  return best;
}

}  // namespace

std::size_t search_pools(const FrontierRequest& asked, const Scenario& scenario, const std::function<void(const FrontierPoint&)>& use) {
  const double domain = known_or(scenario.machine.scale_up.value, 8);
  const double most_machines = known(asked.gpus) ? asked.gpus : std::max(domain, 2 * 8.0);
  std::size_t layouts = 0;
  for (std::size_t w = 0; w < asked.formats.size(); ++w) {
    std::vector<Worker> workers;
    for (const ReplicaLayout& layout : replica_layouts(asked.formats[w].llm.setup.model, std::min(domain, most_machines), false)) {
      if (layout.pp > 1) continue;
      Worker worker{layout, std::make_unique<ServingRequest>(request_on(asked, w, scenario.machine)), nullptr};
      worker.request->llm.setup.tp = layout.tp;
      worker.request->llm.setup.ep = layout.ep;
      worker.engine = std::make_unique<ServingEngine>(*worker.request, scenario);
      if (worker.engine->largest_batch() >= 1) workers.push_back(std::move(worker));
    }
    layouts += workers.size() * workers.size();
    for (const Worker& decode : workers)
      for_each_on_grid(std::min(known_or(decode.engine->largest_batch(), 4096), 4096.0), [&](double batch) {
        const ServingRequest& r = *decode.request;
        const double steps = std::max(r.mean_generate() - 1, 1e-9), step_s = decode.engine->decode(batch).typical_s;
        const double decode_rate = batch / (steps * step_s);
        for (const Worker& prefill : workers) {
          const double interval_s = prefill.engine->prefill_interval().typical_s;
          ServingRequest pools = r;
          pools.prefill = PrefillPool{std::nullopt, 1, prefill.layout.tp, prefill.layout.ep};
          const Counts n =
              best_counts(1 / interval_s, decode_rate, prefill.layout.machines(), decode.layout.machines(), asked, most_machines);
          if (n.prefill == 0) continue;
          const StackTerms& terms = decode.engine->terms();
          const double rate = n.decode * decode_rate;
          const double transfer_s = cache_transfer_s(pools, scenario.machine, scenario.machine, *decode.engine);
          const double start = r.ttft == TtftBasis::burst ? std::min(1.0, terms.burst.value_or(1) / requests_per_user) / 2 : 0;
          // Users are in decode or wait for a first token, of which the start of a run is a part: users = n B + rate (wait + start users).
          const double wait_s = terms.request_s.value_or(0) + prefill.engine->prefill_alone().typical_s + known_or(transfer_s, 0);
          const double start_s = start * interval_s;
          const double users = (n.decode * batch + rate * (wait_s - start_s)) / std::max(1 - rate * start_s / n.prefill, 1e-3);
          FrontierPoint p;
          p.weights = static_cast<std::uint16_t>(w);
          p.tp = decode.layout.tp;
          p.ep = decode.layout.ep;
          p.attention_dp = decode.layout.attention_dp();
          p.prefill_tp = prefill.layout.tp;
          p.prefill_ep = prefill.layout.ep;
          p.prefill_workers = n.prefill * n.replicas;
          p.decode_workers = n.decode * n.replicas;
          p.dp = p.decode_workers;
          p.machines = p.prefill_workers * prefill.layout.machines() + p.decode_workers * decode.layout.machines();
          p.concurrency = users * n.replicas;  // on the mean
          p.tpot_s = step_s;
          p.ttft_s = wait_s + start_s * std::max(0.0, users / n.prefill - 1);
          p.tokens_per_s_per_user = 1 / step_s;
          p.tokens_per_s = rate * n.replicas * r.mean_generate();
          p.tokens_per_s_per_machine = p.tokens_per_s / p.machines;
          p.joules_per_token = scenario.machine.tdp_w.value / p.tokens_per_s_per_machine;
          p.usd_per_million_tokens = r.llm.cost.usd_per_hour / 3600 / p.tokens_per_s_per_machine * 1e6;
          p.bound_tpot_s = decode.engine->decode(batch).bound_s;
          constexpr double near = 0.95;
          p.limit = rate > near * n.prefill / interval_s      ? ServingLimit::prefill
                    : batch >= decode.engine->largest_batch() ? ServingLimit::cache
                                                              : limit_of_step(decode.engine->decode(batch));
          p.meets_limits = !(p.tpot_s > asked.tpot_max) && !(p.ttft_s > asked.ttft_max);
          use(p);
        }
      });
  }
  return layouts;
}

}  // namespace roofline
