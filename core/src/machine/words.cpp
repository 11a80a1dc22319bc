#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <roofline/base/names.hpp>
#include <roofline/machine/words.hpp>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/joined.hpp"
#include "base/sort_stably.hpp"
#include "machine/product_name.hpp"

namespace roofline {
namespace {

struct Word {
  std::string_view word, vendor;       ///< no vendor: a core of CPUs, which several vendors may build
  std::string_view architecture = {};  ///< or its prefix; empty: the word only tells the vendor
};

/// Names as they stand in kernels, operators and files: NVIDIA's compute capabilities and code names (CUDA's table of GPUs), AMD's LLVM
/// targets (ROCm's table of accelerators), cores of CPUs as compilers name them, and libraries that run on one vendor's machines only.
constexpr Word words[] = {
    {"sm_70", "NVIDIA", "sm_70"},
    {"volta", "NVIDIA", "sm_70"},
    {"sm_75", "NVIDIA", "sm_75"},
    {"turing", "NVIDIA", "sm_75"},
    {"sm_80", "NVIDIA", "sm_80"},
    {"ampere", "NVIDIA", "sm_80"},
    {"sm_86", "NVIDIA", "sm_86"},
    {"sm_87", "NVIDIA", "sm_87"},
    {"sm_89", "NVIDIA", "sm_89"},
    {"sm_90", "NVIDIA", "sm_90"},
    {"hopper", "NVIDIA", "sm_90"},
    {"sm_100", "NVIDIA", "sm_100"},
    {"blackwell", "NVIDIA", "sm_100"},
    {"sm_103", "NVIDIA", "sm_103"},
    {"sm_110", "NVIDIA", "sm_110"},
    {"sm_120", "NVIDIA", "sm_120"},
    {"cutlass", "NVIDIA"},
    {"cublas", "NVIDIA"},
    {"cublaslt", "NVIDIA"},
    {"cudnn", "NVIDIA"},
    {"xmma", "NVIDIA"},
    {"wgmma", "NVIDIA", "sm_90"},
    {"tensorrt", "NVIDIA"},
    {"nsight", "NVIDIA"},
    {"gfx90a", "AMD", "gfx90a"},
    {"mi200", "AMD", "gfx90a"},
    {"mi250", "AMD", "gfx90a"},
    {"gfx942", "AMD", "gfx942"},
    {"mi300", "AMD", "gfx942"},
    {"gfx950", "AMD", "gfx950"},
    {"mi350", "AMD", "gfx950"},
    {"gfx1100", "AMD", "gfx1100"},
    {"gfx1201", "AMD", "gfx1201"},
    {"cijk", "AMD"},
    {"tensile", "AMD"},
    {"hipblas", "AMD"},
    {"hipblaslt", "AMD"},
    {"rocblas", "AMD"},
    {"miopen", "AMD"},
    {"aiter", "AMD"},
    {"ck", "AMD"},
    {"mfma", "AMD", "gfx9"},  // the Instincts' matrix instructions: Radeons have others
    {"hip", "AMD"},
    {"rocm", "AMD"},
    {"tpu", "Google"},
    {"metal", "Apple"},
    {"mps", "Apple"},
    {"gaudi", "Intel"},
    {"habana", "Intel"},
    {"onednn", "Intel"},
    {"tenstorrent", "Tenstorrent"},
    {"wormhole", "Tenstorrent", "wormhole"},
    {"blackhole", "Tenstorrent", "blackhole"},
    {"rockchip", "Rockchip"},
    {"ascend", "Huawei"},
    {"cann", "Huawei"},
    {"sapphirerapids", {}, "sapphirerapids"},
    {"graniterapids", {}, "graniterapids"},
    {"znver4", {}, "znver4"},
    {"znver5", {}, "znver5"},
    {"neoverse_n1", {}, "neoverse_n1"},
    {"neoverse_v1", {}, "neoverse_v1"},
    {"neoverse_v2", {}, "neoverse_v2"},
};

const Word* find_word(std::string_view word) {
  const auto found = std::find_if(std::begin(words), std::end(words), [word](const Word& w) { return w.word == word; });
  return found == std::end(words) ? nullptr : found;
}

/// "sm90", "sm90a" and "sm_90" alike; Tensile writes gfx942 as ISA942.
std::string architecture_name(std::string_view part) {
  const auto digits = [&](std::size_t from) {
    std::size_t end = from;
    while (end < part.size() && std::isdigit(static_cast<unsigned char>(part[end])) != 0) ++end;
    return end - from;
  };
  if (part.starts_with("sm") && digits(2) >= 2 && part.size() <= 2 + digits(2) + 1) return "sm_" + std::string(part.substr(2, digits(2)));
  if (part.starts_with("isa") && part.size() == 6) return "gfx" + std::string(part.substr(3));
  return {};
}

/// Lower-case runs of letters and digits.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  std::string part;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      part += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!part.empty())
      out.push_back(std::move(part)), part.clear();
  }
  if (!part.empty()) out.push_back(std::move(part));
  return out;
}

