// Prints web/src/protocol.ts, or with `--check FILE` compares it with that file. Every name, bit and number in it stands in the core.
#include <fstream>
#include <iostream>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/analysis/compare.hpp>
#include <roofline/scenario/settings.hpp>
#include <roofline/session/session.hpp>
#include <sstream>

#include "session/questions/metrics.hpp"
#include "session/view.hpp"

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

std::string protocol() {
  std::ostringstream out;
  out << "// What the core and the page both know. Made from the core's own tables by tools/protocol: `tools/build protocol`.\n";
  put_names<Status>(out, "STATUSES", "StatusName");
  put_names<MachineBasis>(out, "MACHINE_BASES", "MachineBasis");
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
  out << "\n/// FrameColumns.flags: bits.";
  put_numbers(out, "POINT_FLAGS",
              {{"predicted", point_flag::predicted},
               {"above_roof", point_flag::above_roof},
               {"lane", point_flag::lane},
               {"rates_only", point_flag::rates_only}});
  out << "\n/// In a column of resources: none is known.\nexport const NO_RESOURCE = " << +no_resource << ";\n";
  out << "\n/// Bytes of a file's start that tell a tensor file; of what an archive has packed, that tell what it is.\nexport const "
         "TENSOR_START = "
      << tensor_start << ", PACKED_START = " << packed_start << ";\n";
  out << "\n/// The keys of roofline_config.json.\nexport const SETTINGS = " << settings_json() << " as const;\n";
  put_view(out);
  put_frame_columns(out);
  return out.str();
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  const std::string text = roofline::protocol();
  if (argc < 3) {
    std::cout << text;
    return 0;
  }
  std::ostringstream found;
  found << std::ifstream(argv[2], std::ios::binary).rdbuf();
  if (found.str() == text) return 0;
  std::cerr << argv[2] << " is out of date: run tools/build protocol\n";
  return 1;
}
