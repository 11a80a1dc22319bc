// Layers and kernels as inference engines and profilers of NPUs list them: a type, operands with shapes and formats, a time. Operands find
// their places in an operator's record, as commands.json has it, so that work and formulas are those of every other source.
#pragma once

#include <optional>
#include <roofline/base/number.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/read/read.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "workload/builder.hpp"

namespace roofline {

struct Operand {
  std::vector<double> shape;    ///< channels behind the batch; empty: a scalar
  FormatId format = no_format;  ///< no_format: not stated

  [[nodiscard]] double elements() const;
  [[nodiscard]] bool fixed() const;  ///< every length is a whole number: none is left open, or nonsense
};

struct Layer {
  std::string name;
  std::string type;                      ///< as the source writes it
  bool communicates = false;             ///< with other devices
  const Operator* op = nullptr;          ///< null: none is known for that type
  std::vector<Operand> inputs, outputs;  ///< both empty: not stated
  FormatId weight = no_format;           ///< of a weight that is no operand
  Json fields = Json::object();          ///< what its record has beside the operands: kernel_size, stride, padding, groups ...
  bool idle = false;                     ///< a layer that the engine keeps and that does nothing
  double bytes = unknown;                ///< as the source states them, of one occurrence; used where the operands are not stated
  double device_bytes = unknown;         ///< as the source states them, of the operands in the device memory; over what all of them have
  double macs = unknown;                 ///< as the source states them; used where no operator tells
  double time_s = unknown;               ///< of one occurrence; 0: below what the source resolves
  double count = 1;
};

/// What follows from a layer's operands. `record`, which begins as the layer's fields, becomes the record that its operator was given.
/// nullopt where the operands do not say enough, or contradict the layer's output. A stride or a transposition that is not stated follows
/// from the output; where several would, FLOPs and bytes are the same.
[[nodiscard]] std::optional<Work> work_of_layer(const Layer& layer, Json& record);

/// Layers as rows of a workload, and what could not be placed.
class Layers {
 public:
  /// `noun`: "layer", "kernel", what messages call one.
  Layers(const ReadOptions& options, SourceFormat source_format, std::string noun);

  void add(const Layer& layer);
  [[nodiscard]] WorkloadBuilder& rows() { return rows_; }
  [[nodiscard]] const WorkloadBuilder& rows() const { return rows_; }
  [[nodiscard]] Workload take();

 private:
  /// Layers that lack something, the types they are of, and how long they take.
  struct Lacking {
    std::size_t layers = 0;
    double time_s = 0;
    std::set<std::string> types;
    void add(const Layer& layer);
  };
  void set_work(const Layer& layer, const std::optional<Work>& work, OpClass& traits, OpNumbers& numbers);
  void note(const Lacking& lacking, const std::string& message, const std::string& path = {});

  WorkloadBuilder rows_;
  std::string noun_;
  Lacking idle_, not_fixed_, no_operator_, no_work_, no_operands_, no_format_;
  double time_s_ = 0;
  const FormatId assumed_;
};

}  // namespace roofline
