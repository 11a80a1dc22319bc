// Accuracies as JSON and CSV.
#include <roofline/accuracy/accuracy.hpp>

#include "base/schemas.hpp"
#include "tensor/json.hpp"

namespace roofline {
namespace {

bool is_exact(double sqnr_db) { return sqnr_db == std::numeric_limits<double>::infinity(); }

/// One format of a document.
struct Row {
  const Format& format;
  FormatId id;
  const std::vector<AccuracyColumn>& columns;
};
constexpr Member<Row> row_members[] = {{"id", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.format.id); }},
                                       {"name", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.format.name); }},
                                       {"effective_bits", schema::number, "of an element, with its share of the scales",
                                        [](JsonOut& out, const Row& r) { out.value(r.format.effective_bits()); }},
                                       {"sqnr_db", schema::numbers, "by sample, or of the tensor; null: not computed, or exact",
                                        [](JsonOut& out, const Row& r) {
                                          out.object([&] {
                                            for (const AccuracyColumn& column : r.columns) out.member(column.name, column.sqnr_db[r.id]);
                                          });
                                        }},
                                       {"exact", schema::texts, "of which of these no value changes", [](JsonOut& out, const Row& r) {
                                          out.begin_array();
                                          for (const AccuracyColumn& column : r.columns)
                                            if (is_exact(column.sqnr_db[r.id])) out.value(column.name);
                                          out.end_array();
                                        }}};

constexpr Member<MeasuredTensor> file_members[] = {{"file", schema::text, "", field<&MeasuredTensor::file>}};
constexpr Member<MeasuredTensor> measured_members[] = {
    {"measured", schema::count, "elements rounded", field<&MeasuredTensor::accuracy, &Accuracy::measured>},
    {"not_finite", schema::count, "elements taken as 0", field<&MeasuredTensor::accuracy, &Accuracy::not_finite>},
    {"min", schema::number, "", field<&MeasuredTensor::accuracy, &Accuracy::min>},
    {"max", schema::number, "", field<&MeasuredTensor::accuracy, &Accuracy::max>},
    {"rms", schema::number, "root mean square", field<&MeasuredTensor::accuracy, &Accuracy::rms>}};
std::string tensor_schema() { return or_null(ObjectSchema().with(file_members).with(tensor_members).with(measured_members).text()); }

struct Document {
  const std::vector<AccuracyColumn>& columns;
  const std::vector<FormatId>& formats;
  const MeasuredTensor* tensor;
};
constexpr Member<Document> members[] = {document_id<Document>("roofline-accuracy/1"),
                                        {"tensor", tensor_schema, "null: the samples",
                                         [](JsonOut& out, const Document& d) {
                                           if (!d.tensor) return out.null();
                                           out.object([&] {
                                             write_members<file_members>(out, *d.tensor);
                                             write_members<tensor_members>(out, d.tensor->info);
                                             write_members<measured_members>(out, *d.tensor);
                                           });
                                         }},
                                        {"formats", objects_of<row_members>, "", [](JsonOut& out, const Document& d) {
                                           out.begin_array();
                                           for (const FormatId id : d.formats)
                                             write_object<row_members>(out, Row{Formats::catalogue()[id], id, d.columns});
                                           out.end_array();
                                         }}};

}  // namespace

std::string accuracy_json(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats, const MeasuredTensor* tensor) {
  return json_text([&](JsonOut& out) { write_object<members>(out, Document{columns, formats, tensor}); });
}

ObjectSchema accuracy_schema() { return ObjectSchema().with(members); }

std::string accuracy_csv(const std::vector<AccuracyColumn>& columns, const std::vector<FormatId>& formats) {
  std::string text = "format,effective_bits";
  for (const AccuracyColumn& column : columns) text += ',' + column.name + "_sqnr_db";
  text += '\n';
  for (const FormatId id : formats) {
    const Format& format = Formats::catalogue()[id];
    text += format.id + ',' + shortest(format.effective_bits());
    for (const AccuracyColumn& column : columns) text += ',' + (is_exact(column.sqnr_db[id]) ? "exact" : shortest(column.sqnr_db[id]));
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

}  // namespace roofline
