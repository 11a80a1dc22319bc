// Names, types, shapes and work as hashes, so that a million operations match in one pass of each kind.
#include "analysis/runs/match.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/bit_cast.hpp"
#include "base/interner.hpp"
#include "workload/layer_nodes.hpp"

namespace roofline {
namespace {

std::uint64_t mixed(std::uint64_t h, std::uint64_t more) { return (h ^ more) * 0xD6E8FEB86659FD93ull; }
std::uint64_t mixed(std::uint64_t h, double more) {
  h = mixed(h, bit_cast<std::uint64_t>(more));
  return h ^ h >> 29;
}
/// Never 0, which matches nothing.
std::uint64_t key(std::uint64_t h) { return (h ^ h >> 31) | 1; }

/// The operations of a run.
struct Run {
  const Workload& w;
  const RowMask& in;
  std::vector<std::uint32_t> found;  ///< per row: the operation of the other run
  std::vector<std::uint64_t> types;  ///< per class, hashes of original_type(): one for Conv, FusedConv and QLinearConv

  Run(const Workload& workload, const RowMask& operations) : w(workload), in(operations), found(workload.size(), no_op) {
    for (const OpClass& c : w.classes) types.push_back(hash_text(original_type(c.type)));
  }
  [[nodiscard]] std::uint64_t type(std::size_t i) const { return types[w.op_class[i]]; }
  /// original_node() of it; empty: it has no name.
  [[nodiscard]] std::string_view name(std::size_t i) const {
    return i < w.name.size() ? original_node(std::string_view(w.text).substr(w.name[i].offset, w.name[i].length)) : std::string_view();
  }
  template <class Use>
  void each_unmatched(const Use& use) const {
    for (std::size_t i = 0; i < w.size(); ++i)
      if (found[i] == no_op && is_operation(in, i)) use(i);
  }
};

std::uint64_t name_and_type(const Run& r, std::size_t i) { return hash_text(r.name(i)) * 0x9E3779B97F4A7C15ull ^ r.type(i); }
std::uint64_t by_name_and_shape(const Run& r, std::size_t i) {
  return key(i < r.w.shape_hash.size() ? mixed(name_and_type(r, i), std::uint64_t{r.w.shape_hash[i]}) : name_and_type(r, i));
}
std::uint64_t by_name(const Run& r, std::size_t i) { return r.name(i).empty() ? 0 : key(name_and_type(r, i)); }

/// Type, FLOPs and elements of one occurrence: equal shapes have equal work, whichever tool reports it. 0: no work is known.
std::uint64_t by_work(const Run& r, std::size_t i) {
  const Workload& w = r.w;
  std::uint64_t h = r.type(i);
  bool any = false;
  for (const auto* column : {&w.matrix_flops, &w.vector_flops, &w.weight, &w.activation, &w.output, &w.kv_read, &w.kv_write}) {
    const double work = column->empty() ? 0 : (*column)[i] / w.count_of(i);
    any = any || work > 0;
    h = mixed(h, work);
  }
  return any ? key(h) : 0;
}

/// Type and sizes, which do not depend on formats and further operands; else the shapes as stated. 0: neither is known.
std::uint64_t by_shape(const Run& r, std::size_t i) {
  const Workload& w = r.w;
  if (const OpSizes s = w.sizes_of(i); s.known()) {
    std::uint64_t h = r.type(i);
    for (const double size : {s.m, s.n, s.k, s.batch, s.heads, s.window}) h = mixed(h, size);
    return known(s.m + s.n + s.k) ? key(h) : 0;
  }
  const bool has_shape = !w.output.empty() && w.output[i] > 0;  // 0 if only bytes are stated
  return has_shape && i < w.shape_hash.size() && w.shape_hash[i] != 0 ? key(mixed(r.type(i), std::uint64_t{w.shape_hash[i]})) : 0;
}

/// Type and name without its numbers: equal for "Conv_12 + Relu_13" and "Conv_14 + Relu_15". 0: it has no name.
std::uint64_t by_stem(const Run& r, std::size_t i) {
  std::uint64_t h = r.type(i);
  bool in_number = false;
  for (const char c : r.name(i)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || !in_number) h = (h ^ static_cast<unsigned char>(digit ? '0' : c)) * 0x100000001B3ull;
    in_number = digit;
  }
  return r.name(i).empty() ? 0 : key(h);
}

class Matcher {
 public:
  Matcher(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b)
      : a_(a, in_a), b_(b, in_b), renamed_(a.size(), 0) {}

  /// Equal keys are matched in order: the k-th of one run with the k-th of the other.
  template <class KeyOf>
  void pass(const KeyOf& key_of) {
    const Keys left = keys(a_, key_of), right = keys(b_, key_of);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
      if (l->first < r->first) {
        ++l;
      } else if (r->first < l->first) {
        ++r;
      } else {
        a_.found[l->second] = r->second;
        b_.found[r->second] = l->second;
        renamed_[l->second] = a_.name(l->second) != b_.name(r->second) ? 1 : 0;
        ++l, ++r;
      }
    }
  }

  /// Matches equal names of equal work or shape, whatever the formats.
  void match_reformatted() {
    for (const auto& key_of : {by_work, by_shape})
      pass([&](const Run& r, std::size_t i) {
        const std::uint64_t name = by_name(r, i), k = key_of(r, i);
        return name != 0 && k != 0 ? key(mixed(name, k)) : 0;
      });
  }

  /// Matches names that differ only in their numbers, unless those of a stem are the same in both runs: they identify the operations,
  /// whatever their shapes, as in a network that was made wider.
  void match_renumbered() {
    std::unordered_map<std::uint64_t, std::uint64_t> difference;  // per stem: the sum of the names' hashes in a, minus that in b
    a_.each_unmatched([&](std::size_t i) { difference[by_stem(a_, i)] += by_name(a_, i); });
    b_.each_unmatched([&](std::size_t i) { difference[by_stem(b_, i)] -= by_name(b_, i); });
    for (const auto& key_of : {by_work, by_shape})
      pass([&](const Run& r, std::size_t i) {
        const std::uint64_t name = by_stem(r, i), k = key_of(r, i);
        return name != 0 && k != 0 && difference[name] != 0 ? key(mixed(name, k)) : 0;
      });
  }

  Matches take() { return {std::move(a_.found), std::move(b_.found), std::move(renamed_)}; }

 private:
  using Keys = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  template <class KeyOf>
  static Keys keys(const Run& run, const KeyOf& key_of) {
    Keys out;
    run.each_unmatched([&](std::size_t i) {
      if (const std::uint64_t k = key_of(run, i); k != 0) out.emplace_back(k, static_cast<std::uint32_t>(i));
    });
    std::sort(out.begin(), out.end());
    return out;
  }

  Run a_, b_;
  std::vector<std::uint8_t> renamed_;
};

}  // namespace

Matches match(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b) {
  Matcher matcher(a, in_a, b, in_b);
  matcher.pass(by_name_and_shape);
  matcher.match_reformatted();
  matcher.match_renumbered();
  matcher.pass(by_name);
  matcher.pass(by_work);
  matcher.pass(by_shape);
  return matcher.take();
}

}  // namespace roofline
