#include "options/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "commands.hpp"

namespace roofline::cli {

void Output::write(std::string_view piece) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  pending_ += piece;
  if (pending_.size() >= chunk) flush();
}

void Output::flush() {
  std::string_view rest = pending_;
  while (!rest.empty() && error_ == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      std::exit(done);  // the reader (head, less) has seen enough: no reason to work on
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  pending_.clear();
}

bool Output::finish() {
  flush();
  if (error_ != 0) report(std::string("standard output: cannot be written (") + std::strerror(error_) + ")", unusable_input);
  return error_ == 0;
}

int print(std::string_view text) {
  return print_pieces([&](const Sink& sink) { sink(text); });
}

int print_pieces(const std::function<void(const Sink&)>& write) {
  Output output;
  write([&](std::string_view piece) { output.write(piece); });
  return output.finish() ? done : unusable_input;
}

}  // namespace roofline::cli
