#include <algorithm>
#include <cmath>
#include <roofline/machine/presets.hpp>
#include <roofline/scenario/scenario.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

constexpr double tera = 1e12, giga = 1e9;

Figure typed_figure(double value) {
  Figure f;
  f.value = value;
  f.source = "typed by the user";
  f.basis = "typed";
  return f;
}

void put_peak(std::vector<Peak>& peaks, FormatId format, double flops) {
  for (Peak& p : peaks)
    if (p.format == format) {
      p.flops = typed_figure(flops);
      return;
    }
  Peak peak;
  peak.format = format;
  peak.flops = typed_figure(flops);
  peaks.push_back(peak);
}

/// A preset by id or alias. Its exact id is the common case, and spares parsing all the others.
std::optional<Machine> preset_machine(std::string_view id) {
  for (const PresetFile& file : preset_files("machines")) {
    if (file.name != id) continue;
    if (auto machine = parse_machine(file.text)) return std::move(*machine);
  }
  const Machine* found = Machines::presets().find(id);
  return found ? std::optional(*found) : std::nullopt;
}

/// Where a key's value goes. Each setter checks what it is given and says what it expected.
class Setter {
 public:
  Setter(Scenario& scenario, std::string path) : s_(scenario), path_(std::move(path)) {}

  Result<void> apply(std::string_view key, const Json& value) {
    if (key == "machine") return machine(value, false);
    if (key == "peak_tops") return rate(value, s_.typed.peak_tops, "TOPS");
    if (key == "mem_bw") return rate(value, s_.typed.mem_bw, "GB/s");
    if (key == "mem_thresh") return percent(value, s_.memory_threshold);
    if (key == "comp_thresh") return percent(value, s_.compute_threshold);
    if (key == "bound_thresh") return percent(value, s_.bound_threshold);
    if (key == "ops_per_mac") {
      const double v = number(value);
      if (v != 1 && v != 2) return error("expected 1 or 2, found " + shown(value));
      s_.ops_per_mac = v;
      return {};
    }
    if (key == "peaks") return each(value, [](Setter& at, std::string_view unit, const Json& v) { return at.peaks_of(unit, v); });
    if (key == "bandwidths") return each(value, [](Setter& at, std::string_view name, const Json& v) { return at.bandwidth(name, v); });
    if (key == "overhead") {
      if (value.is_null()) {
        s_.overhead = {};
        return {};
      }
      return each(value, [](Setter& at, std::string_view k, const Json& v) { return at.overhead(k, v); });
    }
    if (key == "whatif") {
      if (value.is_null()) {
        s_.whatif = {};
        return {};
      }
      return each(value, [](Setter& at, std::string_view k, const Json& v) { return at.what_if(k, v); });
    }
    for (const std::string_view old : {"issue_eff_limit", "issue_waste_limit", "issue_perf_limit"})
      if (key == old) return {};  // a later version of the seed writes these; they have no meaning here
    static const std::vector<std::string> known = {"machine",     "peak_tops", "mem_bw",     "mem_thresh", "comp_thresh", "bound_thresh",
                                                   "ops_per_mac", "peaks",     "bandwidths", "overhead",   "whatif"};
    return unknown_key(key, known);
  }

 private:
  static double number(const Json& value) { return number_of(value); }
  static std::string shown(const Json& value) { return dump(value).substr(0, 40); }
  Unexpected error(const std::string& what) const { return fail(what, path_); }

  Unexpected unknown_key(std::string_view key, const std::vector<std::string>& known) const { return unknown_name("setting", key, known); }

  Unexpected unknown_name(const std::string& what, std::string_view name, const std::vector<std::string>& known) const {
    std::string expected;
    const auto near = near_matches(name, known);
    for (const std::string& k : near.empty() ? known : near) expected += (expected.empty() ? "" : ", ") + k;
    return error("unknown " + what + (near.empty() ? ": expected one of " : ": did you mean ") + expected + (near.empty() ? "" : "?"));
  }

  template <class Visit>
  Result<void> each(const Json& object, const Visit& visit) {
    if (!object.is_object()) return error(std::string("expected an object, found ") + kind_of(object));
    for (const auto& [key, value] : object.items()) {
      Setter inner(s_, path_ + '.' + key);
      if (auto ok = visit(inner, std::string_view(key), value); !ok) return ok;
    }
    return {};
  }

