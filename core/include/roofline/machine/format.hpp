// The catalogue of number formats. One JSON file per format under presets/formats.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/names.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Index into Formats::all(). `no_format` stands for "this operand does not exist" or "not known".
using FormatId = std::uint8_t;
inline constexpr FormatId no_format = 255;

enum class FormatFamily : std::uint8_t { floating, integer };

/// One number format as it is stored.
struct Format {
  std::string id;    ///< "fp8_e4m3"
  std::string name;  ///< "FP8 E4M3"
  FormatFamily family = FormatFamily::floating;
  double bits = 0;                    ///< bits of one element, scales not counted
  int exponent_bits = 0;              ///< floating formats; of a code book (NF4): of its entries
  int mantissa_bits = 0;              ///< likewise, the hidden bit not counted
  int block = 1;                      ///< elements that share a scale
  double scale_bits = 0;              ///< bits of scales and zero points per block
  double storage_bits = 0;            ///< bits of one element in memory before scales (TF32: 32)
  double max_value = 0;               ///< largest finite value of an element before scaling
  std::string scale_format;           ///< what a scale is kept in: "e8m0" (a power of two) or a floating format's id; "": no scale
  bool zero_point = false;            ///< elements run from 0 to max_value, and a zero point per block moves them
  bool tensor_scale = false;          ///< block scales are themselves multiples of an FP32 scale per tensor (NVFP4)
  bool weights_only = false;          ///< nobody keeps activations in it
  std::vector<double> codes;          ///< of a code book: its entries, ascending
  std::vector<std::string> aliases;   ///< matched in any case, punctuation ignored
  std::vector<std::string> fallback;  ///< what it computes as where a machine lacks it, first choice first
  std::string note;
  std::string source;

  /// Bits one element costs in memory, its share of the scales included (MXFP4: 4.25).
  [[nodiscard]] double effective_bits() const { return storage_bits + scale_bits / block; }
  /// Bytes one element costs in memory.
  [[nodiscard]] double bytes() const { return effective_bits() / 8; }
  /// "INT4 weights in groups of 128": `operands` in a format named "INT4, groups of 128".
  [[nodiscard]] std::string describe(std::string_view operands) const;
  /// True where it is laid down how numbers are rounded to it, so that the error of that can be measured (see accuracy.hpp).
  [[nodiscard]] bool quantises() const { return !scale_format.empty() || (family == FormatFamily::floating && block == 1); }
  /// True where an element is an index into a table (NF4), not a number in itself.
  [[nodiscard]] bool code_book() const { return family == FormatFamily::floating && bits < 1 + exponent_bits + mantissa_bits; }
};

/// The catalogue: immutable, built once from the presets compiled into the library.
class Formats {
 public:
  [[nodiscard]] static const Formats& catalogue();

  /// By id or alias in any case, punctuation ignored ("INT8", "f16", "Half"), with or without a qualifier before it
  /// ("torch.bfloat16", "c10::Half", "tensor(float16)"); nullopt where unknown.
  [[nodiscard]] std::optional<FormatId> find(std::string_view name) const;
  [[nodiscard]] const Format& operator[](FormatId id) const { return formats_[id]; }
  [[nodiscard]] static const std::string& id_of(FormatId format);  ///< in the catalogue; empty for no_format
  [[nodiscard]] static bool is_integer(FormatId format);           ///< false for no_format
  [[nodiscard]] const std::vector<Format>& all() const { return formats_; }
  [[nodiscard]] std::size_t size() const { return formats_.size(); }

  /// True where every element of `inner` is exactly an element of `outer` (INT4 in FP16, BF16 in TF32). Block scales are left out:
  /// they multiply sums of products, not elements.
  [[nodiscard]] bool holds(FormatId outer, FormatId inner) const;

  /// Ids close to a mistyped name, best first, at most three.
  [[nodiscard]] std::vector<std::string> near(std::string_view name) const;

  /// `unknown format "fp15": did you mean fp16?`
  [[nodiscard]] std::string unknown_name_message(std::string_view name) const;

  explicit Formats(std::vector<Format> formats);

 private:
  std::vector<Format> formats_;
  std::vector<std::pair<std::string, FormatId>> names_;  // sorted, normalised
};

}  // namespace roofline
