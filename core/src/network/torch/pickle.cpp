#include "network/torch/pickle.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/little_endian.hpp"

namespace roofline::torch_export {
namespace {

constexpr std::size_t most_copied = 1 << 24;
constexpr int most_depth = 32;  // values are freed recursively

class Unpickler {
 public:
  explicit Unpickler(std::string_view bytes) : bytes_(bytes) {}

  Pickled run() {
    while (whole_ && at_ < bytes_.size()) {
      const char code = bytes_[at_++];
      if (code == '.') return stack_.size() == 1 ? stack_[0] : nullptr;
      step(code);
    }
    return nullptr;
  }

 private:
  // The opcodes of Lib/pickle.py.
  void step(char code) {
    switch (code) {
      case '\x80':
        little_endian(1);
        break;  // PROTO
      case '(':
        marks_.push_back(stack_.size());
        break;   // MARK
      case '}':  // EMPTY_DICT
      case ']':  // EMPTY_LIST
      case ')':
        push({});
        break;  // EMPTY_TUPLE
      case 'N':
        push({});
        break;  // NONE
      case '\x88':
        push_number(1);
        break;  // NEWTRUE
      case '\x89':
        push_number(0);
        break;  // NEWFALSE
      case 'K':
        push_number(static_cast<double>(little_endian(1)));
        break;  // BININT1
      case 'M':
        push_number(static_cast<double>(little_endian(2)));
        break;  // BININT2
      case 'J':
        push_number(static_cast<std::int32_t>(little_endian(4)));
        break;  // BININT
      case '\x8a':
        push_long(little_endian(1));
        break;  // LONG1
      case 'X':
        push_text(std::string(take(little_endian(4))));
        break;  // BINUNICODE
      case '\x8c':
        push_text(std::string(take(little_endian(1))));
        break;  // SHORT_BINUNICODE
      case 'c':
        push_global();
        break;  // GLOBAL
      case 'q':
        memo_[little_endian(1)] = top();
        break;  // BINPUT
      case 'r':
        memo_[little_endian(4)] = top();
        break;  // LONG_BINPUT
      case 'h':
        recall(little_endian(1));
        break;  // BINGET
      case 'j':
        recall(little_endian(4));
        break;  // LONG_BINGET
      case 't':
        push_items(above_mark());
        break;  // TUPLE
      case '\x85':
        push_items(last(1));
        break;      // TUPLE1
      case '\x86':  // TUPLE2
      case 'R':
        push_items(last(2));
        break;  // REDUCE
      case '\x87':
        push_items(last(3));
        break;  // TUPLE3
      case 'Q':
        break;  // BINPERSID: the tuple stands for the storage
      case 's':
        add_items(last(2));
        break;   // SETITEM
      case 'u':  // SETITEMS
      case 'e':
        add_items(above_mark());
        break;  // APPENDS
      case 'a':
        add_items(last(1));
        break;  // APPEND
      case 'b':
        last(1);
        break;  // BUILD: attributes, such as a state_dict's _metadata
      default:
        whole_ = false;
    }
  }

  std::string_view take(std::uint64_t bytes) {
    if (bytes > bytes_.size() - at_) {
      whole_ = false;
      return {};
    }
    at_ += bytes;
    return bytes_.substr(at_ - bytes, bytes);
  }
  std::uint64_t little_endian(std::size_t bytes) {
    const std::string_view read = take(bytes);
    return roofline::little_endian(read, 0, read.size());
  }

  void push(PickleValue value) {
    for (const Pickled& item : value.items) {
      if (!item)
        whole_ = false;
      else
        value.depth = std::max(value.depth, item->depth + 1);
    }
    whole_ = whole_ && value.depth <= most_depth;
    stack_.push_back(std::make_shared<const PickleValue>(std::move(value)));
  }
  void push_number(double number) {
    PickleValue value;
    value.number = number;
    push(std::move(value));
  }
  void push_long(std::uint64_t bytes) {
    if (bytes > 6) whole_ = false;  // beyond what is an offset or a length
    if (whole_) push_number(static_cast<double>(little_endian(bytes)));
  }
  void push_text(std::string text) {
    PickleValue value;
    value.text = std::move(text);
    push(std::move(value));
  }
  void push_items(std::vector<Pickled> items) {
    PickleValue value;
    value.items = std::move(items);
    push(std::move(value));
  }
  void push_global() {
    std::string text;
    for (int line = 0; line < 2; ++line) {
      const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
      text += (line == 0 ? "" : " ") + std::string(bytes_.substr(at_, end - at_));
      at_ = std::min(end + 1, bytes_.size());
    }
    push_text(std::move(text));
  }

  [[nodiscard]] Pickled top() const { return stack_.empty() ? nullptr : stack_.back(); }
  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end() || !found->second)
      whole_ = false;
    else
      stack_.push_back(found->second);
  }
  std::vector<Pickled> last(std::size_t count) {
    if (count > stack_.size() || (!marks_.empty() && stack_.size() - count < marks_.back())) {
      whole_ = false;
      return {};
    }
    std::vector<Pickled> out(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return out;
  }
  std::vector<Pickled> above_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) {
      whole_ = false;
      return {};
    }
    const std::size_t from = marks_.back();
    marks_.pop_back();
    return last(stack_.size() - from);
  }
  /// Adds to the dict or list below. Values are immutable, so a copy replaces it on the stack; the memo keeps the old one.
  void add_items(const std::vector<Pickled>& added) {
    const std::vector<Pickled> of = last(1);
    if (of.empty()) return;
    copied_ += of[0]->items.size() + added.size();
    if (copied_ > most_copied) {
      whole_ = false;
      return;
    }
    PickleValue value = *of[0];
    value.items.insert(value.items.end(), added.begin(), added.end());
    push(std::move(value));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // items; torch.save appends a thousand at a time
  bool whole_ = true;
  std::vector<Pickled> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, Pickled> memo_;
};

}  // namespace

Pickled read_pickle(std::string_view bytes) { return Unpickler(bytes).run(); }

}  // namespace roofline::torch_export
