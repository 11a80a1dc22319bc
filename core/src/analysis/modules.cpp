#include <algorithm>
#include <map>
#include <roofline/analysis/modules.hpp>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"
#include "base/bit_cast.hpp"
#include "base/interner.hpp"
#include "base/json.hpp"

namespace roofline {
namespace {

constexpr std::size_t deepest = 32;  // nesting levels; deeper path components stay in the name of the last one

/// A component of a path with the index in it: "layers.3" has the component "3", names of TensorFlow have "block_3_expand".
struct Indexed {
  std::string before, after;
  int index = -1;  ///< -1: there is none
};

Indexed indexed(std::string_view name) {
  for (std::size_t end = name.size(); end > 0; --end) {
    if (end < name.size() && name[end] != '_') continue;
    std::size_t begin = end;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
    constexpr std::size_t most_digits = 6;
    if (begin == end || end - begin > most_digits || (begin > 0 && name[begin - 1] != '_')) continue;
    int index = 0;
    for (const char digit : name.substr(begin, end - begin)) index = 10 * index + (digit - '0');
    return {std::string(name.substr(0, begin)), std::string(name.substr(end)), index};
  }
  return {std::string(name), {}, -1};
}

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  hash ^= hash >> 29;
}
void mix(std::uint64_t& hash, double value) { mix(hash, bit_cast<std::uint64_t>(value)); }

/// A module of the tree, with its sums.
struct Module : ModuleWork {
  std::string name;  ///< last component of its path
  std::vector<std::size_t> within;
  std::uint64_t structure = 0;  ///< equal for modules that do the same
  double time_s = 0;
  std::vector<double> by_bound_s;

  [[nodiscard]] bool holds_nothing_itself() const { return ops == 0 && nodes == 0 && weights_bytes == 0; }
  void add(const Module& other) {
    *this += other;
    time_s += other.time_s;
    for (std::size_t r = 0; r < other.by_bound_s.size(); ++r) by_bound_s[r] += other.by_bound_s[r];
  }
};

class ModuleTree {
 public:
  explicit ModuleTree(const OpSet& ops) : plan_(ops.plan()), w_(ops.workload()) {
    root({});
    add_facts(Json::parse(w_.network_json, nullptr, false));
    const auto category = std::find_if(w_.categories.begin(), w_.categories.end(), [](const Category& c) { return c.name == "Module"; });
    if (category != w_.categories.end()) category_ = &*category;
    Blocks blocks(plan_, device_axis, true);
    for_each_block(blocks, ops, [&](const OpBlock& block) {
      for (std::size_t j = 0; j < block.count; ++j) add(block, j);
    });
    whole_ = modules_;
    for (std::size_t m = modules_.size(); m-- > 0;) {  // a module's place is before those of all in it
      std::uint64_t& structure = whole_[m].structure;
      for (const std::size_t inner : modules_[m].within) {
        mix(structure, hash_text(modules_[inner].name));
        mix(structure, whole_[inner].structure);
        whole_[m].add(whole_[inner]);
      }
    }
  }

  std::vector<ModuleSums> listed() {
    for (const auto& [body, m] : roots_) {
      if (!body.empty() && whole_[m].holds_nothing_itself()) continue;
      ModuleSums whole;
      whole.name = body;
      whole.body = body;
      put({m}, std::move(whole));
    }
    return std::move(out_);
  }

 private:
  /// The root of the main graph (""), or of a body, which has a tree of its modules.
  std::size_t root(const std::string& body) {
    for (const auto& [name, m] : roots_)
      if (name == body) return m;
    roots_.emplace_back(body, make({}));
    return roots_.back().second;
  }

  std::size_t make(std::string name) {
    Module out;
    out.name = std::move(name);
    out.by_bound_s.assign(plan_.resources().size(), 0);
    modules_.push_back(std::move(out));
    return modules_.size() - 1;
  }

  std::size_t at(const std::string& body, std::string_view path) {
    std::size_t m = root(body);
    for (std::size_t depth = 0; !path.empty(); ++depth) {
      const std::size_t dot = depth + 1 == deepest ? std::string_view::npos : path.find('.');
      const std::string name(path.substr(0, dot));
      path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
      const auto [place, is_new] = places_.try_emplace({m, name}, 0);
      if (is_new) {
        place->second = make(name);
        modules_[m].within.push_back(place->second);
      }
      m = place->second;
    }
    return m;
  }

