// Formats by the names of a model's modules.
#pragma once

#include <algorithm>
#include <map>
#include <roofline/llm/model.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "llm/model/first_name.hpp"
#include "llm/model/module_pattern.hpp"

namespace roofline {

/// A format, and the bits of an element where they are not the format's, scales included. no_format: 16 bits.
struct StoredFormat {
  FormatId format = no_format;
  double bits = 0;
  bool operator==(const StoredFormat&) const = default;
};

/// Assigns formats to the modules that a configuration names; excluded modules keep 16 bits.
class FormatAssignment {
 public:
  explicit FormatAssignment(Model& model) : model_(model), layers_(static_cast<int>(std::clamp(model.layers, 1.0, 1e3))) {}

  /// Takes precedence over assign() and assign_linear().
  void exclude(const std::string& pattern, PatternSyntax syntax = PatternSyntax::glob_or_re);
  /// If several patterns match a module, the first decides.
  void assign(const std::string& pattern, const StoredFormat& format, PatternSyntax syntax = PatternSyntax::glob_or_re);
  /// All linear layers within the blocks that no pattern matches.
  void assign_linear(const StoredFormat& format) { linear_ = format; }

  /// Each class in the format that most of its elements have, at the bits per element of all of them. Classes that keep 16 bits have none.
  /// Notes, in the model, patterns that are not supported or take too long, and the first that matches no known module.
  [[nodiscard]] WeightFormats formats();

 private:
  struct Entry {
    ModulePattern pattern;
    StoredFormat format;
    std::string text;
    bool matched = false;
  };
  class PatternList {
   public:
    void add(Entry entry);
    /// The first that matches; marks all that do. Takes the time from `steps`.
    [[nodiscard]] const Entry* first(std::string_view module, int& steps);
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

   private:
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t, std::less<>> literals_;                   ///< configurations may list thousands of modules
    std::map<std::string, std::vector<std::size_t>, std::less<>> non_literals_;  ///< by prefix
  };

  void add(PatternList& to, Entry entry, PatternSyntax syntax);
  [[nodiscard]] StoredFormat format_of(WeightPart part, const std::vector<const char*>& names, int layer);
  void note_patterns();

  Model& model_;
  int layers_;
  PatternList excluded_, assigned_;
  StoredFormat linear_;
  FirstName unsupported_;
  int steps_ = 5'000'000;  ///< left for patterns; about 1 s
};

}  // namespace roofline
