// RapidJSON's events for one record, put into a Record.
#pragma once

#include <roofline/workload/record.hpp>

#include "base/parse_number.hpp"
#include "read/text/json_text.hpp"

namespace roofline {

class RecordHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, RecordHandler> {
 public:
  RecordHandler(JsonText& text, const Keys& keys, Record& record) : text_(text), keys_(keys), record_(record) {}

  void begin(std::size_t record_start) {
    start_ = record_start;
    depth_ = skip_ = 0;
    is_object_ = too_deep_ = false;
    record_.clear();
  }
  [[nodiscard]] bool is_object() const { return is_object_; }
  [[nodiscard]] bool too_deep() const { return too_deep_; }

  bool Null() {
    if (depth_ == 1 && skip_ == 0 && key_ != Keys::npos)
      record_.set_null(key_, here() - 4);
    else
      element_is_no_number();
    return true;
  }
  bool Bool(bool value) {
    if (depth_ == 1 && skip_ == 0 && key_ != Keys::npos)
      record_.set_boolean(key_, value, here() - (value ? 4 : 5));
    else
      element_is_no_number();
    return true;
  }
  bool RawNumber(const char*, rapidjson::SizeType length, bool) {
    if (skip_ > 0 || key_ == Keys::npos || depth_ == 0) return true;
    const double value = parse_number({text_.begin() + text_.Tell() - length, length});
    if (depth_ == 1)
      record_.set_number(key_, value, here() - length);
    else
      record_.add_number(value);
    return true;
  }
  bool String(const char*, rapidjson::SizeType length, bool) {
    if (depth_ == 1 && skip_ == 0 && key_ != Keys::npos)
      record_.set_string(key_, text_.string(length), static_cast<std::uint32_t>(text_.string_start() - start_));
    else
      element_is_no_number();
    return true;
  }
  bool Key(const char*, rapidjson::SizeType length, bool) {
    if (depth_ == 1 && skip_ == 0) key_ = keys_.find(text_.string(length));
    return true;
  }
  bool StartObject() {
    if (!enter()) return false;
    if (depth_ == 1) {
      is_object_ = true;
      key_ = Keys::npos;
      return true;
    }
    return start_skipping(), true;
  }
  bool EndObject(rapidjson::SizeType) { return leave(), true; }
  bool StartArray() {
    if (!enter()) return false;
    if (skip_ > 0) return true;
    if (depth_ == 1 || key_ == Keys::npos || depth_ > 3) return start_skipping(), true;
    if (depth_ == 2)
      record_.begin_list(key_, here() - 1);
    else
      record_.begin_inner_list();
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    if (skip_ == 0 && key_ != Keys::npos) {
      if (depth_ == 2) record_.end_list();
      if (depth_ == 3) record_.end_inner_list();
    }
    return leave(), true;
  }

 private:
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(text_.Tell() - start_); }
  bool enter() {
    too_deep_ = ++depth_ > max_json_depth;
    return !too_deep_;
  }
  void leave() {
    if (skip_ == depth_) skip_ = 0;
    --depth_;
  }
  /// Values below this depth mean nothing to us.
  void start_skipping() {
    if (skip_ > 0) return;
    if (depth_ == 2 && key_ != Keys::npos)
      record_.set_other(key_, here() - 1);
    else if (depth_ > 2)
      element_is_no_number();
    skip_ = depth_;
  }
  void element_is_no_number() {
    if (depth_ > 1 && skip_ == 0 && key_ != Keys::npos) record_.add_not_a_number();
  }

  JsonText& text_;
  const Keys& keys_;
  Record& record_;
  std::size_t start_ = 0;
  int depth_ = 0, skip_ = 0;
  roofline::Key key_ = Keys::npos;
  bool is_object_ = false, too_deep_ = false;
};

}  // namespace roofline
