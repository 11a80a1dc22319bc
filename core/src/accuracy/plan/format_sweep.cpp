#include <algorithm>
#include <roofline/accuracy/format_sweep.hpp>

#include "base/sort_stably.hpp"

namespace roofline {

FormatSweep::FormatSweep(const std::vector<std::vector<FormatOption>>& tensors, double FormatOption::* cost)
    : tensors_(tensors), cost_(cost) {
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const auto cost_of = [&](std::size_t i) { return option(t, i).*cost_; };
    const auto noise_of = [&](std::size_t i) { return option(t, i).noise; };
    const auto cheaper = [&](std::uint32_t a, std::uint32_t b) {
      return cost_of(a) < cost_of(b) || (cost_of(a) == cost_of(b) && noise_of(a) < noise_of(b));
    };
    std::vector<std::size_t> hull;  // the lower convex hull, falling in noise
    for (const std::size_t i : sorted_indices(tensors[t].size(), ComesBefore(cheaper))) {
      if (!hull.empty() && noise_of(i) >= noise_of(hull.back())) continue;
      const auto below = [&](std::size_t a, std::size_t b) {  // b is on or above the line from a to i
        return (noise_of(a) - noise_of(b)) * (cost_of(i) - cost_of(a)) <= (noise_of(a) - noise_of(i)) * (cost_of(b) - cost_of(a));
      };
      while (hull.size() > 1 && below(hull[hull.size() - 2], hull.back())) hull.pop_back();
      hull.push_back(i);
    }
    cheapest_.push_back(hull.front());
    for (std::size_t h = 1; h < hull.size(); ++h)
      steps_.push_back({t, hull[h - 1], hull[h], cost_of(hull[h]) - cost_of(hull[h - 1]), noise_of(hull[h - 1]) - noise_of(hull[h])});
  }
  // Compared crosswise: a step may cost nothing.
  sort_stably(steps_, [](const Step& a, const Step& b) { return a.noise * b.cost > b.noise * a.cost; });
}

FormatSweep::Choice FormatSweep::within_cost(double most) const {
  Choice choice = cheapest_;
  double spent = at(choice).cost;
  for (const Step& step : steps_) {
    std::size_t& now = choice[step.tensor];  // not `from` if an earlier step of this tensor did not go in
    const double more = option(step.tensor, step.to).*cost_ - option(step.tensor, now).*cost_;
    if (spent + more > most) continue;
    spent += more;
    now = step.to;
  }
  return choice;
}

FormatSweep::Choice FormatSweep::within_noise(double most) const {
  Choice choice = cheapest_;
  double noise = at(choice).noise;
  std::size_t taken = 0;
  for (; taken < steps_.size() && noise > most; ++taken) {
    noise -= steps_[taken].noise;
    choice[steps_[taken].tensor] = steps_[taken].to;
  }
  noise = at(choice).noise;  // without the rounding of the sum above
  for (std::size_t i = taken; i-- > 0;) {
    const Step& step = steps_[i];
    if (choice[step.tensor] != step.to || noise + step.noise > most) continue;
    noise += step.noise;
    choice[step.tensor] = step.from;
  }
  return choice;
}

std::vector<SweepPoint> FormatSweep::front(std::size_t most_points) const {
  std::vector<SweepPoint> out;
  SweepPoint now = at(cheapest_);
  const std::size_t every = std::max<std::size_t>(1, (steps_.size() + most_points - 1) / std::max<std::size_t>(1, most_points - 1));
  out.push_back(now);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    now.cost += steps_[i].cost;
    now.noise = std::max(0.0, now.noise - steps_[i].noise);
    if ((i + 1) % every == 0 || i + 1 == steps_.size()) out.push_back(now);
  }
  return out;
}

SweepPoint FormatSweep::at(const Choice& choice) const {
  SweepPoint out;
  for (std::size_t t = 0; t < choice.size(); ++t) {
    out.cost += option(t, choice[t]).*cost_;
    out.noise += option(t, choice[t]).noise;
  }
  return out;
}

}  // namespace roofline
