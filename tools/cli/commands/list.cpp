// roofline list KIND: what the command knows of.
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

/// One line per object; the columns are the first object's plain fields, and those of numbers stand to the right.
std::string table(const Json& objects) {
  if (objects.empty()) return "";
  std::vector<std::vector<std::string>> rows(1);
  std::string sides;
  for (const auto& [key, value] : objects.front().items()) {
    if (value.is_structured()) continue;
    rows.front().push_back(key);
    sides += value.is_number() ? 'r' : 'l';
  }
  for (const Json& object : objects) {
    std::vector<std::string> row;
    for (const std::string& key : rows.front()) row.push_back(object.contains(key) ? field_text(object[key], unit_of(key)) : "-");
    rows.push_back(std::move(row));
  }
  return align(rows, sides);
}

int list(const std::string& kind, const std::string& output) {
  const Result<std::string> json = list_json(kind);
  if (!json) return report(json.error().text(), wrong_command_line);
  return print(output == "json" ? *json + "\n" : table(Json::parse(*json)));
}

}  // namespace

void add_list(CLI::App& app, Action& chosen) {
  struct Options {
    std::string kind;
    std::string output = "table";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("list", "The machines, models, formats, operators and stacks that are built in");
  command->add_option("KIND", options->kind, "machines|models|formats|operators|stacks")
      ->required()
      ->check(CLI::IsMember({"machines", "models", "formats", "operators", "stacks"}).description(""))
      ->type_name("");
  add_output_option(*command, options->output, {"table", "json"});
  command->callback([options, &chosen] { chosen = [options] { return list(options->kind, options->output); }; });
}

}  // namespace roofline::cli