  Result<void> machine(const Json& value, bool whatif) {
    Machine machine;
    if (value.is_string()) {
      const std::string id = text_of(value);
      auto preset = preset_machine(id);
      if (!preset) {
        std::string message = "unknown machine \"" + id + "\"";
        const auto near = Machines::presets().near(id);
        for (std::size_t i = 0; i < near.size(); ++i) message += (i == 0 ? ": did you mean " : " or ") + near[i];
        return error(message + (near.empty() ? ": `roofline list machines` lists them" : "?"));
      }
      machine = std::move(*preset);
    } else if (value.is_object()) {
      auto parsed = parse_machine(dump(value));
      if (!parsed) return fail(parsed.error().message, path_ + (parsed.error().path.empty() ? "" : "." + parsed.error().path));
      machine = std::move(*parsed);
    } else {
      return error(std::string("expected a machine's id or an object, found ") + kind_of(value));
    }
    if (whatif)
      s_.whatif.machine = std::move(machine);
    else
      s_.use(std::move(machine));
    return {};
  }

  Result<void> rate(const Json& value, std::optional<double>& target, std::string_view unit) {
    if (value.is_null()) {
      target.reset();
      return {};
    }
    const double v = number(value);
    if (!(v > 0) || !std::isfinite(v)) return error("expected a positive number of " + std::string(unit) + ", found " + shown(value));
    target = v;
    return {};
  }

