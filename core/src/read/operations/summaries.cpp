#include "read/operations/summaries.hpp"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdlib>

#include "base/json.hpp"
#include "read/formats.hpp"
#include "read/operations/operations.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

const rapidjson::Value* find(const rapidjson::Value& object, const char* key) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(key);
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

std::string text_of(const rapidjson::Value* value) {
  return value && value->IsString() ? std::string(value->GetString(), value->GetStringLength()) : std::string();
}

std::uint64_t count_of(const rapidjson::Value* value) { return value && value->IsUint64() ? value->GetUint64() : 0; }

std::string json_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

/// Whether writing it again, which recurses, is safe.
bool shallow(const rapidjson::Value& value, int levels) {
  if (levels == 0) return false;
  if (value.IsArray())
    for (const rapidjson::Value& element : value.GetArray())
      if (!shallow(element, levels - 1)) return false;
  if (value.IsObject())
    for (const auto& m : value.GetObject())
      if (!shallow(m.value, levels - 1)) return false;
  return true;
}

/// One row of the document.
class RowReader {
 public:
  RowReader(const rapidjson::Value& value, std::string path) : value_(value), path_(std::move(path)) {}

  Result<TallyRow> read() {
    if (!value_.IsObject()) return fail("expected an object", path_);
    row_.name = text_of(find(value_, "name"));
    OpClass& kind = row_.kind;
    kind.type = text_of(find(value_, "type"));
    kind.category = text_of(find(value_, "category"));
    const Operator* op = find_operator(kind.type);
    kind.family = named<OpFamily>(text_of(find(value_, "family"))).value_or(op ? op->family : OpFamily::other);
    if (const rapidjson::Value* sizes = find(value_, "sizes"))
      for (const auto& [name, size] : size_members)
        if (const rapidjson::Value* number = find(*sizes, name); number && number->IsNumber()) row_.sizes.*size = number->GetDouble();
    kind.symbol = named<Symbol>(text_of(find(value_, "symbol"))).value_or(Symbol::star);
    const rapidjson::Value* formats = find(value_, "formats");
    for (const auto& [key, to] : {std::pair("weight", &kind.weight), std::pair("activation", &kind.activation),
                                  std::pair("output", &kind.output), std::pair("kv", &kind.kv)}) {
      const std::string id = formats ? text_of(find(*formats, key)) : std::string();
      if (id.empty()) continue;
      const auto format = Formats::catalogue().find(id);
      if (!format) return fail("unknown format " + id, path_ + ".formats." + key);
      *to = *format;
    }
    if (const rapidjson::Value* words = find(value_, "traits"); words && words->IsArray())
      for (const rapidjson::Value& word : words->GetArray())
        for (const Trait& trait : traits)
          if (text_of(&word) == trait.name) kind.*trait.flag = true;
    row_.shape = static_cast<std::uint32_t>(std::strtoul(text_of(find(value_, "shape")).c_str(), nullptr, 16));
    row_.records = count_of(find(value_, "records"));
    std::size_t column = 0;
    for_each_column([&](const NumberColumn& c) {
      // Work that is not there is none; a time or bytes that are not there are not known.
      const bool stated = sum(value_, c.name, row_.sums[column]);
      const double total = row_.sums[column].value();
      if (c.of == ColumnOf::count ? !(total > 0) : total < 0) fault_ = c.name;
      if (stated ? total > 0 || c.values != &Workload::time_s : known(c.standard)) row_.known |= 1u << column;
      ++column;
    });
    row_.bounded = sum(value_, "predicted_time_s", row_.predicted_s);
    row_.judged = sum(value_, "lost_time_s", row_.lost_s);
    if (const rapidjson::Value* channels = find(value_, "channels"); channels && channels->IsArray())
      for (const rapidjson::Value& channel : channels->GetArray()) {
        const rapidjson::Value* link = find(channel, "link");
        row_.channels.push_back({text_of(find(channel, "name")), link && link->IsTrue(), {}});
        if (!sum(channel, "bytes", row_.channels.back().bytes) || row_.channels.back().bytes.value() < 0) fault_ = "channels";
      }
    if (!fault_.empty()) return fail("expected a number from 0 to 8e270", path_ + '.' + fault_);
    return std::move(row_);
  }

