// The `roofline` command: parses the command line and hands over to one command.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <roofline/base/text.hpp>

#include "commands.hpp"

namespace roofline::cli {

int report(std::string_view what, Exit exit) {
  std::fprintf(stderr, "%s\n", printable(what).c_str());
  return exit;
}

void add_output_option(CLI::App& command, std::string& form, const std::vector<std::string>& forms) {
  std::string names;
  for (const std::string& name : forms) names += (names.empty() ? "" : "|") + name;
  command.add_option("-o,--output", form, "Form of the result (default: " + form + ")")
      ->check(CLI::IsMember(forms).description(""))
      ->type_name(names);
}

namespace {

int run(int argc, char** argv) {
  CLI::App app("What limits each operation of a workload on a machine: work divided by rate is time.", "roofline");
  app.require_subcommand(1);
  Action chosen;
  add_analyze(app, chosen);
  add_accuracy(app, chosen);
  add_op(app, chosen);
  add_compare(app, chosen);
  add_list(app, chosen);
  add_show(app, chosen);
  add_llm(app, chosen);
  add_summarize(app, chosen);
  add_schema(app, chosen);
  add_serve(app, chosen);
  app.set_version_flag("--version", "roofline " ROOFLINE_VERSION);
  for (CLI::App* command : app.get_subcommands({})) command->set_version_flag("--version", "roofline " ROOFLINE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own from 100 up; --help and --version are errors to it with code 0.
    return app.exit(error) == 0 ? done : wrong_command_line;
  }
  return chosen();
}

}  // namespace
}  // namespace roofline::cli

int main(int argc, char** argv) {
  using namespace roofline::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an error of write(), not the end of the process
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return report("out of memory", unusable_input);
  } catch (const std::exception& error) {
    return report(error.what(), unusable_input);
  }
}
