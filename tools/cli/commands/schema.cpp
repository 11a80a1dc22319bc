// roofline schema [NAME]: what is in the documents that the command writes, as JSON Schemas.
#include <memory>
#include <roofline/base/text.hpp>
#include <roofline/write/schema.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

int print_schema(const std::string& name) {
  if (name.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const SchemaInfo& schema : schemas()) rows.push_back({schema.name, schema.id, schema.title});
    return print(align(rows, "lll"));
  }
  const Result<std::string> json = schema_json(name);
  if (!json) return report(json.error().message, wrong_command_line);
  return print(*json + "\n");
}

}  // namespace

void add_schema(CLI::App& app, Action& chosen) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("schema", "What is in the documents that are written: their JSON Schemas");
  command->add_option("NAME", *name, "One of the names printed without it, or a document's \"schema\"")->type_name("");
  command->callback([name, &chosen] { chosen = [name] { return print_schema(*name); }; });
}

}  // namespace roofline::cli
