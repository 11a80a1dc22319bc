// Strings to small numbers: equal strings get equal numbers, in order of first appearance. Made for the reader's hot path.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

// Asked for every field of every row: where these are calls, reading takes a tenth longer.

/// Up to eight bytes as a number: of two texts of the same size, equal ones have the same.
[[gnu::always_inline]] inline std::uint64_t short_word(const char* p, std::size_t n) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])); };
  if (n < 4) return n == 0 ? 0 : byte(0) | byte(n / 2) << 8 | byte(n - 1) << 16;
  std::uint32_t first = 0, last = 0;
  std::memcpy(&first, p, 4);
  std::memcpy(&last, p + n - 4, 4);
  return first | static_cast<std::uint64_t>(last) << 32;
}

/// A fast, non-cryptographic hash of a string: eight bytes at a time.
inline std::uint64_t hash_text(std::string_view text) {
  constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ull;
  std::uint64_t h = text.size() * prime;
  const char* p = text.data();
  std::size_t n = text.size();
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    h = (h ^ w) * prime;
    h ^= h >> 32;
  }
  if (n > 0) {
    h = (h ^ short_word(p, n)) * prime;
    h ^= h >> 32;
  }
  return h;
}

/// Open addressing over anything hashable that can compare itself with a stored element.
class HashIndex {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// The element whose hash is `hash` and for which `same(element)` holds; none where there is none.
  template <class Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return none;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Slot& slot = slots_[i];
      if (slot.element == none) return none;
      if (slot.hash == static_cast<std::uint32_t>(hash >> 32) && same(slot.element)) return slot.element;
    }
  }

  void insert(std::uint64_t hash, std::uint32_t element) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    put({static_cast<std::uint32_t>(hash >> 32), element, hash});
    ++used_;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t element = none;
    std::uint64_t full = 0;
  };
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  void put(Slot slot) {
    std::size_t i = slot.full & mask();
    while (slots_[i].element != none) i = (i + 1) & mask();
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.element != none) put(slot);
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class Interner {
 public:
  /// The number of `text`; `is_new` tells whether it was seen for the first time.
  [[gnu::always_inline]] std::uint32_t intern(std::string_view text, bool* is_new = nullptr) {
    if (text.size() > longest_short) return intern_any(text, is_new);
    const std::uint64_t word = short_word(text.data(), text.size());
    Short& seen = recent_[(word + text.size()) * 0x9E3779B97F4A7C15ull >> 57];
    if (seen.word != word || seen.size != text.size()) {
      seen = {word, static_cast<std::uint32_t>(text.size()), intern_any(text, is_new)};
    } else if (is_new) {
      *is_new = false;
    }
    return seen.number;
  }
  [[nodiscard]] const std::string& operator[](std::uint32_t i) const { return strings_[i]; }
  [[nodiscard]] std::size_t size() const { return strings_.size(); }

 private:
  [[gnu::noinline]] std::uint32_t intern_any(std::string_view text, bool* is_new) {
    const std::uint64_t hash = hash_text(text);
    std::uint32_t found = index_.find(hash, [&](std::uint32_t i) { return strings_[i] == text; });
    if (is_new) *is_new = found == HashIndex::none;
    if (found != HashIndex::none) return found;
    found = static_cast<std::uint32_t>(strings_.size());
    strings_.emplace_back(text);
    index_.insert(hash, found);
    return found;
  }

  /// A short text is told by its number alone; those met lately are found at once.
  static constexpr std::size_t longest_short = 8;
  struct Short {
    std::uint64_t word = 0;
    std::uint32_t size = longest_short + 1;  ///< that of no short text
    std::uint32_t number = 0;
  };
  std::array<Short, 128> recent_;
  std::vector<std::string> strings_;
  HashIndex index_;
};

/// Caches a value for each word: few words are distinct, and each value is computed once.
template <class T>
class ByWord {
 public:
  /// Good until the next; `make(word)` is asked where the word is new.
  template <class Make>
  const T& of(std::string_view word, const Make& make) {
    bool is_new = false;
    const std::uint32_t id = words_.intern(word, &is_new);
    if (is_new) values_.push_back(make(word));
    return values_[id];
  }

 private:
  Interner words_;
  std::vector<T> values_;
};

}  // namespace roofline