  Result<void> rate(const Json& value, std::vector<std::pair<std::string, double>>& list, const std::string& name, std::string_view unit) {
    std::optional<double> v;
    if (auto ok = rate(value, v, unit); !ok) return ok;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].first != name) continue;
      if (v)
        list[i].second = *v;
      else
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      return {};
    }
    if (v) list.push_back(std::pair(name, *v));
    return {};
  }

  Result<void> percent(const Json& value, double& target) {
    const double v = number(value);
    if (!(v >= 0 && v <= 100)) return error("expected percent, 0 to 100, found " + shown(value));
    target = v / 100;
    return {};
  }

  Result<void> peaks_of(std::string_view unit, const Json& value) {
    if (unit != "matrix" && unit != "vector") return unknown_key(unit, {"matrix", "vector"});
    const std::string prefix = std::string(unit) + '.';
    return each(value, [&](Setter& at, std::string_view name, const Json& v) -> Result<void> {
      const auto format = Formats::catalogue().find(name);
      if (!format) return at.unknown_format(name);
      return at.rate(v, s_.typed.peaks, prefix + Formats::catalogue()[*format].id, "TOPS");
    });
  }

  Unexpected unknown_format(std::string_view name) const {
    std::string message = "unknown format \"" + std::string(name) + "\"";
    const auto near = Formats::catalogue().near(name);
    for (std::size_t i = 0; i < near.size(); ++i) message += (i == 0 ? ": did you mean " : " or ") + near[i];
    return error(message + (near.empty() ? ": `roofline list formats` lists them" : "?"));
  }

  Result<void> bandwidth(std::string_view name, const Json& value) {
    const Memory* memory = nullptr;
    std::vector<std::string> known;
    for (const Memory& m : s_.base.memories) {
      known.push_back(m.name);
      if (normalised(m.name) == normalised(name)) memory = &m;
    }
    const Link* link = nullptr;
    for (const Link& l : s_.base.links) {
      known.push_back(l.name);
      if (normalised(l.name) == normalised(name)) link = &l;
    }
    if (!memory && !link) return unknown_name("memory or link", name, known);
    const std::string own_name = memory ? memory->name : link->name;
    // Either the whole memory or its channels are typed, never both: the later setting replaces the earlier one.
    auto& typed = s_.typed.bandwidths;
    const auto forget = [&](const std::string& key) {
      typed.erase(std::remove_if(typed.begin(), typed.end(), [&](const auto& t) { return t.first == key; }), typed.end());
    };
    if (!value.is_object()) {
      forget(own_name + ".read");
      forget(own_name + ".write");
      return rate(value, typed, own_name, "GB/s");
    }
    if (!memory || !memory->split())
      return error("expected a number of GB/s, for " + own_name + " has one channel; found " + kind_of(value));
    for (std::size_t i = 0; i < typed.size(); ++i) {
      if (typed[i].first != own_name) continue;
      const double both = typed[i].second;
      forget(own_name);
      typed.push_back(std::pair(own_name + ".read", both));
      typed.push_back(std::pair(own_name + ".write", both));
      break;
    }
    return each(value, [&](Setter& at, std::string_view channel, const Json& v) -> Result<void> {
      if (channel != "read" && channel != "write") return at.unknown_key(channel, {"read", "write"});
      return at.rate(v, s_.typed.bandwidths, own_name + '.' + std::string(channel), "GB/s");
    });
  }

  /// An id or alias; null or an empty text takes the format back.
  Result<void> format_of(const Json& value, std::optional<FormatId>& target) {
    if (value.is_null() || text_of(value).empty()) {
      if (!value.is_null() && !value.is_string()) return error(std::string("expected a format's id, found ") + kind_of(value));
      target.reset();
      return {};
    }
    const auto found = Formats::catalogue().find(text_of(value));
    if (!found) return unknown_format(text_of(value));
    target = *found;
    return {};
  }

  Result<void> overhead(std::string_view key, const Json& value) {
    Overhead& o = s_.overhead;
    const auto amount = [&](std::optional<double>& target, double per, double least, double most, const char* what) -> Result<void> {
      target.reset();
      if (value.is_null()) return {};
      const double v = number(value);
      if (!(v >= least && v <= most)) return error(std::string("expected ") + what + ", found " + shown(value));
      target = v / per;
      return {};
    };
    const auto format = [&](FormatId& target) -> Result<void> {
      std::optional<FormatId> found;
      if (auto ok = format_of(value, found); !ok) return ok;
      target = found.value_or(no_format);
      return {};
    };
    constexpr const char* reached = "percent of the peak, from 0.1 to 100";
    if (key == "launch_us") return amount(o.launch_s, 1e6, 0, 1e6, "microseconds to launch one kernel, 0 or more");
    if (key == "compute") return amount(o.compute, 100, 0.1, 100, reached);
    if (key == "bandwidth") return amount(o.bandwidth, 100, 0.1, 100, reached);
    if (key == "units") return amount(o.units, 1, 1, 1e9, "a number of units, 1 or more");
    if (key == "overlap") {
      std::optional<double> overlap;
      if (auto ok = amount(overlap, 100, 0, 100, "percent, 0 to 100"); !ok) return ok;
      o.overlap = overlap.value_or(1);
      return {};
    }
    if (key == "tile") return tile(value);
    if (key == "network") return format(o.network);
    if (key == "accumulator") return format(o.accumulator);
    return unknown_key(key, {"launch_us", "compute", "bandwidth", "units", "overlap", "tile", "network", "accumulator"});
  }

  /// "128x256": rows and columns.
  Result<void> tile(const Json& value) {
    Overhead& o = s_.overhead;
    if (value.is_null() || (value.is_string() && text_of(value).empty())) {
      o.tile_rows = o.tile_columns = 0;
      return {};
    }
    const std::string text = text_of(value);
    const std::size_t cross = text.find('x');
    const auto length = [](std::string_view digits) {
      if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string_view::npos) return 0;
      int n = 0;
      for (const char digit : digits) n = 10 * n + (digit - '0');
      return n;
    };
    const int rows = cross == std::string::npos ? 0 : length(std::string_view(text).substr(0, cross));
    const int columns = cross == std::string::npos ? 0 : length(std::string_view(text).substr(cross + 1));
    if (rows == 0 || columns == 0) return error("expected a tile's rows and columns such as \"128x256\", found " + shown(value));
    o.tile_rows = rows;
    o.tile_columns = columns;
    return {};
  }

  Result<void> what_if(std::string_view key, const Json& value) {
    WhatIf& w = s_.whatif;
    const auto format = [&](std::optional<FormatId>& target) { return format_of(value, target); };
    const auto factor = [&](double& target) -> Result<void> {
      const double v = number(value);
      if (!(v > 0) || !std::isfinite(v)) return error("expected a positive factor, found " + shown(value));
      target = v;
      return {};
    };
    if (key == "weight") return format(w.weight);
    if (key == "activation") return format(w.activation);
    if (key == "output") return format(w.output);
    if (key == "kv") return format(w.kv);
    if (key == "batch_scale") return factor(w.batch_scale);
    if (key == "peak_scale") return factor(w.peak_scale);
    if (key == "bandwidth_scale") return factor(w.bandwidth_scale);
    if (key == "machine") {
      if (!value.is_null() && !(value.is_string() && text_of(value).empty())) return machine(value, true);
      w.machine.reset();
      return {};
    }
    return unknown_key(key, {"weight", "activation", "output", "kv", "batch_scale", "peak_scale", "bandwidth_scale", "machine"});
  }

  Scenario& s_;
  std::string path_;
};

}  // namespace

