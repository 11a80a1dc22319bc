// Formats by the names of a model's modules.
#pragma once

#include <algorithm>
#include <map>
#include <roofline/llm/model.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "llm/model/module_pattern.hpp"

namespace roofline {

/// A format, and the bits of an element where they are not the format's, scales included. no_format: 16 bits.
struct StoredFormat {
  FormatId format = no_format;
  double bits = 0;
  bool operator==(const StoredFormat&) const = default;
};

/// The modules that a configuration gives a format, or keeps as they are.
class FormatAssignment {
 public:
  /// Adds notes to the model on patterns that are not supported.
  explicit FormatAssignment(Model& model) : model_(model), layers_(static_cast<int>(std::clamp(model.layers, 1.0, 1e3))) {}

  /// Goes before any format that give() or give_linear() has for the module.
  void keep(const std::string& pattern, PatternSyntax syntax = PatternSyntax::names);
  /// Of several patterns that name a module the first decides.
  void give(const std::string& pattern, const StoredFormat& format, PatternSyntax syntax = PatternSyntax::names);
  /// All linear layers within the blocks that no pattern names.
  void give_linear(const StoredFormat& format) { linear_ = format; }

  /// Each class in the format that most of its elements have, at the bits per element of all of them. Classes that keep 16 bits have none.
  /// Notes a pattern that names no module known here.
  [[nodiscard]] WeightFormats formats();

 private:
  struct Entry {
    ModulePattern pattern;
    StoredFormat format;
    std::string text;
    bool names_any = false;
  };
  class PatternList {
   public:
    void add(Entry entry);
    [[nodiscard]] Entry* first(std::string_view module);
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

   private:
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t, std::less<>> literals_;  ///< configurations may list thousands of modules
    std::vector<std::size_t> others_;
  };

  void add(PatternList& to, Entry entry, PatternSyntax syntax, const char* consequence);
  [[nodiscard]] StoredFormat of(WeightPart part, const std::vector<const char*>& names, int layer);
  void note_unused_patterns();

  Model& model_;
  int layers_;
  PatternList kept_, given_;
  StoredFormat linear_;
};

}  // namespace roofline
