#include <algorithm>
#include <cmath>
#include <roofline/analysis/fit.hpp>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

/// One measurement, each term relative to the measured time: u * compute or v * memory, plus l * launch, should be 1.
struct Point {
  std::uint32_t op = 0;
  double compute = 0, memory = 0;  // bound / time
  double launch = 0;               // occurrences * unit / time
  double time_s = 0;
};

/// u = 1 / c and v = 1 / b, at least 1; l = L in units of the shortest time per occurrence, at least 0.
struct Slopes {
  double u = 1, v = 1, l = 0;
  [[nodiscard]] bool by_compute(const Point& p) const { return u * p.compute >= v * p.memory; }
  [[nodiscard]] double model(const Point& p) const { return std::max(u * p.compute, v * p.memory) + l * p.launch; }
};

double squares(const std::vector<Point>& points, const Slopes& s) {
  double sum = 0;
  for (const Point& p : points) {
    const double r = s.model(p) - 1;
    sum += r * r;
  }
  return sum;
}

/// Least squares where each point's larger term is given. For a given l the best u and v follow one by one; so l is solved with each of
/// them free or at its bound, and the best of the four is the solution.
Slopes solve(const std::vector<Point>& points, const std::vector<bool>& by_compute) {
  struct Sums {
    double xx = 0, xl = 0, x = 0;
  } c, m;
  double ll = 0, l1 = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    Sums& s = by_compute[i] ? c : m;
    const double x = by_compute[i] ? p.compute : p.memory;
    s.xx += x * x;
    s.xl += x * p.launch;
    s.x += x;
    ll += p.launch * p.launch;
    l1 += p.launch;
  }
  const auto slope = [](const Sums& s, double l) { return s.xx > 0 ? std::max(1.0, (s.x - s.xl * l) / s.xx) : 1.0; };
  const auto loss = [&](const Slopes& s) {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double r = (by_compute[i] ? s.u * points[i].compute : s.v * points[i].memory) + s.l * points[i].launch - 1;
      sum += r * r;
    }
    return sum;
  };
  Slopes best;
  double least = std::numeric_limits<double>::infinity();
  for (int free = 0; free < 4; ++free) {
    double a = ll, b = l1;  // a * l = b
    for (const auto& [sums, is_free] : {std::pair(c, (free & 1) != 0), std::pair(m, (free & 2) != 0)}) {
      if (!(sums.xx > 0)) continue;
      a -= is_free ? sums.xl * sums.xl / sums.xx : 0;
      b -= is_free ? sums.xl * sums.x / sums.xx : sums.xl;
    }
    Slopes s;
    s.l = a > 1e-12 * ll ? std::max(0.0, b / a) : 0;  // launch and work in the same proportion everywhere: nothing tells them apart
    s.u = slope(c, s.l);
    s.v = slope(m, s.l);
    if (const double now = loss(s); now < least) least = now, best = s;
  }
  return best;
}

/// Assign, solve, assign again, until nothing changes.
Slopes converge(const std::vector<Point>& points, Slopes s) {
  std::vector<bool> before;
  Slopes best = s;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 50; ++step) {
    std::vector<bool> by_compute;
    by_compute.reserve(points.size());
    for (const Point& p : points) by_compute.push_back(s.by_compute(p));
    if (by_compute == before) break;
    s = solve(points, by_compute);
    if (const double now = squares(points, s); now < least) least = now, best = s;
    before = std::move(by_compute);
  }
  return best;
}

}  // namespace

Result<Fit> fit(const OpSet& ops) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  const std::size_t device = plan.scenario().machine.memories[0].split() ? 2 : 1;  // its last channel
  std::vector<Point> points;
  double unit = std::numeric_limits<double>::infinity();
  for (std::size_t op = 0; op < w.size(); ++op) {
    const OpAnalysis a = plan.analyze(op);
    if (!(a.time_s > 0) || !(a.predicted_time_s > 0) || a.bound_by > device) continue;
    double memory = 0;
    for (std::size_t r = 1; r <= device; ++r) memory = std::max(memory, a.min_time_s[r] > 0 ? a.min_time_s[r] : 0);
    const double compute = a.min_time_s[0] > 0 ? a.min_time_s[0] : 0;
    points.push_back({static_cast<std::uint32_t>(op), compute / a.time_s, memory / a.time_s, w.count_of(op) / a.time_s, a.time_s});
    unit = std::min(unit, a.time_s / w.count_of(op));
  }
  if (points.size() < 3)
    return fail("a fit needs at least three operations with a time, and a bound by compute or the device memory: found " +
                std::to_string(points.size()));
  for (Point& p : points) p.launch *= unit;

  Slopes best;
  double least = std::numeric_limits<double>::infinity();
  for (const double u : {1.0, 2.0, 4.0, 8.0, 16.0})
    for (const double v : {1.0, 2.0, 4.0, 8.0, 16.0}) {
      const Slopes s = converge(points, {u, v, 0});
      if (const double now = squares(points, s); now < least) least = now, best = s;
    }

  Fit out;
  const auto n = static_cast<double>(points.size());
  out.rms = std::sqrt(least / n);
  if (out.rms > Fit::most_rms)
    return fail("a fit explains nothing here: even the best fractions and launch time leave a root mean square error of " +
                percent(out.rms) + ". Is it the machine it ran on (" + plan.scenario().machine.name + ")?");
  out.bound_rms = std::sqrt(squares(points, {}) / n);
  out.launch_s = best.l * unit;
  for (const Point& p : points) {
    const bool compute = best.by_compute(p);
    const double relative = best.model(p);
    out.rows.push_back({p.op, compute, p.time_s, relative * p.time_s, relative - 1});
    ++(compute ? out.compute_rows : out.memory_rows);
    if (std::max(p.compute, p.memory) > 1) ++out.above_roof;
  }
  if (out.compute_rows > 0) out.compute = 1 / best.u;
  if (out.memory_rows > 0) out.bandwidth = 1 / best.v;
  return out;
}

Machine calibrated(const Machine& machine, const Fit& fit, std::string_view source) {
  Machine out = machine;
  const std::string suffix = "-fitted";
  if (out.id.size() < suffix.size() || out.id.compare(out.id.size() - suffix.size(), suffix.size(), suffix) != 0) {
    out.id += suffix;
    out.name += " (fitted)";
  }
  out.aliases.clear();
  const std::string origin = "Fitted to " + std::string(source) + ": " + std::to_string(fit.rows.size()) +
                             " measurements, root mean square error " + percent(fit.rms);
  const auto put = [&](Figure& figure, double value) {
    if (value > 0) figure = {value, origin, "measured", ""};
  };
  put(out.achievable_compute, fit.compute);
  if (fit.compute > 0) out.set_achievable_compute(out.achievable_compute);  // in every format
  put(out.achievable_bandwidth, fit.bandwidth);
  put(out.launch_s, fit.launch_s);
  if (fit.launch_s == 0) out.launch_s = {};  // the times leave no room for one
  return out;
}

}  // namespace roofline
