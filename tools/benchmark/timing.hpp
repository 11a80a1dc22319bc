// Times of parts of the core.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

inline double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// The median of `runs` after one that does not count.
inline double median(int runs, const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(milliseconds(work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}