Scenario Scenario::standard() {
  Scenario s;
  if (auto npu = preset_machine("npu-32t50")) s.use(std::move(*npu));
  return s;
}

void Scenario::use(Machine m) {
  base = std::move(m);
  typed = {};
  resolve();
}

void Scenario::resolve() {
  machine = base;
  const double flops_per_tops = tera * 2 / ops_per_mac;
  if (typed.peak_tops) {
    machine.matrix.clear();
    machine.vector.clear();
    for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
      for (auto* peaks : {&machine.matrix, &machine.vector}) put_peak(*peaks, static_cast<FormatId>(f), *typed.peak_tops * flops_per_tops);
  }
  for (const auto& [name, tops] : typed.peaks) {
    const std::size_t dot = name.find('.');
    if (const auto format = Formats::catalogue().find(name.substr(dot + 1)))
      put_peak(name.substr(0, dot) == "matrix" ? machine.matrix : machine.vector, *format, tops * flops_per_tops);
  }
  const auto set_all = [](Memory& memory, double bandwidth) {
    if (memory.split())
      memory.read_bandwidth = memory.write_bandwidth = typed_figure(bandwidth);
    else
      memory.bandwidth = typed_figure(bandwidth);
  };
  if (typed.mem_bw) {
    if (machine.memories.empty()) machine.memories.emplace_back().name = "DRAM";
    set_all(machine.memories[0], *typed.mem_bw * giga);
  }
  for (const auto& [name, gigabytes] : typed.bandwidths) {
    for (Memory& memory : machine.memories) {
      if (name == memory.name) set_all(memory, gigabytes * giga);
      if (name == memory.name + ".read") memory.read_bandwidth = typed_figure(gigabytes * giga);
      if (name == memory.name + ".write") memory.write_bandwidth = typed_figure(gigabytes * giga);
    }
    for (Link& link : machine.links)
      if (name == link.name) link.bandwidth = typed_figure(gigabytes * giga);
  }
  const auto put = [](Figure& figure, const std::optional<double>& value) {
    if (value) figure = *value > 0 ? typed_figure(*value) : Figure();
  };
  put(machine.launch_s, overhead.launch_s);
  if (overhead.compute) machine.set_achievable_compute(*overhead.compute > 0 ? typed_figure(*overhead.compute) : Figure());
  put(machine.achievable_bandwidth, overhead.bandwidth);
  put(machine.units, overhead.units);
}

Result<void> use_stated_machine(Scenario& scenario, std::string_view json) {
  auto parsed = parse_json(json, "a machine's id or an object");
  if (!parsed) return Unexpected(parsed.error());
  return Setter(scenario, "machine").apply("machine", *parsed);
}

Result<void> set(Scenario& scenario, std::string_view key, std::string_view value) {
  // "peaks.matrix.fp16" is the member fp16 of the member matrix of peaks.
  Json json = Json::parse(value, nullptr, false);
  if (json.is_discarded() || json.is_object() || json.is_array()) json = std::string(value);
  std::string rest(key);
  for (std::size_t dot = rest.rfind('.'); dot != std::string::npos; dot = rest.rfind('.')) {
    Json object = Json::object();
    object[rest.substr(dot + 1)] = std::move(json);
    json = std::move(object);
    rest.resize(dot);
  }
  Scenario changed = scenario;
  if (auto ok = Setter(changed, rest).apply(rest, json); !ok) return ok;
  changed.resolve();
  scenario = std::move(changed);
  return {};
}

