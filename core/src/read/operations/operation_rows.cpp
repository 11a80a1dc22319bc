#include "read/operations/operation_rows.hpp"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <roofline/base/names.hpp>

#include "read/formats.hpp"
#include "read/operations/tally_rows.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

using Dom = rapidjson::Value;

/// The elements of an array; none: it is no array.
std::vector<const Dom*> elements_of(const Dom* array) {
  std::vector<const Dom*> out;
  if (array && array->IsArray())
    for (const Dom& element : array->GetArray()) out.push_back(&element);
  return out;
}

/// Element `i` of an array of numbers.
double number_at(const std::vector<const Dom*>& numbers, std::size_t i) {
  return i < numbers.size() && numbers[i]->IsNumber() ? numbers[i]->GetDouble() : unknown;
}

class OperationRows final : public RowsReader<WorkloadBuilder> {
 public:
  explicit OperationRows(const ReadOptions& options) : RowsReader(options.source_name, SourceFormat::commands, options.limits) {}

  Result<void> read(TextWindow& window, bool) override {
    rapidjson::Document document;
    constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
    document.Parse<flags>(window.text().data(), window.text().size());
    if (document.HasParseError())
      return Unexpected(
          window.lines().at(document.GetErrorOffset(), std::string("not JSON: ") + rapidjson::GetParseError_En(document.GetParseError())));
    if (auto ok = read_whole(document); !ok) return ok;
    const Dom* rows = find_member(document, "rows");
    if (!rows || !rows->IsArray()) return fail("expected an array", "rows");
    std::size_t i = 0;
    for (const Dom* row : elements_of(rows))
      if (auto ok = read_row(*row, "rows[" + std::to_string(i++) + ']'); !ok) return ok;
    window.drop(window.text().size());
    return {};
  }

  Workload take() override {
    std::vector<std::uint8_t>& views = rows_.workload().views;
    if (views.size() < rows_.size()) views.clear();  // of all rows or of none
    return rows_.take();
  }

 private:
  /// What holds for all rows.
  Result<void> read_whole(const Dom& document) {
    Workload& workload = rows_.workload();
    const SourceFormat format = named<SourceFormat>(text_of(find_member(document, "format"))).value_or(SourceFormat::commands);
    // What Roofline builds itself comes with its request, never as rows.
    const bool built = format == SourceFormat::calculation || format == SourceFormat::model;
    if (!built && format != SourceFormat::none) workload.source_format = format;
    workload.simulated_by = text_of(find_member(document, "simulated_by"));
    for (const Dom* word : elements_of(find_member(document, "machine_words"))) workload.machine_words.push_back(text_of(word));
    if (const Dom* properties = find_member(document, "properties"); properties && properties->IsObject())
      for (const auto& member : properties->GetObject()) workload.properties.emplace_back(text_of(&member.name), text_of(&member.value));
    if (const Dom* machine = find_member(document, "machine")) {
      Result<std::string> text = json_of(*machine);
      if (!text) return fail(text.error().message, "machine");
      workload.machine_json = std::move(*text);
    }
    if (const Dom* time = find_member(document, "device_time"); time && time->IsObject()) {
      const auto number = [time](const char* name) {
        const Dom* value = find_member(*time, name);
        return value && value->IsNumber() ? value->GetDouble() : unknown;
      };
      const double devices = number("devices"), span = number("span_s"), busy = number("busy_s");
      if (!(devices >= 1 && devices <= 1024 && span > 0 && busy >= 0 && busy <= span))
        return fail("expected devices, span_s and busy_s, which is no longer than the span", "device_time");
      workload.device_time = {static_cast<std::size_t>(devices), span, busy};
      const double launches = number("launches"), gaps = number("gaps"), longest = number("longest_gap_s");
      if (launches >= 1 && launches < 1e15 && gaps >= 0 && gaps <= launches && longest >= 0 && longest <= span) {
        workload.device_time.launches = static_cast<std::size_t>(launches);
        workload.device_time.gaps = static_cast<std::size_t>(gaps);
        workload.device_time.longest_gap_s = longest;
      }
    }
    for (const Dom* channel : elements_of(find_member(document, "channels"))) {
      const Dom* link = find_member(*channel, "link");
      rows_.add_channel(text_of(find_member(*channel, "name")), link && link->IsTrue());
      ++channels_;
    }
    for (const Dom* measure : elements_of(find_member(document, "measures"))) {
      rows_.add_measure(text_of(find_member(*measure, "name")), text_of(find_member(*measure, "unit")));
      ++measures_;
    }
    for (const Dom* label : elements_of(find_member(document, "labels"))) {
      rows_.add_category(text_of(label));
      ++labels_;
    }
    return {};
  }

  Result<void> read_row(const Dom& value, const std::string& path) {
    const Result<TallyRow> row = read_tally_row(value, path);
    if (!row) return Unexpected(row.error());
    rows_.push(workload_row(*row, rows_));
    if (const Dom* step = find_member(value, "step")) rows_.set_step(text_of(step));
    if (const Dom* views = find_member(value, "views"); views && views->IsUint())
      rows_.set_views(static_cast<std::uint8_t>(views->GetUint()));
    const auto bytes = elements_of(find_member(value, "channel_bytes")), figures = elements_of(find_member(value, "measures")),
               words = elements_of(find_member(value, "labels"));
    for (std::size_t i = 0; i < channels_; ++i) {
      const double moved = number_at(bytes, i);
      if (moved < 0) return fail("expected a number of at least 0", path + ".channel_bytes");
      rows_.set_channel(i, moved);
    }
    for (std::size_t i = 0; i < measures_; ++i) rows_.set_measure(i, number_at(figures, i));
    for (std::size_t i = 0; i < labels_ && i < words.size(); ++i)
      if (words[i]->IsString()) rows_.set_word(i, text_of(words[i]));
    return {};
  }

  std::size_t channels_ = 0, measures_ = 0, labels_ = 0;
};

}  // namespace

bool detects_operation_rows(std::string_view text) { return begins_with_schema(text, operations_schema_id); }

std::unique_ptr<FormatReader> open_operation_rows(const ReadOptions& options) { return std::make_unique<OperationRows>(options); }

}  // namespace roofline
