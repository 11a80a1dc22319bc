// Which machine ran this? A measured workload that does not say so is held against every machine: by what its fastest operations reach,
// and by the words that tell one.
#pragma once

#include <algorithm>
#include <roofline/analysis/op_set.hpp>
#include <roofline/machine/words.hpp>
#include <span>
#include <string>
#include <vector>

namespace roofline {

struct MachineCandidate {
  const Machine* machine = nullptr;
  double reach = unknown;       ///< the highest efficiency of any operation on it; above 1: some lie above its roof
  std::string roof;             ///< the roof that bounds that operation: "HBM bandwidth", "FP16 peak"; empty: `reach` is unknown
  double beyond = 0;            ///< the share of the time in operations that exceed its roof by over 25%
  bool lacks_a_format = false;  ///< it has no peak for a format that more than a twentieth of the time computes in
  WordMatch match = WordMatch::none;
  std::string word;  ///< that tells it; empty: none does
  /// Whether it can have run there.
  [[nodiscard]] bool holds() const { return beyond <= Summary::mismatch_share; }
  double tolerance = 1.05;  ///< the highest `reach` that rounded figures explain, or, of a peak, clocks above the rated one
  [[nodiscard]] bool above() const { return reach > tolerance; }
  /// Named by the file, or with room for what was measured.
  [[nodiscard]] bool plausible() const { return match >= WordMatch::family || (holds() && !above()); }
  /// Plausible, and it has a peak for the formats of the measured operations, unless the file names it.
  [[nodiscard]] bool fits() const { return plausible() && (match >= WordMatch::family || !lacks_a_format); }
};

struct WhichMachine {
  double flops = unknown, bandwidth = unknown;  ///< the fastest operations' rates: FLOP/s, and B/s of the device memory
  bool integer = false;                         ///< `flops` is of a product of integers
  std::vector<MachineCandidate> candidates;     ///< best first; empty: there is nothing to tell it by
  std::string unlisted;                         ///< a GPU that the words name but that is not among the machines; empty: none
  bool measured = true;                         ///< the file has times or rates
  /// Whether a word in the file matches a machine. A vendor's name counts only with rates, which choose among its machines.
  [[nodiscard]] bool words_match() const {
    return std::any_of(candidates.begin(), candidates.end(), [](const MachineCandidate& c) {
      return c.match > WordMatch::vendor || (c.match == WordMatch::vendor && known(c.reach));
    });
  }
};

/// Machines that a name or its family tells come first; then those on which hardly anything lies beyond the roof, by architecture, by
/// vendor, with the formats, with nothing above the roof, dies before whole cards (Machine::part_of) if a name or the architecture matches,
/// then the nearest roof in steps of 5%, then the slowest memory. Machines without a vendor are ignored.
/// A pass over the operations, and the machines by at most a few thousand kinds of fastest ones: milliseconds at a million operations.
[[nodiscard]] WhichMachine which_machine(const OpSet& ops, std::span<const Machine> machines);

/// A candidate for each machine, in the given order, judged by rates alone: words of the file are ignored.
[[nodiscard]] std::vector<MachineCandidate> candidates_of(const OpSet& ops, std::span<const Machine> machines);

/// "Which machine ran this? The fastest rows reach 744 TFLOP/s and 3.1 TB/s"
[[nodiscard]] std::string asked(const WhichMachine& found);
/// At most `most` candidates of the most specific match (name, else architecture, else vendor): the plausible ones, else those that can
/// have run it; if no machine can, those of the architecture. Empty: no word in the file names a machine, or one names an unlisted GPU.
[[nodiscard]] std::vector<const MachineCandidate*> likely(const WhichMachine& found, std::size_t most);
/// The machine that words in the file name, directly or by its architecture, if it allows the file's rates. Null: no word
/// names one, the source states its machine, or the file has neither times nor rates and is no TensorRT engine.
[[nodiscard]] const Machine* machine_in_words(const OpSet& ops, std::span<const Machine> machines);
/// The word in the file that speaks for the machine: "h100 in the file", "kernels for sm_90". Empty: none does.
[[nodiscard]] std::string evidence(const MachineCandidate& candidate);
/// Why the machine is a candidate: "h100 in the file, 89% of its FP16 peak".
[[nodiscard]] std::string reason(const MachineCandidate& candidate);
/// Why none is certain: the file names no machine (and how many allow its rates), or no machine allows them. Empty if one is.
[[nodiscard]] std::string reservation(const WhichMachine& found);
/// Both on one line, the likely candidates between them: "...: H100 SXM (h100 in the file, 89% of its FP16 peak) · H200 · MI300X". Empty
/// without candidates.
[[nodiscard]] std::string question(const WhichMachine& found);

/// Without its vendor: "H100 SXM".
[[nodiscard]] std::string short_name(const Machine& machine);

/// Whether to ask which machine ran this: it was guessed; or times were measured, and the machine was assumed or they do not match the
/// chosen one. There is no question if the source states its machine.
[[nodiscard]] bool asks_for_machine(const OpSet& ops, const Summary& summary);

}  // namespace roofline
