#include "io/processor.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <latch>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "probes/choice.hpp"
#include "probes/probe.hpp"

namespace roofline::cli {
namespace {

using measure::Kernels;
using measure::Probe;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void sleep_until(double moment) {
  constexpr double wake_s = 1e-3;  // a sleeper wakes late: the rest is waited for by looking at the clock
  const double left = moment - now() - wake_s;
  if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

/// What all threads do at the same time, `repeats` times.
struct Step {
  const Kernels* kernels;
  Probe probe;
  int threads;
  std::size_t bytes;  ///< of one core's working set
};

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  return "CPU";
}

double memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : std::numeric_limits<double>::quiet_NaN();
}

/// Bytes of all L3 caches together; 0: there are none, or the system does not say (Linux does, in /sys).
double l3_bytes() {
  double sum = 0;
  const auto folder_of = [](int cpu) { return "/sys/devices/system/cpu/cpu" + std::to_string(cpu); };
  for (int cpu = 0; std::filesystem::exists(folder_of(cpu)); ++cpu) {
    const std::string cache = folder_of(cpu) + "/cache/index3/";
    std::ifstream size_file(cache + "size"), shared_file(cache + "shared_cpu_list");
    double kib = 0;
    int first = 0;  // of the processors that share it
    if (size_file >> kib && shared_file >> first && first == cpu) sum += kib * 1024;
  }
  return sum;
}

/// Bytes of all threads' working sets together, at most: four times what the L3 caches hold, if a quarter of the memory has room for it.
double largest_sets_bytes(double memory) {
  constexpr double beyond_caches = 4, of_memory = 0.25;
  const double wanted = std::max(measure::largest_set, beyond_caches * l3_bytes());
  return std::isnan(memory) ? wanted : std::max(measure::largest_set, std::min(wanted, of_memory * memory));
}

/// Threads that go through the same steps by the clock, each in memory that it touched first.
class Threads {
 public:
  Threads(int threads, std::size_t bytes) : threads_(threads), bytes_(bytes) {}

  /// The rate of each step, added over its threads. Error: not enough memory.
  Result<std::vector<measure::Best>> run(const std::vector<Step>& steps) {
    samples_.assign(steps.size(), std::vector<measure::Sample>(place_of(threads_, 0)));
    std::latch touched(threads_ + 1), begun(1);
    std::vector<std::thread> threads;
    const auto start = [&](int t) {
      threads.emplace_back([this, &steps, &touched, &begun, t] {
        const std::unique_ptr<float, void (*)(void*)> memory(static_cast<float*>(std::aligned_alloc(4096, bytes_)), std::free);
        if (memory)
          std::fill_n(memory.get(), bytes_ / sizeof(float), 1.f);
        else
          no_memory_ = true;
        touched.count_down();
        begun.wait();
        if (!no_memory_) follow(steps, t, memory.get());
      });
    };
    try {
      for (int t = 0; t < threads_; ++t) start(t);
    } catch (const std::system_error&) {  // those that did start end without measuring
      no_memory_ = true;
      touched.count_down(threads_ - static_cast<int>(threads.size()));
    }
    const std::size_t started = threads.size();
    touched.arrive_and_wait();
    start_ = now() + 0.01;
    begun.count_down();
    for (std::thread& thread : threads) thread.join();
    if (started < static_cast<std::size_t>(threads_))
      return fail("only " + std::to_string(started) + " of " + std::to_string(threads_) + " threads could be started");
    if (no_memory_)
      return fail("not enough memory for working sets of " + std::to_string(bytes_ >> 20) + " MiB on each of " + std::to_string(threads_) +
                  " threads");
    std::vector<measure::Best> out;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::vector<double> all, together;  // rates of the repeats, and of those in which no thread began late
      for (int repeat = 0; repeat < measure::repeats; ++repeat) {
        double sum = 0;
        bool late = false;
        for (int t = 0; t < steps[i].threads; ++t) {
          const measure::Sample& one = samples_[i][place_of(t, repeat)];
          sum += one.rate;
          late |= one.late;
        }
        all.push_back(sum);
        if (!late) together.push_back(sum);
      }
      never_together_ |= steps[i].threads > 1 && together.empty();
      out.push_back(measure::best_of(together.empty() ? all : together));
    }
    return out;
  }

