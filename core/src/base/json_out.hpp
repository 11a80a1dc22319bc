// JSON text in pieces. RapidJSON's Writer prints the shortest digits that read back as the same double, alike in native and wasm.
#pragma once

#include <rapidjson/writer.h>

#include <cstdint>
#include <functional>
#include <roofline/base/sink.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Collects output and hands it to a sink in large pieces.
class Buffer {
 public:
  using Ch = char;
  explicit Buffer(const Sink& sink) : sink_(sink) { text_.reserve(piece + 4096); }
  void Put(Ch c) { text_.push_back(c); }
  void Flush() {}
  void append(std::string_view text) { text_ += text; }
  /// Called between records.
  void flush_if_full() {
    if (text_.size() >= piece) send();
  }
  void send() {
    if (!text_.empty()) sink_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 18;
  const Sink& sink_;
  std::string text_;
};

class JsonOut {
 public:
  explicit JsonOut(const Sink& sink) : buffer_(sink), writer_(buffer_) {}
  ~JsonOut() { buffer_.send(); }
  JsonOut(const JsonOut&) = delete;
  JsonOut& operator=(const JsonOut&) = delete;

  /// An object or an array, with what `body` puts into it; as a member where it has a name.
  template <class Body>
  void object(const Body& body) {
    begin_object();
    body();
    end_object();
  }
  template <class Body>
  void object(std::string_view name, const Body& body) {
    key(name);
    object(body);
  }
  template <class Body>
  void array(std::string_view name, const Body& body) {
    key(name);
    begin_array();
    body();
    end_array();
  }
  /// An array of values.
  template <class Values>
  void list(std::string_view name, const Values& values) {
    array(name, [&] {
      for (const auto& v : values) value(v);
    });
  }

  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }
  void begin_array() { writer_.StartArray(); }
  void end_array() { writer_.EndArray(); }
  void key(std::string_view name);

  void value(double v) {
    if (v - v == 0)
      writer_.Double(v);
    else
      writer_.Null();  // not known: NaN; JSON has no infinities
  }
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(bool v) { writer_.Bool(v); }
  void count(std::uint64_t v) { writer_.Uint64(v); }
  void null() { writer_.Null(); }
  /// JSON text as it is.
  void raw(std::string_view json) { writer_.RawValue(json.data(), json.size(), rapidjson::kObjectType); }

  template <class T>
  void member(std::string_view name, const T& v) {
    key(name);
    value(v);
  }
  void member_count(std::string_view name, std::uint64_t v) {
    key(name);
    count(v);
  }
  /// Another document, on a line of its own.
  void next_line() {
    buffer_.append("\n");
    writer_.Reset(buffer_);
  }
  void flush_if_full() { buffer_.flush_if_full(); }
  void send() { buffer_.send(); }

 private:
  Buffer buffer_;
  rapidjson::Writer<Buffer> writer_;
};

/// The document that `write` puts out, as one string.
[[nodiscard]] std::string json_text(const std::function<void(JsonOut&)>& write);

/// Numbers as JSON and CSV print them: shortest digits, no ".0"; "" for what is not known.
[[nodiscard]] std::string shortest(double v);

}  // namespace roofline