 private:
  /// The number `key` of an object and what "rest" has of it; false where there is none.
  bool sum(const rapidjson::Value& object, const char* key, ExactSum& to) {
    const rapidjson::Value* number = find(object, key);
    if (!number) return false;
    term(*number, key, to);
    const rapidjson::Value* rest = find(object, "rest");
    if (const rapidjson::Value* parts = rest ? find(*rest, key) : nullptr; parts && parts->IsArray())
      for (const rapidjson::Value& part : parts->GetArray()) term(part, key, to);
    return true;
  }
  void term(const rapidjson::Value& value, const char* key, ExactSum& to) {
    if (value.IsNumber() && std::abs(value.GetDouble()) <= ExactSum::most)
      to.add(value.GetDouble());
    else
      fault_ = key;
  }

  const rapidjson::Value& value_;
  std::string path_, fault_;
  TallyRow row_;
};

Result<RunSums> read_document(const rapidjson::Value& document) {
  const std::string schema = text_of(find(document, "schema"));
  if (schema != summary_schema_id)
    return fail("expected \"schema\": \"" + std::string(summary_schema_id) + "\"" + (schema.empty() ? "" : ", found \"" + schema + '"'));
  RunSums out;
  out.runs = count_of(find(document, "runs"));
  out.left_out = count_of(find(document, "left_out"));
  if (const rapidjson::Value* machine = find(document, "machine")) {
    const rapidjson::Value* assumed = find(document, "assumed");
    out.assumed = assumed && assumed->IsTrue();
    const rapidjson::Value* settings = find(document, "settings");
    constexpr int levels = 16;
    if (!shallow(*machine, levels) || (settings && !shallow(*settings, levels))) return fail("expected a machine and its settings");
    const Result<std::string> text = canonical_json(json_of(*machine));
    const Result<std::string> set = canonical_json(settings ? json_of(*settings) : "null");
    if (!text || !set) return fail("expected a machine and its settings");
    out.machine = *text;
    out.settings = *set;
  }
  const rapidjson::Value* rows = find(document, "rows");
  if (!rows || !rows->IsArray()) return fail("expected an array", "rows");
  for (rapidjson::SizeType i = 0; i < rows->Size(); ++i) {
    Result<TallyRow> row = RowReader((*rows)[i], "rows[" + std::to_string(i) + ']').read();
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

class SummaryReader final : public FormatReader {
 public:
  explicit SummaryReader(const ReadOptions& options) : rows_(options.source_name, SourceFormat::summary, options.limits) {}

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

  const WorkloadBuilder& rows() const override { return rows_; }
  Workload take() override {
    std::vector<TallyRow::ChannelSum> channels;  // each once, without its sum
    for (const TallyRow& row : sums_.tally.rows())
      for (const auto& c : row.channels)
        if (find(channels, c) == channels.size()) channels.push_back({c.name, c.link, {}});
    for (const auto& c : channels) rows_.add_channel(c.name, c.link);
    const std::size_t records = rows_.add_measure("Records", ""), lost = rows_.add_measure("Lost, run by run", "s");
    std::uint64_t all = 0;
    for (const TallyRow& row : sums_.tally.rows()) {
      WorkloadRow out;
      out.op_class = rows_.op_class(row.kind);
      out.numbers.sizes = row.sizes;
      std::size_t column = 0;
      for_each_column([&](const NumberColumn& c) {
        if ((row.known >> column & 1) != 0) out.numbers.*c.value = row.sums[column].value();
        ++column;
      });
      if (!row.name.empty()) out.name = rows_.keep(row.name);
      out.shape_hash = row.shape;
      rows_.push(out);
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

  WorkloadBuilder rows_;
  RunSums sums_;
};

}  // namespace

bool detects_summary(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text.substr(first, 64).find(summary_schema_id) != std::string_view::npos;
}

std::unique_ptr<FormatReader> open_summary(const ReadOptions& options) { return std::make_unique<SummaryReader>(options); }

}  // namespace roofline
