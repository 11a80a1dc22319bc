// commands.json: an array of operations, an object that holds one, or one operation per line.
#include <optional>
#include <roofline/base/text.hpp>

#include "base/json.hpp"
#include "read/formats.hpp"
#include "read/operations/operations.hpp"
#include "read/operations/record_handler.hpp"

namespace roofline {
namespace {

/// What a value is, by its first character.
const char* kind_of_value(char c) {
  switch (c) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return "a text";
    case 't':
    case 'f':
      return "true or false";
    case 'n':
      return "null";
    default:
      return "a number";
  }
}

std::string shown(char c) {
  if (c == 0) return "the end of the file";
  if (static_cast<unsigned char>(c) < 0x20) return "a control character";
  return std::string("'") + c + "'";
}

class Commands final : public FormatReader {
 public:
  explicit Commands(const ReadOptions& options)
      : only_lines_(options.lines),
        keep_records_(options.keep_records),
        first_byte_(options.first_byte),
        source_bytes_(options.source_bytes),
        longest_record_(options.longest_record),
        operations_(options, SourceFormat::commands,
                    [this](std::size_t offset, std::string message) { return at(record_ + offset, std::move(message)); }),
        handler_(text_, operations_.keys(), operations_.record()) {
    operations_.rows().workload().own_records = keep_records_;
    if (only_lines_) part_ = Part::lines;
  }

  /// Step by step. A step that reaches the end of what is at hand changes nothing and is taken again with more.
  Result<void> read(TextWindow& window, bool last) override {
    window_ = &window;
    last_ = last;
    lines_ = window.lines();
    text_.reset(window.text());
    for (;;) {
      text_.skip_space();
      const std::size_t begin = text_.Tell();
      const Result<Progress> step = take_step();
      if (!step && !has_records_before()) return Unexpected(step.error());
      if (!step) break_off(step.error());
      if (!step || *step == Progress::done) continue;
      window.drop(begin);
      operations_.rows().reserve_for(window.source_offset(0) - first_byte_, source_bytes_);
      return {};
    }
  }

  const WorkloadBuilder& rows() const override { return operations_.rows(); }
  Workload take() override {
    Workload& workload = operations_.rows().workload();
    workload.machine_json = std::move(machine_);
    if (network_.starts_with('{')) {
      const Json facts = Json::parse(network_, nullptr, false);
      workload.unfused = member(facts, "folded") == Json(false);
      workload.host_bytes = member(facts, "host_bytes") == Json(true);
      workload.network_json = std::move(network_);
      workload.source_format = SourceFormat::network;
    }
    return operations_.take();
  }

 private:
  /// Which part of the document comes next.
  enum class Part : std::uint8_t { start, first_operation, operations, separator, members, end, lines, broken_off };
  enum class Progress : std::uint8_t { done, more };  ///< more: nothing can be done without more text

  Result<Progress> take_step() {
    switch (part_) {
      case Part::start:
        return start();
      case Part::first_operation:
        return first_operation();
      case Part::operations:
        return operation();
      case Part::separator:
        return separator();
      case Part::members:
        return member_behind();
      case Part::end:
        return end();
      case Part::lines:
        return line();
      case Part::broken_off:
        text_.seek(window_->text().size());
        return Progress::more;
    }
    return Progress::more;
  }

  [[nodiscard]] bool has_records_before() const {
    return part_ != Part::start && part_ != Part::lines && !only_lines_ && !over_limit_ && operations_.size() > 0;
  }

  /// Keeps the records before a fault in the list and ignores the rest.
  void break_off(Error fault) {
    const std::size_t records = operations_.size();
    if (!text_.at_end())
      fault.message = "only the first " + (records == 1 ? "record is" : with_commas(records) + " records are") + " read: " + fault.message;
    operations_.rows().workload().broken_off = fault.message;
    operations_.rows().workload().diagnostics.push_back({Severity::error, std::move(fault.message), {}, fault.line, fault.column});
    text_.forget_decoded();
    part_ = Part::broken_off;
  }

  /// What was just read reaches the end of what is at hand: it may go on.
  [[nodiscard]] bool cut() const { return !last_ && text_.at_end(); }

  Progress go(Part next) {
    part_ = next;
    return Progress::done;
  }

  // --- the outer structure -------------------------------------------------------------------------------------------------------------

  Result<Progress> start() {
    if (text_.Peek() == '[') {
      text_.Take();
      return go(Part::first_operation);
    }
    if (text_.Peek() == '{') return start_object();
    if (cut()) return Progress::more;
    return wrong(text_.Tell(), "neither JSON operations (expected '[' or '{', found " + shown(text_.Peek()) +
                                   ") nor a table (expected a header such as name,time_us,flops)");
  }

