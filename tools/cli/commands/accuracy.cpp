// roofline accuracy [FILE]: what rounding to each format loses, of the built-in samples or of a tensor of the user's.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <roofline/tensor/tensor.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/files.hpp"
#include "io/gzip.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string file;
  std::string tensor;
  std::vector<std::string> formats;
  bool list = false;
  std::string output = "table";
};

/// The file, or what is packed in it: of a plain file only the parts that are asked for are read.
struct TensorBytes {
  std::string file;
  std::optional<std::string> unpacked;
  std::uint64_t size = 0;

  [[nodiscard]] Result<std::string> part(std::uint64_t offset, std::uint64_t count) const {
    if (!unpacked) return read_part(file, offset, count);
    return offset <= unpacked->size() ? unpacked->substr(offset, count) : std::string();
  }

  /// The first `most` bytes of what a tensor of an archive is packed in.
  [[nodiscard]] Result<std::string> inflated(const TensorInfo& tensor, std::uint64_t most) const {
    const PackedPart& packed = *tensor.packed;
    // Hardly anything deflates to more than itself: of a long part the start will do.
    const Result<std::string> deflated = part(packed.offset, most < packed.size ? std::min(packed.bytes, 2 * most) : packed.bytes);
    Result<std::string> bytes = deflated ? unpack_part(*deflated, packed, most) : deflated;
    if (!bytes) return fail(bytes.error().message, tensor.name);
    return bytes;
  }

  [[nodiscard]] Result<std::string> data(const TensorInfo& tensor) const {
    if (!tensor.packed) return part(tensor.offset, tensor.bytes);
    Result<std::string> bytes = inflated(tensor, tensor.packed->size);
    if (bytes) bytes->erase(0, tensor.offset);
    if (bytes) bytes->resize(tensor.bytes);
    return bytes;
  }
};

Outcome<TensorBytes> open_tensors(const std::string& file) {
  TensorBytes bytes{file, {}, 0};
  std::error_code none;
  bytes.size = std::filesystem::file_size(file, none);
  if (none) {
    const Result<void> readable = check_readable(file);
    return give_up(describe(file, readable ? Error{"has no size: expected a plain file", 0, 0, {}} : readable.error()), unusable_input);
  }
  const Result<std::string> start = read_part(file, 0, tensor_start);
  if (!start) return give_up(describe(file, start.error()), unusable_input);
  if (is_gzip(*start)) {
    Result<std::string> unpacked = read_file(file);
    if (!unpacked) return give_up(describe(file, unpacked.error()), unusable_input);
    bytes.size = unpacked->size();
    bytes.unpacked = std::move(*unpacked);
  }
  return bytes;
}

Outcome<TensorFile> read_header(const TensorBytes& bytes) {
  const std::string& file = bytes.file;
  const Result<std::string> start = bytes.part(0, tensor_start);
  if (!start) return give_up(describe(file, start.error()), unusable_input);
  const std::uint64_t length = std::max<std::uint64_t>(tensor_header_size(*start, bytes.size), start->size());
  const Result<std::string> header = bytes.part(0, std::min(bytes.size, length));
  if (!header) return give_up(describe(file, header.error()), unusable_input);
  Result<TensorFile> tensors = read_tensor_header(*header, bytes.size);
  if (!tensors) return give_up(describe(file, tensors.error()), unusable_input);
  for (TensorInfo& tensor : tensors->tensors) {
    if (!tensor.packed) continue;
    const Result<std::string> array = bytes.inflated(tensor, packed_start);
    const Result<void> read = array ? read_packed(tensor, *array) : Unexpected(array.error());
    if (!read) return give_up(describe(file, read.error()), unusable_input);
  }
  return std::move(*tensors);
}

Outcome<MeasuredTensor> measure(const Options& options, const TensorBytes& file, const TensorFile& tensors) {
  const Result<const TensorInfo*> tensor = find_tensor(tensors, options.tensor);
  if (!tensor) {  // a fault with a path is the tensor's own, one without it is the choice of the tensor
    const std::string hint = options.tensor.empty() ? " (--tensor NAME; --list prints them)" : "";
    if (!tensor.error().path.empty()) return give_up(describe(options.file, tensor.error()), unusable_input);
    return give_up(describe(options.file, tensor.error()) + hint, wrong_command_line);
  }
  const Result<std::string> bytes = file.data(**tensor);
  if (!bytes) return give_up(describe(options.file, bytes.error()), unusable_input);
  if (bytes->size() < (*tensor)->bytes)
    return give_up(display_name(options.file) + ": has become shorter while it was read", unusable_input);
  const std::string name = std::filesystem::path(options.file).filename().string();
  return measure_tensor(name, **tensor, *bytes);
}

