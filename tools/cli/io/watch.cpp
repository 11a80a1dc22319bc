#include "io/watch.hpp"

#include <sys/stat.h>

namespace roofline::cli {

Watch::Stamp Watch::look(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::error_code failed;
  const auto modified = std::filesystem::last_write_time(path, failed);  // in nanoseconds, on every system by the same name
  if (failed) return {};
  return {true, static_cast<std::uintmax_t>(status.st_size), static_cast<std::uintmax_t>(status.st_ino), modified};
}

Watch::Watch(const std::vector<std::pair<std::string, std::filesystem::path>>& role_and_path, std::uint64_t polls_per_heartbeat)
    : polls_per_heartbeat_(polls_per_heartbeat) {
  for (const auto& [role, path] : role_and_path) {
    const Stamp stamp = look(path);
    state_.files.push_back({role, path, stamp.exists, stamp.size});
    seen_.push_back(stamp);
  }
  told_ = seen_;
}

void Watch::poll() {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    WatchedFile& file = state_.files[i];
    const Stamp now = look(file.path);
    if (now != seen_[i]) {
      seen_[i] = now;
    } else if (now != told_[i]) {
      told_[i] = now;
      const std::lock_guard lock(mutex_);
      file.exists = now.exists;
      file.size = now.size;
      ++file.version;
      changed_.notify_all();
    }
  }
  if (++polls_ % polls_per_heartbeat_ != 0) return;
  const std::lock_guard lock(mutex_);
  ++state_.heartbeats;
  changed_.notify_all();
}

Watch::State Watch::now() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Watch::State Watch::wait(const State& known, std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] {
    for (std::size_t i = 0; i < known.files.size(); ++i) {
      if (state_.files[i].version != known.files[i].version) return true;
    }
    return stopped_ || state_.heartbeats != known.heartbeats;
  });
  return state_;
}

void Watch::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool Watch::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

}  // namespace roofline::cli
