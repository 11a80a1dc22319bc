// Standard output, written in large pieces.
#pragma once

#include <functional>
#include <roofline/base/sink.hpp>
#include <string>
#include <string_view>

namespace roofline::cli {

class Output {
 public:
  void write(std::string_view piece);
  /// Writes what there is, without waiting for more.
  void flush();
  /// Writes what is left. False: standard output could not be written (a message has been given).
  [[nodiscard]] bool finish();

 private:
  std::string pending_;
  int error_ = 0;  // errno of the first write that failed; what follows is dropped
};

/// The whole of a result at once; the exit code.
int print(std::string_view text);

/// Prints the pieces that `write` passes to the sink; returns the exit code.
int print_pieces(const std::function<void(const Sink&)>& write);

}  // namespace roofline::cli
