// Elements of a tensor, as doubles.
#include <cmath>
#include <limits>
#include <roofline/tensor/tensor.hpp>

#include "base/bit_cast.hpp"

namespace roofline {
namespace {

std::uint64_t bits_of(const char* at, const ElementType& type) {
  std::uint64_t bits = 0;
  for (int i = 0; i < type.bytes; ++i) {
    const int place = type.big_endian ? type.bytes - 1 - i : i;
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * place);
  }
  return bits;
}

double floating(std::uint64_t bits, const ElementType& type) {
  if (type.mantissa_bits == 52) return bit_cast<double>(bits);
  if (type.mantissa_bits == 23) return static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const int largest = (1 << type.exponent_bits) - 1, bias = largest / 2;
  const auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << type.mantissa_bits) - 1));
  const auto exponent = static_cast<int>(bits >> type.mantissa_bits) & largest;
  const std::int64_t hidden = std::int64_t{1} << type.mantissa_bits;
  if (exponent == largest && (type.infinities || mantissa == hidden - 1)) return std::numeric_limits<double>::quiet_NaN();
  const auto significand = static_cast<double>(exponent == 0 ? mantissa : mantissa + hidden);
  const double magnitude = std::ldexp(significand, (exponent == 0 ? 1 : exponent) - bias - type.mantissa_bits);
  return bits >> (type.exponent_bits + type.mantissa_bits) & 1 ? -magnitude : magnitude;
}

double integer(std::uint64_t bits, const ElementType& type) {
  if (!type.is_signed) return static_cast<double>(bits);
  const int unused = 64 - 8 * type.bytes;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

std::uint64_t TensorInfo::elements() const {
  std::uint64_t n = 1;
  for (const std::uint64_t length : shape) n *= length;
  return n;
}

std::uint64_t TensorInfo::row() const {
  if (shape.size() < 2) return elements();
  return elements() / (reversed ? shape.back() : shape.front());
}

Values tensor_values(const TensorInfo& tensor, std::string_view bytes) {
  return {tensor.elements(), tensor.row(), [type = tensor.element, bytes](std::uint64_t first, std::span<double> out) {
            const char* at = bytes.data() + first * static_cast<std::uint64_t>(type.bytes);
            for (double& value : out) {
              const std::uint64_t bits = bits_of(at, type);
              value = type.floating ? floating(bits, type) : integer(bits, type);
              at += type.bytes;
            }
          }};
}

}  // namespace roofline
