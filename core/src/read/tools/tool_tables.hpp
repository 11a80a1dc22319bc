// Tools that print tables for people, or files of another shape: each becomes the CSV of a table of kernels, which the reader of such
// tables then reads (docs/formats/kernels.md). A tool is a row of the table in tool_tables.cpp and a function that turns its text into CSV.
#pragma once

#include <initializer_list>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The cell as a quoted CSV field: double quotes within it are doubled.
[[nodiscard]] std::string quoted_cell(std::string_view cell);

/// A CSV being written.
class CsvRows {
 public:
  explicit CsvRows(std::string_view header) : text_(std::string(header) + '\n') {}
  void add(std::initializer_list<std::string_view> cells);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Whether a text contains all of the marks, which are separated by '|'.
[[nodiscard]] bool contains_all(std::string_view text, std::string_view marks);

/// All digits of a number.
[[nodiscard]] std::string exact(double number);

struct ToolTable {
  const char* tool;   ///< for people
  const char* marks;  ///< what the file's beginning holds, all of it, separated by '|'
  std::string (*csv)(std::string_view text);
  const char* note;            ///< what holds for every file of the tool; null: nothing
  const char* part = nullptr;  ///< marks the start of each table in a log, to count them; null: one table per file
  SourceFormat format = SourceFormat::kernels;
  const char* simulated_by = nullptr;                        ///< the program whose estimate its times are; null: they were measured
  std::string (*left_out)(std::string_view text) = nullptr;  ///< a warning about work in the file that no row has; empty: none
  const char* expected = nullptr;                            ///< the reports that hold operations; null: the documentation lists them
};

// qualcomm_text.cpp
std::string csv_of_snpe(std::string_view text);
std::string csv_of_qnn_viewer(std::string_view text);
std::string csv_of_qnn_csv(std::string_view text);
std::string csv_of_qnn_json(std::string_view text);
std::string csv_of_qhas(std::string_view text);
std::string csv_of_ai_hub_yaml(std::string_view text);
std::string csv_of_ai_hub_profile(std::string_view text);
// st_text.cpp
std::string csv_of_st_info(std::string_view text);
std::string csv_of_st_report(std::string_view text);
std::string csv_of_st_profile(std::string_view text);
// npu_text.cpp
std::string csv_of_vela_summary(std::string_view text);
std::string csv_of_rknn1(std::string_view text);
std::string csv_of_tidl_log(std::string_view text);
std::string csv_of_tidl_perfsim(std::string_view text);
std::string csv_of_vitis(std::string_view text);
std::string csv_of_hailo_text(std::string_view text);
std::string csv_of_hailo(std::string_view text);
// engine_text.cpp
std::string csv_of_benchmark_model(std::string_view text);
std::string csv_of_openvino_counters(std::string_view text);
std::string csv_of_ncnn(std::string_view text);
std::string csv_of_trtexec(std::string_view text);
std::string csv_of_llama_bench(std::string_view text);
std::string csv_of_llama_bench_csv(std::string_view text);
// gpu_text.cpp
std::string csv_of_unitrace(std::string_view text);
std::string csv_of_nvprof(std::string_view text);
std::string csv_of_key_averages(std::string_view text);
std::string left_out_of_key_averages(std::string_view text);
std::string csv_of_rocprofv2(std::string_view text);
std::string csv_of_chakra(std::string_view text);

}  // namespace roofline