/// Short ones, and numbers alone, stand for much else: "A10", "T4", "4090".
bool tells(const std::string& name) {
  const std::string plain = normalised(name);
  const bool digit = std::any_of(plain.begin(), plain.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  const bool letter = std::any_of(plain.begin(), plain.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  return (digit && letter && plain.size() >= 4) || plain.size() >= 8;
}

/// Drivers call a die by the name of its card.
std::vector<std::string> names_of_machine(const Machine& machine) {
  std::vector<std::string> out = {machine.id, machine.name};
  out.insert(out.end(), machine.aliases.begin(), machine.aliases.end());
  if (const Machine* card = Machines::presets().find(machine.part_of)) {
    const std::vector<std::string> names = names_of_machine(*card);
    out.insert(out.end(), names.begin(), names.end());
  }
  return out;
}

/// "h100" of "h100-pcie".
std::string family_of(const Machine& machine) { return machine.id.substr(0, machine.id.find('-')); }

/// Every phrase that tells a machine, by its first part: how many parts it has, the longest first.
using Phrases = std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>>;

const Phrases& phrases() {
  static const Phrases all = [] {
    Phrases out;
    const auto add = [&](const std::string& name) {
      const std::vector<std::string> parts = parts_of(name);
      if (parts.empty()) return;
      auto& list = out[parts[0]];
      if (const std::pair entry(parts.size(), joined(parts, "_")); std::find(list.begin(), list.end(), entry) == list.end())
        list.push_back(entry);
    };
    for (const Word& word : words) add(std::string(word.word));
    for (const Machine& machine : Machines::presets().all()) {
      if (machine.vendor.empty()) continue;  // not the one of any table
      for (const std::string& name : names_of_machine(machine))
        if (tells(name)) add(name);
      if (tells(family_of(machine))) add(family_of(machine));
    }
    for (auto& [first, list] : out) sort_stably(list, std::greater<>());
    return out;
  }();
  return all;
}

/// The number of parts in the longest phrase that begins with the first part; 0: no phrase does.
std::size_t longest_phrase(std::span<const std::string> parts) {
  if (const auto found = phrases().find(parts[0]); found != phrases().end())
    for (const auto& [count, phrase] : found->second)
      if (count <= parts.size() && joined(parts.first(count), "_") == phrase) return count;
  return 0;
}

struct Part {
  std::size_t begin = 0, length = 0;  ///< length 0: none
};

/// The name of a GPU that is longer than the phrase of the first `known` parts, or that begins with the first part if there is no phrase:
/// "rtx 4090 laptop" in "nvidia geforce rtx 4090 laptop gpu". None if a phrase covers the name to its end: "a100" in "nvidia a100".
Part unlisted_product(std::span<const std::string> parts, std::size_t known) {
  for (std::size_t begin = 0; begin < std::max(known, std::size_t{1}); ++begin) {
    const ProductName name = product_name(parts.subspan(begin));
    const std::size_t end = begin + name.length;
    if (name.length == 0 || end <= known) continue;
    for (std::size_t k = 1; k <= begin + name.number; ++k)
      if (k + longest_phrase(parts.subspan(k)) >= end) return {};
    return {begin, name.length};
  }
  return {};
}

}  // namespace

std::vector<std::string> words_of_machines(std::string_view text) {
  const std::vector<std::string> parts = parts_of(text);
  std::vector<std::string> out;
  std::unordered_set<std::string> seen;
  const auto put = [&](const std::string& word) {
    if (seen.insert(word).second) out.push_back(word);
  };
  for (std::size_t i = 0; i < parts.size();) {
    if (const std::string name = architecture_name(parts[i]); !name.empty() && find_word(name)) put(name);
    const std::span<const std::string> rest = std::span(parts).subspan(i);
    const std::size_t known = longest_phrase(rest);
    const Part product = unlisted_product(rest, known);
    if (product.length > 0)
      put(joined(rest.subspan(product.begin, product.length), "_"));
    else if (known > 0)
      put(joined(rest.first(known), "_"));
    i += std::max({product.begin + product.length, known, std::size_t{1}});
  }
  return out;
}

bool is_product(std::string_view word) {
  const std::vector<std::string> parts = parts_of(word);
  return !parts.empty() && product_name(parts).length == parts.size();
}

bool is_cpu(const Machine& machine) {
  const Word* core = find_word(machine.architecture);
  return core && core->vendor.empty();
}

WordMatch match(const Machine& machine, std::string_view text) {
  const std::string word = normalised(text);
  for (const std::string& name : names_of_machine(machine))
    if (normalised(name) == word) return WordMatch::name;
  if (normalised(family_of(machine)) == word) return WordMatch::family;
  if (text == "cpu") return is_cpu(machine) ? WordMatch::vendor : WordMatch::none;
  const Word* known = find_word(text);
  if (!known) return WordMatch::none;
  if (!known->architecture.empty() && known->architecture == machine.architecture) return WordMatch::architecture;
  if (known->vendor != machine.vendor || is_cpu(machine)) return WordMatch::none;       // the libraries are those of accelerators
  if (machine.architecture.starts_with(known->architecture)) return WordMatch::vendor;  // an empty prefix matches all
  // NVIDIA's kernels run on later architectures, too; AMD's do not.
  const auto number = [](std::string_view sm) { return sm.starts_with("sm_") ? std::atoi(std::string(sm.substr(3)).c_str()) : 0; };
  return number(known->architecture) > 0 && number(machine.architecture) > number(known->architecture) ? WordMatch::vendor
                                                                                                       : WordMatch::none;
}

}  // namespace roofline
