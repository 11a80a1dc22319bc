// Layers that keep a state of each sequence, which does not grow with the context: gated delta nets, Mamba-2, short convolutions.
#pragma once

#include <cmath>
#include <cstdint>
#include <roofline/base/enum_names.hpp>

namespace roofline {

/// Yang, Kautz, Hatamizadeh, Gated Delta Networks (2024); Dao, Gu, Transformers are SSMs (2024); Liquid AI, LFM2 (2025).
enum class RecurrentKind : std::uint8_t { gated_delta, mamba2, short_conv };
template <>
inline constexpr auto names_of<RecurrentKind> = std::to_array<const char*>({"gated_delta", "mamba2", "short_conv"});

/// The recurrent layers of a model, all of one size, in the terms of a gated delta net. In Mamba-2 key heads are groups, B is the key, C
/// the query, key_dim the state size, and x the value. A short convolution has one value head per channel and no keys.
struct RecurrentLayers {
  RecurrentKind kind = RecurrentKind::gated_delta;
  double layers = 0;                      ///< that have it, in place of attention or beside it; 0: the model has none
  double key_heads = 0, value_heads = 0;  ///< of a layer
  double key_dim = 0, value_dim = 0;      ///< of each head
  double conv_taps = 0;                   ///< of its convolution: the tokens that it sees
  bool conv_bias = false;
  bool norm = true;  ///< on its output, which is gated with or without one

  [[nodiscard]] double keys() const { return key_heads * key_dim; }        ///< elements of a token
  [[nodiscard]] double values() const { return value_heads * value_dim; }  ///< elements of a token
  [[nodiscard]] double conv_channels() const { return 2 * keys() + values(); }
  /// Output columns of the first projection: queries, keys, values, their gate (two gates in a short convolution), and the rates per head
  /// (decay and correction in a gated delta net, the step in Mamba-2).
  [[nodiscard]] double columns() const { return 2 * keys() + (is(RecurrentKind::short_conv) ? 3 : 2) * values() + rates() * value_heads; }
  /// Weights of both projections.
  [[nodiscard]] double projections(double hidden) const { return hidden * (columns() + values()); }
  /// A weight per head each: the decay, the bias of the step, and Mamba-2's D, a factor of what bypasses the state.
  [[nodiscard]] double vectors() const { return is(RecurrentKind::short_conv) ? 0 : is(RecurrentKind::mamba2) ? 3 : 2; }
  [[nodiscard]] double norm_weights() const { return !norm ? 0 : is(RecurrentKind::mamba2) ? values() : value_dim; }
  /// Weights that are in no projection: of the convolution, the heads and the norm.
  [[nodiscard]] double small_weights() const {
    return (conv_taps + (conv_bias ? 1 : 0)) * conv_channels() + vectors() * value_heads + norm_weights();
  }
  /// Elements that a layer keeps of a sequence: its state, and the inputs of its convolution.
  [[nodiscard]] double state_elements() const { return key_dim * values() + (conv_taps - 1) * conv_channels(); }
  /// The share of one machine under tensor parallelism; heads per machine are rounded up.
  [[nodiscard]] RecurrentLayers shared_by(double machines) const {
    RecurrentLayers out = *this;
    out.key_heads = std::ceil(key_heads / machines);
    out.value_heads = std::ceil(value_heads / machines);
    return out;
  }
  [[nodiscard]] bool is(RecurrentKind other) const { return kind == other; }

 private:
  [[nodiscard]] double rates() const { return is(RecurrentKind::short_conv) ? 0 : is(RecurrentKind::mamba2) ? 1 : 2; }
};

}  // namespace roofline
