// Regular expressions over the names of modules, by Python's rules.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Alternatives, groups, classes of characters, repetitions and the anchors ^ and $. Not lookaround, back-references and flags.
/// std::regex would do, but throws, which the WebAssembly build cannot, and takes exponential time for some patterns.
class ModuleRegex {
 public:
  /// nullopt: malformed or not supported.
  [[nodiscard]] static std::optional<ModuleRegex> parse(std::string_view pattern);
  /// Whether `text`, of at most 63 characters, contains a match; `at_start`: begins with one. Takes the steps of the match, about 0.2 us
  /// each, from `steps`; false where it has none left.
  [[nodiscard]] bool matches(std::string_view text, bool at_start, int& steps) const;
  /// Begins every text that begins with a match.
  [[nodiscard]] std::string_view prefix() const;

  struct Node {
    enum class Kind : std::uint8_t { text, character, sequence, alternatives, begin, end };
    Kind kind = Kind::sequence;
    std::string text = {};
    std::bitset<256> characters = {};  ///< of a character: those it may be
    std::vector<Node> parts = {};
    int least = 1, most = 1;  ///< repetitions
  };

 private:
  Node root_;
};

}  // namespace roofline
