// A machine from JSON: docs/reference/presets.md has the members.
#include <algorithm>
#include <limits>
#include <optional>
#include <roofline/base/names.hpp>
#include <roofline/machine/machine.hpp>
#include <utility>

#include "machine/json.hpp"

namespace roofline {
namespace {

constexpr const char* a_machine =
    R"(a machine: {"id": "...", "peaks": {"matrix": {"fp16": FLOP/s}}, "memories": [{"name": "HBM", "bandwidth": B/s}]})";

std::string join(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

/// Reads one machine. Keeps the first fault and reads on, so that no step has to test the one before.
class Reader {
 public:
  explicit Reader(const Json& json) { read(json); }

  Machine machine;
  std::optional<Error> error;

 private:
  void read(const Json& json) {
    if (!is_object(json, "", a_machine)) return;
    only(json, "",
         {"id",       "name",     "basis",      "guessed",   "vendor",       "segment",  "architecture", "part_of",    "based_on",
          "aliases",  "sources",  "tool_chain", "peaks",     "sparse_peaks", "memories", "links",        "tdp_w",      "price_usd",
          "all_in_w", "per_hour", "scale_up",   "scale_out", "launch_s",     "units",    "clock_hz",     "achievable", "notes"});
    read_sources(json);
    machine.id = text(json, "", "id");
    machine.name = text(json, "", "name");
    if (machine.id.empty() && machine.name.empty()) fault("id", "missing; expected a short name for the machine");
    if (machine.id.empty()) machine.id = machine.name;
    if (machine.name.empty()) machine.name = machine.id;
    machine.vendor = text(json, "", "vendor");
    machine.segment = text(json, "", "segment");
    machine.architecture = text(json, "", "architecture");
    machine.part_of = text(json, "", "part_of");
    machine.based_on = text(json, "", "based_on");
    static_cast<void>(text(json, "", "basis"));  // of a document: how its machine was chosen
    const auto& segment = machine.segment;
    if (!segment.empty() && segment != "data-centre" && segment != "desktop" && segment != "embedded")
      fault("segment", "is \"" + segment + "\"; expected data-centre, desktop or embedded");
    machine.aliases = texts(json, "aliases");
    read_tool_chain(json);
    machine.notes = texts(json, "notes");

    const Json& peaks = member(json, "peaks");
    if (is_object(peaks, "peaks", R"({"matrix": {"fp16": FLOP/s, ...}, "vector": {"fp32": FLOP/s, ...}})")) {
      only(peaks, "peaks", {"matrix", "vector"});
      machine.matrix = read_peaks(member(peaks, "matrix"), "peaks.matrix");
      machine.vector = read_peaks(member(peaks, "vector"), "peaks.vector");
      if (machine.matrix.empty() && machine.vector.empty()) fault("peaks", "no peak given; expected at least one under matrix or vector");
    }
    machine.sparse = read_peaks(member(json, "sparse_peaks"), "sparse_peaks");
    read_memories(member(json, "memories"));
    read_links(member(json, "links"));

    constexpr double any = std::numeric_limits<double>::max();
    machine.tdp_w = figure(member(json, "tdp_w"), "tdp_w", "W", any);
    machine.price_usd = figure(member(json, "price_usd"), "price_usd", "USD", any);
    machine.all_in_w = figure(member(json, "all_in_w"), "all_in_w", "W", any);
    read_prices(member(json, "per_hour"));
    machine.scale_up = figure(member(json, "scale_up"), "scale_up", "a number of machines", any);
    machine.scale_out = figure(member(json, "scale_out"), "scale_out", "B/s in one direction", max_rate);
    machine.launch_s = figure(member(json, "launch_s"), "launch_s", "seconds", any);
    machine.units = figure(member(json, "units"), "units", "a number of units", any);
    const Json& clocks = member(json, "clock_hz");
    if (!clocks.is_null() && is_object(clocks, "clock_hz", R"({"rated": Hz, "highest": Hz})")) {
      only(clocks, "clock_hz", {"rated", "highest"});
      machine.rated_clock_hz = figure(member(clocks, "rated"), "clock_hz.rated", "Hz", any);
      machine.highest_clock_hz = figure(member(clocks, "highest"), "clock_hz.highest", "Hz", any);
      if (machine.highest_clock_hz.value < machine.rated_clock_hz.value) fault("clock_hz.highest", "is below the rated clock");
    }
    read_achievable(member(json, "achievable"));
  }

  void read_tool_chain(const Json& json) {
    const std::string name = text(json, "", "tool_chain");
    if (name.empty()) return;
    if (const auto found = named<ToolChain>(name))
      machine.tool_chain = *found;
    else
      fault("tool_chain", "is \"" + name + "\"; expected " + any_of_names<ToolChain>());
  }

  void read_achievable(const Json& json) {
    if (json.is_null() || !is_object(json, "achievable", R"({"compute": 0.8, "bandwidth": 0.8})")) return;
    only(json, "achievable", {"compute", "compute_by_format", "bandwidth"});
    const double most = machine.clock_headroom();  // a part that runs above its rated clock may reach more than its peaks
    machine.achievable_compute = figure(member(json, "compute"), "achievable.compute", "a fraction up to 1", most);
    machine.achievable_bandwidth = figure(member(json, "bandwidth"), "achievable.bandwidth", "a fraction up to 1", 1);

    const Json& by_format = member(json, "compute_by_format");
    if (by_format.is_null() || !is_object(by_format, "achievable.compute_by_format", R"({"fp16": 0.8, ...})")) return;
    for (const auto& item : by_format.items()) {
      const std::string where = "achievable.compute_by_format." + item.key();
      const std::optional<FormatId> format = Formats::catalogue().find(item.key());
      const auto peak = std::find_if(machine.matrix.begin(), machine.matrix.end(), [&](const Peak& p) { return p.format == format; });
      if (peak == machine.matrix.end()) {
        fault(where, format ? "the machine has no matrix peak in this format" : "unknown format");
        continue;
      }
      peak->achievable = figure(item.value(), where, "a fraction up to 1", most);
    }
  }

  void fault(const std::string& path, std::string message) {
    if (!error) error = Error{std::move(message), 0, 0, path};
  }

  bool is_object(const Json& value, const std::string& path, const std::string& expected) {
    if (value.is_object()) return true;
    fault(path, (value.is_null() ? "missing" : std::string(kind_of(value))) + "; expected " + expected);
    return false;
  }

  /// A key we do not know is more likely mistyped than meant for someone else.
  void only(const Json& object, const std::string& path, const std::vector<std::string>& keys) {
    for (const auto& item : object.items())
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
        fault(join(path, item.key()), "unknown key" + did_you_mean(near_matches(item.key(), keys)));
  }

  std::string text(const Json& object, const std::string& path, const char* key) {
    const Json& value = member(object, key);
    if (!value.is_null() && !value.is_string()) fault(join(path, key), std::string(kind_of(value)) + "; expected a text");
    return text_of(value);
  }

  std::vector<std::string> texts(const Json& object, const char* key) {
    const Json& array = member(object, key);
    if (array.is_null()) return {};
    std::vector<std::string> out;
    if (!array.is_array()) fault(key, std::string(kind_of(array)) + "; expected an array of texts");
    for (std::size_t i = 0; array.is_array() && i < array.size(); ++i) {
      if (!array[i].is_string())
        fault(key + std::string("[") + std::to_string(i) + "]", std::string(kind_of(array[i])) + "; expected a text");
      out.push_back(text_of(array[i]));
    }
    return out;
  }

  void read_sources(const Json& json) {
    const Json& sources = member(json, "sources");
    if (sources.is_null() || !is_object(sources, "sources", R"({"key": "what it stands for", ...})")) return;
    for (const auto& item : sources.items()) sources_.emplace_back(item.key(), text(sources, "sources", item.key().c_str()));
  }

  /// A number, or {"value", "source", "basis", "note"}; null is unknown. Every figure of a machine is positive.
  Figure figure(const Json& json, const std::string& path, const char* unit, double limit) {
    Figure out;
    if (json.is_null()) return out;
    if (!json.is_number() && !json.is_object()) {
      fault(path, std::string(kind_of(json)) + "; expected a number (" + unit + R"() or {"value": number, "source": ..., "basis": ...})");
      return out;
    }
    if (json.is_object()) {
      only(json, path, {"value", "source", "basis", "note"});
      out.source = text(json, path, "source");
      for (const auto& [key, sentence] : sources_)
        if (key == out.source) out.source = sentence;
      out.basis = text(json, path, "basis");
      out.note = text(json, path, "note");
    }
    const Json& value = json.is_object() ? member(json, "value") : json;
    if (value.is_null() && json.contains("value")) return out;
    const std::string where = json.is_object() ? path + ".value" : path;
    if (!value.is_number()) {
      fault(where, (value.is_null() ? "missing" : std::string(kind_of(value))) + "; expected a number (" + unit + ")");
      return out;
    }
    out.value = number_of(value);
    if (!(out.value > 0 && out.value <= limit))
      fault(where,
            "is " + compact(value) + "; expected " + (limit < max_fraction ? unit : std::string("a positive number (") + unit + ")"));
    if (json.is_number()) out.basis = "typed";
    return out;
  }

  /// {"format": figure, ...}, or one figure for every format there is.
  std::vector<Peak> read_peaks(const Json& json, const std::string& path) {
    const Formats& formats = Formats::catalogue();
    std::vector<Peak> peaks;
    if (json.is_null()) return peaks;
    if (!json.is_object() || json.contains("value")) {
      const Figure every = figure(json, path, "FLOP/s", max_rate);
      for (std::size_t i = 0; i < formats.size(); ++i) peaks.push_back({static_cast<FormatId>(i), every});
      return peaks;
    }
    for (const auto& item : json.items()) {
      const std::string where = join(path, item.key());
      const std::optional<FormatId> format = formats.find(item.key());
      if (!format) {
        fault(where, "unknown format" + did_you_mean(formats.near(item.key())));
        continue;
      }
      const FormatId id = *format;
      if (std::any_of(peaks.begin(), peaks.end(), [id](const Peak& peak) { return peak.format == id; })) {
        fault(where, formats[id].id + " is given twice");
      }
      const Figure flops = figure(item.value(), where, "FLOP/s", max_rate);
      if (flops.known()) peaks.push_back({id, flops});
    }
    return peaks;
  }

  void read_memories(const Json& json) {
    if (!json.is_array() || json.empty()) {
      const std::string found = json.is_null() ? "missing" : json.is_array() ? "empty" : kind_of(json);
      fault("memories", found + R"(; expected an array, the device memory first: [{"name": "HBM", "bandwidth": B/s, "capacity": bytes}])");
      return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string path = "memories[" + std::to_string(i) + "]";
      if (!is_object(json[i], path, R"({"name": "HBM", "bandwidth": B/s, "capacity": bytes})")) continue;
      only(json[i], path, {"name", "bandwidth", "read_bandwidth", "write_bandwidth", "capacity"});
      Memory memory;
      memory.name = unique_name(json[i], path);
      memory.bandwidth = rate(json[i], path, "bandwidth");
      memory.read_bandwidth = rate(json[i], path, "read_bandwidth");
      memory.write_bandwidth = rate(json[i], path, "write_bandwidth");
      memory.capacity = figure(member(json[i], "capacity"), path + ".capacity", "bytes", max_rate);
      if (memory.bandwidth.known() && memory.split())
        fault(path, "has both bandwidth and read_bandwidth or write_bandwidth; expected either");
      if (memory.split() && !(memory.read_bandwidth.known() && memory.write_bandwidth.known()))
        fault(path, memory.read_bandwidth.known() ? "has read_bandwidth and no write_bandwidth; expected both"
                                                  : "has write_bandwidth and no read_bandwidth; expected both");
      if (i == 0 && !memory.bandwidth.known() && !memory.split())
        fault(path + ".bandwidth", "missing; the device memory's bandwidth is needed (B/s)");
      machine.memories.push_back(std::move(memory));
    }
  }

  void read_links(const Json& json) {
    if (json.is_null()) return;
    if (!json.is_array())
      fault("links", std::string(kind_of(json)) + R"(; expected an array: [{"name": "NVLink", "bandwidth": B/s in one direction}])");
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
      const std::string path = "links[" + std::to_string(i) + "]";
      if (!is_object(json[i], path, R"({"name": "NVLink", "bandwidth": B/s in one direction})")) continue;
      only(json[i], path, {"name", "bandwidth"});
      machine.links.push_back({unique_name(json[i], path), rate(json[i], path, "bandwidth")});
    }
    std::size_t resources = 1 + machine.links.size();
    for (const Memory& memory : machine.memories) resources += memory.split() ? 2 : 1;
    if (resources > max_resources)
      fault("memories", "too many: memory channels and links together are at most " + std::to_string(max_resources - 1));
  }

  void read_prices(const Json& json) {
    if (json.is_null()) return;
    constexpr const char* expected = R"([{"name": "rented for 3 years", "usd": 2.5}])";
    if (!json.is_array()) fault("per_hour", std::string(kind_of(json)) + "; expected an array: " + expected);
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
      const std::string path = "per_hour[" + std::to_string(i) + "]";
      if (!is_object(json[i], path, expected)) continue;
      only(json[i], path, {"name", "usd"});
      machine.per_hour.push_back({text(json[i], path, "name"),
                                  figure(member(json[i], "usd"), join(path, "usd"), "US dollars", std::numeric_limits<double>::max())});
    }
  }

