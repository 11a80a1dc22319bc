// One plane of an XSpace, the protocol buffer that XLA's profilers write as .xplane.pb: names by number, lines of events. The numbers of
// its fields are those of tsl/profiler/protobuf/xplane.proto.
#pragma once

#include <cstdint>
#include <roofline/base/number.hpp>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofline::xplane {

/// A figure, a text or bytes behind a name.
struct Stat {
  std::string_view name;
  double number = 0;           ///< where it is one, else NaN
  std::uint64_t identity = 0;  ///< a whole number with all its digits
  std::string_view text;       ///< of a text, a reference to a name, or bytes
};

/// What events of one kind have in common.
struct Kind {
  std::string_view name, display_name;
  std::vector<Stat> stats;
  [[nodiscard]] const Stat* find(std::string_view stat) const;
};

/// Picoseconds. NaN: not stated.
struct Span {
  double begin_ps = 0, duration_ps = 0;
  [[nodiscard]] double end_ps() const { return begin_ps + duration_ps; }
};

struct Event {
  std::uint64_t kind = 0;
  Span host;    ///< by the host's clock, since the beginning of the plane's first line
  Span device;  ///< by the device's own
  /// The device's where it states one: the host's is worked out from it, and events that follow each other may overlap there.
  [[nodiscard]] const Span& span() const { return known(device.begin_ps) && known(device.duration_ps) ? device : host; }
};

struct Line {
  std::string_view name;
  std::vector<Event> events;
};

/// Views of the bytes that it was read from.
struct Plane {
  std::string_view name;
  std::vector<Stat> stats;
  std::unordered_map<std::uint64_t, Kind> kinds;
  std::vector<Line> lines;  ///< those asked for
  [[nodiscard]] const Stat* find(std::string_view stat) const;
};

/// A plane's name; empty where it is not within these first bytes of it.
[[nodiscard]] std::string_view name_of_plane(std::string_view bytes);

/// Reads the plane with the lines of these names, of one that ends with '#' with any number behind it. False where it is damaged.
[[nodiscard]] bool read_plane(std::string_view bytes, const std::vector<std::string_view>& lines, Plane& plane);

/// Bytes that one execution of an operation moves, by memory; of the statistic memory_access_breakdown.
struct Access {
  std::uint64_t operation = 0;  ///< 1: read, 2: write
  std::uint64_t memory = 0;     ///< 1: HBM, 2: CMEM, 3: VMEM
  double bytes = 0;
};
[[nodiscard]] bool read_accesses(std::string_view bytes, std::vector<Access>& accesses);

}  // namespace roofline::xplane
