// Measures a processor: peak multiply-adds, memory bandwidth (STREAM triad), and matrix products in FP32 and INT8, GEMV and GEMM.
// Prints a results table with the machine it measured, which Roofline opens as it is (docs/guide/measuring.md):
//
//     g++ -std=gnu++20 -O3 -pthread tools/measure/gemm_cpu.cpp -o gemm_cpu && ./gemm_cpu > results.json
//     ./gemm_cpu --threads 8 --csv --machine machine.json > results.csv
//
// gnu++20, because multiply-adds are to be fused. Vectors are GCC's and Clang's portable ones, 64 bytes long; the same source becomes
// AVX-512, AVX2 or NEON. On x86 each kernel is compiled for several instruction sets and the best that the processor has is chosen at the
// start. INT8 uses the VNNI instructions where there are any, else products of 16-bit numbers.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

using Floats = float __attribute__((vector_size(64), aligned(4)));
using Ints = std::int32_t __attribute__((vector_size(64), aligned(4)));
constexpr std::int64_t lanes = 16;  // 32-bit lanes of a vector
#define ALWAYS_INLINE inline __attribute__((always_inline))

// --- packed operands --------------------------------------------------------------------------------------------------------------------
//
// C[m][n] = A[m][k] * B[k][n]. B is stored the way its kernel walks it, as every library packs it: in panels of `lanes` columns, and of
// each panel `Step` rows at a time side by side, so that one vector holds Step numbers of each of the 16 columns.

template <class T>
T* aligned(std::size_t count) {
  void* memory = std::aligned_alloc(4096, (count * sizeof(T) + 4095) / 4096 * 4096);
  if (!memory) std::fprintf(stderr, "gemm_cpu: out of memory\n"), std::exit(1);
  return static_cast<T*>(memory);
}

/// One C tile of Rows x (Columns * 16), K summed over [0, k). The accumulators stay in registers.
template <int Rows, int Columns>
ALWAYS_INLINE void tile_fp32(const float* a, std::int64_t lda, const float* b, std::int64_t panel, std::int64_t k, float* c,
                             std::int64_t ldc, bool add) {
  Floats sum[Rows][Columns] = {};
  for (std::int64_t p = 0; p < k; ++p) {
    Floats right[Columns];
    for (int j = 0; j < Columns; ++j) right[j] = *reinterpret_cast<const Floats*>(b + j * panel + p * lanes);
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) sum[i][j] += a[i * lda + p] * right[j];
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) {
      Floats& out = *reinterpret_cast<Floats*>(c + i * ldc + j * lanes);
      out = add ? out + sum[i][j] : sum[i][j];
    }
}

/// The tiles of rows [m0, m1) and column panels [n0, n1) of C, K in blocks whose panels stay in the first two caches.
template <int Rows, int Columns>
ALWAYS_INLINE void block_fp32(const float* a, const float* b, float* c, std::int64_t n, std::int64_t k, std::int64_t m0, std::int64_t m1,
                              std::int64_t n0, std::int64_t n1) {
  constexpr std::int64_t depth = 512;
  for (std::int64_t p = 0; p < k; p += depth) {
    const std::int64_t here = std::min(depth, k - p);
    for (std::int64_t j = n0; j < n1;) {
      const bool wide = j + Columns <= n1;
      for (std::int64_t i = m0; i < m1;) {
        const float* left = a + i * k + p;
        const float* right = b + j * k * lanes + p * lanes;
        float* out = c + i * n + j * lanes;
        if (i + Rows <= m1 && wide)
          tile_fp32<Rows, Columns>(left, k, right, k * lanes, here, out, n, p > 0), i += Rows;
        else if (wide)
          tile_fp32<1, Columns>(left, k, right, k * lanes, here, out, n, p > 0), ++i;
        else
          tile_fp32<1, 1>(left, k, right, k * lanes, here, out, n, p > 0), ++i;
      }
      j += wide ? Columns : 1;
    }
  }
}

