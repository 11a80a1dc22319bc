// A Scenario is what a user can turn: machine, thresholds, units, what-if. Pure data: it is what the page's link holds.
#pragma once

#include <map>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/stack.hpp>
#include <roofline/scenario/overhead.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Another format, batch or machine, compared with today. Formats that are not set stay as the source has them.
struct WhatIf {
  std::optional<FormatId> weight, activation, output, kv;
  double batch_scale = 1;          ///< scales FLOPs, activations, outputs and KV, not weights
  double peak_scale = 1;           ///< every compute peak times this
  double bandwidth_scale = 1;      ///< every memory channel times this
  std::optional<Machine> machine;  ///< another machine altogether, before the scales

  [[nodiscard]] bool active() const { return *this != WhatIf(); }
  bool operator==(const WhatIf&) const = default;
};

/// Typed for a whole memory or link, or for the channels of a memory that has two; GB/s.
struct ChannelRates {
  std::optional<double> whole, read, write;
  bool operator==(const ChannelRates&) const = default;
};
using FormatRates = std::map<FormatId, double>;
using NamedRates = std::map<std::string, ChannelRates>;

/// Rates as typed by a user, in the units that `ops_per_mac` chooses: they stand over the machine's own until taken back.
struct TypedRates {
  std::optional<double> peak_tops;         ///< every format, both units; TOPS
  std::optional<double> mem_bw;            ///< the device memory; GB/s
  FormatRates matrix_peaks, vector_peaks;  ///< TOPS
  NamedRates bandwidths;
  bool operator==(const TypedRates&) const = default;
};

/// How a scenario came by its machine.
enum class MachineBasis : std::uint8_t {
  assumed,  ///< nobody said which: it is a usual one
  guessed,  ///< by words in the source, and nobody has confirmed it
  stated,   ///< by the source itself
  chosen    ///< by the user
};
template <>
inline constexpr auto names_of<MachineBasis> = std::to_array<const char*>({"assumed", "guessed", "stated", "chosen"});

/// Fractions, not percent.
struct Scenario {
  Machine base;  ///< the machine as chosen
  MachineBasis basis = MachineBasis::assumed;
  TypedRates typed;
  Overhead overhead;
  std::optional<StackId> stack;            ///< what the operations run on; unset: what is usual on the machine
  StackTerms terms;                        ///< over the stack's own
  Machine machine;                         ///< the one analysed: base with the typed rates and the overhead's figures
  double ops_per_mac = 2;                  ///< 2, or 1: how typed peaks and shown units count a multiply-accumulate
  std::optional<FormatId> assumed_format;  ///< of operations whose source names none (ReadOptions): it takes effect when that is read
  double bound_threshold = 0.7;
  double memory_threshold = 0.4;
  double compute_threshold = 0.4;
  double advice_threshold = 0.3;  ///< below it neither compute nor memory limits a measured operation: no format or machine is advised
  WhatIf whatif;

  /// npu-32t50 and the seed's thresholds.
  [[nodiscard]] static Scenario standard();
  /// Whether the machine is assumed or guessed, neither stated by the source nor chosen by the user.
  [[nodiscard]] bool machine_in_doubt() const { return basis == MachineBasis::assumed || basis == MachineBasis::guessed; }

  /// Takes another machine; typed rates are forgotten.
  void use(Machine machine, MachineBasis basis = MachineBasis::chosen);
  /// Builds `machine` from `base`, `typed` and `overhead`. Who types both a peak and a bandwidth has chosen a machine. FLOP/s = TOPS * 1e12
  /// * 2 / ops_per_mac.
  void resolve();
  /// A copy without the what-if: the baseline that what-ifs are compared with.
  [[nodiscard]] Scenario without_whatif() const {
    Scenario today = *this;
    today.whatif = {};
    return today;
  }
  /// The machine of the what-if, before its scales: the one analysed where it names none.
  [[nodiscard]] const Machine& whatif_machine() const { return whatif.machine ? *whatif.machine : machine; }
  /// The stack in force, and its terms with those that were set over them.
  [[nodiscard]] const Stack& stack_for(StackUse use) const;
  [[nodiscard]] StackTerms terms_for(StackUse use) const;
  bool operator==(const Scenario&) const = default;
};

/// The machine that a source itself states (Workload::machine_json): an id or an object, as JSON.
[[nodiscard]] Result<void> use_stated_machine(Scenario& scenario, std::string_view json);

/// Applies one KEY=VALUE of `--set`: the keys of roofline_config.json, with dots for members ("peaks.matrix.fp16", "whatif.weight").
[[nodiscard]] Result<void> set(Scenario& scenario, std::string_view key, std::string_view value);

/// Applies a roofline_config.json over what the scenario holds; nothing is changed on an error. docs/formats/formats.md lists the keys.
[[nodiscard]] Result<void> apply_config(Scenario& scenario, std::string_view json);

/// The standard scenario under a roofline_config.json.
[[nodiscard]] Result<Scenario> scenario_of(std::string_view config);

/// The roofline_config.json that restores this scenario: the seed's keys and ours. What is at its default is left out, except the seed's.
[[nodiscard]] std::string config_json(const Scenario& scenario);

}  // namespace roofline
