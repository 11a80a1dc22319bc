#include "read/operations/summaries.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <roofline/base/text.hpp>

#include "base/json.hpp"
#include "read/formats.hpp"
#include "read/operations/tally_rows.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

Result<RunSums> read_document(const rapidjson::Value& document) {
  const std::string schema = text_of(find_member(document, "schema"));
  if (schema != summary_schema_id)
    return fail("expected \"schema\": \"" + std::string(summary_schema_id) + "\"" + (schema.empty() ? "" : ", found \"" + schema + '"'));
  RunSums out;
  out.runs = count_of(find_member(document, "runs"));
  out.left_out = count_of(find_member(document, "left_out"));
  if (const rapidjson::Value* machine = find_member(document, "machine")) {
    const rapidjson::Value* assumed = find_member(document, "assumed");
    out.assumed = assumed && assumed->IsTrue();
    const rapidjson::Value* settings = find_member(document, "settings");
    const Result<std::string> machine_text = json_of(*machine), settings_text = settings ? json_of(*settings) : std::string("null");
    if (!machine_text || !settings_text) return fail("expected a machine and its settings");
    const Result<std::string> text = canonical_json(*machine_text), set = canonical_json(*settings_text);
    if (!text || !set) return fail("expected a machine and its settings");
    out.machine = *text;
    out.settings = *set;
  }
  const rapidjson::Value* rows = find_member(document, "rows");
  if (!rows || !rows->IsArray()) return fail("expected an array", "rows");
  for (rapidjson::SizeType i = 0; i < rows->Size(); ++i) {
    Result<TallyRow> row = read_tally_row((*rows)[i], "rows[" + std::to_string(i) + ']');
    if (!row) return Unexpected(row.error());
    out.tally.add(std::move(*row));
  }
  return out;
}

}  // namespace

namespace {

/// Others write 2.0 as 2.
void make_doubles(Json& value) {
  if (value.is_number()) value = number_of(value);
  if (value.is_structured())
    for (Json& element : value) make_doubles(element);
}

}  // namespace

Result<std::string> canonical_json(std::string_view json) {
  Result<Json> value = parse_json(json, "JSON");
  if (!value) return Unexpected(value.error());
  make_doubles(*value);
  return value->dump();
}

Result<void> RunSums::agree(const std::string& its_machine, const std::string& its_settings, bool its_assumed) {
  if (machine.empty()) {
    machine = its_machine;
    settings = its_settings;
    assumed = its_assumed;
    return {};
  }
  const auto name = [](const std::string& text) {
    const Result<Json> parsed = parse_json(text, "a machine");
    return parsed ? roofline::text_of(member(*parsed, "name")) : std::string();
  };
  if (its_machine != machine)
    return fail("its machine is " + name(its_machine) + ", that of what came before " + name(machine) +
                (name(machine) == name(its_machine) ? " with other figures" : "") + ": expected one machine for all");
  if (its_settings != settings) return fail("its settings are not those of what came before: expected the same for all");
  assumed = assumed || its_assumed;
  return {};
}

Result<std::size_t> add_summary(std::string_view text, RunSums& sums) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return 0;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Document document;
  constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseStopWhenDoneFlag |
                             rapidjson::kParseValidateEncodingFlag;
  document.ParseStream<flags, rapidjson::UTF8<>>(stream);
  if (document.HasParseError())
    return fail("not JSON at byte " + std::to_string(document.GetErrorOffset()) + " (" +
                rapidjson::GetParseError_En(document.GetParseError()) + "): expected a document of " + std::string(summary_schema_id));
  Result<RunSums> read = read_document(document);
  if (!read) return Unexpected(read.error());
  if (!read->machine.empty())
    if (auto agreed = sums.agree(read->machine, read->settings, read->assumed); !agreed) return Unexpected(agreed.error());
  sums.runs += read->runs;
  sums.left_out += read->left_out;
  for (const TallyRow& row : read->tally.rows()) sums.tally.add(row);
  return stream.Tell();
}

// --- as operations

namespace {

class SummaryReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit SummaryReader(const ReadOptions& options) : RowsReader(options.source_name, SourceFormat::summary, options.limits) {}

  Result<void> read(TextWindow& window, bool) override {
    std::string_view text = window.text();
    for (;;) {
      const Result<std::size_t> taken = add_summary(text, sums_);
      if (!taken) return Unexpected(taken.error());
      if (*taken == 0) break;
      text.remove_prefix(*taken);
    }
    window.drop(window.text().size());
    return {};
  }

  Workload take() override {
    std::vector<TallyRow::ChannelSum> channels;  // each once, without its sum
    for (const TallyRow& row : sums_.tally.rows())
      for (const auto& c : row.channels)
        if (find(channels, c) == channels.size()) channels.push_back({c.name, c.link, {}});
    for (const auto& c : channels) rows_.add_channel(c.name, c.link);
    const std::size_t records = rows_.add_measure("Records", ""), lost = rows_.add_measure("Lost, run by run", "s");
    std::uint64_t all = 0;
    for (const TallyRow& row : sums_.tally.rows()) {
      rows_.push(workload_row(row, rows_));
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const std::size_t own = find(row.channels, channels[c]);
        rows_.set_channel(c, own < row.channels.size() ? row.channels[own].bytes.value() : unknown);
      }
      rows_.set_measure(records, static_cast<double>(row.records));
      rows_.set_measure(lost, row.judged ? row.lost_s.value() : unknown);
      all += row.records;
    }
    rows_.note(Severity::info, "what " + std::to_string(sums_.runs) + (sums_.runs == 1 ? " run adds" : " runs add") +
                                   " up to: " + quantity(all, "record") + " in " + quantity(rows_.size(), "row"));
    if (sums_.left_out > 0)
      rows_.note(Severity::warning, std::to_string(sums_.left_out) + " records with rates alone could not be added up");
    if (!sums_.assumed) rows_.workload().machine_json = sums_.machine;
    return rows_.take();
  }

 private:
  static std::size_t find(const std::vector<TallyRow::ChannelSum>& in, const TallyRow::ChannelSum& wanted) {
    std::size_t i = 0;
    while (i < in.size() && (in[i].name != wanted.name || in[i].link != wanted.link)) ++i;
    return i;
  }

  RunSums sums_;
};

}  // namespace

bool detects_summary(std::string_view text) { return begins_with_schema(text, summary_schema_id); }

std::unique_ptr<FormatReader> open_summary(const ReadOptions& options) { return std::make_unique<SummaryReader>(options); }

}  // namespace roofline
