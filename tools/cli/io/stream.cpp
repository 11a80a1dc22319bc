#include "io/stream.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <roofline/read/read.hpp>
#include <roofline/write/summary.hpp>

#include "io/files.hpp"
#include "options/output.hpp"
#include "options/workload.hpp"

namespace roofline::cli {
namespace {

class Stream {
 public:
  Stream(const std::string& file, const Registry& registry, const Keys& keys, const Scenario& scenario, bool summary)
      : file_(file), scenario_(scenario), summary_(summary) {
    options_.lines = true;
    options_.registry = &registry;
    options_.keys = &keys;
  }

  /// Analyses the lines that are whole.
  Result<void> feed(std::string_view bytes) {
    pending_ += bytes;
    const std::size_t end = pending_.rfind('\n') + 1;  // npos + 1 is 0
    if (end == 0 && pending_.size() > options_.longest_record)
      return fail("a line of more than 64 MiB: expected one operation on each line");
    const Result<void> done = lines(std::string_view(pending_).substr(0, end));
    pending_.erase(0, end);
    return done;
  }
  Result<void> finish() {
    if (auto done = lines(pending_); !done) return done;
    sums_.end_run();
    if (operations_ > 0 && faults_ == operations_)
      return fail("no line holds an operation: expected one on each line, as commands.json has them");
    return {};
  }
  int end() {
    if (hidden_ > 0) std::fprintf(stderr, "and %s more\n", std::to_string(hidden_).c_str());
    if (summary_) sums_.write([&](std::string_view piece) { output_.write(piece); });
    return output_.finish() ? done : unusable_input;
  }

 private:
  Result<void> lines(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos)
      if (auto done = analyse(text); !done) return done;
    lines_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return {};
  }

  Result<void> analyse(std::string_view text) {
    Result<Workload> workload = read(text, options_);
    if (!workload) return Unexpected(workload.error());
    tell(workload->diagnostics);
    hidden_ += workload->hidden_diagnostics;
    for (std::size_t op = 0; op < workload->size(); ++op) faults_ += workload->class_of(op).invalid ? 1 : 0;
    const Plan plan(*workload, scenario_);
    const OpSet ops(plan);
    if (summary_) {
      if (auto added = sums_.add(ops); !added) return added;
    } else {
      write_op_lines(ops, operations_, [&](std::string_view piece) { output_.write(piece); });
      output_.flush();
    }
    operations_ += workload->size();
    return {};
  }

  /// The first of all, by where they are in the stream.
  void tell(Diagnostics& diagnostics) {
    for (Diagnostic& diagnostic : diagnostics) {
      if (told_ == most_told) {
        ++hidden_;
        continue;
      }
      ++told_;
      if (diagnostic.line > 0) diagnostic.line = narrowed<std::size_t>(lines_ + diagnostic.line).value_or(0);
      if (diagnostic.op) diagnostic.op = narrowed<std::uint32_t>(operations_ + *diagnostic.op);
      print_diagnostic(file_, diagnostic);
    }
  }

  /// A place in the stream; none where a diagnostic has no room for its number.
  template <class T>
  static std::optional<T> narrowed(std::uint64_t place) {
    return place > std::numeric_limits<T>::max() ? std::nullopt : std::optional(static_cast<T>(place));
  }

  static constexpr std::size_t most_told = 20;
  const std::string& file_;
  const Scenario& scenario_;
  const bool summary_;
  ReadOptions options_;
  RunSummary sums_;
  Output output_;
  std::string pending_;
  std::uint64_t lines_ = 0, operations_ = 0, faults_ = 0, told_ = 0, hidden_ = 0;  // of a stream without end
};

}  // namespace

int analyze_stream(const std::string& file, const std::vector<std::string>& registries, const Scenario& scenario, bool summary) {
  Keys keys;
  const Outcome<Registry> registry = read_registries(registries, keys);
  if (!registry) return report(registry.error());
  Stream stream(file, *registry, keys, scenario, summary);
  Result<void> read = read_pieces(file, [&](std::string_view bytes) { return stream.feed(bytes); }, Pieces::as_they_come);
  if (read) read = stream.finish();
  if (!read) return report(describe(file, read.error()), unusable_input);
  return stream.end();
}

}  // namespace roofline::cli
