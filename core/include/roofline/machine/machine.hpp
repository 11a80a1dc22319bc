// A machine is a vector of rates. One JSON file per machine under presets/machines.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/tool_chain.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One number of a machine with where it comes from. An unknown number is NaN, never zero.
struct Figure {
  double value = unknown;
  std::string source;  ///< a sentence; where a file gives a key of its "sources", the sentence behind it
  std::string basis;   ///< "dense", "sparse", "boost", "measured", "datasheet", "estimate", "assumed", "typed" (docs/reference/presets.md)
  std::string note;    ///< where sources disagree: who says what

  [[nodiscard]] bool known() const { return roofline::known(value); }
  bool operator==(const Figure& other) const {
    return (value == other.value || (!known() && !other.known())) && source == other.source && basis == other.basis && note == other.note;
  }
};

/// The kind of unit that does the arithmetic: tensor cores, MXU, systolic array / SIMD lanes.
enum class Unit : std::uint8_t { matrix, vector };

struct Peak {
  FormatId format = no_format;
  Figure flops;            ///< FLOP/s, dense, one multiply-accumulate counted as two
  Figure achievable = {};  ///< fraction of it that real kernels reach, where that was measured in this very format
  bool operator==(const Peak&) const = default;
};

/// A memory with one read-write channel (`bandwidth`) or with two (`read_bandwidth`, `write_bandwidth`). B/s, bytes.
struct Memory {
  std::string name;
  Figure bandwidth;
  Figure read_bandwidth;
  Figure write_bandwidth;
  Figure capacity;

  [[nodiscard]] bool split() const { return read_bandwidth.known() || write_bandwidth.known(); }
  /// B/s one way: of reading, where the directions differ.
  [[nodiscard]] const Figure& rate() const { return split() ? read_bandwidth : bandwidth; }
  bool operator==(const Memory&) const = default;
};

/// B/s in one direction.
struct Link {
  std::string name;
  Figure bandwidth;
  bool operator==(const Link&) const = default;
};

/// What a machine costs an hour, and on which terms.
struct HourlyPrice {
  std::string name;  ///< "rented for 3 years"
  Figure usd;
  bool operator==(const HourlyPrice&) const = default;
};

/// What the channel and the resource of Machine::scale_out are called.
inline constexpr std::string_view scale_out_name = "scale-out";

inline constexpr std::size_t max_resources = 16;  ///< compute, memory channels and links of a machine together

/// memories[0] is the device memory (HBM, DRAM); the others follow from the outermost inward.
struct Machine {
  std::string id;
  std::string name;
  std::string vendor;
  std::string segment;       ///< "data-centre", "desktop", "embedded"; empty: not known
  std::string architecture;  ///< as compilers and profilers call it: "sm_90", "gfx942"; empty: they have no name for it
  std::string part_of;       ///< of a die that software shows as a device: the id of the whole card's preset; empty: not a die
  std::string based_on;      ///< id of the preset that a user's machine was copied from; empty: not a copy
  std::vector<std::string> aliases;
  ToolChain tool_chain = ToolChain::none;  ///< merges the operations of networks on this machine, unless another is chosen
  std::vector<Peak> matrix;                ///< what matrix work reaches in a format, on whichever unit runs it
  std::vector<Peak> vector;
  std::vector<Peak> sparse;  ///< 2:4 sparse matrix peaks: labelled, never used by default
  std::vector<Memory> memories;
  std::vector<Link> links;
  Figure tdp_w;
  Figure price_usd;
  Figure all_in_w;                    ///< with its share of server, network and cooling
  std::vector<HourlyPrice> per_hour;  ///< never used unless one is chosen
  Figure scale_up;                    ///< machines that the first link connects, this one among them
  Figure scale_out;                   ///< B/s in one direction to machines beyond them
  Figure launch_s;                    ///< time to launch one operation
  Figure units;                       ///< matrix units that work side by side: SMs, CUs, cores
  Figure rated_clock_hz;              ///< the clock that the peaks stand for, where the part may run above it
  Figure highest_clock_hz;            ///< the clock that it raises itself to while power and temperature allow
  Figure achievable_compute;          ///< fraction of the matrix peak that real kernels reach, in formats without one of their own
  Figure achievable_bandwidth;        ///< fraction of the device memory's bandwidth that real kernels reach
  std::vector<std::string> notes;

  /// memories[0]; without a name and with unknown figures where the machine states no memory.
  [[nodiscard]] const Memory& device_memory() const;
  /// True without device memory: a network's tensors stay on the chip, and only the rest crosses to the host.
  [[nodiscard]] bool uses_host_memory() const { return device_memory().name == "Host memory"; }
  /// Bytes of the device memory; NaN: not known.
  [[nodiscard]] double capacity() const { return device_memory().capacity.value; }
  /// Of the first link, B/s in one direction; NaN: not known, or there is no link.
  [[nodiscard]] double link_rate() const { return links.empty() ? unknown : links[0].bandwidth.value; }

  /// How many machines the first link connects: scale_up, else 8, as in a usual server.
  [[nodiscard]] double linked() const { return known_or(scale_up.value, 8); }

  /// The first of per_hour whose name contains `part`; null: there is none, or `part` is empty.
  [[nodiscard]] const HourlyPrice* hourly_price(std::string_view part) const;

  /// FLOP/s of the fastest matrix format; NaN where there is none.
  [[nodiscard]] double highest_peak() const;
  /// Whether all formats and both units have the same rate. False if a unit lists only one format.
  [[nodiscard]] bool has_one_peak() const;

  /// FLOP/s of `unit` at `format`; NaN where the machine does not have it.
  [[nodiscard]] double peak(Unit unit, FormatId format) const;

  /// How far above its peaks the machine may run: the highest over the rated clock, 1 where they are not stated.
  [[nodiscard]] double clock_headroom() const;

  /// The fraction of the peak, or of the device memory's bandwidth, that real kernels reach: the format's own, else the machine's, else
  /// the median of what was measured on presets of the same vendor and segment, with the basis "assumed". Always known.
  [[nodiscard]] const Figure& achievable(Unit unit, FormatId format) const;
  [[nodiscard]] const Figure& achievable_memory() const;
  void set_achievable_compute(Figure fraction);  ///< in every format

  bool operator==(const Machine&) const = default;
};

/// From JSON in the presets' form ({value, source, basis} per figure) or the plain form (numbers only),
/// as docs/reference/presets.md describes. Errors carry a JSON path, or line and column, and what was expected.
[[nodiscard]] Result<Machine> parse_machine(std::string_view json);

/// The JSON of a machine, which parse_machine reads back. `figures` true: {value, source, basis, note} per number, and every text;
/// false: plain numbers and the names.
[[nodiscard]] std::string machine_json(const Machine& machine, bool figures);

/// The machines compiled into the library, in list order.
class Machines {
 public:
  [[nodiscard]] static const Machines& presets();
  /// One preset, found as by find(). For an exact id only that preset's file is read.
  [[nodiscard]] static std::optional<Machine> preset(std::string_view id);
  [[nodiscard]] const Machine* find(std::string_view id) const;  ///< id or alias, case and punctuation ignored
  [[nodiscard]] std::vector<std::string> near(std::string_view id) const;
  /// `unknown machine "h1000": did you mean h100-sxm?`
  [[nodiscard]] std::string unknown_name_message(std::string_view id) const;
  [[nodiscard]] const std::vector<Machine>& all() const { return machines_; }

  explicit Machines(std::vector<Machine> machines) : machines_(std::move(machines)) {}

 private:
  std::vector<Machine> machines_;
};

}  // namespace roofline
