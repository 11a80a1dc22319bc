// Whether a request fits the memory of a machine: one verdict, the same in every phase.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/number.hpp>
#include <string>

namespace roofline {

/// Bytes on one machine.
struct MemoryFootprint {
  double weights = 0, kv = 0, activations = 0;
  [[nodiscard]] double total() const { return weights + kv + activations; }
};

/// `fits`: in memory, with the reserve free. `tight`: in memory, with less than the reserve free; shown as "barely fits".
/// `too_long`: more tokens than the model was trained for.
enum class MemoryFit : std::uint8_t { unknown, fits, tight, too_large, too_long };
template <>
inline constexpr auto names_of<MemoryFit> = std::to_array<const char*>({"unknown", "fits", "tight", "does not fit", "context too long"});

/// What ends a context: the machine's memory, or the length that the model was trained for.
enum class ContextLimit : std::uint8_t { none, memory, training };
template <>
inline constexpr auto names_of<ContextLimit> = std::to_array<const char*>({"", "memory", "training"});

struct LongestContext {
  double tokens = unknown;
  ContextLimit limit = ContextLimit::none;
};

struct MemoryVerdict {
  MemoryFootprint footprint;
  double capacity = unknown;         ///< bytes of one machine, as the device reports them
  double reserve = 0;                ///< the fraction of it that is to stay free: buffers of the runtime, fragments
  double context = 0;                ///< tokens of a sequence at its longest
  double trained_context = unknown;  ///< tokens
  MemoryFit fit = MemoryFit::unknown;
  /// By memory alone; null: capacity not known.
  [[nodiscard]] std::optional<bool> in_memory() const { return capacity > 0 ? std::optional(footprint.total() <= capacity) : std::nullopt; }
  /// By memory alone, with the reserve free; false: it does not, or the capacity is not known.
  [[nodiscard]] bool keeps_reserve() const { return footprint.total() <= capacity * (1 - reserve); }
  /// "fits in 85.5 GB", "barely fits: 4% of 85.5 GB free (target 10%)", "does not fit in 85.5 GB"; empty: not known.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool beyond_training() const { return context > trained_context; }
  /// "the context of 131,072 tokens is longer than the 8,192 that the model was trained for", where it is beyond_training().
  [[nodiscard]] std::string training_text() const;
};

}  // namespace roofline