/// INT8: A is unsigned, B signed, C 32 bits wide. B holds four rows side by side: one vector is 4 x 16 columns.
template <int Rows>
ALWAYS_INLINE void tile_int8_wide(const std::uint8_t* a, std::int64_t lda, const std::int8_t* b, std::int64_t k, std::int32_t* c,
                                  std::int64_t ldc) {
  Ints sum[Rows] = {};
  for (std::int64_t p = 0; p < k; p += 4) {
    std::int8_t right[64];
    std::memcpy(right, b + p * lanes, 64);
    for (int i = 0; i < Rows; ++i)
      for (int q = 0; q < 4; ++q) {
        Ints column;
        for (int l = 0; l < lanes; ++l) column[l] = right[4 * l + q];
        sum[i] += column * static_cast<std::int32_t>(a[i * lda + p + q]);
      }
  }
  for (int i = 0; i < Rows; ++i) std::memcpy(c + i * ldc, &sum[i], sizeof sum[i]);
}

#if defined(__x86_64__)
template <int Rows, int Columns>
__attribute__((target("avx512f,avx512bw,avx512vnni"), always_inline)) inline void tile_vnni(const std::uint8_t* a, std::int64_t lda,
                                                                                            const std::int8_t* b, std::int64_t panel,
                                                                                            std::int64_t k, std::int32_t* c,
                                                                                            std::int64_t ldc) {
  __m512i sum[Rows][Columns];
  for (auto& row : sum)
    for (__m512i& s : row) s = _mm512_setzero_si512();
  for (std::int64_t p = 0; p < k; p += 4) {
    __m512i right[Columns];
    for (int j = 0; j < Columns; ++j) right[j] = _mm512_loadu_si512(b + j * panel + p * lanes);
    for (int i = 0; i < Rows; ++i) {
      std::int32_t four;
      std::memcpy(&four, a + i * lda + p, 4);
      for (int j = 0; j < Columns; ++j) sum[i][j] = _mm512_dpbusd_epi32(sum[i][j], _mm512_set1_epi32(four), right[j]);
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) _mm512_storeu_si512(c + i * ldc + j * lanes, sum[i][j]);
}
#endif

/// The tiles of INT8, all of K at once: four times fewer bytes than FP32.
template <int Rows, int Columns, class Tile, class Single>
ALWAYS_INLINE void block_int8(const std::uint8_t* a, const std::int8_t* b, std::int32_t* c, std::int64_t n, std::int64_t k, std::int64_t m0,
                              std::int64_t m1, std::int64_t n0, std::int64_t n1, const Tile& tile, const Single& single) {
  for (std::int64_t j = n0; j < n1;) {
    const bool wide = j + Columns <= n1;
    for (std::int64_t i = m0; i < m1;) {
      const bool full = wide && i + Rows <= m1;
      for (int s = 0; s < (full ? 1 : wide ? Columns : 1); ++s) {
        const auto* right = b + (j + s) * k * lanes;
        auto* out = c + i * n + (j + s) * lanes;
        full ? tile(a + i * k, k, right, k * lanes, k, out, n) : single(a + i * k, k, right, k * lanes, k, out, n);
      }
      i += full ? Rows : 1;
    }
    j += wide ? Columns : 1;
  }
}

/// Independent multiply-adds in registers, nothing else.
template <int Chains>
ALWAYS_INLINE float chains_fp32(std::int64_t rounds) {
  Floats sum[Chains];
  for (int i = 0; i < Chains; ++i) sum[i] = Floats{} + static_cast<float>(i);
  Floats factor = Floats{} + 0.999f, addend = Floats{} + 0.5f;
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (int i = 0; i < Chains; ++i) sum[i] = sum[i] * factor + addend;
  }
  Floats all = sum[0];
  for (int i = 1; i < Chains; ++i) all += sum[i];
  return all[0];
}

// --- the kernels, per instruction set ---------------------------------------------------------------------------------------------------

