// The kernels of one instruction set: that of the compiler's options. ROOFLINE_KERNELS names the function that returns them.
//
// Nothing here may be an inline function of a library: the linker would keep one copy of it, for any of the instruction sets.
#include "kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

namespace roofline::measure {
namespace {

#if defined(__AVX512F__)
constexpr int bytes = 64;
#elif defined(__AVX2__)
constexpr int bytes = 32;
#else
constexpr int bytes = 16;
#endif

using std::int64_t;
constexpr int lanes = bytes / 4;  // 32-bit lanes of a vector
using Floats = float __attribute__((vector_size(bytes)));
using Doubles = double __attribute__((vector_size(bytes)));
using Ints = std::int32_t __attribute__((vector_size(bytes)));
using Shorts = std::int16_t __attribute__((vector_size(bytes)));

template <class Vector = Floats, class Number>
ALWAYS_INLINE Vector load(const Number* from) {
  Vector value;
  __builtin_memcpy(&value, from, bytes);
  return value;
}
template <class Vector, class Number>
ALWAYS_INLINE void store(Number* to, Vector value) {
  __builtin_memcpy(to, &value, bytes);
}

// --- INT8: multiply-adds of neighbouring numbers into 32 bits
// -----------------------------------------------------------------------------

#if defined(__AVX512VNNI__)
constexpr int depth = 4;          // numbers that one 32-bit lane holds
using Activation = std::uint8_t;  // of the left operand, as packed
using Weight = std::int8_t;
using Bytes = std::int8_t __attribute__((vector_size(bytes)));
using Operand = Bytes;

ALWAYS_INLINE Operand load_right(const std::int8_t* from) { return load<Bytes>(from); }
ALWAYS_INLINE Ints dot(Ints sum, Operand left, Operand right) {
  return reinterpret_cast<Ints>(
      _mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(left), reinterpret_cast<__m512i>(right)));
}
#else
constexpr int depth = 2;
using Activation = std::int16_t;
using Weight = std::int16_t;
using Operand = Shorts;

ALWAYS_INLINE Operand load_right(const std::int8_t* from) {
#if defined(__AVX512BW__)
  return reinterpret_cast<Operand>(_mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX2__)
  return reinterpret_cast<Operand>(_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__x86_64__)
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return reinterpret_cast<Operand>(_mm_srai_epi16(_mm_unpacklo_epi8(eight, eight), 8));
#elif defined(__wasm_simd128__)
  return reinterpret_cast<Operand>(wasm_i16x8_load8x8(from));
#else
  Operand out;
  for (int i = 0; i < bytes / 2; ++i) out[i] = from[i];
  return out;
#endif
}

ALWAYS_INLINE Ints dot(Ints sum, Operand left, Operand right) {
#if defined(__AVX512BW__)
  return sum + reinterpret_cast<Ints>(_mm512_madd_epi16(reinterpret_cast<__m512i>(left), reinterpret_cast<__m512i>(right)));
#elif defined(__AVX2__)
  return sum + reinterpret_cast<Ints>(_mm256_madd_epi16(reinterpret_cast<__m256i>(left), reinterpret_cast<__m256i>(right)));
#elif defined(__x86_64__)
  return sum + reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(left), reinterpret_cast<__m128i>(right)));
#elif defined(__wasm_simd128__)
  return sum + reinterpret_cast<Ints>(wasm_i32x4_dot_i16x8(reinterpret_cast<v128_t>(left), reinterpret_cast<v128_t>(right)));
#else
  for (int i = 0; i < lanes; ++i) sum[i] += left[2 * i] * right[2 * i] + left[2 * i + 1] * right[2 * i + 1];
  return sum;
#endif
}
#endif

/// The numbers of one 32-bit lane, in every lane.
template <class Number>
ALWAYS_INLINE Operand repeat(const Number* from) {
  std::int32_t all;
  __builtin_memcpy(&all, from, 4);
  return reinterpret_cast<Operand>(Ints{} + all);
}

// --- arithmetic in registers
// --------------------------------------------------------------------------------------------------------------

// Enough independent chains to hide the latency of a multiplication and an addition, and few enough to stay in registers with two operands.
#if defined(__AVX512F__)
constexpr int chains = 16;
#else
constexpr int chains = 12;
#endif

// Keeps compilers from computing chains of constants beforehand.
volatile double start_of_chains = 1;
volatile std::int32_t start_of_sums = 1;

