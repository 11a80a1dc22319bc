// The command line's filters: which of a run's rows are meant.
#pragma once

#include <CLI/CLI.hpp>
#include <roofline/analysis/selection.hpp>

namespace roofline::cli {

struct SelectionOptions {
  OpFilter words;
  bool with_infeed = false, without_infeed = false;
  [[nodiscard]] OpFilter chosen() const;
};

void add_selection_options(CLI::App& command, SelectionOptions& options);

}  // namespace roofline::cli