  /// An object at the top: one that holds the array, or the first of one operation per line.
  Result<Progress> start_object() {
    const std::size_t begin = text_.Tell();
    text_.Take();
    std::size_t members = 0;
    bool is_operation = false;
    for (;; ++members) {
      text_.skip_space();
      if (text_.Peek() == '}') break;
      if (members > 0) {
        if (text_.Peek() != ',') break;
        text_.Take();
        text_.skip_space();
      }
      if (text_.Peek() != '"') break;
      const std::size_t key_begin = text_.Tell();
      if (!skip_value()) break;
      const std::string_view key = since(key_begin + 1, 1);
      text_.skip_space();
      if (text_.Peek() != ':') break;
      text_.Take();
      text_.skip_space();
      if ((key == "ops" || key == "commands") && text_.Peek() == '[') {
        text_.Take();
        wrapped_ = true;
        return go(Part::first_operation);
      }
      is_operation = is_operation || key == "type";
      const std::size_t value_begin = text_.Tell();
      const Result<void> value = skip_value();
      if (cut()) return Progress::more;
      if (!value && !is_operation) return Unexpected(value.error());
      if (!value) break;
      if (key == "machine") machine_ = since(value_begin);
      if (key == "network") network_ = since(value_begin);
    }
    if (cut()) return Progress::more;
    if (!is_operation && text_.Peek() == '}') {
      text_.Take();
      text_.skip_space();
      if (cut()) return Progress::more;
      if (text_.Peek() != '{')
        return wrong(begin,
                     "an object without operations: expected an array of operations, or an object with an \"ops\" or \"commands\" array");
    }
    text_.seek(begin);
    return go(Part::lines);
  }

  Result<Progress> first_operation() {
    if (text_.Peek() == ']') return separator();
    if (cut()) return Progress::more;
    return go(Part::operations);
  }

  Result<Progress> operation() {
    if (cut()) return Progress::more;
    if (text_.at_end()) return truncated(operations_.size() == 0 ? "a record or ']'" : "another record");
    const Result<Progress> record = read_record();
    return !record || *record == Progress::more ? record : go(Part::separator);
  }

  Result<Progress> separator() {
    if (cut()) return Progress::more;
    const char c = text_.Peek();
    if (c == ',' || c == ']') {
      text_.Take();
      return go(c == ',' ? Part::operations : wrapped_ ? Part::members : Part::end);
    }
    if (text_.at_end()) return truncated("',' or ']'");
    return wrong(text_.Tell(),
                 "not JSON: expected ',' or ']' after record " + std::to_string(operations_.size() - 1) + ", found " + shown(c));
  }

  /// A member behind the operations, or the end of their object.
  Result<Progress> member_behind() {
    if (cut()) return Progress::more;
    if (text_.Peek() == '}') {
      text_.Take();
      return go(Part::end);
    }
    if (text_.at_end()) return truncated("',' or '}'");
    if (text_.Peek() != ',') return wrong(text_.Tell(), "not JSON: expected ',' or '}', found " + shown(text_.Peek()));
    text_.Take();
    text_.skip_space();
    if (cut()) return Progress::more;
    const std::size_t key_begin = text_.Tell();
    if (text_.Peek() != '"') return wrong(text_.Tell(), "not JSON: expected a member's name in quotes, found " + shown(text_.Peek()));
    const Result<void> name = skip_value();
    if (cut()) return Progress::more;
    if (!name) return Unexpected(name.error());
    const std::string_view key = since(key_begin + 1, 1);
    text_.skip_space();
    if (cut()) return Progress::more;
    if (text_.Peek() != ':') return wrong(text_.Tell(), "not JSON: expected ':', found " + shown(text_.Peek()));
    text_.Take();
    text_.skip_space();
    const std::size_t value_begin = text_.Tell();
    const Result<void> value = skip_value();
    if (cut()) return Progress::more;
    if (!value) return Unexpected(value.error());
    if (key == "machine") machine_ = since(value_begin);
    if (key == "network") network_ = since(value_begin);
    return Progress::done;
  }

  Result<Progress> end() {
    if (text_.at_end()) return Progress::more;
    return wrong(text_.Tell(), "text after the end of the JSON document: expected nothing more, found " + shown(text_.Peek()));
  }

  /// One operation per line. A bad line costs that line only, unless no line is good.
  Result<Progress> line() {
    if (text_.at_end()) {
      if (last_ && good_lines_ == 0 && first_fault_ && !only_lines_) return Unexpected(*first_fault_);
      return Progress::more;
    }
    const std::size_t begin = text_.Tell();
    Result<Progress> record = read_record();
    if (record) {
      good_lines_ += *record == Progress::done ? 1 : 0;
      return record;
    }
    if (text_.Tell() - begin > longest_record_) return record;
    const std::size_t line_break = window_->text().find('\n', begin);
    if (line_break == std::string_view::npos && !last_) return Progress::more;
    if (!first_fault_) first_fault_ = record.error();
    operations_.add_unreadable(place(begin, 0), record.error());
    text_.seek(line_break == std::string_view::npos ? window_->text().size() : line_break + 1);
    return Progress::done;
  }

