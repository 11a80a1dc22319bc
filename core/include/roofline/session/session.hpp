// One open workload, its scenario and its view: what the page talks to. Messages are JSON text (wasm/session.d.ts describes them).
// Nothing here knows that it runs in a browser.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <roofline/analysis/compare.hpp>
#include <roofline/frame/frame.hpp>
#include <roofline/read/read.hpp>
#include <roofline/write/columns.hpp>
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

class FrameCache;
struct FrameSubject;
struct LlmRequest;
struct ReadOverrides;
struct ViewSettings;

/// Calls visit(name, column, meaning) for each column of a frame that the page gets.
template <class Visit>
void each_column(const Frame& frame, const Visit& visit) {
  visit("points", frame.points, "op index of each point, most time first");
  visit("intensity", frame.intensity, "FLOP/B; 0: no FLOPs; NaN: not known");
  visit("attained", frame.attained, "FLOP/s measured, else attainable; without FLOPs B/s");
  visit("share", frame.time_share, "of total time, 0..1");
  visit("whatif_intensity", frame.whatif_intensity, "empty without an active what-if");
  visit("whatif_attained", frame.whatif_attained, "where the op lands at today's efficiency");
  visit("step", frame.step, "index into OpenedJson.steps; empty where there are none");
  visit("status", frame.status, "index into STATUSES");
  visit("symbol", frame.symbol, "index into SYMBOLS");
  visit("bound", frame.bound, "index into FrameJson.resources, or NO_RESOURCE");
  visit("flags", frame.flags, "bits of POINT_FLAGS");
  visit("density", frame.density, "width * height, row 0 at log_y0");
  visit("memory_intensity", frame.memory_intensity, "with View.memory \"all\": a row of points per name in FrameJson.memories; else empty");
}

class Session {
 public:
  /// `limits`: of all that is open together.
  explicit Session(const WorkloadLimits& limits = {});
  ~Session();

  // Input: write bytes to begin()'s address, then call what takes them. prepare() says what a file is, by all of it or its first
  // ReadOptions::standard_head. Operations are start()ed, fed in pieces of any size and finish()ed; what is open stays until then.
  char* begin(std::size_t size, std::string name);
  std::string prepare();
  void start(std::string name, std::uint64_t size);
  /// How the next file that is start()ed is taken, JSON (session/read_overrides.hpp); without it, as its content says.
  std::string take_as(std::string_view choices);
  /// Of a table, from its first bytes: {"columns": [{"header", "meaning", "first", "use", "as", "unit"}], "choices": [{"header",
  /// "meaning"}]} (table_columns.hpp).
  std::string table_columns();
  std::string feed();
  std::string finish();
  void drop();

  /// Opens a workload that the core makes itself, in place of a file: `kind` is "operator" or "model". Answers as finish() does.
  std::string build(std::string_view kind, std::string_view request);

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
  /// Its chart alone, with ChartJson and no density, where no machine moves the points of the frame before; elsewhere the whole frame.
  Screen chart();

  /// Where an operation's raw text lies in the source's bytes, for detail(): {"offset", "length"}, or null where there is none.
  [[nodiscard]] std::string record(std::size_t op) const;
  std::string detail(std::size_t op, std::string_view record);
  /// What views beyond the chart and the table show: core/src/session/questions has a file for each question. On a fault `json` is
  /// {"error": ...}.
  Answer ask(std::string_view question, std::string_view request);
  [[nodiscard]] std::string diagnostics(std::size_t offset, std::size_t limit) const;
  [[nodiscard]] int index_of(std::string_view name) const;
  /// A document: "json", "csv", "svg", "compare.csv" or "compare_types.csv". An error names these where `kind` is none of them.
  /// `baseline`: the row of an operator's formats that JSON compares the others with.
  [[nodiscard]] Result<void> write(std::string_view kind, const Sink& sink, std::uint32_t baseline = 0);
  /// Writes the open operations for a link, in at most `most` rows; see write/operation_rows.hpp.
  void write_operation_rows(std::size_t most, const Sink& sink) const;
  /// The operations that write() lists, as columns, and column_words_json() of them.
  [[nodiscard]] std::pair<Columns, std::string> columns() const;

 private:
  void open(Workload workload);                     ///< in place of the open one
  [[nodiscard]] std::uint64_t memory_held() const;  ///< by what is open, and the run to compare with
  [[nodiscard]] std::string not_read(Error error);  ///< drops what is read, and answers why
  /// What the workload states of its machine, under these settings.
  [[nodiscard]] Result<Scenario> scenario_for(const Workload& workload, std::string_view config) const;
  [[nodiscard]] FrameSubject subject() const;
  [[nodiscard]] Screen screen(bool chart_alone);
  [[nodiscard]] OpSet listed(const Plan& plan) const;  ///< what documents hold: as the view filters, with a profile's totals
  [[nodiscard]] const Workload& shown() const;         ///< the rows of the table: operations, or groups of them
  using UseChanges = std::function<void(const Plan& before, const Plan& after, const Comparison& changes)>;
  Result<void> with_changes(const UseChanges& use) const;  ///< as the view filters and sorts them; an error where no run is kept
  [[nodiscard]] Result<Scenario> scenario_before() const;  ///< of the run kept: on its own machine, the view's, or the open run's

  WorkloadLimits limits_;
  std::string pending_;
  std::string pending_name_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<ReadOverrides> next_overrides_, overrides_;  ///< the next file, the one that is read
  std::unique_ptr<Keys> keys_;
  std::unique_ptr<Registry> registry_;
  Workload work_;
  std::size_t opened_ = 1;          ///< counts the workloads
  std::optional<Workload> before_;  ///< the run to compare with
  bool keep_ = false;
  std::unique_ptr<LlmRequest> model_request_;  ///< of the open workload, where it is a language model's; else null
  Scenario scenario_;
  std::size_t configured_ = 1;   ///< counts the scenarios
  std::string settings_ = "{}";  ///< what configure() took last
  std::unique_ptr<ViewSettings> view_;
  std::unique_ptr<FrameCache> frames_;
};

}  // namespace roofline
