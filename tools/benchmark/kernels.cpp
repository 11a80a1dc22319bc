// The native side of kernels.mjs: the probes of `roofline measure` and a matrix product on one core, as JSON. Rates per second, best of
// several.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "probes/choice.hpp"
#include "probes/probe.hpp"

namespace {

using namespace roofline::measure;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double best_rate(const Kernels& kernels, Probe probe, WorkingSet set) {
  std::vector<double> rates;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    rates.push_back(sample(kernels, probe, set, now, start, start + window_s).rate);
  }
  return best_of(std::move(rates)).rate;
}

/// FLOP/s of one product of 96 x 192 x 512 in FP32: short, so that other programs interrupt few of its runs.
double product_rate(const Kernels& kernels) {
  constexpr std::int64_t m = 96, n = 192, k = 512;
  std::vector<float> a(m * k, 1), b(k * n, 1), packed(k * n), c(m * n);
  kernels.pack_fp32(b.data(), packed.data(), n, k);
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    kernels.product_fp32(a.data(), packed.data(), c.data(), {n, k, 0, m, 0, n / kernels.panel_columns});
    best = std::max(best, 2.0 * m * n * k / (now() - start));
  }
  return best;
}

}  // namespace

int main() {
  const std::vector<const Kernels*> all = runnable_kernels();
  const Kernels &narrow = *all.front(), &wide = *all.back();
  std::vector<float> memory(std::size_t{64} << 20, 1.f);
  const WorkingSet set{memory.data(), memory.size() * sizeof(float), 0};
  std::printf(R"({"fp64": %g, "fp32": %g, "int8": %g, "read": %g, "wide_fp32": %g, "wide_product": %g})"
              "\n",
              best_rate(narrow, Probe::fp64, {}), best_rate(narrow, Probe::fp32, {}), best_rate(narrow, Probe::int8, {}),
              best_rate(narrow, Probe::read, set), best_rate(wide, Probe::fp32, {}), product_rate(wide));
}
