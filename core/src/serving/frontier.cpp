#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <roofline/serving/frontier.hpp>
#include <utility>

#include "serving/disaggregated.hpp"
#include "serving/layouts.hpp"
#include "serving/pareto.hpp"
#include "serving/pools.hpp"
#include "serving/search.hpp"

namespace roofline {
namespace {

constexpr std::array picked_speeds = {unknown, 20.0, 50.0, 100.0};  ///< tokens/s per user; the first: the request's limits alone

/// One layout in one format on one machine, asked at any number of users.
class Candidate {
 public:
  Candidate(const FrontierRequest& asked, std::size_t weights, const ReplicaLayout& layout, const Scenario& scenario)
      : asked_(asked), scenario_(scenario), request_(request_on(asked, weights, scenario)), weights_(static_cast<std::uint16_t>(weights)) {
    request_.llm.setup.tp = layout.tp;
    request_.llm.setup.ep = layout.ep;
    request_.layout = {layout.pp, known(asked.gpus) ? asked.gpus / layout.machines() : 1, false};
    engine_ = std::make_unique<ServingEngine>(request_, scenario_);
  }

  [[nodiscard]] bool fits() const { return engine_->largest_batch() >= 1; }
  [[nodiscard]] double needed_bytes() const { return engine_->memory(1).total(); }
  [[nodiscard]] std::string why_unfit() const { return unfit_text(request_, scenario_.machine, *engine_); }
  [[nodiscard]] double replicas() const { return request_.layout.dp; }
  /// Of one replica. More than the cache holds only wait.
  [[nodiscard]] double most_users() const { return std::min(engine_->largest_batch(), most_searched); }
  /// Users that a step takes together in equal parts: of the attention's replicas, or of the pipeline's stages.
  [[nodiscard]] double part() const { return request_.llm.setup.machines() / request_.llm.setup.tp * request_.layout.pp; }

  /// With `users` on each replica.
  FrontierPoint at(double users) {
    request_.concurrency = users * request_.layout.dp;
    request_.requests = requests_per_user * request_.concurrency;
    const Result<ServingPoint> p = operating_point(request_, scenario_, *engine_);
    ++evaluated;
    FrontierPoint out;
    if (!p) return out;
    const LlmSetup& s = request_.llm.setup;
    out.weights = weights_;
    out.tp = s.tp;
    out.ep = s.ep;
    out.pp = request_.layout.pp;
    out.dp = request_.layout.dp;
    out.attention_dp = s.ep > s.tp;
    out.concurrency = request_.concurrency;
    out.machines = p->machines;
    out.tpot_s = p->typical.tpot_s;
    out.ttft_s = p->typical.ttft_s;
    out.request_s = p->typical.concurrency / p->typical.requests_per_s;
    out.tokens_per_s_per_user = p->typical.tokens_per_s_per_user;
    out.tokens_per_s = p->typical.output_tokens_per_s;
    out.tokens_per_s_per_machine = p->typical.output_tokens_per_s_per_machine;
    out.joules_per_token = p->joules_per_token;
    if (request_.llm.cost.usd_per_hour > 0) out.usd_per_million_tokens = p->usd_per_million_tokens;  // no price is assumed
    out.bound_tpot_s = p->bound.tpot_s;
    out.bound_tokens_per_s_per_machine = p->bound.output_tokens_per_s_per_machine;
    out.limit = p->limit;
    out.meets_limits = meets_limit(out.tpot_s, asked_.tpot_max) && meets_limit(out.ttft_s, asked_.ttft_max);
    return out;
  }

  std::size_t evaluated = 0;

