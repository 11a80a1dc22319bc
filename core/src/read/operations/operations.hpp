// Records of operations as commands.json has them, whatever they were read from, as rows of a Workload.
#pragma once

#include <functional>
#include <roofline/operators/operator.hpp>
#include <roofline/read/read.hpp>
#include <string>
#include <string_view>

#include "workload/builder.hpp"

namespace roofline {

/// How the message about one field of a record begins: 'field "n": '. A bare "n: " would look like the operation's name.
[[nodiscard]] std::string of_field(std::string_view name);

class Operations {
 public:
  /// `at` makes an error about the byte at `offset` of the record being added.
  using At = std::function<Error(std::size_t offset, std::string message)>;
  Operations(const ReadOptions& options, SourceFormat source_format, At at);
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  [[nodiscard]] const Keys& keys() const { return keys_; }
  [[nodiscard]] Record& record() { return record_; }  ///< to be filled
  /// The record becomes a row.
  void add(SourceRange place);
  /// So does one that could not be read, without a cost: `error` says why.
  void add_unreadable(SourceRange place, const Error& error);

  [[nodiscard]] WorkloadBuilder& rows() { return rows_; }
  [[nodiscard]] const WorkloadBuilder& rows() const { return rows_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] Workload take();

 private:
  /// How one written type is derived: looked up once, not per record.
  struct TypeInfo {
    std::uint32_t category = 0;  // a word
    Symbol symbol = Symbol::diamond;
    const Operator* op = nullptr;
    const RegistryOperation* custom = nullptr;
    [[nodiscard]] OpFamily family() const { return op ? op->family : OpFamily::other; }
  };
  /// What a record states outright.
  struct Stated {
    FormatId format, weight, output, kv;
    bool has_format = false;
    double macs = unknown, flops = unknown, bytes = unknown, hw_bytes = unknown, time_s = unknown, predicted_s = unknown, count = 1;
    double fused_flops = unknown, fused_elements = unknown;
    [[nodiscard]] bool work() const { return known(flops) || known(bytes) || known(hw_bytes); }
  };
  /// What follows from its shapes.
  struct Derived {
    Work work;
    bool has_work = false, roles_unknown = false;
    std::string problem;
    Key problem_key = key::type;
  };

  const TypeInfo& type_info(std::uint32_t type, std::string_view name);
  bool read_stated(Stated& stated);
  bool derive(const TypeInfo& info, Stated& stated, Derived& derived);
  bool read_format(Key field, FormatId& out);
  bool read_amount(Key field, double& out);
  struct TimeUnit {
    Key field;
    double per_second;
    const char* plural;
  };
  [[nodiscard]] TimeUnit measured() const;
  void read_time(const TimeUnit& unit, double& out);
  bool read_count(double& out);
  void set_step();
  void push(std::uint32_t op_class, const Work& work, const Stated& stated);
  bool fault(const std::string& message, Key field);
  void add_fault(const std::string& message = {}, Key field = key::type);

  const Registry* registry_;
  Keys own_keys_;
  const Keys& keys_;
  Record record_;
  WorkloadBuilder rows_;
  At at_;
  SourceRange place_;  // of the record being added
  TextRange name_;
  std::vector<TypeInfo> types_;     // by word
  std::vector<std::uint8_t> seen_;  // whether types_ has been looked up
  ByWord<FormatId> formats_;
  const FormatId assumed_;    // of records without a data_type
  const bool format_stated_;  // by the user, for all of those
  std::size_t without_data_type_ = 0;
};

/// `text` in quotes, cut where it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace roofline
