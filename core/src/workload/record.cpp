#include <limits>
#include <roofline/workload/record.hpp>

namespace roofline {

void Record::clear() {
  for (const Key key : used_) values_[key].kind = Value::Kind::absent;
  used_.clear();
  numbers_.clear();
  lists_.clear();
  open_ = Keys::npos;
  inner_open_ = false;
}

// A name that occurs twice in a record: the last one counts, as in every JSON library.
Value& Record::touch(Key key, Value::Kind kind, std::uint32_t offset) {
  Value& value = values_[key];
  if (value.kind == Value::Kind::absent) used_.push_back(key);
  value = Value{};
  value.kind = kind;
  value.offset = offset;
  return value;
}

void Record::set_number(Key key, double number, std::uint32_t offset) { touch(key, Value::Kind::number, offset).number = number; }

void Record::set_boolean(Key key, bool value, std::uint32_t offset) { touch(key, Value::Kind::boolean, offset).number = value ? 1 : 0; }

void Record::set_string(Key key, std::string_view text, std::uint32_t offset) { touch(key, Value::Kind::string, offset).string = text; }

void Record::set_null(Key key, std::uint32_t offset) { touch(key, Value::Kind::null, offset); }

void Record::set_other(Key key, std::uint32_t offset) {
  touch(key, Value::Kind::other, offset);
  if (key == open_) end_list();
}

void Record::set_list(Key key, std::span<const double> numbers, std::uint32_t offset) {
  begin_list(key, offset);
  for (const double number : numbers) add_number(number);
  end_list();
}

void Record::begin_list(Key key, std::uint32_t offset) {
  touch(key, Value::Kind::list, offset).first = static_cast<std::uint32_t>(numbers_.size());
  open_ = key;
  inner_open_ = false;
}

void Record::add_number(double number) {
  if (open_ == Keys::npos) return;
  Value& value = values_[open_];
  if (value.kind == Value::Kind::list) {
    ++value.size;
  } else if (inner_open_) {
    ++lists_.back().second;
  } else {
    value.all_numbers = false;  // a number beside inner lists: [[1, 2], 3]
    return;
  }
  numbers_.push_back(number);
}

void Record::add_not_a_number() {
  if (open_ == Keys::npos) return;
  values_[open_].all_numbers = false;
  add_number(std::numeric_limits<double>::quiet_NaN());
}

void Record::begin_inner_list() {
  if (open_ == Keys::npos) return;
  Value& value = values_[open_];
  if (value.kind == Value::Kind::list) {
    if (value.size > 0) value.all_numbers = false;  // numbers before the first inner list: [3, [1, 2]]
    value.kind = Value::Kind::shapes;
    value.first = static_cast<std::uint32_t>(lists_.size());
    value.size = 0;
  }
  lists_.emplace_back(static_cast<std::uint32_t>(numbers_.size()), 0U);
  ++value.size;
  inner_open_ = true;
}

void Record::end_inner_list() { inner_open_ = false; }

void Record::end_list() {
  open_ = Keys::npos;
  inner_open_ = false;
}

}  // namespace roofline
