// The `roofline` command: parses the command line and hands over to one command.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace roofline::cli {

tl::unexpected<Failure> give_up(std::string message, Exit exit) { return tl::unexpected(Failure{std::move(message), exit}); }

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

/// What a word that nobody knows may have been meant as: a command, or an option of the one that is named.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed[0];
  std::vector<std::string> candidates;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) candidates.push_back("--" + name);
  if (parsed.empty())
    for (const CLI::App* c : app.get_subcommands({})) candidates.push_back(c->get_name());
  for (const std::string& word : words)
    if (word.rfind("--", 0) == 0 || parsed.empty()) return did_you_mean(near_matches(word.substr(0, word.find('=')), candidates));
  return {};
}

/// The first option that was given an empty text, as an unset variable of a shell makes it.
const CLI::Option* given_nothing(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& text : option->results())
      if (text.empty() && option->get_items_expected_max() > 0) return option;
  return nullptr;
}

int run(int argc, char** argv) {
  CLI::App app("What limits each operation of a workload on a machine: work divided by rate is time.", "roofline");
  app.require_subcommand(1);
  Action chosen;
  add_analyze(app, chosen);
  add_accuracy(app, chosen);
  add_op(app, chosen);
  add_compare(app, chosen);
  add_list(app, chosen);
  add_dims(app, chosen);
  add_show(app, chosen);
  add_llm(app, chosen);
  add_frontier(app, chosen);
  add_measure(app, chosen);
  add_quantize(app, chosen);
  add_summarize(app, chosen);
  add_schema(app, chosen);
  add_serve(app, chosen);
  app.set_version_flag("--version", "roofline " ROOFLINE_VERSION);
  for (CLI::App* command : app.get_subcommands({})) command->set_version_flag("--version", "roofline " ROOFLINE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    if (app.get_subcommands().empty() && argc > 1)
      report("unknown command " + std::string(argv[1]) + suggestion(app, {argv[1]}), wrong_command_line);
    return app.exit(error), wrong_command_line;
  } catch (const CLI::ExtrasError& error) {
    app.exit(error);
    if (const std::string meant = suggestion(app, app.remaining(true)); !meant.empty()) report(meant.substr(2), wrong_command_line);
    return wrong_command_line;
  } catch (const CLI::ParseError& error) {
    // CLI11 has codes of its own from 100 up; --help and --version are errors to it with code 0.
    return app.exit(error) == 0 ? done : wrong_command_line;
  }
  if (const CLI::Option* empty = given_nothing(*app.get_subcommands()[0]))
    return report(empty->get_name() + ": expected a value, found an empty text", wrong_command_line);
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