Result<void> apply_config(Scenario& scenario, std::string_view json) {
  auto parsed = parse_json(json, "settings such as {\"peak_tops\": 32, \"mem_bw\": 50}");
  if (!parsed) return Unexpected(parsed.error());
  if (!parsed->is_object())
    return fail(std::string("expected an object such as {\"peak_tops\": 32, \"mem_bw\": 50}, found ") + kind_of(*parsed));
  Scenario changed = scenario;
  if (parsed->contains("machine"))  // first, because choosing a machine forgets typed rates
    if (auto ok = Setter(changed, "machine").apply("machine", member(*parsed, "machine")); !ok) return ok;
  for (const auto& [key, value] : parsed->items())
    if (key != "machine")
      if (auto ok = Setter(changed, key).apply(key, value); !ok) return ok;
  changed.resolve();
  scenario = std::move(changed);
  return {};
}

namespace {

Json overhead_json(const Overhead& o) {
  Json out = Json::object();
  const auto amount = [&](const char* key, const std::optional<double>& value, double per) {
    if (value) out[key] = *value * per;
  };
  amount("launch_us", o.launch_s, 1e6);
  amount("compute", o.compute, 100);
  amount("bandwidth", o.bandwidth, 100);
  amount("units", o.units, 1);
  if (o.overlap != 1) out["overlap"] = o.overlap * 100;
  if (o.tile_rows > 0) out["tile"] = std::to_string(static_cast<int>(o.tile_rows)) + 'x' + std::to_string(static_cast<int>(o.tile_columns));
  if (o.network != no_format) out["network"] = Formats::catalogue()[o.network].id;
  if (o.accumulator != no_format) out["accumulator"] = Formats::catalogue()[o.accumulator].id;
  return out;
}

}  // namespace

std::string config_json(const Scenario& s) {
  Json out = Json::object();
  const auto machine = [](const Machine& m) -> Json {
    if (const auto preset = preset_machine(m.id); preset && *preset == m) return m.id;
    return Json::parse(machine_json(m, true), nullptr, false);
  };
  out["machine"] = machine(s.base);
  // The seed's keys, where one peak and one bandwidth are the whole machine or the user typed them.
  const bool seed_machine = s.base.id == "npu-32t50" && !s.base.matrix.empty() && !s.base.memories.empty();
  if (s.typed.peak_tops)
    out["peak_tops"] = *s.typed.peak_tops;
  else if (seed_machine)
    out["peak_tops"] = s.base.matrix[0].flops.value / (tera * 2 / s.ops_per_mac);
  if (s.typed.mem_bw)
    out["mem_bw"] = *s.typed.mem_bw;
  else if (seed_machine)
    out["mem_bw"] = s.base.memories[0].bandwidth.value / giga;
  out["mem_thresh"] = s.memory_threshold * 100;
  out["comp_thresh"] = s.compute_threshold * 100;
  out["bound_thresh"] = s.bound_threshold * 100;
  out["ops_per_mac"] = s.ops_per_mac;
  for (const auto& [name, tops] : s.typed.peaks) {
    const std::size_t dot = name.find('.');
    out["peaks"][name.substr(0, dot)][name.substr(dot + 1)] = tops;
  }
  for (const auto& [name, rate] : s.typed.bandwidths) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos)
      out["bandwidths"][name] = rate;
    else
      out["bandwidths"][name.substr(0, dot)][name.substr(dot + 1)] = rate;
  }
  if (!(s.overhead == Overhead())) out["overhead"] = overhead_json(s.overhead);
  if (s.whatif.active()) {
    Json w = Json::object();
    const auto format = [&](const char* key, const std::optional<FormatId>& f) {
      if (f) w[key] = Formats::catalogue()[*f].id;
    };
    format("weight", s.whatif.weight);
    format("activation", s.whatif.activation);
    format("output", s.whatif.output);
    format("kv", s.whatif.kv);
    if (s.whatif.batch_scale != 1) w["batch_scale"] = s.whatif.batch_scale;
    if (s.whatif.peak_scale != 1) w["peak_scale"] = s.whatif.peak_scale;
    if (s.whatif.bandwidth_scale != 1) w["bandwidth_scale"] = s.whatif.bandwidth_scale;
    if (s.whatif.machine) w["machine"] = machine(*s.whatif.machine);
    out["whatif"] = std::move(w);
  }
  return dump(out);
}

}  // namespace roofline
