#include "read/xla/xplane_plane.hpp"

#include <algorithm>

#include "read/protobuf.hpp"

namespace roofline::xplane {
namespace {

using protobuf::Field, protobuf::Message, protobuf::Wire;
using Names = std::unordered_map<std::uint64_t, std::string_view>;

bool read_stat(std::string_view bytes, const Names& names, Stat& stat) {
  stat = {};
  stat.number = unknown;
  Message message(bytes);
  const auto name_of = [&](std::uint64_t id) {
    const auto found = names.find(id);
    return found == names.end() ? std::string_view() : found->second;
  };
  for (Field field; message.next(field);) {
    if (field.is(1, Wire::varint)) stat.name = name_of(field.value);
    if (field.is(2, Wire::fixed64)) stat.number = field.real();
    if (field.is(3, Wire::varint)) stat.number = static_cast<double>(field.value), stat.identity = field.value;
    if (field.is(4, Wire::varint)) stat.number = static_cast<double>(field.integer()), stat.identity = field.value;
    if (field.is(5, Wire::bytes) || field.is(6, Wire::bytes)) stat.text = field.bytes;
    if (field.is(7, Wire::varint)) stat.text = name_of(field.value);
  }
  return !message.damaged();
}

/// One entry of a map from numbers to messages.
bool read_entry(std::string_view bytes, std::uint64_t& key, std::string_view& value) {
  key = 0, value = {};
  Message entry(bytes);
  for (Field field; entry.next(field);) {
    if (field.is(1, Wire::varint)) key = field.value;
    if (field.is(2, Wire::bytes)) value = field.bytes;
  }
  return !entry.damaged();
}

bool read_name(std::string_view bytes, std::string_view& name) {
  Message message(bytes);
  for (Field field; message.next(field);)
    if (field.is(2, Wire::bytes)) name = field.bytes;
  return !message.damaged();
}

bool read_kind(std::string_view bytes, const Names& names, Kind& kind) {
  Message message(bytes);
  bool whole = true;
  for (Field field; message.next(field);) {
    if (field.is(2, Wire::bytes)) kind.name = field.bytes;
    if (field.is(4, Wire::bytes)) kind.display_name = field.bytes;
    if (field.is(5, Wire::bytes)) whole = read_stat(field.bytes, names, kind.stats.emplace_back()) && whole;
  }
  return whole && !message.damaged();
}

bool read_event(std::string_view bytes, const Names& names, double line_begin_ps, Event& event) {
  event.host.begin_ps = line_begin_ps;
  event.device = {unknown, unknown};
  bool whole = true;
  Message message(bytes);
  for (Field field; message.next(field);) {
    if (field.is(1, Wire::varint)) event.kind = field.value;
    if (field.is(2, Wire::varint)) event.host.begin_ps = line_begin_ps + static_cast<double>(field.integer());
    if (field.is(3, Wire::varint)) event.host.duration_ps = static_cast<double>(field.integer());
    if (!field.is(4, Wire::bytes)) continue;
    Stat stat;
    whole = read_stat(field.bytes, names, stat) && whole;
    if (stat.name == "device_offset_ps") event.device.begin_ps = stat.number;
    if (stat.name == "device_duration_ps") event.device.duration_ps = stat.number;
  }
  return whole && !message.damaged();
}

/// Its name and when it begins stand before its events, or behind them.
bool read_line(std::string_view bytes, const std::vector<std::string_view>& wanted, const Names& names, std::int64_t& first_ns,
               Plane& plane) {
  Line line;
  std::int64_t begin_ns = 0;
  Message head(bytes);
  for (Field field; head.next(field);) {
    if (field.is(2, Wire::bytes)) line.name = field.bytes;
    if (field.is(3, Wire::varint)) begin_ns = field.integer();
  }
  if (head.damaged()) return false;
  const auto is_line = [&](std::string_view name) { return name.ends_with('#') ? line.name.starts_with(name) : line.name == name; };
  if (std::none_of(wanted.begin(), wanted.end(), is_line)) return true;
  if (plane.lines.empty()) first_ns = begin_ns;
  const std::uint64_t since_ns = static_cast<std::uint64_t>(begin_ns) - static_cast<std::uint64_t>(first_ns);
  const double begin_ps = static_cast<double>(static_cast<std::int64_t>(since_ns)) * 1e3;
  bool whole = true;
  Message events(bytes);
  for (Field field; events.next(field);)
    if (field.is(4, Wire::bytes)) whole = read_event(field.bytes, names, begin_ps, line.events.emplace_back()) && whole;
  plane.lines.push_back(std::move(line));
  return whole;
}

const Stat* find_stat(const std::vector<Stat>& stats, std::string_view name) {
  const auto found = std::find_if(stats.begin(), stats.end(), [&](const Stat& s) { return s.name == name; });
  return found == stats.end() ? nullptr : &*found;
}

}  // namespace

const Stat* Kind::find(std::string_view stat) const { return find_stat(stats, stat); }
const Stat* Plane::find(std::string_view stat) const { return find_stat(stats, stat); }

std::string_view name_of_plane(std::string_view bytes) {
  Message plane(bytes);
  for (Field field; plane.next(field);)
    if (field.is(2, Wire::bytes)) return field.bytes;
  return {};
}

bool read_plane(std::string_view bytes, const std::vector<std::string_view>& lines, Plane& plane) {
  // Names stand behind what refers to them: three times over it.
  Names names;
  bool whole = true;
  std::uint64_t key = 0;
  std::string_view value;
  Message all(bytes);
  for (Field field; all.next(field);)
    if (field.is(5, Wire::bytes)) whole = read_entry(field.bytes, key, value) && read_name(value, names[key]) && whole;
  if (all.damaged()) return false;
  Message described(bytes);
  for (Field field; described.next(field);) {
    if (field.is(2, Wire::bytes)) plane.name = field.bytes;
    if (field.is(4, Wire::bytes)) whole = read_entry(field.bytes, key, value) && read_kind(value, names, plane.kinds[key]) && whole;
    if (field.is(6, Wire::bytes)) whole = read_stat(field.bytes, names, plane.stats.emplace_back()) && whole;
  }
  std::int64_t first_ns = 0;
  Message timed(bytes);
  for (Field field; timed.next(field);)
    if (field.is(3, Wire::bytes)) whole = read_line(field.bytes, lines, names, first_ns, plane) && whole;
  return whole;
}

bool read_accesses(std::string_view bytes, std::vector<Access>& accesses) {
  Message all(bytes);
  bool whole = true;
  for (Field field; all.next(field);) {
    if (!field.is(1, Wire::bytes)) continue;
    Access access;
    Message one(field.bytes);
    for (Field part; one.next(part);) {
      if (part.is(1, Wire::varint)) access.operation = part.value;
      if (part.is(2, Wire::varint)) access.memory = part.value;
      if (part.is(3, Wire::varint)) access.bytes = static_cast<double>(part.value);
    }
    whole = whole && !one.damaged();
    accesses.push_back(access);
  }
  return whole && !all.damaged();
}

}  // namespace roofline::xplane
