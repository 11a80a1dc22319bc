// The kernel trace of rocprofv2 and rocprofv3, the time of each dispatch, and rocprofv3's counter_collection.csv, one counter of one
// dispatch per row. docs/formats/rocm.md has the rules.
#include <map>
#include <set>

#include "base/letters.hpp"
#include "read/amd/counters.hpp"
#include "read/formats.hpp"
#include "read/text/named_rows.hpp"

namespace roofline {
namespace {

class Rocprofv3Reader final : public RowsReader<CountedKernels> {
 public:
  explicit Rocprofv3Reader(const ReadOptions& options) : RowsReader(options, SourceFormat::rocprofv3), longest_(options.longest_record) {}

  Result<void> read(TextWindow& window, bool last) override {
    return table_.read(window, last, longest_, {[this] { return find_columns(); }, [&] { read_row(window); }});
  }

  Workload take() override {
    WorkloadBuilder& rows = builder();
    if (agents_.size() > 1)
      rows.note(Severity::info, "kernels ran on " + std::to_string(agents_.size()) + " agents: their times are added up");
    std::map<std::string, std::size_t> measures;  // by counter
    for (const Group& group : groups_)
      for (const auto& [counter, sum] : group.counters)
        if (!measures.contains(counter)) measures[counter] = rows.add_measure(counter, "");
    for (const Group& group : groups_) {
      const auto dispatches = static_cast<double>(group.dispatches);
      CountedKernel kernel{group.name, group.time_s / dispatches, dispatches, {}};
      kernel.work = work_of([&](std::string_view counter) {
        const auto found = group.counters.find(std::string(counter));
        return found == group.counters.end() ? unknown : found->second / dispatches;
      });
      if (!(kernel.time_s > 0)) kernel.time_s = unknown;
      rows_.add(kernel, {});
      for (const auto& [counter, measure] : measures) {
        const auto found = group.counters.find(counter);
        rows.set_measure(measure, found == group.counters.end() ? unknown : found->second);
      }
    }
    Workload work = rows_.take();
    const std::string architecture = architecture_of([&](std::string_view counter) { return measures.contains(std::string(counter)); });
    if (!architecture.empty()) work.machine_words.push_back(architecture);
    return work;
  }

 private:
  /// Dispatches of one kernel over one grid.
  struct Group {
    std::string name;
    double time_s = 0;
    std::size_t dispatches = 0;
    std::map<std::string, double> counters;  ///< sums over the dispatches
  };

  Result<void> find_columns() {
    name_ = table_.find({"Kernel_Name"});
    dispatch_ = table_.find({"Dispatch_Id", "Dispatch_ID"});
    agent_ = table_.find({"Agent_Id", "GPU_ID"});
    begin_ = table_.find({"Start_Timestamp"});
    end_ = table_.find({"End_Timestamp"});
    counters_ = table_.find({"Counter_Name"});
    value_ = table_.find({"Counter_Value"});
    grid_ = {table_.find({"Grid_Size_X", "Grid_Size"}), table_.find({"Grid_Size_Y"}), table_.find({"Grid_Size_Z"})};
    if (counters_ == NamedRows::no_column && (begin_ == NamedRows::no_column || end_ == NamedRows::no_column))
      return Unexpected(Error{"a rocprofv3 kernel trace without times: expected the columns Start_Timestamp and End_Timestamp", 1, 1, {}});
    return {};
  }

  void read_row(const TextWindow& window) {
    std::string grid;
    for (const int column : grid_)
      if (const std::string size = table_.text(column); !size.empty()) grid += (grid.empty() ? "" : "x") + size;
    const std::string name = table_.text(name_) + (grid.empty() ? "" : " [" + grid + ']');
    const auto [found, is_new] = index_.emplace(name, groups_.size());
    if (is_new) groups_.push_back({name, 0, 0, {}});
    Group& group = groups_[found->second];
    const std::string agent = table_.text(agent_);
    if (!agent.empty()) agents_.insert(agent);
    const double time_ns = table_.number(end_) - table_.number(begin_);
    const bool trace = counters_ == NamedRows::no_column;
    if (trace && !(time_ns >= 0)) note_row(window, "Start_Timestamp and End_Timestamp: expected nanoseconds");
    // A counter's row repeats its dispatch.
    if (trace || dispatches_.insert(agent + ' ' + table_.text(dispatch_)).second) {
      ++group.dispatches;
      group.time_s += time_ns > 0 ? time_ns * 1e-9 : 0;
    }
    if (trace) return;
    const double value = table_.number(value_);
    if (!known(value)) return note_row(window, "Counter_Value: expected a number");
    group.counters[table_.text(counters_)] += value;
  }

  void note_row(const TextWindow& window, const char* message) {
    if (builder().full()) return;
    const Error error = window.lines().at(table_.row_begin(), std::string(message) + ": it has none here");
    builder().workload().diagnostics.push_back({Severity::warning, error.message, {}, error.line, error.column, {}});
  }

  const std::size_t longest_;
  NamedRows table_;
  int name_ = 0, dispatch_ = 0, agent_ = 0, begin_ = 0, end_ = 0, counters_ = 0, value_ = 0;
  std::array<int, 3> grid_{};
  std::vector<Group> groups_;
  std::map<std::string, std::size_t> index_;
  std::set<std::string> agents_, dispatches_;
};

}  // namespace

bool detects_rocprofv3(std::string_view text) {
  const std::string_view line = first_line(text);
  const bool version_2 = contains(line, "Dispatch_ID") && contains(line, "End_Timestamp");
  return contains(line, "Kernel_Name") &&
         (version_2 || (contains(line, "Dispatch_Id") && (contains(line, "Counter_Name") || contains(line, "Kernel_Id"))));
}

std::unique_ptr<FormatReader> open_rocprofv3(const ReadOptions& options) { return std::make_unique<Rocprofv3Reader>(options); }

}  // namespace roofline