struct Kernels {
  const char* name;
  void (*fp32)(const float*, const float*, float*, std::int64_t n, std::int64_t k, std::int64_t m0, std::int64_t m1, std::int64_t n0,
               std::int64_t n1);
  void (*int8)(const std::uint8_t*, const std::int8_t*, std::int32_t*, std::int64_t n, std::int64_t k, std::int64_t m0, std::int64_t m1,
               std::int64_t n0, std::int64_t n1);
  float (*fma)(std::int64_t rounds);
  int chains;
  std::int32_t (*dot)(std::int64_t rounds);  ///< INT8 multiply-adds in registers; null: there is no instruction for them
  int dot_chains;
};

#define FP32_SIGNATURE                                                                                                         \
  const float *a, const float *b, float *c, std::int64_t n, std::int64_t k, std::int64_t m0, std::int64_t m1, std::int64_t n0, \
      std::int64_t n1
#define INT8_SIGNATURE                                                                                                            \
  const std::uint8_t *a, const std::int8_t *b, std::int32_t *c, std::int64_t n, std::int64_t k, std::int64_t m0, std::int64_t m1, \
      std::int64_t n0, std::int64_t n1

constexpr auto wide_tile = [](auto... arguments) __attribute__((always_inline)) {
  const auto call = [](const std::uint8_t* a, std::int64_t lda, const std::int8_t* b, std::int64_t, std::int64_t k, std::int32_t* c,
                       std::int64_t ldc) __attribute__((always_inline)) { tile_int8_wide<1>(a, lda, b, k, c, ldc); };
  call(arguments...);
};

void fp32_base(FP32_SIGNATURE) { block_fp32<6, 1>(a, b, c, n, k, m0, m1, n0, n1); }
void int8_base(INT8_SIGNATURE) { block_int8<1, 1>(a, b, c, n, k, m0, m1, n0, n1, wide_tile, wide_tile); }
float fma_base(std::int64_t rounds) { return chains_fp32<5>(rounds); }

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void fp32_avx2(FP32_SIGNATURE) { block_fp32<6, 1>(a, b, c, n, k, m0, m1, n0, n1); }
__attribute__((target("avx2,fma"))) void int8_avx2(INT8_SIGNATURE) {
  block_int8<1, 1>(a, b, c, n, k, m0, m1, n0, n1, wide_tile, wide_tile);
}
__attribute__((target("avx2,fma"))) float fma_avx2(std::int64_t rounds) { return chains_fp32<6>(rounds); }
__attribute__((target("avx512f,avx512bw"))) void fp32_avx512(FP32_SIGNATURE) { block_fp32<8, 3>(a, b, c, n, k, m0, m1, n0, n1); }
__attribute__((target("avx512f,avx512bw"))) float fma_avx512(std::int64_t rounds) { return chains_fp32<16>(rounds); }
__attribute__((target("avx512f,avx512bw,avx512vnni"))) void int8_vnni(INT8_SIGNATURE) {
  for (std::int64_t j = n0; j < n1;) {
    const bool wide = j + 3 <= n1;
    for (std::int64_t i = m0; i < m1;) {
      const std::uint8_t* left = a + i * k;
      const std::int8_t* right = b + j * k * lanes;
      std::int32_t* out = c + i * n + j * lanes;
      if (wide && i + 8 <= m1)
        tile_vnni<8, 3>(left, k, right, k * lanes, k, out, n), i += 8;
      else if (wide)
        tile_vnni<1, 3>(left, k, right, k * lanes, k, out, n), ++i;
      else
        tile_vnni<1, 1>(left, k, right, k * lanes, k, out, n), ++i;
    }
    j += wide ? 3 : 1;
  }
}
__attribute__((target("avx512f,avx512bw,avx512vnni"))) std::int32_t dot_vnni(std::int64_t rounds) {
  __m512i sum[16];
  for (int i = 0; i < 16; ++i) sum[i] = _mm512_set1_epi32(i);
  const __m512i left = _mm512_set1_epi8(3), right = _mm512_set1_epi8(5);
  for (std::int64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) sum[i] = _mm512_dpbusd_epi32(sum[i], left, right);
  }
  __m512i all = sum[0];
  for (int i = 1; i < 16; ++i) all = _mm512_add_epi32(all, sum[i]);
  return _mm512_reduce_add_epi32(all);
}
#endif