  void add_facts(const Json& facts) {
    network_ = member(facts, "modules").is_array();
    for (const Json& of : member(facts, "modules")) {
      const std::string body = text_of(member(of, "body"));
      Module& m = modules_[at(body.empty() ? body : "body of " + body, text_of(member(of, "module")))];
      constexpr double most = 1e9;  // nodes; a file of other tools may say anything
      const auto count = [&](const char* key) {
        return static_cast<std::size_t>(std::clamp(known_or(number_of(member(of, key)), 0), 0.0, most));
      };
      m.nodes += count("nodes");
      m.not_counted += count("not_counted");
      m.parameters += number_of(member(of, "parameters"));
      m.weights_bytes += number_of(member(of, "weights_bytes"));
      for (const double fact : {static_cast<double>(m.nodes), static_cast<double>(m.not_counted), m.parameters, m.weights_bytes})
        mix(m.structure, fact);
    }
  }

  std::size_t module_of(std::uint32_t op) {
    const bool in_body = network_ && !w_.step.empty();
    const std::uint32_t step = in_body ? w_.step[op] : 0, word = category_ ? category_->value[op] : Category::none;
    const auto [place, is_new] = of_words_.try_emplace(std::uint64_t{step} << 32 | word, 0);
    if (is_new) place->second = at(in_body ? w_.steps[step] : std::string(), category_ ? category_->word(op) : std::string());
    return place->second;
  }

  void add(const OpBlock& block, std::size_t j) {
    const std::uint32_t op = block.index[j];
    Module& m = modules_[module_of(op)];
    const double share = block.share ? block.share[j] : 1;
    const Plan::ClassRates& rates = plan_.rates(w_.op_class[op]);
    const auto value = [&](const std::vector<double>& column) { return column.empty() ? 0 : known_or(column[op], 0); };
    const auto bytes = [&](const std::vector<double>& column, double each) {
      const double elements = value(column);
      return elements > 0 ? elements * each : 0;
    };
    ++m.ops;
    m.matrix_macs += value(w_.matrix_flops) / 2;
    m.flops += known_or(block.flops[j], 0);
    m.bytes += known_or(block.bytes[j], 0);
    m.read_bytes += bytes(w_.activation, rates.activation) + bytes(w_.kv_read, rates.kv);
    m.written_bytes += bytes(w_.output, rates.output) + bytes(w_.kv_write, rates.kv);
    m.predicted_time_s += block.predicted_s[j] * share;
    m.typical_time_s += known_or(block.typical_s[j], 0) * share;
    if (block.time_s[j] > 0) m.time_s += block.time_s[j] * share;
    if (block.bound[j] < static_cast<std::int32_t>(m.by_bound_s.size())) m.by_bound_s[block.bound[j]] += block.predicted_s[j] * share;
    mix(m.structure, std::uint64_t{w_.op_class[op]});
    mix(m.structure, std::uint64_t{w_.shape_hash.empty() ? 0 : w_.shape_hash[op]});
    for (const double work : {block.flops[j], block.bytes[j], value(w_.matrix_flops)}) mix(m.structure, work);
  }

  /// Lists equal modules as one, then their submodules.
  void put(const std::vector<std::size_t>& equal, ModuleSums as) {
    const Module& one = whole_[equal.front()];
    as.count = equal.size();
    static_cast<ModuleWork&>(as) = one;
    if (!network_) as.parameters = as.weights_bytes = unknown;
    double measured = 0, timed = 0;
    for (const std::size_t m : equal)
      if (whole_[m].time_s > 0) measured += whole_[m].time_s, ++timed;
    as.time_s = timed > 0 ? measured / timed : unknown;
    as.bound_by = no_resource;
    const auto most = std::max_element(one.by_bound_s.begin(), one.by_bound_s.end());
    if (most != one.by_bound_s.end() && *most > 0) as.bound_by = static_cast<std::uint8_t>(most - one.by_bound_s.begin());
    out_.push_back(as);
    as.name.clear();
    ++as.depth;
    put_within(equal, as);
  }

