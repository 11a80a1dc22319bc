// The formats that a model's weights are stored in, by class of tensor.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <roofline/machine/format.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace roofline {

/// A class of tensors. MLA's compressed queries count with the queries, its latents with the keys. `linear`: the projections of a gated
/// delta net; `indexer`: those of DeepSeek's sparse attention.
enum class WeightPart : std::uint8_t {
  embedding,
  head,
  q,
  k,
  v,
  o,
  kv_b,
  gate,
  up,
  down,
  experts,
  shared_experts,
  router,
  norms,
  linear,
  indexer
};
inline constexpr std::size_t weight_parts = 16;
template <>
inline constexpr std::array<const char*, weight_parts> names_of<WeightPart>{
    "embedding", "head",           "q",      "k",     "v",      "o",      "kv_b", "gate", "up", "down",
    "experts",   "shared_experts", "router", "norms", "linear", "indexer"};

/// A format for each class of tensors.
class WeightFormats {
 public:
  WeightFormats() { fill(no_format); }
  WeightFormats(FormatId all) { fill(all); }  // NOLINT(google-explicit-constructor): one format is a model's most usual form
  [[nodiscard]] FormatId operator[](WeightPart part) const { return formats_[static_cast<std::size_t>(part)]; }
  /// `bytes`: of an element on average, where tensors of the part are in several formats, of which `format` is the most usual; 0: its own.
  void set(WeightPart part, FormatId format, double bytes = 0) {
    formats_[static_cast<std::size_t>(part)] = format;
    mixed_bytes_[static_cast<std::size_t>(part)] = bytes;
    name_.clear();
  }
  void fill(FormatId format) {
    formats_.fill(format);
    mixed_bytes_.fill(0);
    name_.clear();
  }
  /// The name that text() returns instead of the list ("Q4_K_M"); any change of a part clears it.
  void name(std::string text) { name_ = std::move(text); }
  /// Bytes of an element on average where tensors of the part are in several formats; 0: they are in one.
  [[nodiscard]] double mixed_bytes(WeightPart part) const { return mixed_bytes_[static_cast<std::size_t>(part)]; }
  /// Bytes of an element of a part; NaN: the part has no format.
  [[nodiscard]] double bytes(WeightPart part) const {
    const FormatId format = (*this)[part];
    if (format == no_format) return std::numeric_limits<double>::quiet_NaN();
    return mixed_bytes(part) > 0 ? mixed_bytes(part) : Formats::catalogue()[format].bytes();
  }
  [[nodiscard]] auto begin() const { return formats_.begin(); }
  [[nodiscard]] auto end() const { return formats_.end(); }
  [[nodiscard]] bool uniform() const {
    return std::all_of(begin(), end(), [&](FormatId format) { return format == formats_[0]; });
  }
  bool operator==(const WeightFormats&) const = default;

  /// Sets the parts that `text` names: "experts=mxfp4,head=bf16,rest=fp8_e4m3". Beside the parts' own names, "attention" is q k v o kv_b
  /// linear indexer, "mlp" is gate up down, and "rest" is what `text` does not name. The error says which word was not understood.
  [[nodiscard]] Result<void> apply(std::string_view text);
  /// Sets the parts that have a format in `other`.
  void apply(const WeightFormats& other);
  /// The format of most parts; of several with the same count, the first.
  [[nodiscard]] FormatId most_usual() const;
  /// Whether any part has a format.
  [[nodiscard]] bool any() const {
    return std::any_of(begin(), end(), [](FormatId format) { return format != no_format; });
  }

  /// As apply() takes it, the shortest way: "fp16", "experts=mxfp4,rest=fp16"; or the name.
  [[nodiscard]] std::string text() const;

 private:
  std::array<FormatId, weight_parts> formats_;
  std::array<double, weight_parts> mixed_bytes_{};
  std::string name_;
};

/// The names to show for a format or for a list as apply() takes it: "FP16", "experts MXFP4, the rest FP16". Unknown ids stay as they are.
[[nodiscard]] std::string format_names(std::string_view text);

}  // namespace roofline
