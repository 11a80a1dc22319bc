// Text that copies share: a workload made of another's rows has the same names, and does not carry them twice.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace roofline {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<std::string>(std::move(text))) {}

  operator std::string_view() const { return text_ ? std::string_view(*text_) : std::string_view(); }
  [[nodiscard]] std::string_view substr(std::size_t offset, std::size_t length) const {
    return std::string_view(*this).substr(offset, length);
  }
  [[nodiscard]] std::size_t size() const { return text_ ? text_->size() : 0; }

  /// Other holders keep what they have.
  SharedText& operator+=(std::string_view more) {
    if (!text_ || text_.use_count() > 1) text_ = std::make_shared<std::string>(std::string_view(*this));
    *text_ += more;
    return *this;
  }

 private:
  std::shared_ptr<std::string> text_;
};

}  // namespace roofline
