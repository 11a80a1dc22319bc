// roofline summarize A B ...: what any number of summaries add up to.
#include <memory>
#include <roofline/write/summary.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/files.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

int summarize_files(const std::vector<std::string>& files) {
  RunSummary summary;
  for (const std::string& file : files) {
    std::string pending;
    const auto add = [&](bool last) -> Result<void> {
      const Result<std::size_t> taken = summary.add_documents(pending, last);
      if (!taken) return tl::unexpected(taken.error());
      pending.erase(0, *taken);
      return {};
    };
    Result<void> read = read_pieces(file, [&](std::string_view bytes) {
      pending += bytes;
      return add(false);
    });
    if (read) read = add(true);
    if (!read) return report(describe(file, read.error()), unusable_input);
  }
  return print_pieces([&](const Sink& sink) { summary.write(sink); });
}

}  // namespace

void add_summarize(CLI::App& app, Action& chosen) {
  const auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("summarize", "What the summaries of any number of runs add up to, in any order to the same bytes");
  command->add_option("FILE", *files, "What analyze -o summary or summarize wrote, also several in one file; - is standard input")
      ->required()
      ->type_name("");
  command->callback([files, &chosen] { chosen = [files] { return summarize_files(*files); }; });
}

}  // namespace roofline::cli
