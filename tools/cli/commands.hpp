// The commands of `roofline`, one file each. Each adds itself to the command line and leaves what to do in `chosen`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::cli {

/// What the process ends with; docs/reference/command-line.md.
enum Exit : int { done = 0, unusable_input = 1, wrong_command_line = 2, condition_held = 3 };

using Action = std::function<int()>;

void add_analyze(CLI::App& app, Action& chosen);
void add_accuracy(CLI::App& app, Action& chosen);
void add_op(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_frontier(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_dims(CLI::App& app, Action& chosen);
void add_show(CLI::App& app, Action& chosen);
void add_llm(CLI::App& app, Action& chosen);
void add_measure(CLI::App& app, Action& chosen);
void add_quantize(CLI::App& app, Action& chosen);
void add_schema(CLI::App& app, Action& chosen);
void add_summarize(CLI::App& app, Action& chosen);
void add_serve(CLI::App& app, Action& chosen);

/// -o, with one of `forms`; `form` holds the default.
void add_output_option(CLI::App& command, std::string& form, const std::vector<std::string>& forms);

/// Says why there is no result, in one line on standard error; returns `exit`.
int report(std::string_view what, Exit exit);

}  // namespace roofline::cli
