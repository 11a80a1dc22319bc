// -o html: the page as one file, with the input and the view within it. Whoever opens it sees what the command saw, and explores.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <roofline/analysis/selection.hpp>
#include <roofline/scenario/scenario.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace roofline::cli {

/// What a report opens: the page's own link (docs/developer/page.md, The link), and the files that its sources were read from.
struct Report {
  nlohmann::ordered_json link = nlohmann::ordered_json::object();
  std::vector<std::string> source;  ///< paths, registries and machines among them; "-" is what keep_standard_input() has kept
  std::vector<std::string> before;  ///< of the run to compare with
  std::optional<std::size_t> top;   ///< --top: points on the chart; the table has every operation
};

/// --template, whose file is `page`; empty: roofline.html where this program is installed.
void add_template_option(CLI::App& command, std::string& page);

/// {"file": NAME}: a source of the link.
[[nodiscard]] nlohmann::ordered_json file_source(const std::string& path);

/// The link's settings: what of `scenario` the source itself does not say.
[[nodiscard]] nlohmann::ordered_json link_settings(const Scenario& scenario);

/// The link's view of what is selected of these operations.
[[nodiscard]] nlohmann::ordered_json link_view(const OpFilter& filter, const Workload& workload);

/// The report on standard output; the exit code.
[[nodiscard]] int print_report(const Report& report, const std::string& page);

}  // namespace roofline::cli