/// x = x * 0.999 + 0.5 in each lane of each chain, `rounds` times.
template <class Vector, class Number>
ALWAYS_INLINE double multiply_add(int64_t rounds) {
  const Vector factor = Vector{} + static_cast<Number>(0.999), addend = Vector{} + static_cast<Number>(0.5);
  Vector chain[chains];
  for (int i = 0; i < chains; ++i) chain[i] = Vector{} + static_cast<Number>(start_of_chains * i);
  for (int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) chain[i] = chain[i] * factor + addend;
  double sum = 0;
  for (const Vector& one : chain)
    for (int l = 0; l < bytes / static_cast<int>(sizeof(Number)); ++l) sum += static_cast<double>(one[l]);
  return sum;
}

double fp32(int64_t rounds) { return multiply_add<Floats, float>(rounds); }
double fp64(int64_t rounds) { return multiply_add<Doubles, double>(rounds); }

/// x = x + the products of its parts, as INT8's instruction takes them, with 3, 5, 3, 5 in each lane of each chain, `rounds` times: modulo
/// 2^32. What is multiplied changes each time, so that no compiler can leave a product out.
double int8(int64_t rounds) {
  Weight weights[depth];
  for (int i = 0; i < depth; ++i) weights[i] = static_cast<Weight>(i % 2 == 0 ? 3 : 5);
  const Operand right = repeat(weights);
  Ints chain[chains];
  for (int i = 0; i < chains; ++i) chain[i] = Ints{} + start_of_sums * i;
  for (int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) chain[i] = dot(chain[i], reinterpret_cast<Operand>(chain[i]), right);
  double sum = 0;
  for (const Ints& one : chain)
    for (int l = 0; l < lanes; ++l) sum += one[l];
  return sum;
}

// --- memory
// -------------------------------------------------------------------------------------------------------------------------------

constexpr std::size_t line_floats = 16;

float read(const float* from, std::size_t size) {
  constexpr int sums = 8;
  Floats sum[sums] = {};
  const float* const end = from + size / 4;
  for (; from != end; from += sums * lanes)
#pragma GCC unroll 8
    for (int i = 0; i < sums; ++i) sum[i] += load(from + i * lanes);
  for (int i = 1; i < sums; ++i) sum[0] += sum[i];
  float all = 0;
  for (int l = 0; l < lanes; ++l) all += sum[0][l];
  return all;
}

void write(float* to, std::size_t size, float value) {
  const Floats all = Floats{} + value;
  for (float* const end = to + size / 4; to != end; to += 4 * line_floats)
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 4 * line_floats; i += lanes) store(to + i, all);
}

void copy(float* to, const float* from, std::size_t size) {
  for (const float* const end = from + size / 4; from != end; from += 4 * line_floats, to += 4 * line_floats)
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 4 * line_floats; i += lanes) store(to + i, load(from + i));
}

// --- matrix products
// ----------------------------------------------------------------------------------------------------------------------
//
// B is packed in panels of `panel_vectors` vectors of columns. Tiles of C stay in registers: with the panel's vectors and one number of A
// they fill the register file.

#if defined(__AVX512F__)
constexpr int tile_rows = 8, panel_vectors = 3;
#elif defined(__x86_64__) || defined(__wasm_simd128__)
constexpr int tile_rows = 6, panel_vectors = 2;
#else
constexpr int tile_rows = 8, panel_vectors = 2;
#endif
constexpr int panel_columns = panel_vectors * lanes;
constexpr int64_t fp32_block = 24 * 1024 / (4 * panel_columns);  // rows of a panel at a time, which stay in the L1 cache
constexpr int64_t row_block = 96;                                // rows of A at a time, which stay in the L2 cache

void pack_fp32(const float* b, float* packed, int64_t n, int64_t k) {
  for (int64_t panel = 0; panel < n; panel += panel_columns)
    for (int64_t p = 0; p < k; ++p)
      for (int j = 0; j < panel_columns; ++j) *packed++ = b[p * n + panel + j];
}

void pack_int8(const std::int8_t* b, std::int8_t* packed, int64_t n, int64_t k) {
  for (int64_t panel = 0; panel < n; panel += panel_columns)
    for (int64_t p = 0; p < k; p += depth)
      for (int j = 0; j < panel_columns; ++j)
        for (int d = 0; d < depth; ++d) *packed++ = b[(p + d) * n + panel + j];
}

