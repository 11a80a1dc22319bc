// Accuracies and tensor files as JSON.
#include <roofline/tensor.hpp>

#include "write/json_out.hpp"

namespace roofline {
namespace {

void write_shape(JsonOut& out, const TensorInfo& tensor) {
  out.member("name", tensor.name);
  out.member("type", tensor.type);
  out.key("shape");
  out.begin_array();
  for (const std::uint64_t length : tensor.shape) out.count(length);
  out.end_array();
  out.member_count("elements", tensor.elements());
}

}  // namespace

std::string tensors_json(const TensorFile& file) {
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.member("format", file.format);
    out.key("tensors");
    out.begin_array();
    for (const TensorInfo& tensor : file.tensors) {
      out.begin_object();
      write_shape(out, tensor);
      out.member_count("offset", tensor.offset);
      out.member_count("bytes", tensor.bytes);
      out.member("readable", tensor.element.bytes > 0 && tensor.bytes > 0);
      if (tensor.packed) {
        out.key("packed");
        out.begin_object();
        out.member_count("offset", tensor.packed->offset);
        out.member_count("bytes", tensor.packed->bytes);
        out.member_count("size", tensor.packed->size);
        out.member_count("crc", tensor.packed->crc);
        out.end_object();
      }
      out.end_object();
    }
    out.end_array();
    out.end_object();
  });
}

std::string accuracy_json(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats, const MeasuredTensor* tensor) {
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.member("schema", "roofline-accuracy/1");
    out.key("tensor");
    if (tensor) {
      out.begin_object();
      out.member("file", tensor->file);
      write_shape(out, tensor->info);
      out.member_count("measured", tensor->accuracy.measured);
      out.member_count("not_finite", tensor->accuracy.not_finite);
      out.member("min", tensor->accuracy.min);
      out.member("max", tensor->accuracy.max);
      out.member("rms", tensor->accuracy.rms);
      out.end_object();
    } else {
      out.null();
    }
    out.key("formats");
    out.begin_array();
    for (const FormatId id : formats) {
      const Format& format = Formats::catalogue()[id];
      out.begin_object();
      out.member("id", format.id);
      out.member("name", format.name);
      out.member("effective_bits", format.effective_bits());
      out.key("sqnr_db");
      out.begin_object();
      for (const AccuracyColumn& column : columns) out.member(column.name, column.sqnr_db[id]);
      out.end_object();
      out.key("exact");
      out.begin_array();
      for (const AccuracyColumn& column : columns)
        if (column.sqnr_db[id] == std::numeric_limits<double>::infinity()) out.value(column.name);
      out.end_array();
      out.end_object();
    }
    out.end_array();
    out.end_object();
  });
}

std::string accuracy_csv(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats) {
  std::string text = "format,effective_bits";
  for (const AccuracyColumn& column : columns) text += ',' + column.name + "_sqnr_db";
  text += '\n';
  for (const FormatId id : formats) {
    const Format& format = Formats::catalogue()[id];
    text += format.id + ',' + shortest(format.effective_bits());
    for (const AccuracyColumn& column : columns)
      text += ',' + (column.sqnr_db[id] == std::numeric_limits<double>::infinity() ? "exact" : shortest(column.sqnr_db[id]));
    text += '\n';
  }
  return text;
}

std::vector<FormatId> quantising_formats() {
  std::vector<FormatId> formats;
  for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
    if (Formats::catalogue().all()[f].quantises()) formats.push_back(static_cast<FormatId>(f));
  return formats;
}

std::vector<AccuracyColumn> sample_columns() {
  std::vector<AccuracyColumn> columns;
  for (std::size_t s = 0; s < sample_count; ++s) {
    const auto sample = static_cast<Sample>(s);
    columns.push_back({to_string(sample), sqnr_table(sample)});
  }
  return columns;
}

}  // namespace roofline
