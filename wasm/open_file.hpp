// A file on the page that a module reads by ranges: web/src/worker/on_demand.ts gives the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <roofline/network/byte_source.hpp>

/// Bytes of the open file, into the module's memory. 0 where they cannot be read.
extern "C" __attribute__((import_module("page"), import_name("read"))) int read_range(double offset, char* to, std::size_t bytes);

namespace roofline::on_demand {

class OpenFile final : public ByteSource {
 public:
  /// Of files that lie end to end, the one that begins at `first`.
  explicit OpenFile(double size, double first = 0) : size_(static_cast<std::uint64_t>(size)), first_(first) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
    return read_range(first_ + static_cast<double>(offset), to, bytes) != 0;
  }

 private:
  std::uint64_t size_;
  double first_;
};

}  // namespace roofline::on_demand