template <int Rows>
ALWAYS_INLINE void fp32_tile(const float* a, int64_t stride, const float* b, int64_t k, float* c, int64_t c_stride, bool first) {
  Floats sum[Rows][panel_vectors];
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < panel_vectors; ++j) sum[i][j] = first ? Floats{} : load(c + i * c_stride + j * lanes);
  for (int64_t p = 0; p < k; ++p, b += panel_columns) {
    Floats right[panel_vectors];
    for (int j = 0; j < panel_vectors; ++j) right[j] = load(b + j * lanes);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const Floats left = a[i * stride + p] - Floats{};  // as a vector by one load: x - 0 is always x, but -0 + 0 is not -0
      for (int j = 0; j < panel_vectors; ++j) sum[i][j] += left * right[j];
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < panel_vectors; ++j) store(c + i * c_stride + j * lanes, sum[i][j]);
}

void product_fp32(const float* a, const float* packed, float* c, const ProductPart& part) {
  const int64_t n = part.n, k = part.k;
  for (int64_t p = 0; p < k; p += fp32_block) {
    const int64_t here = k - p < fp32_block ? k - p : fp32_block;
    for (int64_t rows = part.row; rows < part.row_end; rows += row_block) {
      const int64_t rows_end = part.row_end - rows < row_block ? part.row_end : rows + row_block;
      for (int64_t panel = part.panel; panel < part.panel_end; ++panel) {
        const float* b = packed + (panel * k + p) * panel_columns;
        int64_t i = rows;
        for (; i + tile_rows <= rows_end; i += tile_rows)
          fp32_tile<tile_rows>(a + i * k + p, k, b, here, c + i * n + panel * panel_columns, n, p == 0);
        for (; i < rows_end; ++i) fp32_tile<1>(a + i * k + p, k, b, here, c + i * n + panel * panel_columns, n, p == 0);
      }
    }
  }
}

template <int Rows>
ALWAYS_INLINE void int8_tile(const Activation* a, int64_t stride, const std::int8_t* b, int64_t k, std::int32_t* c, int64_t c_stride) {
  Ints sum[Rows][panel_vectors] = {};
  for (int64_t p = 0; p < k; p += depth, b += depth * panel_columns) {
    Operand right[panel_vectors];
    for (int j = 0; j < panel_vectors; ++j) right[j] = load_right(b + j * depth * lanes);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const Operand left = repeat(a + i * stride + p);
      for (int j = 0; j < panel_vectors; ++j) sum[i][j] = dot(sum[i][j], left, right[j]);
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < panel_vectors; ++j) store(c + i * c_stride + j * lanes, sum[i][j]);
}

void product_int8(const std::uint8_t* a, const std::int8_t* packed, std::int32_t* c, const ProductPart& part, std::int16_t* scratch) {
  const int64_t n = part.n, k = part.k;
  auto* left = reinterpret_cast<Activation*>(scratch);
  for (int64_t i = 0; i < (part.row_end - part.row) * k; ++i) left[i] = a[part.row * k + i];
  for (int64_t rows = part.row; rows < part.row_end; rows += row_block) {
    const int64_t rows_end = part.row_end - rows < row_block ? part.row_end : rows + row_block;
    for (int64_t panel = part.panel; panel < part.panel_end; ++panel) {
      const std::int8_t* b = packed + panel * k * panel_columns;
      int64_t i = rows;
      for (; i + tile_rows <= rows_end; i += tile_rows)
        int8_tile<tile_rows>(left + (i - part.row) * k, k, b, k, c + i * n + panel * panel_columns, n);
      for (; i < rows_end; ++i) int8_tile<1>(left + (i - part.row) * k, k, b, k, c + i * n + panel * panel_columns, n);
    }
  }
}

// --- row by row, and element by element
// ---------------------------------------------------------------------------------------------------

ALWAYS_INLINE float sum_of(Floats v) {
  float sum = 0;
  for (int l = 0; l < lanes; ++l) sum += v[l];
  return sum;
}

ALWAYS_INLINE Floats larger(Floats a, Floats b) { return a > b ? a : b; }

