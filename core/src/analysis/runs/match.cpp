// Names, types, shapes and work as hashes, so that a million operations match in one pass of each kind.
#include "analysis/runs/match.hpp"

#include <algorithm>

#include "base/bit_cast.hpp"
#include "base/interner.hpp"

namespace roofline {
namespace {

bool named(const Workload& w, std::size_t i) { return i < w.name.size() && w.name[i].length > 0; }

std::uint64_t mixed(std::uint64_t h, std::uint64_t more) { return (h ^ more) * 0xD6E8FEB86659FD93ull; }
/// Never 0, which matches nothing.
std::uint64_t key(std::uint64_t h) { return (h ^ h >> 31) | 1; }

std::uint64_t name_and_type(const Workload& w, std::size_t i) {
  const std::string_view name = named(w, i) ? std::string_view(w.text).substr(w.name[i].offset, w.name[i].length) : std::string_view();
  return hash_text(name) * 0x9E3779B97F4A7C15ull ^ hash_text(w.class_of(i).type);
}
std::uint64_t by_shape(const Workload& w, std::size_t i) {
  return key(i < w.shape_hash.size() ? mixed(name_and_type(w, i), w.shape_hash[i]) : name_and_type(w, i));
}
std::uint64_t by_name(const Workload& w, std::size_t i) { return named(w, i) ? key(name_and_type(w, i)) : 0; }

/// Type, FLOPs and elements of one occurrence: what a shape comes to, whichever tool wrote it down.
std::uint64_t by_work(const Workload& w, std::size_t i) {
  std::uint64_t h = hash_text(w.class_of(i).type);
  bool any = false;
  for (const auto* column : {&w.matrix_flops, &w.vector_flops, &w.weight, &w.activation, &w.output, &w.kv_read, &w.kv_write}) {
    const double work = column->empty() ? 0 : (*column)[i] / w.count_of(i);
    any = any || work > 0;
    h = mixed(h, bit_cast<std::uint64_t>(work));
    h ^= h >> 29;
  }
  return any ? key(h) : 0;
}

class Matcher {
 public:
  Matcher(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b) : a_(a), b_(b), in_a_(in_a), in_b_(in_b) {
    found_.of_a.assign(a.size(), no_op);
    found_.of_b.assign(b.size(), no_op);
    found_.by_work.assign(a.size(), 0);
  }

  /// Equal keys are matched in order: the k-th of one run with the k-th of the other.
  void pass(std::uint64_t (*key_of)(const Workload&, std::size_t)) {
    const Keys left = keys(a_, in_a_, found_.of_a, key_of), right = keys(b_, in_b_, found_.of_b, key_of);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
      if (l->first < r->first) {
        ++l;
      } else if (r->first < l->first) {
        ++r;
      } else {
        found_.of_a[l->second] = r->second;
        found_.of_b[r->second] = l->second;
        found_.by_work[l->second] = key_of == by_work ? 1 : 0;
        ++l, ++r;
      }
    }
  }
  Matches take() { return std::move(found_); }

 private:
  using Keys = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  static Keys keys(const Workload& w, const RowMask& in, const std::vector<std::uint32_t>& taken,
                   std::uint64_t (*key_of)(const Workload&, std::size_t)) {
    Keys out;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (taken[i] == no_op && is_operation(in, i))
        if (const std::uint64_t k = key_of(w, i); k != 0) out.emplace_back(k, static_cast<std::uint32_t>(i));
    std::sort(out.begin(), out.end());
    return out;
  }

  const Workload &a_, &b_;
  const RowMask &in_a_, &in_b_;
  Matches found_;
};

}  // namespace

Matches match(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b) {
  Matcher matcher(a, in_a, b, in_b);
  for (const auto& key_of : {by_shape, by_name, by_work}) matcher.pass(key_of);
  return matcher.take();
}

}  // namespace roofline