  /// Lists the submodules of equal modules. `of`: their path, and their name from the listed parent on.
  void put_within(const std::vector<std::size_t>& equal, const ModuleSums& of) {
    const std::vector<std::size_t>& within = modules_[equal.front()].within;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> places;
    std::vector<std::vector<std::size_t>> groups;  // of equal ones, by their place in `within`
    for (std::size_t i = 0; i < within.size(); ++i) {
      const Indexed name = indexed(modules_[within[i]].name);
      const std::string stem = name.index < 0 ? name.before : name.before + '*' + name.after;
      const auto [place, is_new] = places.try_emplace({stem, whole_[within[i]].structure}, groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].push_back(i);
    }
    for (const std::vector<std::size_t>& group : groups) {
      ModuleSums as = of;
      const std::string& first = modules_[within[group.front()]].name;
      const Indexed name = indexed(first);
      std::string pattern = first, shown = first;
      if (group.size() > 1) {
        std::vector<int> indices;
        for (const std::size_t i : group) indices.push_back(indexed(modules_[within[i]].name).index);
        std::sort(indices.begin(), indices.end());
        as.indices.push_back(ranges(indices));
        pattern = name.before + '*' + name.after;
        shown = name.before + as.indices.back() + name.after;
      }
      as.path += (as.path.empty() ? "" : ".") + pattern;
      as.name += (as.name.empty() ? "" : ".") + shown;
      std::vector<std::size_t> modules;
      for (const std::size_t m : equal)
        for (const std::size_t i : group) modules.push_back(modules_[m].within[i]);
      const Module& one = modules_[modules.front()];
      if (one.holds_nothing_itself() && is_one_group(one))
        put_within(modules, as);
      else
        put(modules, std::move(as));
    }
  }

  /// Whether all modules in it are equal, but for their index.
  [[nodiscard]] bool is_one_group(const Module& of) const {
    const auto stem = [&](std::size_t m) {
      const Indexed name = indexed(modules_[m].name);
      return std::pair(name.before, name.after);
    };
    return !of.within.empty() && std::all_of(of.within.begin(), of.within.end(), [&](std::size_t m) {
      const std::size_t first = of.within.front();
      return m == first ||
             (indexed(modules_[m].name).index >= 0 && stem(m) == stem(first) && whole_[m].structure == whole_[first].structure);
    });
  }

  const Plan& plan_;
  const Workload& w_;
  bool network_ = false;
  const Category* category_ = nullptr;
  std::vector<std::pair<std::string, std::size_t>> roots_;
  std::vector<Module> modules_, whole_;  ///< modules_: without submodules; whole_: with them
  std::map<std::pair<std::size_t, std::string>, std::size_t> places_;
  std::unordered_map<std::uint64_t, std::size_t> of_words_;
  std::vector<ModuleSums> out_;
};

}  // namespace

ModuleWork& ModuleWork::operator+=(const ModuleWork& other) {
  ops += other.ops, nodes += other.nodes, not_counted += other.not_counted;
  matrix_macs += other.matrix_macs, flops += other.flops, bytes += other.bytes;
  read_bytes += other.read_bytes, written_bytes += other.written_bytes;
  parameters += other.parameters, weights_bytes += other.weights_bytes;
  predicted_time_s += other.predicted_time_s, typical_time_s += other.typical_time_s;
  return *this;
}

std::string ModuleSums::path_with_indices() const {
  std::string out;
  std::size_t next = 0;
  for (const char c : path)
    if (c == '*' && next < indices.size())
      out += indices[next++];
    else
      out += c;
  return out;
}

std::vector<ModuleSums> sum_by_module(const OpSet& ops) { return ModuleTree(ops).listed(); }

std::string modules_finding(const std::vector<ModuleSums>& modules) {
  const auto share = [&](const ModuleSums& m) {
    return m.path.empty() || !m.body.empty() ? 0 : m.predicted_time_s * static_cast<double>(m.count) / modules.front().predicted_time_s;
  };
  const auto largest = [&](bool repeated, double least) {
    const ModuleSums* found = nullptr;
    for (const ModuleSums& m : modules)
      if ((m.count > 1 || !repeated) && share(m) > (found ? share(*found) : least)) found = &m;
    return found;
  };
  constexpr double half = 0.5;
  const ModuleSums* most = largest(true, half);
  if (!most) most = largest(false, 0);
  if (!most) return {};
  return printable(most->path_with_indices()) + (most->count > 1 ? ", " + with_commas(most->count) + " equal modules, take " : " takes ") +
         percent(share(*most)) + " of the predicted time.";
}

}  // namespace roofline
