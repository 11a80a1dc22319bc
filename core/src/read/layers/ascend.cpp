// Profiles of Ascend NPUs: msprof's op_summary and torch_npu's kernel_details. docs/formats/ascend.md has the rules.
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/machine/format.hpp>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/layers/tiled_shape.hpp"
#include "read/operations/operations.hpp"
#include "read/text/format_words.hpp"
#include "read/text/lines.hpp"
#include "read/text/named_rows.hpp"

namespace roofline {
namespace {

/// Cells are in quotes of their own, lists in brackets.
std::string bare(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\'' || c == '[' || c == ']' || c == ' '; });
  return text;
}

/// An operand as its cells have it: tiles and all.
struct Stored {
  std::vector<double> shape;
  FormatId format = no_format;
  std::string layout;
};

/// "136,5120;320,48,16,16" with "DT_BF16;DT_BF16" and "ND;FRACTAL_NZ"; nullopt where the cells state nothing ("N/A"), or no lengths.
std::optional<std::vector<Stored>> stored_operands(const std::string& shapes, const std::string& types, const std::string& layouts) {
  const std::string cell = bare(shapes), type_cell = bare(types), layout_cell = bare(layouts);
  if (cell == "N/A" || type_cell == "N/A" || type_cell.empty() || type_cell == "UNDEFINED") return std::nullopt;
  const auto lists = split(cell, ';'), names = split(type_cell, ';'), orders = split(layout_cell, ';');
  std::vector<Stored> out;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    Stored operand;
    if (!lists[i].empty())
      for (const std::string_view length : split(lists[i], ',')) {
        const std::optional<double> number = exact_number(length);
        if (!number || !(*number >= 0)) return std::nullopt;
        operand.shape.push_back(*number);
      }
    if (i < names.size()) operand.format = format_in(names[i]);
    if (i < orders.size()) operand.layout = orders[i];
    out.push_back(std::move(operand));
  }
  return out;
}

/// FRACTAL_Z holds a convolution's kernels as [C1 K, N1, N0, C0], C1 being the input's: the K places of a kernel then stand in one
/// dimension. Of groups N1 N0 is less than the output's channels.
std::optional<std::vector<double>> kernels_of(const Stored& weight, const std::vector<double>& input, const std::vector<double>& output) {
  if (weight.shape.size() != 4 || input.size() < 3 || output.size() != input.size()) return std::nullopt;
  const auto tiles = [](double length, double tile) { return std::ceil(length / tile); };
  const double places = weight.shape[0] / tiles(input[1], weight.shape[3]), channels = weight.shape[1] * weight.shape[2];
  if (places != std::floor(places) || tiles(output[1], weight.shape[2]) * weight.shape[2] != channels) return std::nullopt;
  std::vector<double> kernels = {output[1], input[1], places};
  kernels.resize(input.size(), 1);
  return kernels;
}

/// By the type's name, without the D of kernels whose parameters are constants.
const Operator* ascend_operator(std::string_view type) {
  if (type == "TransData" || type == "TensorMove" || type == "ViewCopy") return find_operator("copy");
  if (type == "AsStrided") return find_operator("slice");
  if (const Operator* op = find_operator(type)) return op;
  return type.size() > 1 && type.back() == 'D' ? find_operator(type.substr(0, type.size() - 1)) : nullptr;
}

class AscendReader final : public RowsReader<Layers> {
 public:
  explicit AscendReader(const ReadOptions& options)
      : RowsReader(options, SourceFormat::ascend, "kernel"), longest_(options.longest_record), core_(builder().add_category("Core")) {}

  Result<void> read(TextWindow& window, bool last) override {
    return table_.read(window, last, longest_, {[this] { return find_columns(); }, [&] { read_row(window); }});
  }

  Workload take() override {
    if (waits_ > 0)
      builder().note(Severity::info, quantity(waits_, "row") + " of waiting (" + seconds(wait_s_) + ") left out: waits are not work");
    if (tiled_ > 0)
      builder().note(Severity::info, "shapes of " + quantity(tiled_, "kernel") +
                                         " are tiled: their lengths count whole tiles, and may be up to 15 longer than the tensors'");
    return rows_.take();
  }

