// op_registry.json: operations added or overridden by the user, as expressions over the record's fields. See docs/reference/registry.md.
#pragma once

#include <roofline/operators/operator.hpp>
#include <roofline/registry/expression.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roofline {

/// What a registry operation says of a record: FLOPs and either bytes (total, at the record's own format) or element counts by role.
struct RegistryWork {
  Work work;
  double bytes = 0;
  bool has_bytes = false;  ///< `bytes` holds; otherwise the element counts in `work` do
};

/// One operation of a registry.
class RegistryOperation {
 public:
  std::string type;                ///< as written: "ID_MY_OP"
  std::vector<std::string> names;  ///< other types that mean the same
  Symbol symbol = Symbol::diamond;
  std::string category = "other";

  /// `dt_size` is the width in bytes of the record's data_type, NaN where it is not known. The error's message is complete:
  /// "ID_MY_OP: macs: column 5: input_mat1[-3] is out of range: the list has 2 elements"; its path is the field at fault, where there is
  /// one.
  [[nodiscard]] Result<RegistryWork> derive(const Record& record, double dt_size) const;

  /// The formulas as written, for showing: {"m", "input_mat1[-2]"}, {"macs", "m * ..."}.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> formulas() const;

  static constexpr std::size_t max_lets = 32;

 private:
  friend class RegistryParser;
  struct Part {
    std::string name;
    Expression expression;
    double Work::* quantity = nullptr;  // what it adds to, `factor` times; null for bytes
    double factor = 1;
  };
  std::vector<Part> lets_;
  std::vector<Part> requirements_;
  std::vector<Part> parts_;
};

/// A parsed registry. Later files override earlier ones by type.
class Registry {
 public:
  /// Parses {"ops": {TYPE: {...}}}; names used by expressions are added to `keys`. On an error nothing has changed but `keys`. Its path is
  /// "ops.TYPE.macs"; its message starts with "column 12: " for a place in that expression (line and column are places in the file).
  [[nodiscard]] Result<void> add(std::string_view json, Keys& keys);

  /// By type or by another name, in any case, punctuation ignored; null where there is none. Valid until the next add.
  [[nodiscard]] const RegistryOperation* find(std::string_view type) const;
  [[nodiscard]] const std::vector<RegistryOperation>& operations() const { return operations_; }
  [[nodiscard]] bool empty() const { return operations_.empty(); }

 private:
  std::vector<RegistryOperation> operations_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace roofline