Outcome<std::vector<FormatId>> find_formats(const std::vector<std::string>& names) {
  std::vector<FormatId> formats;
  for (const std::string& name : names) {
    const std::optional<FormatId> format = Formats::catalogue().find(name);
    if (!format) return give_up("--formats: " + Formats::catalogue().unknown_name_message(name), wrong_command_line);
    formats.push_back(*format);
  }
  return names.empty() ? measured_formats() : formats;
}

std::string shape_text(const TensorInfo& tensor) {
  std::string text;
  for (const std::uint64_t length : tensor.shape) text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text.empty() ? "scalar" : text;
}

std::string list_text(const TensorFile& file) {
  std::vector<std::vector<std::string>> rows = {{"name", "type", "shape", "elements"}};
  for (const TensorInfo& tensor : file.tensors)
    rows.push_back({tensor.name.empty() ? "-" : printable(tensor.name), printable(tensor.type), shape_text(tensor),
                    std::to_string(tensor.elements())});
  return align(rows, "lllr");
}

/// 40.61; "exact"; "-" where there is no rule to round by.
std::string decibels_text(double sqnr) {
  if (std::isnan(sqnr)) return "-";
  if (std::isinf(sqnr)) return "exact";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", sqnr);
  return text;
}

std::string table(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats, const MeasuredTensor* tensor) {
  std::vector<std::vector<std::string>> rows(1, {"format", "bits"});
  for (const AccuracyColumn& column : columns) rows.front().push_back(column.name + " dB");
  for (const FormatId id : formats) {
    const Format& format = Formats::catalogue()[id];
    char bits[32];
    std::snprintf(bits, sizeof bits, "%g", format.effective_bits());  // all digits: 4.125 are not 4.12
    std::vector<std::string> row = {format.id, bits};
    for (const AccuracyColumn& column : columns) row.push_back(decibels_text(column.sqnr_db[id]));
    rows.push_back(std::move(row));
  }
  std::string text = align(rows, "lr" + std::string(columns.size(), 'r'));
  if (!tensor) return text;
  const Accuracy& a = tensor->accuracy;
  const std::string name = tensor->info.name.empty() ? "" : " " + tensor->info.name;
  text += '\n' + printable(tensor->file + name) + ": " + shape_text(tensor->info) + " of " + printable(tensor->info.type) + ", from " +
          number(a.min) + " to " + number(a.max) + ", root mean square " + number(a.rms) + '\n';
  if (a.measured < a.elements)
    text += "rounded, evenly spread: " + std::to_string(a.measured) + " of " + std::to_string(a.elements) + " elements\n";
  if (a.not_finite > 0) text += "not finite, and taken as 0: " + std::to_string(a.not_finite) + '\n';
  return text;
}

int accuracy(const Options& options) {
  const Outcome<std::vector<FormatId>> formats = find_formats(options.formats);
  if (!formats) return report(formats.error());
  if (options.file.empty() && (options.list || !options.tensor.empty()))
    return report("--list and --tensor: expected a FILE that holds tensors", wrong_command_line);
  std::vector<AccuracyColumn> columns;
  std::optional<MeasuredTensor> tensor;
  if (options.file.empty()) {
    columns = sample_columns();
  } else {
    const Outcome<TensorBytes> bytes = open_tensors(options.file);
    if (!bytes) return report(bytes.error());
    const Outcome<TensorFile> file = read_header(*bytes);
    if (!file) return report(file.error());
    if (options.list) return print(options.output == "json" ? tensors_json(*file) + "\n" : list_text(*file));
    Outcome<MeasuredTensor> measured = measure(options, *bytes, *file);
    if (!measured) return report(measured.error());
    tensor = std::move(*measured);
    columns = {{"tensor", tensor->accuracy.sqnr_db}};
  }
  const MeasuredTensor* of = tensor ? &*tensor : nullptr;
  if (options.output == "json") return print(accuracy_json(columns, *formats, of) + "\n");
  return print(options.output == "csv" ? accuracy_csv(columns, *formats) : table(columns, *formats, of));
}

}  // namespace

void add_accuracy(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("accuracy", "What rounding to each number format loses, of samples or of your own tensor");
  command->add_option("FILE", options->file, "A tensor: .npy, .npz or safetensors, gzip is fine; without one, the built-in samples")
      ->type_name("");
  command->add_option("--tensor", options->tensor, "Which one, of a file that holds several")->type_name("NAME");
  command->add_flag("--list", options->list, "Only list the file's tensors");
  command->add_option("--formats", options->formats, "Only these, in this order (default: all that numbers can be rounded to)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("F,F");
  add_output_option(*command, options->output, {"table", "json", "csv"});
  command->callback([options, &chosen] { chosen = [options] { return accuracy(*options); }; });
}

}  // namespace roofline::cli