 private:
  Result<void> find_columns() {
    name_ = table_.find({"Op Name", "Name"});
    type_ = table_.find({"OP Type", "Type"});
    unit_ = table_.find({"Task Type", "Accelerator Core"});
    duration_ = table_.find({"Task Duration(us)", "Duration(us)"});
    step_ = table_.find({"Step Id"});
    for (int i = 0; i < 2; ++i) {
      const std::string side = i == 0 ? "Input " : "Output ";
      shapes_[i] = table_.find({side + "Shapes"});
      types_[i] = table_.find({side + "Data Types"});
      layouts_[i] = table_.find({side + "Formats"});
    }
    for (const char* counter : {"aic_cube_fops", "aiv_vector_fops", "cube_fops", "vector_fops"})
      if (const int column = table_.find({counter}); column != NamedRows::no_column)
        counters_.emplace_back(column, builder().add_measure(counter, "FLOP"));
    if (name_ == NamedRows::no_column || type_ == NamedRows::no_column || duration_ == NamedRows::no_column)
      return Unexpected(
          Error{"an Ascend profile without names, types or times: expected the columns Op Name, OP Type and Task Duration(us), or "
                "Name, Type and Duration(us)",
                1,
                1,
                {}});
    if (shapes_[0] == NamedRows::no_column)
      builder().note(Severity::warning,
                     "the profile has no shapes: record with --task-time=l1 (msprof) or profiler_level Level1 (torch_npu)");
    return {};
  }

  void read_row(const TextWindow& window) {
    const double time_us = table_.number(duration_);
    if (!(time_us >= 0)) note_time(window);
    const std::string unit = table_.text(unit_);
    Layer layer;
    layer.name = table_.text(name_);
    layer.type = table_.text(type_);
    layer.time_s = time_us * 1e-6;
    if (unit == "EVENT_WAIT" || unit == "NOTIFY_WAIT" || layer.type == "EVENT_WAIT") {
      ++waits_;
      wait_s_ += known_or(layer.time_s, 0);
      return;
    }
    if (unit == "HCCL" || unit == "COMMUNICATION" || layer.type.substr(0, 5) == "hcom_") layer.communicates = true;
    layer.op = ascend_operator(layer.type);
    const auto inputs = stored_operands(table_.text(shapes_[0]), table_.text(types_[0]), table_.text(layouts_[0]));
    const auto outputs = stored_operands(table_.text(shapes_[1]), table_.text(types_[1]), table_.text(layouts_[1]));
    if (inputs && outputs) put_operands(layer, *inputs, *outputs);
    rows_.add(layer);
    builder().set_word(core_, unit);
    for (const auto& [column, measure] : counters_) builder().set_measure(measure, table_.number(column));
    if (step_ != NamedRows::no_column) builder().set_step(table_.text(step_));
  }

  void put_operands(Layer& layer, const std::vector<Stored>& inputs, const std::vector<Stored>& outputs) {
    bool tiled = false, told = true;
    const auto put = [&](std::vector<Operand>& to, const Stored& operand) {
      tiled = tiled || is_tiled(operand.layout);
      std::optional<std::vector<double>> shape = logical_shape(operand.shape, operand.layout);
      if (!shape && layer.op && layer.op->id == "conv" && !layer.inputs.empty() && !layer.outputs.empty())
        shape = kernels_of(operand, layer.inputs[0].shape, layer.outputs[0].shape);
      told = told && shape;
      to.push_back({shape.value_or(operand.shape), operand.format});
    };
    for (const Stored& operand : outputs) put(layer.outputs, operand);
    for (const Stored& operand : inputs) put(layer.inputs, operand);
    if (!told) layer.op = nullptr;  // its operands are still as many bytes
    tiled_ += tiled ? 1 : 0;
  }

  void note_time(const TextWindow& window) {
    builder().report(Severity::warning, [&] {
      return window.lines().at(table_.row_begin(), table_.header()[static_cast<std::size_t>(duration_)] +
                                                       ": expected microseconds, found " + in_quotes(printable(table_.text(duration_))) +
                                                       ": the kernel has no time");
    });
  }

  const std::size_t longest_;
  NamedRows table_;
  const std::size_t core_;
  int name_ = 0, type_ = 0, unit_ = 0, duration_ = 0, step_ = 0;
  int shapes_[2] = {}, types_[2] = {}, layouts_[2] = {};
  std::vector<std::pair<int, std::size_t>> counters_;  // columns of FLOPs that the hardware counted, and their measures
  std::size_t waits_ = 0, tiled_ = 0;
  double wait_s_ = 0;
};

}  // namespace

bool detects_ascend(std::string_view text) {
  const std::string_view line = first_line(text);
  return contains(line, "Duration(us)") && (contains(line, "OP Type") || contains(line, "Accelerator Core"));
}

std::unique_ptr<FormatReader> open_ascend(const ReadOptions& options) { return std::make_unique<AscendReader>(options); }

}  // namespace roofline