  Figure rate(const Json& object, const std::string& path, const char* key) {
    return figure(member(object, key), join(path, key), "B/s", max_rate);
  }

  /// Each memory and link needs a name of its own: the analysis and its output refer to them by name.
  std::string unique_name(const Json& object, const std::string& path) {
    std::string name = text(object, path, "name");
    if (normalised(name).empty()) fault(path + ".name", R"(missing; expected a name such as "HBM")");
    const auto same = [&name](const auto& other) { return normalised(other.name) == normalised(name); };
    if (std::any_of(machine.memories.begin(), machine.memories.end(), same) ||
        std::any_of(machine.links.begin(), machine.links.end(), same))
      fault(path + ".name", "\"" + name + "\" is given twice");
    if (normalised(name) == "compute") fault(path + ".name", "\"compute\" is the name of the compute resource; expected another");
    return name;
  }

  /// Far above any machine, far below what overflows when rates are scaled and divided.
  static constexpr double max_rate = 1e30;
  static constexpr double max_fraction = 10;  ///< below any limit of other figures

  std::vector<std::pair<std::string, std::string>> sources_;
};

}  // namespace

Result<Machine> parse_machine(std::string_view text) {
  const Result<Json> json = parse_json(text, a_machine);
  return json ? machine_from(*json) : Unexpected(json.error());
}

Result<Machine> machine_from(const Json& json) {
  Reader reader(json);
  if (reader.error) return Unexpected(*reader.error);
  return std::move(reader.machine);
}

Result<Machine> machine_from_id_or_object(const Json& value, const std::string& path) {
  if (value.is_object()) {
    Result<Machine> machine = machine_from(value);
    if (!machine) return fail(machine.error().message, machine.error().path.empty() ? path : join(path, machine.error().path));
    return machine;
  }
  if (!value.is_string()) return fail("expected a machine's id or an object, found " + std::string(kind_of(value)), path);
  const std::string id = text_of(value);
  if (auto preset = Machines::preset(id)) return std::move(*preset);
  return fail(Machines::presets().unknown_name_message(id), path);
}

}  // namespace roofline
