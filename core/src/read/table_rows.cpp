#include "read/table_rows.hpp"

namespace roofline {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

}  // namespace

TableRows::TableRows(std::string_view text, bool last) : text_(text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
    json_.emplace(text, last);
  else
    csv_.emplace(text, last);
}

Result<void> TableRows::start() {
  if (json_) {
    auto ok = json_->start();
    header_ = json_->columns();
    return ok;
  }
  csv_->seek(0);
  const auto more = csv_->next();
  if (!more) return Unexpected(more.error());
  header_.clear();
  if (*more)
    for (const CsvField& field : csv_->fields()) header_.push_back(trimmed(field.text()));
  return {};
}

void TableRows::reset(std::string_view text, LineStart start, bool last) {
  text_ = text;
  if (csv_)
    csv_->reset(text, start, last);
  else
    json_->reset(text, start, last);
}

}  // namespace roofline
