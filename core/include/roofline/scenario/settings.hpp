// The settings of a Scenario, each once: reading and writing roofline_config.json, `--set`, telling such a file from others, messages, the
// table in docs/formats/formats.md and the page's inputs all come from these rows. A new setting is its member, its row here, and its use.
#pragma once

#include <roofline/scenario/scenario.hpp>
#include <span>
#include <variant>

namespace roofline {

/// Where a setting stands in a scenario. The type there says how it is read and written.
template <class T>
using FieldOf = T& (*)(Scenario&);
using SettingMember = std::variant<FieldOf<double>, FieldOf<std::optional<double>>, FieldOf<std::optional<FormatId>>, FieldOf<Tile>,
                                   FieldOf<Machine>, FieldOf<std::optional<Machine>>, FieldOf<FormatRates>, FieldOf<NamedRates>,
                                   FieldOf<std::optional<StackId>>, FieldOf<MachineBasis>>;

/// What a number counts, and which are accepted.
struct Quantity {
  std::string_view unit;      ///< "%", "GB/s"
  std::string_view expected;  ///< for messages: "percent, 0 to 100"
  double least = 0, most = 0;
  double per = 1;      ///< of the unit in one of the member's: 100% are 1
  bool whole = false;  ///< no fractions
};

struct Setting {
  std::string_view key;  ///< of roofline_config.json and --set; "whatif.weight" is the member `weight` of the section `whatif`
  SettingMember member;
  Quantity quantity = {};  ///< of numbers and rates

  /// "number", "format", "tile", "machine", "rates by format", "rates by name", "stack" or "machine basis".
  [[nodiscard]] std::string_view kind() const;
};

/// In the order in which a config is written.
[[nodiscard]] std::span<const Setting> settings();

/// Is it a key at the top of a roofline_config.json: of a setting, or of a section of them?
[[nodiscard]] bool is_settings_key(std::string_view key);

/// The table as JSON, by key, one row on a line: {"kind", "label", "unset", "sentence", and of numbers "unit", "least", "most", "whole",
/// "from", "to", "step", and "default" where it always has a value}.
[[nodiscard]] std::string settings_json();

}  // namespace roofline
