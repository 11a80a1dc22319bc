// RKNN's eval_perf: a table of layers as text, among other lines of a log, and as CSV without a header. docs/formats/engines.md has the
// rules.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/operations/operations.hpp"
#include "read/text/csv.hpp"
#include "read/text/format_words.hpp"
#include "read/text/lines.hpp"
#include "read/text/named_rows.hpp"
#include "read/tools/text_rows.hpp"

namespace roofline {
namespace {

using Fields = std::vector<std::string>;

bool is_target(const std::string& word) { return word == "NPU" || word == "CPU" || word == "GPU"; }
bool is_id(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Where a row of the table begins among the fields, behind what a log writes before each line: a number, a type, and then the format and
/// the target in either order; npos: it is none.
std::size_t row_start(const Fields& fields) {
  for (std::size_t i = 0; i + 7 < fields.size(); ++i)
    if (is_id(fields[i]) && (is_target(fields[i + 3]) || is_target(fields[i + 2]))) return i;
  return std::string::npos;
}

/// "(1,64,160,160),(32,64,1,1),(32)"; nullopt where it is cut short ("..."); empty for "\", which is none.
std::optional<std::vector<std::vector<double>>> shapes_of(std::string_view text) {
  std::vector<std::vector<double>> out;
  if (contains(text, "...")) return std::nullopt;
  for (std::size_t at = text.find('('); at < text.size();) {
    const std::size_t end = text.find(')', at);
    if (end == std::string_view::npos) return std::nullopt;
    std::vector<double> shape;
    for (std::size_t from = at + 1; from < end;) {
      const std::size_t comma = std::min(text.find(',', from), end);
      const std::optional<double> length = exact_number(text.substr(from, comma - from));
      if (!length || !(*length >= 0)) return std::nullopt;
      shape.push_back(*length);
      from = comma + 1;
    }
    out.push_back(std::move(shape));
    at = text.find('(', end);
  }
  return out;
}

/// Activations are fused into the types of convolutions: ConvRelu, ConvExSwish, ConvReluAdd.
const Operator* rknn_operator(const std::string& type) {
  if (type.rfind("ConvTranspose", 0) == 0) return find_operator("conv_transpose");
  if (type.rfind("Conv", 0) == 0 && type.rfind("Convert", 0) != 0) return find_operator("conv");
  if (const Operator* op = find_operator(type)) return op;
  return type.rfind("ex", 0) == 0 ? find_operator(type.substr(2)) : nullptr;
}

/// Kernels of a depthwise convolution are listed as one kernel of as many channels.
void put_depthwise(Layer& layer) {
  if (layer.inputs.size() < 2 || layer.outputs.empty()) return;
  std::vector<double>& weight = layer.inputs[1].shape;
  const auto channels = [](const std::vector<double>& shape) { return shape.size() > 1 ? shape[1] : 0; };
  if (weight.size() > 2 && weight[0] == 1 && weight[1] > 1 && weight[1] == channels(layer.inputs[0].shape) &&
      weight[1] == channels(layer.outputs[0].shape))
    std::swap(weight[0], weight[1]);
}

class RknnReader final : public RowsReader<Layers> {
 public:
  explicit RknnReader(const ReadOptions& options)
      : RowsReader(options, SourceFormat::rknn, "layer"),
        target_(builder().add_category("Target")),
        npu_cycles_(builder().add_measure("NPU cycles", "")),
        ddr_cycles_(builder().add_measure("DDR cycles", "")) {}

  Result<void> read(TextWindow& window, bool) override {
    const std::vector<std::string_view> lines = lines_of(window.text());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Fields fields = fields_of(lines[i]);
      if (const std::size_t start = row_start(fields); start != std::string::npos)
        read_row({fields.begin() + static_cast<std::ptrdiff_t>(start), fields.end()}, i + 1);
      else
        read_total(lines[i]);
    }
    window.drop(window.text().size());
    return {};
  }

  Workload take() override {
    WorkloadBuilder& rows = builder();
    if (total_us_ > 0) {
      rows.workload().properties.emplace_back("Frame", seconds(total_us_ * 1e-6));
      if (std::abs(sum_us_ / total_us_ - 1) > 0.01)
        rows.note(Severity::warning, "the layers' times add up to " + seconds(sum_us_ * 1e-6) + ": the table says " +
                                         seconds(total_us_ * 1e-6) + "; rows are missing, or it is more than one table");
    }
    if (rows.size() > 0) rows.note(Severity::info, "layers were timed one at a time; a whole frame takes less than their sum");
    return rows_.take();
  }

 private:
  static Fields fields_of(std::string_view line) { return contains(line, '"') ? quoted_cells(line) : words_of(line); }

  /// ID, type, format, target, input and output shapes, cycles (of DDR, NPU and in all: one word or three), time, share of MACs, ..., name.
  void read_row(const Fields& row, std::size_t line) {
    const bool target_first = is_target(row[2]);
    const std::string& target = row[target_first ? 2 : 3];
    const FormatId format = format_in(row[target_first ? 3 : 2]);
    Layer layer;
    layer.type = row[1];
    layer.name = row.back();
    layer.op = rknn_operator(layer.type);
    const auto inputs = shapes_of(row[4]), outputs = shapes_of(row[5]);
    if (inputs && outputs) {
      for (const auto& shape : *inputs) layer.inputs.push_back({shape, format});
      for (const auto& shape : *outputs) layer.outputs.push_back({shape, format});
    }
    if (layer.op && layer.op->id == "conv") put_depthwise(layer);
    const bool joined = contains(row[6], '/');
    const std::size_t time_at = joined ? 7 : 9;
    const double time_us = time_at < row.size() ? exact_number(row[time_at]).value_or(unknown) : unknown;
    if (!(time_us >= 0))
      builder().report(Severity::warning, [&] {
        return Error{"Time(us): expected microseconds, found " + in_quotes(printable(time_at < row.size() ? row[time_at] : "")) +
                         ": the layer has no time",
                     line,
                     1,
                     {}};
      });
    layer.time_s = time_us * 1e-6;
    sum_us_ += known_or(time_us, 0);
    rows_.add(layer);
    builder().set_word(target_, target);
    const std::vector<double> cycles = joined ? numbers_between_slashes(row[6]) : std::vector{number(row[6]), number(row[7])};
    builder().set_measure(ddr_cycles_, !cycles.empty() ? cycles[0] : unknown);
    builder().set_measure(npu_cycles_, cycles.size() > 1 ? cycles[1] : unknown);
  }

  static double number(const std::string& text) { return exact_number(text).value_or(unknown); }
  static std::vector<double> numbers_between_slashes(const std::string& text) {
    std::vector<double> out;
    for (const std::string_view part : split(text, '/')) out.push_back(number(std::string(part)));
    return out;
  }

  /// "Total Operator Elapsed Per Frame Time(us): 14147"
  void read_total(std::string_view line) {
    constexpr std::string_view words = "Total Operator Elapsed";
    const std::size_t at = line.find(words), colon = line.find(':', at == std::string_view::npos ? at : at + words.size());
    if (colon == std::string_view::npos) return;
    const Fields fields = words_of(line.substr(colon + 1));
    if (!fields.empty()) total_us_ = number(fields[0]);
  }

  const std::size_t target_, npu_cycles_, ddr_cycles_;
  double sum_us_ = 0, total_us_ = unknown;
};

}  // namespace

bool detects_rknn(std::string_view text) {
  const std::size_t header = text.find("OpType");
  if (header != std::string_view::npos) {
    const std::string_view line = text.substr(header, text.find('\n', header) - header);
    return contains(line, "InputShape") && contains(line, "OutputShape");
  }
  const Fields fields = quoted_cells(first_line(text));
  return fields.size() >= 11 && is_id(fields[0]) && is_target(fields[3]);
}

std::unique_ptr<FormatReader> open_rknn(const ReadOptions& options) { return std::make_unique<RknnReader>(options); }

}  // namespace roofline