/// e^x within 2e-7 of it, for x from -87 to 0: 2^n by the exponent's bits, and a polynomial for the rest (its Taylor series to the sixth).
ALWAYS_INLINE Floats exponential(Floats x) {
  x = larger(x, Floats{} - 87.f);
  const Floats scaled = x * 1.44269504f - 0.5f;
  const Ints n = __builtin_convertvector(scaled, Ints);  // towards zero: the nearest whole number, for x below 0
  const Floats whole = __builtin_convertvector(n, Floats);
  const Floats r = x - whole * 0.693359375f + whole * 2.12194440e-4f;
  Floats e = Floats{} + 1.f / 720;
  e = e * r + 1.f / 120, e = e * r + 1.f / 24, e = e * r + 1.f / 6, e = e * r + 0.5f, e = e * r + 1, e = e * r + 1;
  return e * reinterpret_cast<Floats>((n + 127) << 23);
}

void softmax(const float* in, float* out, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row, in += columns, out += columns) {
    Floats most = load(in);
    for (int64_t i = lanes; i < columns; i += lanes) most = larger(most, load(in + i));
    float largest = most[0];
    for (int l = 1; l < lanes; ++l) largest = most[l] > largest ? most[l] : largest;
    Floats sum{};
    for (int64_t i = 0; i < columns; i += lanes) {
      const Floats e = exponential(load(in + i) - largest);
      sum += e;
      store(out + i, e);
    }
    const float scale = 1 / sum_of(sum);
    for (int64_t i = 0; i < columns; i += lanes) store(out + i, load(out + i) * scale);
  }
}

void layer_norm(const float* in, float* out, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row, in += columns, out += columns) {
    Floats sum{}, squares{};
    for (int64_t i = 0; i < columns; i += lanes) sum += load(in + i);
    const float mean = sum_of(sum) / static_cast<float>(columns);
    for (int64_t i = 0; i < columns; i += lanes) {
      const Floats d = load(in + i) - mean;
      squares += d * d;
    }
    const float scale = 1 / __builtin_sqrtf(sum_of(squares) / static_cast<float>(columns) + 1e-5f);
    for (int64_t i = 0; i < columns; i += lanes) store(out + i, (load(in + i) - mean) * scale);
  }
}

void row_sums(const float* in, float* out, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row, in += columns) {
    Floats sum[4] = {};
    int64_t i = 0;
    for (; i + 4 * lanes <= columns; i += 4 * lanes)
      for (int s = 0; s < 4; ++s) sum[s] += load(in + i + s * lanes);
    for (; i < columns; i += lanes) sum[0] += load(in + i);
    out[row] = sum_of(sum[0] + sum[1] + (sum[2] + sum[3]));
  }
}

void transpose(const float* in, float* out, int64_t rows, int64_t columns, int64_t column, int64_t height) {
  constexpr int64_t block = 16;  // a cache line of floats each way
  for (int64_t i = 0; i < rows; i += block)
    for (int64_t j = 0; j < columns; j += block)
      for (int64_t y = j; y < (columns < j + block ? columns : j + block); ++y)
        for (int64_t x = i; x < (rows < i + block ? rows : i + block); ++x) out[y * height + column + x] = in[x * columns + y];
}

void add(const float* a, const float* b, float* out, int64_t count) {
  for (int64_t i = 0; i < count; i += lanes) store(out + i, load(a + i) + load(b + i));
}

}  // namespace

const Kernels& ROOFLINE_KERNELS() {
  static constexpr Kernels kernels{
#if defined(__AVX512VNNI__)
      "AVX-512 with VNNI",
#elif defined(__AVX512F__)
      "AVX-512",
#elif defined(__AVX2__)
      "AVX2",
#elif defined(__wasm_simd128__)
      "WebAssembly, 128 bit",
#elif defined(__x86_64__)
      "SSE2, 128 bit",
#elif defined(__aarch64__)
      "NEON, 128 bit",
#else
      "128 bit",
#endif
      8 * bytes,
#if defined(__FMA__) || defined(__aarch64__)
      true,
#else
      false,
#endif
      {fp64, 2.0 * chains * bytes / 8},
      {fp32, 2.0 * chains * lanes},
      {int8, 2.0 * chains * lanes * depth},
      read,
      write,
      copy,
      panel_columns,
      depth,
      pack_fp32,
      pack_int8,
      product_fp32,
      product_int8,
      softmax,
      layer_norm,
      row_sums,
      transpose,
      add};
  return kernels;
}

}  // namespace roofline::measure