Kernels best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
    if (__builtin_cpu_supports("avx512vnni")) return {"AVX-512, VNNI", fp32_avx512, int8_vnni, fma_avx512, 16, dot_vnni, 16};
    return {"AVX-512", fp32_avx512, int8_avx2, fma_avx512, 16, nullptr, 0};
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {"AVX2", fp32_avx2, int8_avx2, fma_avx2, 6, nullptr, 0};
#endif
  return {"128-bit vectors", fp32_base, int8_base, fma_base, 5, nullptr, 0};
}

// --- timing -----------------------------------------------------------------------------------------------------------------------------

int threads = 1;
int runs = 30;

bool fastest = false;

/// Seconds. With --fastest and one thread those that the thread ran, so that what others run on its processor does not count.
double now() {
  if (timespec t; fastest && threads == 1 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Runs part(0), ..., part(threads - 1) side by side.
void parallel(const std::function<void(int)>& part) {
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(part, t);
  part(0);
  for (std::thread& other : others) other.join();
}

struct Timing {
  double median = 0, least = 0;
};

Timing timed(const std::function<void(int)>& run) {
  for (int i = 0; i < 3; ++i) run(i);
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const double start = now();
    run(3 + i);
    seconds.push_back(now() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds[0]};
}

volatile float float_sink;
volatile std::int32_t int_sink;
double chosen(const Timing& t) { return fastest ? t.least : t.median; }

struct Shape {
  std::int64_t m, n, k;
};

/// Time of one product; operand sets rotate through more memory than `cache` bytes. Work is split by columns of C.
template <class A, class B, class C, class Kernel>
Timing product(Shape s, Kernel kernel, std::int64_t cache) {
  const std::int64_t one = s.m * s.k * static_cast<std::int64_t>(sizeof(A)) + s.k * s.n * static_cast<std::int64_t>(sizeof(B));
  const int sets = static_cast<int>(std::clamp<std::int64_t>(cache / one + 1, 1, 64));
  std::vector<A*> a;
  std::vector<B*> b;
  for (int i = 0; i < sets; ++i) {
    a.push_back(aligned<A>(static_cast<std::size_t>(s.m * s.k)));
    b.push_back(aligned<B>(static_cast<std::size_t>(s.k * s.n)));
    for (std::int64_t p = 0; p < s.m * s.k; ++p) a.back()[p] = static_cast<A>(p % 7);
    for (std::int64_t p = 0; p < s.k * s.n; ++p) b.back()[p] = static_cast<B>(p % 5 - 2);
  }
  C* c = aligned<C>(static_cast<std::size_t>(s.m * s.n));
  const std::int64_t panels = s.n / lanes;
  const Timing t = timed([&](int i) {
    parallel([&](int thread) {
      kernel(a[static_cast<std::size_t>(i % sets)], b[static_cast<std::size_t>(i % sets)], c, s.n, s.k, std::int64_t{0}, s.m,
             panels * thread / threads, panels * (thread + 1) / threads);
    });
  });
  for (A* p : a) std::free(p);
  for (B* p : b) std::free(p);
  std::free(c);
  return t;
}

/// Both kernels against the plain triple loop, on a shape that no tile divides.
bool correct(const Kernels& kernels) {
  const std::int64_t m = 13, n = 80, k = 516;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  std::vector<std::uint8_t> a8(m * k);
  std::vector<std::int8_t> b8(k * n);
  std::vector<std::int32_t> c8(m * n);
  for (std::int64_t i = 0; i < m * k; ++i) a[i] = a8[i] = static_cast<std::uint8_t>(i * 37 % 11);
  for (std::int64_t p = 0; p < k; ++p)
    for (std::int64_t j = 0; j < n; ++j) {
      const int value = static_cast<int>((p * 31 + j * 17) % 13) - 6;
      b[j / lanes * k * lanes + p * lanes + j % lanes] = static_cast<float>(value);
      b8[j / lanes * k * lanes + p / 4 * 4 * lanes + j % lanes * 4 + p % 4] = static_cast<std::int8_t>(value);
    }
  kernels.fp32(a.data(), b.data(), c.data(), n, k, 0, m, 0, n / lanes);
  kernels.int8(a8.data(), b8.data(), c8.data(), n, k, 0, m, 0, n / lanes);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      std::int32_t sum = 0;
      for (std::int64_t p = 0; p < k; ++p)
        sum += static_cast<std::int32_t>(i * k + p) * 37 % 11 * (static_cast<int>((p * 31 + j * 17) % 13) - 6);
      if (c[i * n + j] != static_cast<float>(sum) || c8[i * n + j] != sum) return false;
    }
  return true;
}

/// a[i] = b[i] + s * c[i] over arrays far larger than the caches. Bytes as STREAM counts them: three numbers per element, not the line
/// that a write reads first, so that a product which only reads may be up to a third faster.
double triad_bandwidth(std::int64_t cache) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(cache, 96 << 20) / 4);
  float *a = aligned<float>(count), *b = aligned<float>(count), *c = aligned<float>(count);
  std::fill(a, a + count, 0.f), std::fill(b, b + count, 1.f), std::fill(c, c + count, 2.f);
  const Timing t = timed([&](int) {
    parallel([&](int thread) {
      const std::size_t begin = count * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads),
                        end = count * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
      for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + 3.f * c[i];
    });
  });
  float_sink = a[count / 2];
  std::free(a), std::free(b), std::free(c);
  return 3 * 4 * static_cast<double>(count) / chosen(t);
}

