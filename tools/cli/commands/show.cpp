// roofline show KIND ID: everything known of one machine, model, format or operator.
#include <algorithm>
#include <memory>
#include <roofline/base/text.hpp>
#include <roofline/write/write.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options/fields.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

bool is_plain(const Json& value) {
  return !value.is_structured() ||
         (value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); }));
}

/// A number with where it comes from: {value, source, basis}.
bool is_figure(const Json& value) { return value.is_object() && value.contains("value"); }

/// `last_origin`: of the figure before, which need not be said again.
std::string figure(const Json& value, const std::string& unit, std::string& last_origin) {
  std::string origin;
  for (const char* key : {"basis", "source", "note"}) {
    if (!value.contains(key) || !value[key].is_string() || value[key].get_ref<const std::string&>().empty()) continue;
    origin += (origin.empty() ? "" : "; ") + field_text(value[key], "");
  }
  const bool again = origin == last_origin;
  last_origin = origin;
  return field_text(value["value"], unit) + (origin.empty() ? "" : again ? " (as above)" : " (" + origin + ")");
}

std::string plain(const Json& value, const std::string& unit) {
  if (!value.is_array()) return field_text(value, unit);
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + field_text(item, unit);
  return text;
}

/// One line per field, groups indented under their name, members of a list under their first field ("name", "key").
void add_fields(Rows& rows, const Json& object, const std::string& indent, const std::string& group_unit) {
  const std::string inner = indent + "  ";
  std::string last_origin;
  for (const auto& [key, value] : object.items()) {
    const std::string unit = unit_of(key, group_unit);
    if (is_figure(value)) {
      rows.push_back({indent + key, figure(value, unit, last_origin)});
    } else if (is_plain(value)) {
      rows.push_back({indent + key, plain(value, unit)});
    } else if (value.is_object()) {
      rows.push_back({indent + key});
      add_fields(rows, value, inner, unit);
    } else {
      rows.push_back({indent + key});
      for (Json item : value) {
        if (!item.is_object() || item.empty()) continue;
        rows.push_back({inner + plain(item.front(), "")});
        item.erase(item.begin());
        add_fields(rows, item, inner + "  ", unit);
      }
    }
  }
}

int show(const std::string& kind, const std::string& id, const std::string& output) {
  const Result<std::string> json = show_json(kind, id);
  if (!json) return report(json.error().text(), wrong_command_line);
  if (output == "json") return print(*json + "\n");
  Rows rows;
  add_fields(rows, Json::parse(*json), "", "");
  return print(align(rows, "ll"));
}

}  // namespace

void add_show(CLI::App& app, Action& chosen) {
  struct Options {
    std::string kind;
    std::string id;
    std::string output = "table";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show", "All that is known of one machine, model, format or operator, with sources and formulas");
  command->add_option("KIND", options->kind, "machine|model|format|operator|stack")
      ->required()
      ->check(CLI::IsMember({"machine", "model", "format", "operator", "stack"}).description(""))
      ->type_name("");
  command->add_option("ID", options->id, "As `roofline list` prints it; case and punctuation do not matter")->required()->type_name("");
  add_output_option(*command, options->output, {"table", "json"});
  command->callback([options, &chosen] { chosen = [options] { return show(options->kind, options->id, options->output); }; });
}

}  // namespace roofline::cli
