// One open workload, its scenario and its view: what the page talks to. Messages are JSON text (wasm/session.d.ts describes them).
// Nothing here knows that it runs in a browser.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <roofline/analysis/compare.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/read/read.hpp>
#include <roofline/tensor/tensor.hpp>
#include <roofline/write/write.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// What a question is answered with: JSON text, and columns of numbers beside it where there are many.
struct Answer {
  std::string json;
  std::vector<std::pair<std::string, std::vector<float>>> columns;
};

class Session {
 public:
  Session();

  // Input: write bytes to begin()'s address, then call what takes them. prepare() says what a file is, by all of it or its first
  // ReadOptions::standard_head. Operations are start()ed, fed in pieces of any size and finish()ed; what is open stays until then.
  char* begin(std::size_t size, std::string name);
  std::string prepare();
  void start(std::string name, std::uint64_t size);
  std::string feed();
  std::string finish();
  void drop();

  /// Opens a workload that the core makes itself, in place of a file: `kind` is "operator" or "model". Answers as the last step() does.
  std::string build(std::string_view kind, std::string_view request);

  /// Tensor files (tensor.hpp). begin() and the file's first bytes, then tensors(): what it holds, or {"header_bytes": n} where that takes
  /// more of its first bytes, 0 where it is no such file. Then begin() and one tensor's bytes, and accuracy(): "roofline-accuracy/1".
  /// Where tensors are packed, begin() and the first packed_start bytes that the one of that index unpacks to, and unpacked(): it alone.
  std::string tensors(std::uint64_t file_size);
  std::string unpacked(std::size_t index);
  std::string accuracy(std::string_view tensor);

  /// Whether what is open stays as the run to compare with when the next opens ("compare" asks for the comparison). forget() drops it.
  void keep(bool next) { keep_ = next; }
  void forget();

  std::string add_registry(std::string_view text);
  void clear_registry();

  std::string configure(std::string_view config);
  [[nodiscard]] std::string config() const;
  [[nodiscard]] std::string machine() const;

  std::string view(std::string_view text);

  /// The frame of the current scenario and view, and its JSON part.
  struct Screen {
    Frame frame;
    std::string json;
  };
  Screen frame();

  std::string detail(std::size_t op, std::string_view record);
  /// What views beyond the chart and the table show: core/src/session/questions has a file for each question. On a fault `json` is
  /// {"error": ...}.
  Answer ask(std::string_view question, std::string_view request);
  [[nodiscard]] std::string diagnostics(std::size_t offset, std::size_t limit) const;
  [[nodiscard]] int index_of(std::string_view name) const;
  void write(std::string_view kind, const Sink& sink);

 private:
  [[nodiscard]] const Workload& shown() const { return grouped_ ? groups_ : work_; }
  void open(Workload workload);  ///< in place of the open one
  void workload_changed();
  void rank();  ///< the order of words that the table is sorted by
  void view_changed();
  /// `ops` and `kinds`, of the open run or of the one kept. What the open run has no words for is no filter; of a run that lacks what the
  /// open one filters by, nothing is let through.
  void filter_by_words(const Workload& workload, Filter& filter) const;
  using UseChanges = std::function<void(const Plan& before, const Plan& after, const Comparison& changes)>;
  Result<void> with_changes(const UseChanges& use) const;  ///< as the view filters and sorts them; an error where no run is kept
  [[nodiscard]] Result<Scenario> scenario_before() const;  ///< of the run kept: on its own machine, the view's, or the open run's

  std::string pending_;
  std::string pending_name_;
  TensorFile tensor_file_;  ///< the last one listed
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Keys> keys_;
  std::unique_ptr<Registry> registry_;
  Workload work_, groups_;
  std::optional<Workload> before_;  ///< the run to compare with
  bool keep_ = false;
  std::string model_request_;  ///< of the open workload, where it is a language model's; else empty
  std::vector<std::vector<std::uint32_t>> members_;
  Scenario scenario_;
  std::string settings_ = "{}";  ///< what configure() took last
  bool grouped_ = false, own_window_ = false;
  std::string search_;
  std::vector<std::string> types_;  ///< shown; empty: all
  bool all_types_ = true;
  std::vector<std::string> categories_, steps_, bounds_;  ///< shown; empty: all
  Level level_ = Level::operations;                       ///< operations, or the program and its steps
  bool infeed_ = true;
  std::optional<ProfileRank> standing_;  ///< of a profile's operations
  std::string before_machine_;           ///< of the run kept, as JSON: an id or an object; empty: its own
  std::string compare_sort_;             ///< sort_changes(); empty: by time saved
  bool compare_descending_ = true;
  std::string memory_;  ///< on the x axis: a name of Plan::axes(), "bottleneck" or "all"
  Where where_;
  FrameRequest request_;
  std::optional<Frame> positions_, totals_;  ///< of the last frame, while they hold: see ReusableFrame
};

}  // namespace roofline
