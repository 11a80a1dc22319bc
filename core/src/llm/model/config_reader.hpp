// Reads the values of a config.json and remembers what is wrong: everything missing at once, the first wrong value.
#pragma once

#include <cmath>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "llm/member_reader.hpp"

namespace roofline {

/// How often a list has the text.
[[nodiscard]] double count_of(const Json& list, std::string_view text);

class ConfigReader : public MemberReader {
 public:
  explicit ConfigReader(const Json& json) : MemberReader(json), takes_means_(member(json, "sizes_are_means") == Json(true)) {}

  /// A whole number from `least` to a billion, of the first of `keys` that is present; `otherwise` if absent; NaN makes the key required.
  /// In a config whose sizes are means over layers that differ ("sizes_are_means", of GGUF files), any number.
  double size(std::span<const char* const> keys, double otherwise = std::nan(""), double least = 1);
  double size(std::initializer_list<const char*> keys, double otherwise = std::nan(""), double least = 1) {
    return size(std::span(keys.begin(), keys.size()), otherwise, least);
  }
  bool flag(std::initializer_list<const char*> keys, bool otherwise);
  double fraction(std::initializer_list<const char*> keys, double otherwise);

  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  /// The first that is present; null: none is.
  [[nodiscard]] const char* find(std::span<const char* const> keys) const;

  bool takes_means_;
  std::vector<std::string> missing_;
};

}  // namespace roofline
