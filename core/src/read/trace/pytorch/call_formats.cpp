#include "read/trace/pytorch/call_formats.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "read/text/format_words.hpp"

namespace roofline {
namespace {

FormatId format_named(std::string_view id) { return Formats::catalogue().find(id).value_or(no_format); }
bool is_floating(FormatId format) { return format != no_format && Formats::catalogue()[format].family == FormatFamily::floating; }

/// By torch's numbers of scalar types (c10/core/ScalarType.h); no_format for those that are not catalogued.
FormatId format_of_scalar_type(std::string_view number) {
  struct ScalarType {
    std::string_view number, format;
  };
  constexpr std::array types = {
      ScalarType{"0", "uint8"},     ScalarType{"1", "int8"},      ScalarType{"2", "int16"},     ScalarType{"3", "int32"},
      ScalarType{"4", "int64"},     ScalarType{"5", "fp16"},      ScalarType{"6", "fp32"},      ScalarType{"7", "fp64"},
      ScalarType{"11", "bool"},     ScalarType{"15", "bf16"},     ScalarType{"23", "fp8_e5m2"}, ScalarType{"24", "fp8_e4m3"},
      ScalarType{"25", "fp8_e5m2"}, ScalarType{"26", "fp8_e4m3"}, ScalarType{"27", "uint16"},   ScalarType{"28", "uint32"},
      ScalarType{"29", "uint64"},
  };
  const auto* const found = std::find_if(types.begin(), types.end(), [&](const ScalarType& t) { return t.number == number; });
  return found == types.end() ? no_format : format_named(found->format);
}

/// Where an operator states the type of its result, by its number of arguments if an overload has another argument there; 0: any number.
struct ResultType {
  std::string_view name;
  std::size_t at, arguments = 0;
};
constexpr std::array result_types = {
    ResultType{"_scaled_mm", 6},  ResultType{"_scaled_mm", 3},  // up to PyTorch 2.4 the scales follow
    ResultType{"sum", 3},         ResultType{"sum", 1, 2},       ResultType{"mean", 3},    ResultType{"mean", 1, 2},
    ResultType{"prod", 3},        ResultType{"prod", 1, 2},      ResultType{"softmax", 2}, ResultType{"_softmax", 2},
    ResultType{"log_softmax", 2}, ResultType{"_log_softmax", 2},
};

class FormatsOfCall {
 public:
  FormatsOfCall(const Operator* op, std::string_view name, const ArgumentLists& lists)
      : id_(op ? op->id : std::string_view()),
        elementwise_(op && op->family == OpFamily::elementwise),
        name_(name.substr(name.rfind(':') + 1)),
        listed_(format_in(lists.types)),
        values_(quoted(lists.values)) {
    const std::vector<ArgumentShapes> arguments = argument_shapes(lists.shapes);
    types_ = quoted(lists.types);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      Operand operand{is_tensor_type(types_[i]) ? format_in(types_[i]) : no_format, 0, false};
      for (const std::vector<double>& shape : i < arguments.size() ? arguments[i].shapes : std::vector<std::vector<double>>()) {
        double elements = 1;
        for (const double length : shape) elements *= length;
        operand.elements += elements;
        operand.has_dimensions = operand.has_dimensions || !shape.empty();
      }
      operands_.push_back(operand);
    }
  }

  [[nodiscard]] CallFormats formats() const {
    if (id_ == "copy" && operands_.size() > 1 && is_tensor_type(types_[1])) return {operands_[1].format, operands_[0].format};
    const FormatId input = elementwise_ ? largest() : listed_;
    return {input, written(input), elementwise_ ? extra_input_elements(input) : 0};
  }

 private:
  struct Operand {
    FormatId format;
    double elements;
    bool has_dimensions;
  };

  /// Of operands of equal size the first floating one, else the first; not the condition of a selection.
  [[nodiscard]] FormatId largest() const {
    const Operand* most = nullptr;
    const auto goes_before = [&](const Operand& o) {
      if (!most || o.elements != most->elements) return !most || o.elements > most->elements;
      return (is_floating(o.format) && !is_floating(most->format)) || (id_ == "where" && most == operands_.data());
    };
    for (const Operand& o : operands_)
      if (o.format != no_format && goes_before(o)) most = &o;
    return most ? most->format : listed_;
  }

  /// Each operand is read in its own format, and the work counts its elements as of `input`. One without dimensions is mostly a number of
  /// Python's, whose format says nothing.
  [[nodiscard]] double extra_input_elements(FormatId input) const {
    if (input == no_format) return 0;
    const Formats& formats = Formats::catalogue();
    double further = 0;
    for (const Operand& o : operands_)
      if (o.format != no_format && o.has_dimensions) further += o.elements * (formats[o.format].bytes() / formats[input].bytes() - 1);
    return further;
  }

  [[nodiscard]] FormatId written(FormatId input) const {
    if (name_ == "_int_mm") return format_named("int32");
    for (const ResultType& type : result_types)
      if (type.name == name_ && type.at < types_.size() && (type.arguments == 0 || type.arguments == types_.size()) &&
          types_[type.at] == "Scalar") {
        const std::string_view value = type.at < values_.size() ? values_[type.at] : std::string_view();
        if (value == "False") return input;
        return value == "True" ? format_named("fp32") : format_of_scalar_type(value);  // half_to_float
      }
    const bool in_place = name_.size() > 1 && name_.ends_with('_') && !name_.ends_with("__");
    if (in_place && !operands_.empty() && operands_[0].format != no_format) return operands_[0].format;
    if (id_ == "compare" || name_.starts_with("logical_") || name_ == "any" || name_ == "all") return format_named("bool");
    if (name_ == "argmax" || name_ == "argmin") return format_named("int64");
    return elementwise_ ? promoted(input) : input;
  }

  /// The widest of the operands; one without dimensions counts only where it is floating and no other is.
  [[nodiscard]] FormatId promoted(FormatId input) const {
    const FormatId with = widest(true), without = widest(false);
    const FormatId result = with == no_format || (is_floating(without) && !is_floating(with)) ? without : with;
    return result == no_format ? input : result;
  }
  [[nodiscard]] FormatId widest(bool has_dimensions) const {
    const Formats& formats = Formats::catalogue();
    FormatId most = no_format;
    for (std::size_t i = id_ == "where" ? 1 : 0; i < operands_.size(); ++i) {
      const FormatId format = operands_[i].format;
      if (format == no_format || operands_[i].has_dimensions != has_dimensions) continue;
      if (most == no_format || (is_floating(format) && !is_floating(most)))
        most = format;
      else if (is_floating(format) == is_floating(most) && format != most && formats[format].bits >= formats[most].bits)
        most = is_floating(format) && formats[format].bits == formats[most].bits ? format_named("fp32") : format;  // FP16 and BF16
    }
    return most;
  }

  std::string_view id_;  ///< of the operator; empty: not known
  bool elementwise_;
  std::string_view name_;  ///< without its namespace
  FormatId listed_;        ///< the first floating type, else the first
  std::vector<std::string_view> types_, values_;
  std::vector<Operand> operands_;  ///< by argument; no_format: not a tensor
};

}  // namespace

CallFormats formats_of_call(const Operator* op, std::string_view name, const ArgumentLists& arguments) {
  return FormatsOfCall(op, name, arguments).formats();
}

}  // namespace roofline
