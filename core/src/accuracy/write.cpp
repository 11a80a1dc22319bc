// Accuracies as JSON and CSV.
#include <roofline/accuracy/accuracy.hpp>

#include "base/json_out.hpp"
#include "tensor/json.hpp"

namespace roofline {
std::string accuracy_json(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats, const MeasuredTensor* tensor) {
  return json_text([&](JsonOut& out) {
    out.begin_object();
    out.member("schema", "roofline-accuracy/1");
    out.key("tensor");
    if (tensor) {
      out.begin_object();
      out.member("file", tensor->file);
      write_tensor(out, tensor->info);
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