template <class Chain>
double peak(Chain chain, double flops_per_round) {
  constexpr std::int64_t rounds = 100000;
  const Timing t = timed([&](int) {
    parallel([&](int) {
      if constexpr (std::is_same_v<decltype(chain(rounds)), float>)
        float_sink = chain(rounds);
      else
        int_sink = chain(rounds);
    });
  });
  return flops_per_round * rounds * threads / chosen(t);
}

// --- what is printed --------------------------------------------------------------------------------------------------------------------

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 || line.rfind("Model", 0) == 0) return line.substr(line.find(':') + 2);
  return "CPU";
}

/// Of the last-level cache; 32 MiB where the system does not say.
std::int64_t cache_bytes() {
  for (int level = 4; level >= 2; --level) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size");
    std::int64_t size = 0;
    char unit = 'K';
    if (file >> size >> unit) return size * (unit == 'M' ? 1 << 20 : 1 << 10);
  }
  return 32 << 20;
}

std::string machine_json(const std::string& name, const std::string& how, double fp32, double int8, double bandwidth) {
  std::string id;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      id += static_cast<char>(std::tolower(c));
    else if (!id.empty() && id.back() != '-')
      id += '-';
  if (!id.empty() && id.back() == '-') id.pop_back();
  const auto figure = [&how](double value, const char* test) {
    char text[512];
    std::snprintf(text, sizeof text, R"({"value": %.4g, "source": "tools/measure/gemm_cpu: %s, %s", "basis": "measured"})", value, test,
                  how.c_str());
    return std::string(text);
  };
  const std::string fma = figure(fp32, "multiply-adds in registers"), dot = int8 > 0 ? figure(int8, "VNNI multiply-adds in registers") : "";
  return R"({"id": ")" + id + R"(", "name": ")" + name + "\", \"peaks\": {\"matrix\": {\"fp32\": " + fma +
         (int8 > 0 ? ", \"int8\": " + dot : "") + "}, \"vector\": {\"fp32\": " + fma +
         "}}, \"memories\": [{\"name\": \"DRAM\", \"bandwidth\": " + figure(bandwidth, "STREAM triad") + "}]}";
}

}  // namespace

