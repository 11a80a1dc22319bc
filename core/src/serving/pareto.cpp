#include "serving/pareto.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/sort_stably.hpp"

namespace roofline {

bool beats(const FrontierPoint& p, const FrontierPoint& than) {
  constexpr double worst = -std::numeric_limits<double>::infinity();
  constexpr std::pair<double FrontierPoint::*, int> figures[] = {{&FrontierPoint::tokens_per_s_per_machine, 1},
                                                                 {&FrontierPoint::tokens_per_s, 1},
                                                                 {&FrontierPoint::ttft_s, -1},
                                                                 {&FrontierPoint::joules_per_token, -1},
                                                                 {&FrontierPoint::usd_per_million_tokens, -1}};
  bool better = false;
  for (const auto& [figure, sign] : figures) {
    const double ours = known_or(sign * p.*figure, worst), theirs = known_or(sign * than.*figure, worst);
    if (ours < theirs) return false;
    better |= ours > theirs;
  }
  return better;
}

void mark_pareto(std::vector<FrontierPoint>& points) {
  std::vector<FrontierPoint*> order;
  for (FrontierPoint& p : points)
    if (p.meets_limits && p.tokens_per_s_per_user > 0) order.push_back(&p);
  // Stable, so that of equal points every build marks the same.
  sort_stably(order, [](const FrontierPoint* a, const FrontierPoint* b) {
    return a->tokens_per_s_per_user != b->tokens_per_s_per_user ? a->tokens_per_s_per_user > b->tokens_per_s_per_user
                                                                : a->tokens_per_s_per_machine > b->tokens_per_s_per_machine;
  });
  double most = 0;
  for (FrontierPoint* p : order) {
    p->pareto = p->tokens_per_s_per_machine > most;
    most = std::max(most, p->tokens_per_s_per_machine);
  }
}

}  // namespace roofline
