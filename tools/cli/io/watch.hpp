// Follows a few files for changes, whichever way an editor makes them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace roofline::cli {

/// A file that is followed. It may appear and disappear; each is a change.
struct WatchedFile {
  std::string role;  ///< "operations", "registry", "config"
  std::filesystem::path path;
  bool exists = false;
  std::uintmax_t size = 0;    ///< bytes
  std::uint64_t version = 1;  ///< one more with every change
};

class Watch {
 public:
  struct State {
    std::vector<WatchedFile> files;
    std::uint64_t heartbeats = 0;  ///< one more every `polls_per_heartbeat` polls
  };

  Watch(const std::vector<std::pair<std::string, std::filesystem::path>>& role_and_path, std::uint64_t polls_per_heartbeat);

  /// Looks at the files; to be called again and again from one thread. A change counts once two looks have seen the same state, so that
  /// a file being written is not passed on in pieces.
  void poll();

  [[nodiscard]] State now() const;

  /// Waits for a change after `known`, for a heartbeat or for stop(), `patience` at most; the state then.
  [[nodiscard]] State wait(const State& known, std::chrono::milliseconds patience) const;

  void stop();
  [[nodiscard]] bool stopped() const;

 private:
  /// What tells one state of a file from another: editors write in place, or put a new file (another inode) in its place.
  struct Stamp {
    bool exists = false;
    std::uintmax_t size = 0, inode = 0;
    std::filesystem::file_time_type modified{};
    bool operator==(const Stamp&) const = default;
  };
  static Stamp look(const std::filesystem::path& path);

  State state_;
  std::vector<Stamp> seen_, told_;
  std::uint64_t polls_ = 0, polls_per_heartbeat_;
  bool stopped_ = false;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
};

}  // namespace roofline::cli
