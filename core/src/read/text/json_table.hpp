// A JSON list of flat records as rows of a table: [{...}, ...], an object with such a list in it, or a record on each line. Members of
// members are columns of their own, by their own names: {"name": "a", "problem": {"M": 1}} has the columns name and M.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "read/text/csv.hpp"
#include "read/text/json_text.hpp"

namespace roofline {

class JsonTable {
 public:
  /// `text` is UTF-8, followed by a NUL byte, and outlives this. It is the first part of the table where `last` is false.
  JsonTable(std::string_view text, bool last) : text_(text), size_(text.size()), last_(last) {}
  /// The text that is at hand now, from before a record.
  void reset(std::string_view text, LineStart start, bool last);

  /// Whether the columns of a first record are those of a table.
  using Fits = bool(const std::vector<std::string>& columns);
  /// Finds the list and its columns, in the order in which the first records name them. Of an object's lists it is the first that fits,
  /// else the first. Null columns(): there is no list of records.
  [[nodiscard]] Result<void> start(Fits fits);
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] bool lines() const { return lines_; }  ///< a record on each line
  /// The member that holds the list; empty: a list alone, or records on lines.
  [[nodiscard]] const std::string& member() const { return member_; }

  /// Reads the next record into fields(), in the order of columns(); absent members are empty. False at the end of the list, and where the
  /// next record may go on behind the text: position() is then before it.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] const std::vector<CsvField>& fields() const { return fields_; }

  [[nodiscard]] std::size_t position() const { return text_.Tell(); }
  [[nodiscard]] std::size_t row_begin() const { return row_; }
  [[nodiscard]] std::size_t row_end() const { return row_end_; }

 private:
  struct Handler;
  [[nodiscard]] bool find_list(Fits fits, int depth);
  [[nodiscard]] bool fits_here(Fits fits);
  [[nodiscard]] bool has_lines() const;
  [[nodiscard]] Error at(std::size_t offset, std::string message) const;
  [[nodiscard]] Error fault(const rapidjson::ParseResult& result) const;
  JsonText text_;
  static constexpr std::size_t no_list = ~std::size_t{0};
  std::size_t size_, row_ = 0, row_end_ = 0;
  std::size_t first_list_ = no_list;  ///< where the first list's records begin
  std::string member_, first_member_;
  LineStart start_;
  bool last_, lines_ = false, learning_ = false, first_ = true, done_ = false;
  std::vector<std::string> columns_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<CsvField> fields_;
};

}  // namespace roofline
