// Every instruction set of this processor computes what plain loops do.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "catch.hpp"
#include "probes/choice.hpp"

using namespace roofline::measure;

namespace {

std::vector<float> numbers(std::size_t count, int seed) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>((i * 37 + static_cast<std::size_t>(seed) * 11) % 101) / 16 - 3;
  return out;
}

/// What all lanes of all chains add up to after `rounds` of x = x * 0.999 + 0.5, from 0, 1, 2, ...
template <class Number>
double multiply_add(int chains, int lanes, int rounds) {
  double sum = 0;
  for (int i = 0; i < chains; ++i) {
    Number x = static_cast<Number>(i);
    for (int r = 0; r < rounds; ++r) x = x * static_cast<Number>(0.999) + static_cast<Number>(0.5);
    sum += static_cast<double>(x) * lanes;
  }
  return sum;
}

/// The same of INT8's chains: x plus its halves (depth 2, signed) or bytes (depth 4, unsigned) times 3 and 5 in turn, modulo 2^32.
double dot_chains(int chains, int lanes, int depth, int rounds) {
  double sum = 0;
  for (int i = 0; i < chains; ++i) {
    auto x = static_cast<std::uint32_t>(i);
    for (int r = 0; r < rounds; ++r) {
      std::uint32_t add = 0;
      for (int d = 0; d < depth; ++d) {
        const std::int32_t part = depth == 2 ? static_cast<std::int16_t>(x >> 16 * d) : static_cast<std::int32_t>(x >> 8 * d & 255);
        add += static_cast<std::uint32_t>(part * (d % 2 == 0 ? 3 : 5));
      }
      x += add;
    }
    sum += static_cast<double>(static_cast<std::int32_t>(x)) * lanes;
  }
  return sum;
}

}  // namespace

TEST_CASE("measure: arithmetic in registers computes each chain") {
  for (const Kernels* k : runnable_kernels()) {
    INFO(k->name);
    const int lanes = k->vector_bits / 32;
    const auto chains = [](double operations, int per_chain) { return static_cast<int>(operations / 2 / per_chain); };
    for (const int rounds : {0, 1, 50}) {
      CHECK_THAT(k->fp64.run(rounds),
                 WithinRel(multiply_add<double>(chains(k->fp64.operations_per_round, lanes / 2), lanes / 2, rounds), 1e-12));
      CHECK_THAT(k->fp32.run(rounds), WithinRel(multiply_add<float>(chains(k->fp32.operations_per_round, lanes), lanes, rounds), 1e-5));
      CHECK(k->int8.run(rounds) == dot_chains(chains(k->int8.operations_per_round, lanes * k->int8_depth), lanes, k->int8_depth, rounds));
    }
  }
}

TEST_CASE("measure: walks read, write and copy every byte") {
  constexpr std::size_t count = 3 * 1024 / 4 * 4;
  for (const Kernels* k : runnable_kernels()) {
    INFO(k->name);
    std::vector<float> from(count), to(count, -1);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(from[i] = static_cast<float>(i % 13));
    CHECK(k->read(from.data(), count * 4) == static_cast<float>(sum));
    k->copy(to.data(), from.data(), (count - 1024) * 4);
    CHECK(std::memcmp(to.data(), from.data(), (count - 1024) * 4) == 0);
    CHECK(to[count - 1024] == -1);
    k->write(to.data(), 1024 * 4, 7);
    CHECK(std::vector<float>(to.begin(), to.begin() + 1024) == std::vector<float>(1024, 7));
    CHECK(to[1024] == from[1024]);
  }
}

TEST_CASE("measure: matrix products in FP32 and INT8, whole and in parts") {
  for (const Kernels* k : runnable_kernels()) {
    INFO(k->name);
    const std::int64_t m = 101, n = 3 * k->panel_columns, depth = 520;  // no tile, block of rows or of k divides them
    std::vector<float> a(static_cast<std::size_t>(m * depth)), b(static_cast<std::size_t>(depth * n)), packed(b.size());
    std::vector<std::uint8_t> a8(a.size());
    std::vector<std::int8_t> b8(b.size()), packed8(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a8[i] = static_cast<std::uint8_t>(i * 37 % 251);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = b8[i] = static_cast<std::int8_t>(i * 31 % 255);
    k->pack_fp32(b.data(), packed.data(), n, depth);
    k->pack_int8(b8.data(), packed8.data(), n, depth);
    std::vector<float> c(static_cast<std::size_t>(m * n), -1);
    std::vector<std::int32_t> c8(c.size(), -1);
    std::vector<std::int16_t> scratch(a.size());
    for (const ProductPart& part :
         {ProductPart{n, depth, 0, m, 0, 1}, ProductPart{n, depth, 0, 7, 1, 3}, ProductPart{n, depth, 7, m, 1, 3}}) {
      k->product_fp32(a.data(), packed.data(), c.data(), part);
      k->product_int8(a8.data(), packed8.data(), c8.data(), part, scratch.data());
    }
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        std::int32_t sum = 0;  // below 2^24, so that FP32 is exact, too
        for (std::int64_t p = 0; p < depth; ++p)
          sum += a8[static_cast<std::size_t>(i * depth + p)] * b8[static_cast<std::size_t>(p * n + j)];
        const auto at = static_cast<std::size_t>(i * n + j);
        wrong += c8[at] != sum || c[at] != static_cast<float>(sum);
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("measure: softmax, layer norm, sums, transposition and addition") {
  constexpr std::int64_t rows = 5, columns = 144;
  const auto in = numbers(rows * columns, 1), other = numbers(rows * columns, 2);
  for (const Kernels* k : runnable_kernels()) {
    INFO(k->name);
    std::vector<float> soft(in.size()), norm(in.size()), added(in.size()), turned(2 * in.size(), -1), sums(rows);
    k->softmax(in.data(), soft.data(), rows, columns);
    k->layer_norm(in.data(), norm.data(), rows, columns);
    k->row_sums(in.data(), sums.data(), rows, columns);
    k->add(in.data(), other.data(), added.data(), rows * columns);
    k->transpose(in.data(), turned.data(), rows, columns, 3, 2 * rows);
    double worst = 0;
    const auto differs = [&worst](double found, double expected, double scale) {
      worst = std::max(worst, std::abs(found - expected) / scale);
    };
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* row = in.data() + r * columns;
      double largest = row[0], exponentials = 0, sum = 0, squares = 0;
      for (std::int64_t i = 0; i < columns; ++i) largest = std::max<double>(largest, row[i]), sum += row[i];
      for (std::int64_t i = 0; i < columns; ++i) exponentials += std::exp(row[i] - largest), squares += std::pow(row[i] - sum / columns, 2);
      differs(sums[static_cast<std::size_t>(r)], sum, 1000);
      for (std::int64_t i = 0; i < columns; ++i) {
        const auto at = static_cast<std::size_t>(r * columns + i);
        const double e = std::exp(row[i] - largest) / exponentials;
        differs(soft[at], e, e);
        differs(norm[at], (row[i] - sum / columns) / std::sqrt(squares / columns + 1e-5), 4);
        differs(added[at], static_cast<double>(in[at]) + other[at], 8);
        differs(turned[static_cast<std::size_t>(i * 2 * rows + 3 + r)], row[i], 4);
      }
    }
    CHECK(worst < 2e-6);
    CHECK(turned[2] == -1);
  }
}
