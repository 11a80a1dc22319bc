// build/wasm/measure.wasm: the probes and kernels of tools/measure in WebAssembly's 128-bit vectors, for the page, which fetches them when
// it is asked to measure. Each worker starts its own instance. It has no glue: web/src/measure/module.ts calls these functions.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "probes/levels.hpp"
#include "probes/probe.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(name)))

/// Seconds since the worker began.
extern "C" __attribute__((import_module("page"), import_name("now"))) double page_now();

namespace roofline::measure {
const Kernels& kernels_wasm();
}

namespace {

using roofline::measure::kernels_wasm;
using roofline::measure::Probe;

roofline::measure::WorkingSet set;

}  // namespace

/// Memory whose floats are 1; null: there is not enough.
EXPORT("allocate") float* allocate(std::size_t bytes) {
  auto* memory = static_cast<float*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  if (memory) kernels_wasm().write(memory, (bytes + 1023) / 1024 * 1024, 1.f);
  return memory;
}
EXPORT("release") void release(void* memory) { std::free(memory); }

EXPORT("working_set") double working_set(int i) { return roofline::measure::working_set(i); }

/// Operations or bytes per second (roofline::measure::sample), negative where it began late; `data` of `bytes` is for the probes that walk.
EXPORT("sample") double sample(int probe, float* data, std::size_t bytes, double start, double end) {
  if (set.data != data || set.bytes != bytes) set = {data, bytes, 0};
  const auto one = roofline::measure::sample(kernels_wasm(), static_cast<Probe>(probe), set, page_now, start, end);
  return one.late ? -one.rate : one.rate;
}

/// Of `count` pairs of bytes and rates, the levels as triples of first, last and rate, from the same place on; returns how many.
EXPORT("levels") int levels(double* points, int count) {
  std::vector<roofline::measure::SetRate> curve;
  for (int i = 0; i < count; ++i) curve.push_back({points[2 * i], points[2 * i + 1]});
  const auto found = roofline::measure::find_levels(curve);
  for (const auto& level : found) {
    *points++ = static_cast<double>(level.first);
    *points++ = static_cast<double>(level.last);
    *points++ = level.rate;
  }
  return static_cast<int>(found.size());
}

// The operators of Kernels. Sizes as there.
EXPORT("panel_columns") int panel_columns() { return kernels_wasm().panel_columns; }
EXPORT("pack_fp32") void pack_fp32(const float* b, float* packed, int n, int k) { kernels_wasm().pack_fp32(b, packed, n, k); }
EXPORT("pack_int8") void pack_int8(const std::int8_t* b, std::int8_t* packed, int n, int k) { kernels_wasm().pack_int8(b, packed, n, k); }
EXPORT("product_fp32") void product_fp32(const float* a, const float* packed, float* c, int m, int n, int k) {
  kernels_wasm().product_fp32(a, packed, c, {n, k, 0, m, 0, n / kernels_wasm().panel_columns});
}
EXPORT("product_int8")
void product_int8(const std::uint8_t* a, const std::int8_t* packed, std::int32_t* c, int m, int n, int k, std::int16_t* scratch) {
  kernels_wasm().product_int8(a, packed, c, {n, k, 0, m, 0, n / kernels_wasm().panel_columns}, scratch);
}
EXPORT("softmax") void softmax(const float* in, float* out, int rows, int columns) { kernels_wasm().softmax(in, out, rows, columns); }
EXPORT("layer_norm") void layer_norm(const float* in, float* out, int rows, int columns) {
  kernels_wasm().layer_norm(in, out, rows, columns);
}
EXPORT("row_sums") void row_sums(const float* in, float* out, int rows, int columns) { kernels_wasm().row_sums(in, out, rows, columns); }
EXPORT("transpose") void transpose(const float* in, float* out, int rows, int columns) {
  kernels_wasm().transpose(in, out, rows, columns, 0, rows);
}
EXPORT("add") void add(const float* a, const float* b, float* out, int count) { kernels_wasm().add(a, b, out, count); }
