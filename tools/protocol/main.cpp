// Prints web/src/protocol.ts, or with `colours` web/src/colours.css; with `--check FILE` before it, compares it with that file. Every name,
// bit and number in them stands in the core.
#include <fstream>
#include <iostream>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/accuracy/mix.hpp>
#include <roofline/analysis/compare.hpp>
#include <roofline/frame/style.hpp>
#include <roofline/llm/config_sizes.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/request.hpp>
#include <roofline/machine/tool_chain.hpp>
#include <roofline/scenario/settings.hpp>
#include <roofline/serving/operating_point.hpp>
#include <roofline/session/session.hpp>
#include <sstream>

#include "session/questions/metrics.hpp"
#include "session/questions/sqnr.hpp"
#include "session/view.hpp"
#include "write/row_figures.hpp"

namespace roofline {
namespace {

/// `export const STATUSES = [...] as const;` and the type of one of them.
template <class Enum>
void put_names(std::ostream& out, const char* list, const char* type) {
  out << "\nexport const " << list << " = [";
  for (std::size_t i = 0; i < names_of<Enum>.size(); ++i) out << (i > 0 ? ", '" : "'") << names_of<Enum>[i] << '\'';
  out << "] as const;\nexport type " << type << " = (typeof " << list << ")[number];\n";
}

void put_numbers(std::ostream& out, const char* name, std::initializer_list<std::pair<const char*, double>> members) {
  out << "\nexport const " << name << " = {";
  const char* separator = " ";
  for (const auto& [key, value] : members) {
    out << separator << key << ": " << value;
    separator = ", ";
  }
  out << " } as const;\n";
}

/// `export const CONFIG_SIZES = [{ label, keys, defaultKey, shownIfAbsent }, ...]`.
void put_config_sizes(std::ostream& out) {
  out << "\n/// The sizes of a config.json that can be edited. The first of `keys` that is present is used; `defaultKey` is added to a "
         "config "
         "without any of them. Without `shownIfAbsent`, the form shows a size only if the config has it.\n"
         "export const CONFIG_SIZES: readonly { label: string; keys: readonly string[]; defaultKey: string; shownIfAbsent: boolean }[] = [";
  for (const ConfigSize& size : config_sizes) {
    out << "\n  { label: '" << size.label << "', keys: [";
    for (const char* key : size.keys) out << (key == size.keys.front() ? "'" : ", '") << key << '\'';
    out << "], defaultKey: '" << size.keys[size.default_key] << "', shownIfAbsent: " << (size.shown_if_absent ? "true" : "false") << " },";
  }
  out << "\n];\n";
}

// How the kinds of the view's keys are written in TypeScript, and those defaults that are plain values.
const char* type_of(bool) { return "boolean"; }
const char* type_of(std::size_t) { return "number"; }
const char* type_of(const std::optional<std::uint32_t>&) { return "number"; }
const char* type_of(const std::optional<double>&) { return "number"; }
const char* type_of(const std::string&) { return "string"; }
const char* type_of(const Words&) { return "string[]"; }
const char* type_of(const std::optional<Words>&) { return "string[]"; }
const char* type_of(const Where&) { return "Record<string, string[]>"; }
const char* type_of(Level) { return "Exclude<Level, 'both'>"; }
const char* type_of(std::uint16_t) { return "StatusName[]"; }
const char* type_of(const SortBy&) { return "SortName"; }
const char* type_of(const Json&) { return "string | object"; }

std::string default_of(bool value) { return value ? "true" : "false"; }
std::string default_of(std::size_t value) { return std::to_string(value); }
std::string default_of(const SortBy& value) { return std::string("'") + to_string(value.key) + '\''; }
template <class T>
std::string default_of(const T&) {
  return {};
}

void put_view(std::ostream& out) {
  const ViewSettings standard;
  std::string defaults;
  out << "\n/// What Session.view() takes. Absent keys are at their default.\nexport interface View {\n";
  for (const ViewKey& key : view_keys())
    std::visit(
        [&](auto member) {
          out << "  " << key.name << "?: " << type_of(standard.*member) << ';';
          if (!key.meaning.empty()) out << "  // " << key.meaning;
          out << '\n';
          if (const std::string value = default_of(standard.*member); !value.empty())
            defaults += (defaults.empty() ? " " : ", ") + std::string(key.name) + ": " + value;
        },
        key.member);
  out << "}\nexport const VIEW_DEFAULTS = {" << defaults << " } as const satisfies View;\n";
}

const char* array_of(const std::vector<float>&) { return "Float32Array"; }
const char* array_of(const std::vector<std::uint32_t>&) { return "Uint32Array"; }
const char* array_of(const std::vector<std::uint8_t>&) { return "Uint8Array"; }

void put_frame_columns(std::ostream& out) {
  out << "\nexport interface FrameColumns {\n";
  each_column(Frame(), [&](const char* name, const auto& column, const char* meaning) {
    out << "  " << name << ": " << array_of(column) << ";  // " << meaning << '\n';
  });
  out << "}\n";
}

void put_row_figures(std::ostream& out) {
  out << "\n/// The figures of a row of the table.\nexport interface RowFigures {\n";
  for (const RowFigure& figure : row_figures()) {
    out << "  " << figure.name << ": number | null;";
    if (!figure.meaning.empty()) out << "  // " << figure.meaning;
    out << '\n';
  }
  out << "}\n";
}

void put_markers(std::ostream& out) {
  out << "\n/// Markers: pixels, and corners with the area of the unit circle, y downwards; none: the circle itself.\nexport const "
         "LANE_WIDTH = "
      << lane_width << ", NEAR_OPACITY = " << near_opacity;
  out << ", MARKER_LEAST = " << marker_least << ", MARKER_MOST = " << marker_most << ", MARKER_ALL = " << marker_all
      << ";\nexport const MARKER_OUTLINES: Record<SymbolName, readonly (readonly [x: number, y: number])[]> = {\n";
  for (std::size_t i = 0; i < names_of<Symbol>.size(); ++i) {
    out << "  " << names_of<Symbol>[i] << ": [";
    const char* separator = "";
    for (const auto& [x, y] : marker_outline(static_cast<Symbol>(i))) {
      out << separator << '[' << std::round(x * 1e4) / 1e4 << ", " << std::round(y * 1e4) / 1e4 << ']';
      separator = ", ";
    }
    out << "],\n";
  }
  out << "};\n";
}

std::string stylesheet() {
  std::ostringstream out;
  out << "/* Made from the core's own table by tools/protocol: `tools/build protocol`. */\n:root {\n";
  for (const Colour& c : colours) out << "  --" << c.role << ": " << c.light << ";\n";
  out << "  --near-opacity: " << near_opacity << ";\n";
  out << "}\n:root[data-theme=\"dark\"] {\n";
  for (const Colour& c : colours)
    if (c.dark != c.light) out << "  --" << c.role << ": " << c.dark << ";\n";
  out << "}\n";
  return out.str();
}

std::string protocol() {
  std::ostringstream out;
  out << "// What the core and the page both know. Made from the core's own tables by tools/protocol: `tools/build protocol`.\n";
  put_names<Status>(out, "STATUSES", "StatusName");
  out << "/// What people read of a status.\nexport const STATUS_WORDS: Record<StatusName, string> = {";
  for (std::size_t i = 0; i < status_count; ++i) out << (i ? ", '" : "'") << names_of<Status>[i] << "': '" << status_words[i] << '\'';
  out << "};\nexport const PARTLY_KNOWN = '" << partly_known_words << "';\n";
  put_names<MachineBasis>(out, "MACHINE_BASES", "MachineBasis");
  out << "/// By whose rules a network's operations can be merged.\nexport const TOOL_CHAINS = [";
  for (std::size_t i = 0; i < names_of<ToolChain>.size(); ++i)
    out << (i ? ", ['" : "['") << names_of<ToolChain>[i] << "', '" << title_of(static_cast<ToolChain>(i)) << "']";
  out << "] as const;\n\n";
  put_names<Symbol>(out, "SYMBOLS", "SymbolName");
  put_names<ResourceKind>(out, "RESOURCE_KINDS", "ResourceKind");
  put_names<Severity>(out, "SEVERITIES", "Severity");
  put_names<Level>(out, "LEVELS", "Level");
  put_names<SortKey>(out, "SORT_KEYS", "SortKey");
  out << "/// By a key, or by a column of words or a measure of the source's own.\nexport type SortName = Exclude<SortKey, '"
      << to_string(SortKey::label) << "'> | `" << sort_label << "${string}`;\n";
  put_names<ChangeOrder>(out, "CHANGE_ORDERS", "ChangeOrder");
  put_names<Metric>(out, "METRIC_NAMES", "Metric");
  put_names<Sample>(out, "SAMPLE_NAMES", "SampleName");
  put_names<ServingLimit>(out, "SERVING_LIMITS", "ServingLimit");
  out << "\n/// FrameColumns.flags: bits.";
  put_numbers(out, "POINT_FLAGS",
              {{"predicted", point_flag::predicted},
               {"above_roof", point_flag::above_roof},
               {"lane", point_flag::no_flops},
               {"rates_only", point_flag::rates_only},
               {"neither", point_flag::neither},
               {"partly_known", point_flag::partly_known},
               {"near_bound", point_flag::near_bound}});
  out << "\n/// In a column of resources: none is known.\nexport const NO_RESOURCE = " << +no_resource << ";\n";
  out << "\n/// The smallest speed-up for which a format is called faster.\nexport const LEAST_GAIN = " << least_gain << ";\n";
  out << "\n/// Relative change below which two runs count as equal.\nexport const LEAST_CHANGE = " << least_change << ";\n";
  out << "\n/// dB: the accuracy that weights usually need.\nexport const DEFAULT_MIN_SQNR_DB = " << default_min_sqnr_db << ";\n";
  const LlmRequest model;
  out << "\n/// Defaults of a language model.";
  put_numbers(out, "MODEL_DEFAULTS",
              {{"years", model.cost.years},
               {"chunk", model.chunk},
               {"reserve", model.reserve},
               {"prompt", LlmRequest::default_prompt},
               {"generate", LlmRequest::default_generate}});
  out << "\n/// The longest header of a GGUF file that is read, and the message for a longer one.\nexport const "
         "MAX_GGUF_HEADER_BYTES = "
      << most_of_gguf_header << ", TOO_LONG_GGUF_HEADER = '" << too_long_gguf_header << "';\n";
  out << "\n/// Bytes of a file's start that tell a tensor file; of what an archive has packed, that tell what it is.\nexport const "
         "TENSOR_START = "
      << tensor_start << ", PACKED_START = " << packed_start << ";\n";
  out << "\n/// The keys of roofline_config.json.\nexport const SETTINGS = " << settings_json() << " as const;\n";
  put_config_sizes(out);
  put_markers(out);
  put_view(out);
  put_frame_columns(out);
  put_row_figures(out);
  return out.str();
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string file;
  if (words.size() > 1 && words[0] == "--check") {
    file = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  const std::string text = words == std::vector<std::string>{"colours"} ? roofline::stylesheet() : roofline::protocol();
  if (file.empty()) {
    std::cout << text;
    return 0;
  }
  std::ostringstream found;
  found << std::ifstream(file, std::ios::binary).rdbuf();
  if (found.str() == text) return 0;
  std::cerr << file << " is out of date: run tools/build protocol\n";
  return 1;
}