int main(int argc, char** argv) {
  bool csv = false;
  std::string machine_file;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--csv") {
      csv = true;
    } else if (option == "--fastest") {
      fastest = true;
    } else if (i + 1 < argc && (option == "--threads" || option == "--runs")) {
      const int value = std::atoi(argv[++i]);
      if (value < 1) return std::fprintf(stderr, "gemm_cpu: %s: expected a whole number of at least 1\n", option.c_str()), 2;
      (option == "--threads" ? threads : runs) = value;
    } else if (i + 1 < argc && option == "--machine") {
      machine_file = argv[++i];
    } else {
      std::fprintf(
          stderr,
          "usage: gemm_cpu [--threads N] [--runs N] [--fastest] [--csv] [--machine FILE]\n"
          "  --fastest   the fastest run instead of the median, by processor time with one thread: for a machine that others use too\n");
      return option == "--help" ? 0 : 2;
    }
  }
  const Kernels kernels = best_kernels();
  if (!correct(kernels)) return std::fprintf(stderr, "gemm_cpu: the kernels compute wrong products\n"), 1;
  const std::int64_t cache = std::min<std::int64_t>(cache_bytes(), 256 << 20);
  const std::string name = cpu_name() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  const std::string how = std::string(kernels.name) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", " +
                          (fastest ? threads == 1 ? "fastest by processor time" : "fastest" : "median") + " of " + std::to_string(runs) +
                          " runs";
  std::fprintf(stderr, "%s: %s\n", name.c_str(), how.c_str());

  const double fp32 = peak(kernels.fma, 2.0 * lanes * kernels.chains);
  const double int8 = kernels.dot ? peak(kernels.dot, 2.0 * 64 * kernels.dot_chains) : 0;
  const double bandwidth = triad_bandwidth(cache);
  const std::string machine = machine_json(name, how, fp32, int8, bandwidth);
  if (!machine_file.empty()) {
    std::ofstream file(machine_file);
    if (!(file << machine << '\n')) return std::fprintf(stderr, "gemm_cpu: %s cannot be written\n", machine_file.c_str()), 1;
  }

  constexpr Shape shapes[] = {{1, 1024, 1024},  {1, 4096, 4096},  {1, 8192, 8192}, {1, 4096, 14336}, {4, 4096, 4096}, {16, 4096, 4096},
                              {64, 1024, 1024}, {64, 4096, 4096}, {128, 128, 128}, {256, 256, 256},  {512, 512, 512}, {1024, 1024, 1024}};
  std::string rows;
  for (const char* format : {"fp32", "int8"})
    for (const Shape& s : shapes) {
      const bool wide = std::strcmp(format, "fp32") == 0;
      const Timing t = wide ? product<float, float, float>(s, kernels.fp32, cache)
                            : product<std::uint8_t, std::int8_t, std::int32_t>(s, kernels.int8, cache);
      const char* op = s.m == 1 ? "gemv" : "gemm";
      const char* output = wide ? "fp32" : "int32";
      char row[256];
      std::snprintf(
          row, sizeof row,
          csv ? "%s,%lld,%lld,%lld,%s,%s,%.3f\n"
              : R"(  {"operator": "%s", "m": %lld, "n": %lld, "k": %lld, "format": "%s", "output_type": "%s", "measured_us": %.3f})",
          op, static_cast<long long>(s.m), static_cast<long long>(s.n), static_cast<long long>(s.k), format, output, chosen(t) * 1e6);
      if (!csv && !rows.empty()) rows += ",\n";
      rows += row;
      std::fprintf(stderr, "%s %s %lldx%lldx%lld: %.3f us\n", op, format, static_cast<long long>(s.m), static_cast<long long>(s.n),
                   static_cast<long long>(s.k), chosen(t) * 1e6);
    }
  if (csv)
    std::printf("operator,m,n,k,format,output_type,measured_us\n%s", rows.c_str());
  else
    std::printf("{\"method\": \"tools/measure/gemm_cpu: %s\",\n \"machine\": %s,\n \"results\": [\n%s\n ]}\n", how.c_str(), machine.c_str(),
                rows.c_str());
}
