#include "robust_fit.hpp"

#include <algorithm>
#include <cmath>

namespace roofline::validation {
namespace {

/// Runs this far off count half (Cauchy's loss): what is far off for a reason of its own does not pull the others.
constexpr double far_off = 0.2;

double loss(const std::vector<double>& e) {
  double sum = 0;
  for (const double v : e) sum += std::log1p(v * v / (far_off * far_off));
  return sum;
}

/// Solves a symmetric positive system in place (Cholesky).
bool solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double s = a[i][j];
      for (std::size_t k = 0; k < j; ++k) s -= a[i][k] * a[j][k];
      if (i == j && !(s > 0)) return false;
      a[i][j] = i == j ? std::sqrt(s) : s / a[j][j];
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return true;
}

}  // namespace

Values robust_fit(Values values, const std::vector<std::size_t>& free, const ErrorsUnder& errors) {
  constexpr double step = 1e-3;
  double damping = 1e-3;
  std::vector<double> e = errors(values, std::nullopt, {});
  double best = loss(e);
  for (int round = 0; round < 12; ++round) {
    std::vector<std::vector<double>> slopes;  // by logarithm of the parameter
    for (const std::size_t i : free) {
      Values moved = values;
      moved[i] *= 1 + step;
      slopes.push_back(errors(moved, i, e));
      for (std::size_t r = 0; r < e.size(); ++r) slopes.back()[r] = (slopes.back()[r] - e[r]) / std::log1p(step);
    }
    bool better = false;
    for (int attempt = 0; attempt < 4 && !better; ++attempt) {
      const std::size_t n = free.size();
      std::vector<std::vector<double>> a(n, std::vector<double>(n));
      std::vector<double> b(n);
      for (std::size_t r = 0; r < e.size(); ++r) {
        const double weight = 1 / (far_off * far_off + e[r] * e[r]);
        for (std::size_t i = 0; i < n; ++i) {
          b[i] -= weight * slopes[i][r] * e[r];
          for (std::size_t j = 0; j <= i; ++j) a[i][j] += weight * slopes[i][r] * slopes[j][r];
        }
      }
      for (std::size_t i = 0; i < n; ++i) a[i][i] += damping * (a[i][i] + 1);
      if (!solve(a, b)) break;
      Values moved = values;
      for (std::size_t i = 0; i < n; ++i) moved[free[i]] *= std::exp(std::clamp(b[i], -0.5, 0.5));
      const std::vector<double> then = errors(moved, std::nullopt, {});
      if (const double now = loss(then); now < best * (1 - 2e-4)) {
        better = true;
        best = now;
        e = then;
        values = moved;
        damping = std::max(damping / 4, 1e-6);
      } else {
        damping *= 8;
      }
    }
    if (!better) break;
  }
  return values;
}

}  // namespace roofline::validation
