// The commands of `roofline`, one file each. Each adds itself to the command line and leaves what to do in `chosen`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
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

/// Why there is no result, and the exit code.
struct Failure {
  std::string message;
  Exit exit = unusable_input;
};
template <class T>
using Outcome = tl::expected<T, Failure>;

[[nodiscard]] tl::unexpected<Failure> give_up(std::string message, Exit exit);

/// Says why there is no result, in one line on standard error; returns the exit code.
int report(std::string_view what, Exit exit);
inline int report(const Failure& failure) { return report(failure.message, failure.exit); }

}  // namespace roofline::cli
