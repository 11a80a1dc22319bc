// rocprof-compute's (Omniperf's) pmc_perf.csv: counters of each dispatch, merged from several passes. docs/formats/rocm.md has the rules.
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/amd/counters.hpp"
#include "read/formats.hpp"
#include "read/text/named_rows.hpp"

namespace roofline {
namespace {

class RocprofComputeReader final : public RowsReader<CountedKernels> {
 public:
  explicit RocprofComputeReader(const ReadOptions& options)
      : RowsReader(options, SourceFormat::rocprof_compute), longest_(options.longest_record) {}

  Result<void> read(TextWindow& window, bool last) override {
    return table_.read(window, last, longest_, {[this] { return find_columns(); }, [this] { read_row(); }});
  }

  Workload take() override {
    Workload work = rows_.take();
    if (!architecture_.empty()) work.machine_words.push_back(architecture_);
    return work;
  }

 private:
  Result<void> find_columns() {
    name_ = table_.find({"Kernel_Name", "KernelName"});
    begin_ = table_.find({"Start_Timestamp", "BeginNs"});
    end_ = table_.find({"End_Timestamp", "EndNs"});
    architecture_ = architecture_of([this](std::string_view counter) { return table_.find({counter}) != NamedRows::no_column; });
    return {};
  }

  void read_row() {
    CountedKernel kernel;
    kernel.name = table_.text(name_);
    const double time_ns = table_.number(end_) - table_.number(begin_);
    if (time_ns > 0) kernel.time_s = time_ns * 1e-9;
    kernel.work = work_of([this](std::string_view counter) { return table_.number(table_.find({counter})); });
    rows_.add(kernel, {});
  }

  const std::size_t longest_;
  NamedRows table_;
  int name_ = 0, begin_ = 0, end_ = 0;
  std::string architecture_;
};

}  // namespace

bool detects_rocprof_compute(std::string_view text) {
  const std::string_view line = first_line(text);
  return (contains(line, "Kernel_Name") || contains(line, "KernelName")) && contains(line, "SQ_") && contains(line, "TC");
}

std::unique_ptr<FormatReader> open_rocprof_compute(const ReadOptions& options) { return std::make_unique<RocprofComputeReader>(options); }

}  // namespace roofline
