// gzip: by zlib in the native command (gzip.cpp), by Node in the one of WebAssembly (wasm/command/node.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace roofline::cli {

/// Whether a file's first bytes are those of gzip.
[[nodiscard]] inline bool is_gzip(std::string_view start) { return start.size() >= 2 && start[0] == '\x1f' && start[1] == '\x8b'; }

/// All members of a gzip file, one after the other.
class Unpacker {
 public:
  using Use = std::function<bool(std::string_view)>;

  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Takes the next packed bytes, and hands on what they unpack to, now or later; false once `use` has enough or there is a fault.
  bool feed(std::string_view packed, const Use& use);
  /// After the last bytes, with the same `use`: hands on the rest. A member that has not ended is a fault.
  bool finish(const Use& use);

  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }  ///< of the packed bytes, up to the fault

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string fault_;
  std::uint64_t consumed_ = 0;
};

/// The bytes as one gzip member without name and time: the same bytes give the same.
[[nodiscard]] std::string packed(std::string_view bytes);

}  // namespace roofline::cli