  /// Of the last run: at some step the threads never ran at the same time.
  [[nodiscard]] bool never_together() const { return never_together_; }

 private:
  static std::size_t place_of(int thread, int repeat) {
    return static_cast<std::size_t>(thread) * measure::repeats + static_cast<std::size_t>(repeat);
  }

  double start_of(std::size_t step, int repeat) const {
    constexpr double pause_s = 2e-3;  // for a thread that was interrupted at the end of a window
    return start_ + static_cast<double>(step * measure::repeats + static_cast<std::size_t>(repeat)) * (measure::window_s + pause_s);
  }

  void follow(const std::vector<Step>& steps, int thread, float* memory) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (thread >= steps[i].threads) continue;
      measure::WorkingSet set{memory, std::min(steps[i].bytes, bytes_), 0};
      for (int repeat = 0; repeat < measure::repeats; ++repeat) {
        const double start = start_of(i, repeat);
        sleep_until(start);
        samples_[i][place_of(thread, repeat)] =
            measure::sample(*steps[i].kernels, steps[i].probe, set, now, start, start + measure::window_s);
      }
    }
  }

  int threads_;
  std::size_t bytes_;  // of each thread
  double start_ = 0;
  std::atomic<bool> no_memory_ = false;
  bool never_together_ = false;
  std::vector<std::vector<measure::Sample>> samples_;  // of each step: its threads' repeats
};

}  // namespace

Result<MeasuredProcessor> measure_processor(int threads) {
  MeasuredProcessor out;
  out.name = cpu_name();
  out.memory_bytes = memory_bytes();
  out.threads = threads;
  if (threads == 0) out.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const std::vector<const Kernels*> runnable = measure::runnable_kernels();
  const Kernels& best = *runnable.back();
  constexpr std::pair<Probe, const char*> formats[] = {{Probe::fp64, "fp64"}, {Probe::fp32, "fp32"}, {Probe::int8, "int8"}};

  std::vector<Step> steps;
  for (const auto& [probe, name] : formats) {
    // Wider vectors may cost clock: the fastest of all instruction sets counts.
    for (const Kernels* kernels : runnable) steps.push_back({kernels, probe, out.threads, 0});
    steps.push_back({&best, probe, 1, 0});
  }
  const std::size_t first_set = steps.size();
  const double most = std::max(largest_sets_bytes(out.memory_bytes) / out.threads, measure::smallest_set);
  int sets = 0;
  while (measure::working_set(sets) <= most) ++sets;
  for (int i = 0; i < sets; ++i) steps.push_back({&best, Probe::read, out.threads, static_cast<std::size_t>(measure::working_set(i))});
  const auto largest = static_cast<std::size_t>(measure::working_set(sets - 1));
  for (const Probe probe : {Probe::write, Probe::copy}) steps.push_back({&best, probe, out.threads, largest});

  Threads pool(out.threads, largest);
  const auto rates = pool.run(steps);
  out.never_together = pool.never_together();
  if (!rates) return Unexpected(rates.error());
  const auto best_rate = [&](std::size_t step) { return BestRate{(*rates)[step].rate, (*rates)[step].spread, steps[step].kernels->name}; };
  for (std::size_t i = 0, at = 0; i < std::size(formats); ++i, at += runnable.size() + 1) {
    MeasuredPeak peak{formats[i].second, best_rate(at), best_rate(at + runnable.size()), best_rate(at)};
    for (std::size_t k = 1; k < runnable.size(); ++k)
      if (best_rate(at + k).rate > peak.all_cores.rate) peak.all_cores = best_rate(at + k);
    out.peaks.push_back(std::move(peak));
  }
  for (int i = 0; i < sets; ++i) out.curve.push_back({measure::working_set(i), best_rate(first_set + static_cast<std::size_t>(i))});
  out.write = best_rate(steps.size() - 2);
  out.copy = best_rate(steps.size() - 1);
  return out;
}

}  // namespace roofline::cli