 private:
  static constexpr double most_searched = 65536;  ///< users of one replica
  const FrontierRequest& asked_;
  const Scenario& scenario_;
  ServingRequest request_;
  std::uint16_t weights_;
  std::unique_ptr<ServingEngine> engine_;
};

/// What a pick allows: the request's limits, and a speed for each user.
struct Limits {
  double tpot_max, ttft_max;
  /// The largest ratio of a time to its limit. At most 1: all limits are met; NaN: a time that has a limit is unknown.
  [[nodiscard]] double excess(const FrontierPoint& p) const {
    double worst = 0;
    for (const auto& [time, most] : {std::pair(p.tpot_s, tpot_max), std::pair(p.ttft_s, ttft_max)}) {
      if (!known(most)) continue;
      if (!known(time)) return unknown;
      worst = std::max(worst, time / most);
    }
    return worst;
  }
};

bool same_layout(const FrontierPoint& a, const FrontierPoint& b) {
  return a.weights == b.weights && a.tp == b.tp && a.ep == b.ep && a.pp == b.pp && a.dp == b.dp && a.prefill_machine == b.prefill_machine &&
         a.prefill_tp == b.prefill_tp && a.prefill_ep == b.prefill_ep && a.prefill_workers == b.prefill_workers;
}

void miss(FrontierPick& pick, const FrontierPoint& p, double excess) {
  if (known(excess) && !(pick.missed_by <= excess)) pick.missed_by = excess, pick.nearest = p;
}

void offer(FrontierPick& pick, const FrontierPoint& p) {
  if (!(p.tokens_per_s_per_machine > 0)) return;  // no figures: it stands no comparison
  const auto better = [](const FrontierPoint& a, const std::optional<FrontierPoint>& b) {
    return !b || a.tokens_per_s_per_machine > b->tokens_per_s_per_machine;
  };
  if (better(p, pick.best)) {
    if (pick.best && !same_layout(*pick.best, p)) pick.next = pick.best;
    pick.best = p;
  } else if (!same_layout(*pick.best, p) && better(p, pick.next)) {
    pick.next = p;
  }
}

/// Offers the candidate with all of the pick's users, who must fit in its cache.
void pick_for_users(FrontierPick& pick, const Limits& limits, Candidate& candidate) {
  const double users = pick.asked_users / candidate.replicas(), most = candidate.most_users();
  const FrontierPoint p = candidate.at(std::min(users, most));
  if (const double excess = std::max(limits.excess(p), users / most); !(excess <= 1))
    miss(pick, p, excess);
  else
    offer(pick, p);
}

/// Most users first come to a limit, or the cache does. Both times grow with the users, so that those within limits are the first ones.
void pick_users(FrontierPick& pick, const Limits& limits, Candidate& candidate) {
  const double most = candidate.most_users();
  FrontierPoint one = candidate.at(1);
  if (const double excess = limits.excess(one); !(excess <= 1)) return miss(pick, one, excess);
  const double users = last_that_holds(most, [&](double n) { return limits.excess(candidate.at(n)) <= 1; });
  offer(pick, candidate.at(users));
  // In between, a step takes as long as with the whole part: the last whole part may make more.
  if (const double whole = std::floor(users / candidate.part()) * candidate.part(); whole >= 1 && whole < users)
    offer(pick, candidate.at(whole));
}

std::string binding(const FrontierPoint& p, const Limits& limits, bool cache_full) {
  constexpr double near = 0.97;
  if (known(limits.ttft_max) && p.ttft_s > near * limits.ttft_max) return "time to first token";
  if (known(limits.tpot_max) && p.tpot_s > near * limits.tpot_max) return "time per token";
  if (cache_full) return "cache";
  return to_string(p.limit);
}

/// Offers a point of pools to a pick. If the pick is for a number of users, the point must have that number.
void pick_point(FrontierPick& pick, const Limits& limits, const FrontierPoint& p) {
  if (known(pick.asked_users) && !has_users(p, pick.asked_users)) return;
  if (const double excess = limits.excess(p); !(excess <= 1)) return miss(pick, p, excess);
  const double before = pick.best ? pick.best->tokens_per_s_per_machine : 0;
  offer(pick, p);
  if (pick.best && pick.best->tokens_per_s_per_machine > before) pick.binds = binding(p, limits, p.limit == ServingLimit::cache);
}

/// Source of the efficiencies behind the estimate if they are assumed; empty: they were measured.
std::string assumed_efficiency(const ServingRequest& request, const Machine& machine) {
  for (const Figure* f : {&machine.achievable_memory(), &machine.achievable(Unit::matrix, request.llm.setup.formats.activations)})
    if (f->basis == "assumed") return f->source;
  return "";
}

bool needs_unknown_link(LlmSetup setup, const ReplicaLayout& layout, const Machine& machine) {
  setup.tp = layout.tp;
  setup.ep = layout.ep;
  return link_fault(setup, {layout.pp, 1, false}, machine).has_value();
}

FrontierMachine search_machine(const FrontierRequest& request, const Scenario& scenario) {
  FrontierMachine out;
  const Stack& stack = scenario.stack_for(StackUse::language_model);
  out.id = scenario.machine.id;
  out.name = scenario.machine.name;
  out.stack = stack.id;
  out.usd_per_hour = request_on(request, 0, scenario).llm.cost.usd_per_hour;
  if (const StackError* e = stack.error_on(out.id, "tpot")) out.tpot_error = e->median;
  if (const StackError* e = stack.error_on(out.id, "throughput")) out.throughput_error = e->median;
  for (const double speed : picked_speeds) out.picks.emplace_back().tokens_per_s_per_user = speed;
  if (known(request.concurrency)) out.picks.emplace_back().asked_users = request.concurrency;
  const auto limits_of = [&](const FrontierPick& pick) {
    const double by_speed = 1 / pick.tokens_per_s_per_user;
    return Limits{known(request.tpot_max) && !(by_speed < request.tpot_max) ? request.tpot_max : by_speed, request.ttft_max};
  };
  const double most = known(request.gpus) ? request.gpus : scenario.machine.linked();
  double least_bytes = std::numeric_limits<double>::infinity();
  for (std::size_t w = 0; w < request.formats.size(); ++w)
    for (const ReplicaLayout& layout : replica_layouts(request.formats[w].llm.setup.model, most, known(request.gpus))) {
      ++out.layouts;
      if (!(scenario.machine.capacity() > 0)) {
        ++out.rejected.unknown_memory;
        continue;
      }
      if (needs_unknown_link(request.formats[w].llm.setup, layout, scenario.machine)) {
        ++out.rejected.unknown_link;
        continue;
      }
      Candidate candidate(request, w, layout, scenario);
      if (!candidate.fits()) {
        ++out.rejected.unfit_layouts;
        if (const double bytes = candidate.needed_bytes(); bytes < least_bytes) least_bytes = bytes, out.why_unfit = candidate.why_unfit();
        continue;
      }
      const FrontierPoint one = candidate.at(1);
      if (one.ttft_s > request.ttft_max) ++out.rejected.ttft;
      if (one.tpot_s > request.tpot_max) ++out.rejected.tpot;
      for_each_on_grid(candidate.most_users(), [&](double users) { out.points.push_back(candidate.at(users)); });
      for (FrontierPick& pick : out.picks) {
        const std::optional<FrontierPoint> before = pick.best;
        (known(pick.asked_users) ? pick_for_users : pick_users)(pick, limits_of(pick), candidate);
        if (pick.best && !(before && same_layout(*pick.best, *before)))
          pick.binds = binding(*pick.best, limits_of(pick), pick.best->concurrency >= candidate.most_users() * pick.best->dp);
      }
      out.evaluated += candidate.evaluated;
    }
  if (request.disaggregated) {
    std::vector<double> tpot_limits;
    for (const FrontierPick& pick : out.picks)
      if (const double limit = limits_of(pick).tpot_max; known(limit)) tpot_limits.push_back(limit);
    out.layouts += search_pools(request, scenario, tpot_limits, [&](std::span<const FrontierPoint> found) {
      out.evaluated += found.size();
      for (const FrontierPoint& p : found) {
        if (p.meets_limits && std::none_of(found.begin(), found.end(), [&](const FrontierPoint& q) { return beats(q, p); }))
          out.points.push_back(p);
        for (FrontierPick& pick : out.picks) pick_point(pick, limits_of(pick), p);
      }
    });
  }
  const bool fits =
      !out.points.empty() || std::any_of(out.picks.begin(), out.picks.end(), [](const auto& p) { return p.best || p.nearest; });
  if (fits) out.why_unfit.clear();
  if (out.rejected.unknown_memory > 0) out.why_unfit = "may not fit: the memory of " + out.name + " is not known";
  out.assumed = assumed_efficiency(request_on(request, 0, scenario), scenario.machine);
  for (FrontierPick& pick : out.picks) {
    if (pick.best) {
      pick.nearest.reset();
      pick.missed_by = unknown;
      const auto is_best = [&](const FrontierPoint& p) {
        return same_layout(p, *pick.best) && p.concurrency == pick.best->concurrency && p.tokens_per_s == pick.best->tokens_per_s;
      };
      if (std::none_of(out.points.begin(), out.points.end(), is_best)) out.points.push_back(*pick.best);
    }
  }
  mark_pareto(out.points);
  return out;
}

}  // namespace

std::size_t main_pick(const FrontierRequest& request) {
  if (known(request.concurrency)) return picked_speeds.size();
  const bool limited = known(request.tpot_max) || known(request.ttft_max);
  return limited ? 0 : 1;  // without a limit the most throughput is too slow for users
}

std::size_t Frontier::evaluated() const {
  std::size_t sum = 0;
  for (const FrontierMachine& m : machines) sum += m.evaluated;
  return sum;
}

Frontier frontier(const FrontierRequest& request) {
  Frontier out;
  for (const Scenario& scenario : request.machines) out.machines.push_back(search_machine(request, scenario));
  return out;
}

}  // namespace roofline
