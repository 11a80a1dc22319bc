#include <roofline/workload/record.hpp>

#include "base/interner.hpp"

namespace roofline {

std::uint64_t Record::shape_hash() const {
  constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ull;
  std::uint64_t sum = 0;  // a sum, so that the order of the fields does not matter
  for (const Key k : used_) {
    if (k == key::name || k == key::time_ns || k == key::time_us || k == key::time_ms || k == key::time_s || k == key::predicted_ns ||
        k == key::count || k == key::hw_bytes || k == key::note || k == key::category || k == key::module || k == key::merged ||
        k == key::step)
      continue;
    const Value& v = values_[k];
    std::uint64_t h = (k + 1) * prime;
    const auto mix = [&h](double number) {
      std::uint64_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      h = (h ^ bits) * prime;
      h ^= h >> 29;
    };
    const auto mix_list = [&](std::span<const double> list) {
      for (const double number : list) mix(number);
      mix(-static_cast<double>(list.size()));
    };
    if (v.kind == Value::Kind::number || v.kind == Value::Kind::boolean) mix(v.number);
    if (v.kind == Value::Kind::string) h ^= hash_text(v.string);
    if (v.kind == Value::Kind::list) mix_list(list(k));
    for (std::size_t i = 0; i < shape_count(k); ++i) mix_list(shape(k, i));
    sum += h;
  }
  return sum;
}

}  // namespace roofline
