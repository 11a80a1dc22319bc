#include "network/tflite/flatbuffer.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

namespace roofline::tflite {
namespace {

constexpr std::uint64_t page_bytes = 16 << 10;
constexpr std::size_t kept_pages = 256;
constexpr std::uint64_t longest_text = 1 << 20;
constexpr std::string_view beyond = ", within the file: it is cut off or damaged";
constexpr std::uint64_t most_tables = 1 << 22;  // of one list

}  // namespace

FlatBuffer::FlatBuffer(const ByteSource& source)
    : source_(source), size_(source.size()), left_(4 * source.size() + (std::uint64_t{1} << 20)), pages_(kept_pages) {}

void FlatBuffer::fail(std::string message, std::uint64_t at) {
  if (!failed()) error_ = Error{"byte " + with_commas(at) + ": " + std::move(message), 0, 0, {}};
}

bool FlatBuffer::spend(std::uint64_t bytes, std::uint64_t at) {
  if (bytes > left_) fail("tables share their lists too often: expected each to have lists of its own", at);
  left_ -= std::min(bytes, left_);
  return !failed();
}

const FlatBuffer::Page* FlatBuffer::page(std::uint64_t number) {
  Page& kept = pages_[static_cast<std::size_t>(number % kept_pages)];
  if (kept.number == number) return &kept;
  const std::uint64_t begin = number * page_bytes;
  Result<std::string> read = source_.read(begin, std::min(page_bytes, size_ - begin));
  if (!read) return fail(read.error().message, begin), nullptr;
  kept = {number, std::move(*read)};
  return &kept;
}

std::uint64_t FlatBuffer::integer(std::uint64_t at, std::uint64_t width) {
  if (failed()) return 0;
  if (at > size_ || width > size_ - at)
    return fail("the file ends after " + with_commas(size_) + " bytes: it is cut off or damaged", at), 0;
  std::uint64_t out = 0;
  for (std::uint64_t i = 0; i < width; ++i) {
    const Page* in = page((at + i) / page_bytes);
    if (!in) return 0;
    out |= static_cast<std::uint64_t>(static_cast<unsigned char>(in->bytes[static_cast<std::size_t>((at + i) % page_bytes)])) << (8 * i);
  }
  return out;
}

std::string FlatBuffer::text(Range range) {
  std::string out;
  if (range.size > longest_text)
    return fail("a text of " + with_commas(range.size) + " bytes: expected at most " + with_commas(longest_text), range.begin), out;
  for (std::uint64_t i = 0; i < range.size && !failed(); ++i) out += static_cast<char>(integer(range.begin + i, 1));
  return failed() ? std::string() : out;
}

std::uint64_t FlatBuffer::follow(std::uint64_t at, const char* what) {
  const std::uint64_t offset = integer(at, 4);
  if (failed()) return 0;
  if (offset == 0 || offset > size_ - at)
    return fail(std::string("the offset of ") + what + " is " + with_commas(offset) + ": expected from 1 to " + with_commas(size_ - at) +
                    std::string(beyond),
                at),
           0;
  return at + offset;
}

Table FlatBuffer::table(std::uint64_t at, const char* what) {
  const std::uint64_t table = follow(at, what);
  const auto back = static_cast<std::int64_t>(value<std::int32_t>(table));
  if (failed()) return {};
  const std::int64_t vtable = static_cast<std::int64_t>(table) - back;
  if (vtable < 0 || static_cast<std::uint64_t>(vtable) >= size_)
    return fail(std::string("the vtable of ") + what + " is at byte " + std::to_string(vtable) + ": expected one" + std::string(beyond),
                table),
           Table();
  const auto begin = static_cast<std::uint64_t>(vtable);
  const std::uint64_t bytes = integer(begin, 2), size = integer(begin + 2, 2);
  if (failed()) return {};
  if (bytes < 4 || bytes % 2 != 0 || bytes > size_ - begin)
    return fail(std::string("the vtable of ") + what + " has " + with_commas(bytes) + " bytes: expected an even number from 4 on" +
                    std::string(beyond),
                begin),
           Table();
  if (size < 4 || size > size_ - table)
    return fail(std::string(what) + " has " + with_commas(size) + " bytes: expected at least 4" + std::string(beyond), table), Table();
  return {*this, table, begin, (bytes - 4) / 2, size};
}

Range FlatBuffer::vector(std::uint64_t at, std::uint64_t width, const char* what) {
  const std::uint64_t begin = follow(at, what), count = integer(begin, 4);
  if (failed()) return {};
  if (count > (size_ - begin - 4) / width)
    return fail(std::string(what) + ": " + with_commas(count) + " elements, for which the file is too short: it is cut off or damaged",
                begin),
           Range();
  return {begin + 4, count * width};
}

Table FlatBuffer::root() { return table(0, "the model"); }

std::uint64_t Table::field(std::uint64_t slot, std::uint64_t width) const {
  if (!file_ || slot >= slots_ || file_->failed()) return 0;
  const std::uint64_t offset = file_->integer(vtable_ + 4 + 2 * slot, 2);
  if (offset == 0) return 0;
  if (offset < 4 || offset > size_ || width > size_ - offset)
    return file_->fail("field " + std::to_string(slot) + " of a table is at its byte " + with_commas(offset) + ": expected one of its " +
                           with_commas(size_),
                       at_),
           0;
  return at_ + offset;
}

Range Table::vector(std::uint64_t slot, std::uint64_t width, const char* what) const {
  const std::uint64_t at = field(slot, 4);
  return at == 0 ? Range() : file_->vector(at, width, what);
}

Table Table::table(std::uint64_t slot, const char* what) const {
  const std::uint64_t at = field(slot, 4);
  return at == 0 ? Table() : file_->table(at, what);
}

std::vector<Table> Table::tables(std::uint64_t slot, const char* what) const {
  std::vector<Table> out;
  const Range range = vector(slot, 4, what);
  if (range.size / 4 > most_tables)
    return file_->fail(std::string(what) + ": " + with_commas(range.size / 4) + " of them: expected at most " + with_commas(most_tables),
                       range.begin),
           out;
  if (range.size == 0 || !file_->spend(range.size, range.begin)) return out;
  for (std::uint64_t i = 0; i < range.size && !file_->failed(); i += 4) out.push_back(file_->table(range.begin + i, what));
  return out;
}

std::string Table::text(std::uint64_t slot, const char* what) const {
  const Range range = vector(slot, 1, what);
  return range.size > 0 && file_->spend(range.size, range.begin) ? file_->text(range) : std::string();
}

Range Table::bytes(std::uint64_t slot, const char* what) const { return vector(slot, 1, what); }

}  // namespace roofline::tflite
