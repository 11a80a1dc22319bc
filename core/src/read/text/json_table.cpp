#include "read/text/json_table.hpp"

namespace roofline {

/// Puts one record's members into fields_. Lists are fields of raw JSON.
struct JsonTable::Handler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
  explicit Handler(JsonTable& t) : table(t) {}
  JsonTable& table;
  int depth = 0, lists = 0;
  std::size_t column = npos, list_begin = 0;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  void put(const char* begin, std::size_t size, bool quoted) {
    if (lists > 0 || column == npos) return;
    CsvField& field = table.fields_[column];
    field.begin = begin;
    field.size = static_cast<std::uint32_t>(size);
    field.quoted = quoted;
    column = npos;
  }
  bool Null() { return put(table.text_.begin(), 0, false), true; }
  bool Bool(bool value) {
    const std::size_t size = value ? 4 : 5;
    return put(table.text_.begin() + table.text_.Tell() - size, size, false), true;
  }
  bool RawNumber(const char*, rapidjson::SizeType length, bool) {
    return put(table.text_.begin() + table.text_.Tell() - length, length, false), true;
  }
  bool String(const char*, rapidjson::SizeType length, bool) {
    const std::string_view view = table.text_.string(length);
    return put(view.data(), view.size(), true), true;
  }
  bool Key(const char*, rapidjson::SizeType length, bool) {
    if (lists > 0) return true;
    const std::string name(table.text_.string(length));
    const auto found = table.index_.find(name);
    column = found == table.index_.end() ? npos : found->second;
    if (column == npos && table.learning_) {
      column = table.columns_.size();
      table.index_.emplace(name, column);
      table.columns_.push_back(name);
      table.fields_.emplace_back();
    }
    return true;
  }
  bool StartObject() { return ++depth <= max_json_depth; }
  bool EndObject(rapidjson::SizeType) { return --depth, true; }
  bool StartArray() {
    if (lists++ == 0) list_begin = table.text_.Tell() - 1;
    return ++depth <= max_json_depth;
  }
  bool EndArray(rapidjson::SizeType) {
    --depth;
    if (--lists == 0) put(table.text_.begin() + list_begin, table.text_.Tell() - list_begin, false);
    return true;
  }
};

/// Whether the line here ends a record and the next one begins another.
bool JsonTable::has_lines() const {
  const std::string_view rest(text_.begin() + text_.Tell(), size_ - text_.Tell());
  const std::size_t end = rest.find('\n');
  if (!rest.starts_with('{') || end == std::string_view::npos) return false;
  return without_blanks(rest.substr(0, end)).ends_with('}') && first_visible(rest.substr(end)) == '{';
}

/// Whether the first record here has the columns of a table. The position stays.
bool JsonTable::fits_here(Fits fits) {
  const std::size_t begin = text_.Tell();
  learning_ = true;
  const auto more = next();
  const bool does = more && *more && fits(columns_);
  columns_.clear();
  index_.clear();
  fields_.clear();
  learning_ = done_ = false;
  first_ = true;
  text_.seek(begin);
  return does;
}

/// To behind the '[' of the first list of objects that fits: the value here, or a member's.
bool JsonTable::find_list(Fits fits, int depth) {
  text_.skip_space();
  if (text_.Peek() == '[') {
    text_.Take();
    text_.skip_space();
    if (text_.Peek() != '{') return false;
    if (first_list_ == no_list) first_list_ = text_.Tell(), first_member_ = member_;
    return depth == 0 || fits_here(fits);
  }
  if (text_.Peek() != '{' || depth > 2) return false;
  text_.Take();
  rapidjson::Reader parser;
  for (;;) {
    text_.skip_space();
    if (text_.Peek() != '"') return false;
    const std::size_t name = text_.Tell() + 1;
    SkipHandler skip_name;
    if (parser.Parse<json_flags>(text_, skip_name).IsError()) return false;
    member_.assign(text_.begin() + name, text_.Tell() - 1 - name);
    text_.skip_space();
    if (text_.Peek() != ':') return false;
    text_.Take();
    const std::size_t value = text_.Tell();
    if (find_list(fits, depth + 1)) return true;
    text_.seek(value);
    SkipHandler skip;
    if (parser.Parse<json_flags>(text_, skip).IsError()) return false;
    text_.skip_space();
    if (text_.Peek() != ',') return false;
    text_.Take();
  }
}

Result<void> JsonTable::start(Fits fits) {
  text_.seek(0);
  text_.skip_space();
  lines_ = has_lines();
  if (!lines_ && !find_list(fits, 0)) {
    if (first_list_ == no_list) return {};
    text_.seek(first_list_);
    member_ = first_member_;
  }
  const std::size_t begin = text_.Tell();
  constexpr int records_looked_at = 1000;
  learning_ = true;
  Result<void> ok;
  for (int i = 0; i < records_looked_at; ++i) {
    const auto more = next();
    if (!more && i == 0) ok = Unexpected(more.error());  // later faults are told where they are met again
    if (!more || !*more) break;
  }
  learning_ = done_ = false;
  first_ = true;
  text_.seek(begin);
  return ok;
}

void JsonTable::reset(std::string_view text, LineStart start, bool last) {
  text_.reset(text);
  size_ = text.size();
  start_ = start;
  last_ = last;
}

Error JsonTable::at(std::size_t offset, std::string message) const {
  return LineIndex({text_.begin(), size_}, start_).at(offset, std::move(message));
}

Error JsonTable::fault(const rapidjson::ParseResult& result) const {
  if (result.Code() == rapidjson::kParseErrorTermination)
    return at(row_, "nested deeper than " + std::to_string(max_json_depth) + " levels: expected a list of records");
  if (result.Offset() >= size_)
    return at(size_, std::string("the file is truncated: expected ") + expected_by(result.Code()) + ", found the end of the file");
  return at(result.Offset(), std::string("not JSON: expected ") + expected_by(result.Code()));
}

Result<bool> JsonTable::next() {
  if (done_) return text_.seek(size_), false;  // what stands behind the list is passed over
  const std::size_t begin = text_.Tell();
  const auto cut = [&] {
    if (last_ || !text_.at_end()) return false;
    text_.seek(begin);
    return true;
  };
  text_.forget_decoded();
  text_.skip_space();
  if (cut()) return false;
  if (lines_) {
    done_ = text_.at_end();
    if (done_) return false;
  } else if (!first_ && text_.Peek() == ',') {
    text_.Take();
    text_.skip_space();
  } else if (text_.Peek() == ']') {
    done_ = true;
    return false;
  } else if (!first_) {
    return Unexpected(at(text_.Tell(), text_.at_end() ? "the file is truncated: expected ',' or ']', found the end of the file"
                                                      : "not JSON: expected ',' or ']' after a record"));
  }
  if (cut()) return false;
  for (CsvField& field : fields_) field = CsvField{text_.begin(), 0, false, false};
  row_ = text_.Tell();
  if (text_.Peek() != '{') return Unexpected(at(row_, "expected a record such as {\"name\": \"gemm\", \"tflops\": 100}"));
  Handler handler(*this);
  rapidjson::Reader parser;
  const auto result = parser.Parse<json_flags>(text_, handler);
  if (cut()) return false;
  if (result.IsError()) return Unexpected(fault(result));
  row_end_ = text_.Tell();
  first_ = false;
  return true;
}

}  // namespace roofline