  // --- one record ----------------------------------------------------------------------------------------------------------------------

  Result<Progress> read_record() {
    const std::size_t begin = record_ = text_.Tell();
    handler_.begin(begin);
    const auto result = parser_.Parse<json_flags>(text_, handler_);
    std::optional<Error> unreadable;
    if (result.IsError()) {
      if (cut()) return Progress::more;
      if (result.Code() != rapidjson::kParseErrorNumberTooBig) return json_error(result, handler_.too_deep());
      unreadable = at(result.Offset(), "a number is too large: expected at most 1.8e308");
      text_.seek(begin);
      if (!skip_unread() && last_) return truncated("the end of a record");
    }
    if (cut()) return Progress::more;
    const std::size_t length = text_.Tell() - begin;
    if (length > longest_record_) {
      over_limit_ = true;
      return Unexpected(too_long(lines_, begin, longest_record_));
    }
    if (!unreadable && !handler_.is_object())
      unreadable =
          at(begin, std::string("expected an object such as {\"type\": \"ID_CONV\", ...}, found ") + kind_of_value(window_->text()[begin]));
    if (unreadable)
      operations_.add_unreadable(place(begin, length), *unreadable);
    else
      operations_.add(place(begin, length));
    text_.forget_decoded();
    return Progress::done;
  }

  [[nodiscard]] SourceRange place(std::size_t begin, std::size_t length) {
    if (keep_records_) return operations_.rows().keep_record(window_->text().substr(begin, length));
    return {window_->source_offset(begin), length};
  }

  /// Past a value with a number that RapidJSON refuses; false where its end is not there.
  bool skip_unread() {
    const std::string_view bytes = window_->text();
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = text_.Tell(); i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (in_string) {
        if (c == '\\')
          ++i;
        else if (c == '"')
          in_string = false;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ']' || c == '\n')) {  // behind a number on its own
        text_.seek(i);
        return true;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        text_.seek(i + 1);
        return true;
      }
    }
    text_.seek(bytes.size());
    return depth == 0 && !in_string;
  }

  Result<void> skip_value() {
    SkipHandler skip;
    const auto result = parser_.Parse<json_flags>(text_, skip);
    text_.forget_decoded();
    if (!result.IsError()) return {};
    return json_error(result, skip.depth > max_json_depth);
  }

  /// What has been read since `begin`, but for its last `without` bytes.
  [[nodiscard]] std::string_view since(std::size_t begin, std::size_t without = 0) const {
    return window_->text().substr(begin, text_.Tell() - begin - without);
  }

  // --- faults --------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] Error at(std::size_t offset, std::string message) const { return lines_.at(offset, std::move(message)); }
  [[nodiscard]] Unexpected wrong(std::size_t offset, std::string message) const { return Unexpected(at(offset, std::move(message))); }

  [[nodiscard]] Unexpected truncated(const std::string& expected) const {
    return wrong(window_->text().size(), "the file is truncated after " + quantity(operations_.size(), "record") + ": expected " +
                                             expected + ", found the end of the file");
  }

  [[nodiscard]] Unexpected json_error(const rapidjson::ParseResult& result, bool too_deep) const {
    if (too_deep)
      return wrong(text_.Tell(), "nested deeper than " + std::to_string(max_json_depth) + " levels: expected a list of operations");
    if (result.Offset() >= window_->text().size()) return truncated(expected_by(result.Code()));
    return wrong(result.Offset(),
                 std::string("not JSON: expected ") + expected_by(result.Code()) + ", found " + shown(window_->text()[result.Offset()]));
  }

  const bool only_lines_, keep_records_;
  const std::uint64_t first_byte_, source_bytes_;
  const std::size_t longest_record_;
  TextWindow* window_ = nullptr;  // while reading
  LineIndex lines_;
  bool last_ = false;
  bool over_limit_ = false;  // refused for its size, not for a fault
  JsonText text_;
  std::size_t record_ = 0;  // where the record being read begins
  Operations operations_;
  RecordHandler handler_;
  rapidjson::Reader parser_;
  Part part_ = Part::start;
  std::string machine_, network_;
  bool wrapped_ = false;
  std::size_t good_lines_ = 0;
  std::optional<Error> first_fault_;
};

}  // namespace

std::unique_ptr<FormatReader> open_commands(const ReadOptions& options) { return std::make_unique<Commands>(options); }

Result<Workload> read_commands(std::string_view text, const ReadOptions& options) {
  Commands reader(options);
  TextWindow window;
  window.append(text);
  if (const Result<void> read = reader.read(window, true); !read) return Unexpected(read.error());
  return reader.take();
}

}  // namespace roofline
