// Finds the rule for an operator in a reader's tables.
#pragma once

#include <initializer_list>
#include <span>
#include <unordered_map>

namespace roofline {

template <class Rule, class Key>
class RuleIndex {
 public:
  /// `key`: the member that rules are found by. The first rule with a key counts. The tables must outlive the index.
  RuleIndex(Key Rule::* key, std::initializer_list<std::span<const Rule>> tables) {
    for (const std::span<const Rule> table : tables)
      for (const Rule& rule : table) rules_.emplace(rule.*key, &rule);
  }

  /// Null where there is none.
  [[nodiscard]] const Rule* find(Key key) const {
    const auto found = rules_.find(key);
    return found == rules_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<Key, const Rule*> rules_;
};

}  // namespace roofline
