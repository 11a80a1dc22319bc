#include "options/selection.hpp"

namespace roofline::cli {

OpFilter SelectionOptions::chosen() const {
  OpFilter filter = words;
  filter.infeed = !without_infeed;
  filter.names_only = true;
  return filter;
}

void add_selection_options(CLI::App& command, SelectionOptions& options) {
  const auto filter = [&](const char* name, std::vector<std::string>& words, const char* text, const char* word) {
    command.add_option(name, words, text)->allow_extra_args(false)->delimiter(',')->type_name(word);
  };
  filter("--step", options.words.steps, "Only rows of this step; several with commas, or given again", "STEP");
  filter("--category", options.words.category_or_type, "Only this category or type of operation", "NAME");
  filter("--bound-by", options.words.bounds, "Only what this bounds: compute, a memory's or a link's name, memory, link, none", "NAME");
  filter("--limited-by", options.words.limits, "Only what this limits: the same, or neither (below 30% of the roof, or as set)", "NAME");
  command.add_option("--name", options.words.text, "Only operations whose name holds this text")->type_name("TEXT");
  CLI::Option* without =
      command.add_flag("--exclude-infeed", options.without_infeed, "Leave out the time of infeed and outfeed, where the file has both");
  command.add_flag("--include-infeed", options.with_infeed, "Count it (the default)")->excludes(without);
}

}  // namespace roofline::cli
