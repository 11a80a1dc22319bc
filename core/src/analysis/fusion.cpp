#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <roofline/analysis/fusion.hpp>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

#include "analysis/wording.hpp"
#include "operators/derivation.hpp"
#include "workload/columns.hpp"

namespace roofline {
namespace {

using Lengths = std::vector<double>;

Lengths without_ones(const Lengths& shape) {
  Lengths out;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(out), [](double length) { return length != 1; });
  return out;
}

/// The elements of the first dimension, of the first two, and so on: merging neighbours only takes some of these away.
Lengths strides(const Lengths& shape) {
  Lengths out(shape.size());
  std::partial_sum(shape.begin(), shape.end(), out.begin(), std::multiplies<>());
  return out;
}

/// Of two shapes with as many elements.
TensorMatch compare(const Lengths& written, const Lengths& read) {
  if (written.empty()) return TensorMatch::elements;
  Lengths a = without_ones(written), b = without_ones(read);
  if (a == b) return TensorMatch::shape;
  const Lengths of_a = strides(a), of_b = strides(b);
  if (std::includes(of_a.begin(), of_a.end(), of_b.begin(), of_b.end()) ||
      std::includes(of_b.begin(), of_b.end(), of_a.begin(), of_a.end()))
    return TensorMatch::view;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b ? TensorMatch::view : TensorMatch::none;
}

std::string often(double times) { return times == 1 ? "once" : number(times) + " times"; }

bool tensors_unknown(const OpClass& op_class) {
  return op_class.roles_unknown || op_class.time_only || op_class.rates_only || op_class.invalid;
}

class Fuser {
 public:
  Fuser(const Plan& plan, const std::vector<std::uint32_t>& rows, const std::vector<OperationTensors>& tensors)
      : plan_(plan), from_(plan.workload()), rows_(rows), tensors_(tensors) {}

  Fusion run() {
    for (const std::uint32_t row : rows_) f_.parts.push_back({row, plan_.analyze(row), unknown});
    left_ = chosen_rows();
    for (std::size_t i = 0; i + 1 < rows_.size(); ++i) f_.between.push_back(pass(i));
    add_up();
    remark();
    say();
    return std::move(f_);
  }

 private:
  [[nodiscard]] std::string name(std::size_t part) const { return from_.name_of(rows_[part]); }
  [[nodiscard]] const OpClass& op_class(std::size_t part) const { return from_.class_of(rows_[part]); }

  /// The parts as a workload of their own, from which what passes between them is taken.
  [[nodiscard]] Workload chosen_rows() const {
    Workload out;
    out.classes = from_.classes;
    for (const Channel& c : from_.channels) out.channels.push_back({c.name, c.link, {}});
    for (const std::uint32_t row : rows_) {
      out.op_class.push_back(from_.op_class[row]);
      for_each_column([&](const NumberColumn& c) { (out.*c.values).push_back(at(from_.*c.values, row, c.standard)); });
      for (std::size_t c = 0; c < out.channels.size(); ++c) out.channels[c].bytes.push_back(from_.channels[c].bytes[row]);
    }
    return out;
  }

  /// What part i writes and part i + 1 reads.
  Passed pass(std::size_t i) {
    Passed p;
    p.from = rows_[i], p.to = rows_[i + 1];
    p.occurrences = std::min(left_.count[i], left_.count[i + 1]);
    if (tensors_unknown(op_class(i)) || tensors_unknown(op_class(i + 1)) || !(left_.output[i] > 0)) return p;
    p.elements = left_.output[i] / left_.count[i];
    if (!tensors_.empty() && !tensors_[i].output.empty()) p.tensor = shown(tensors_[i].output);
    const bool listed = !tensors_.empty() && !tensors_[i + 1].reads.empty();
    p.match = listed ? among(tensors_[i].output, tensors_[i + 1].reads, p) : of_all_reads(p.elements, i + 1);
    if (p.match == TensorMatch::none) p.written_bytes = p.read_bytes = 0;
    if (p.matched()) take(p, i);
    return p;
  }

  /// The first of the tensors read that has the shape, else the first that can be a view of it.
  static TensorMatch among(const Lengths& written, const std::vector<TensorRead>& reads, Passed& p) {
    TensorMatch best = TensorMatch::none;
    for (const TensorRead& read : reads) {
      if (product(read.shape) != p.elements) continue;
      const TensorMatch match = compare(written, read.shape);
      if (match >= best) continue;
      best = match;
      p.read_as = std::string(read.name) + ' ' + shown(read.shape);
    }
    return best;
  }

  /// Without shapes: a part that reads exactly as many activations reads that tensor; one that reads more may.
  [[nodiscard]] TensorMatch of_all_reads(double elements, std::size_t to) const {
    const double reads = (left_.activation[to] + left_.kv_read[to]) / left_.count[to];
    if (left_.activation[to] / left_.count[to] == elements) return TensorMatch::elements;
    return reads < elements ? TensorMatch::none : TensorMatch::unknown;
  }

  /// Takes the tensor from what part i writes and part i + 1 reads.
  void take(Passed& p, std::size_t i) {
    const double elements = p.elements * p.occurrences;
    double& activation = left_.activation[i + 1];
    const bool cached = activation < elements;  // of attention: keys or values
    double& read = cached ? left_.kv_read[i + 1] : activation;
    if (read < elements) {  // the record lists it, the work does not count it: a parameter, or it is not read
      p.match = TensorMatch::none;
      p.written_bytes = p.read_bytes = 0;
      return;
    }
    const Plan::ClassRates &from = plan_.rates(left_.op_class[i]), &to = plan_.rates(left_.op_class[i + 1]);
    p.written_bytes = elements * from.output;
    p.read_bytes = elements * (cached ? to.kv : to.activation);
    left_.output[i] -= elements;
    read -= elements;
  }

  /// Bytes that the source states, of the device memory and further in, shrink as derived ones do; those of links stay.
  void scale_stated(const Plan& left) {
    for (std::size_t i = 0; i < f_.parts.size(); ++i) {
      const double before = f_.parts[i].alone.derived_bytes, after = left.analyze(i).derived_bytes;
      const double share = before > 0 && after >= 0 ? after / before : 1;
      left_.given_bytes[i] *= share;
      for (Channel& c : left_.channels)
        if (!c.link) c.bytes[i] *= share;
    }
  }

  void add_up() {
    const Plan left(left_, plan_.scenario());
    scale_stated(left);
    f_.resources.resize(plan_.resources().size());
    f_.flops = f_.bytes = f_.fused_bytes = f_.parts_s = f_.time_s = f_.launch_s = f_.fused_launch_s = 0;
    for (FusedResource& r : f_.resources) r.work = r.fused_work = 0;
    double matrix_s = 0, vector_s = 0;
    for (std::size_t i = 0; i < f_.parts.size(); ++i) {
      Fusion::Part& part = f_.parts[i];
      const OpAnalysis &a = part.alone, b = left.analyze(i);
      part.fused_bytes = b.bytes;
      f_.flops += a.flops;
      f_.bytes += a.bytes;
      f_.fused_bytes += b.bytes;
      f_.parts_s += a.fully_known_bound_s();
      f_.time_s += a.self_time_s;
      f_.launch_s += known_or(a.typical.launch_s, 0);
      f_.fused_launch_s = std::max(f_.fused_launch_s, known_or(a.typical.launch_s, 0));
      const Plan::ClassRates& rates = plan_.rates(from_.op_class[part.op]);
      matrix_s += known_or(a.matrix_flops, 0) / rates.matrix;
      vector_s += known_or(a.vector_flops, 0) / rates.vector;
      for (std::size_t r = 0; r < f_.resources.size(); ++r) {
        FusedResource& sum = f_.resources[r];
        sum.work += a.work[r];
        sum.fused_work += b.work[r];
        if (r == 0) continue;
        sum.time_s += known_or(a.min_time_s[r], 0);
        sum.fused_time_s += known_or(b.min_time_s[r], 0);
      }
    }
    // Both units work at once.
    f_.resources[0].time_s = f_.resources[0].fused_time_s = std::max(matrix_s, vector_s);
    if (!known(f_.parts_s)) return;
    f_.overlap_s = f_.fused_s = 0;
    for (std::size_t r = 0; r < f_.resources.size(); ++r) {
      f_.overlap_s = std::max(f_.overlap_s, f_.resources[r].time_s);
      if (f_.resources[r].fused_time_s > f_.fused_s) f_.fused_s = f_.resources[r].fused_time_s, f_.bound_by = static_cast<std::uint8_t>(r);
    }
    // What is above the bound shrinks as the bound does, or stays. Times far below it are of another machine and say nothing of this one.
    if (f_.time_s * Summary::above_roof_ratio >= f_.parts_s)
      f_.fused_time_s = {f_.time_s * f_.fused_s / f_.parts_s, std::max(f_.time_s - f_.parts_s, 0.0) + f_.fused_s};
  }

  void remark() {
    for (std::size_t i = 0; i < f_.between.size(); ++i) {
      const Passed& p = f_.between[i];
      const std::string pair = name(i) + " and " + name(i + 1);
      if (p.match == TensorMatch::unknown)
        f_.remarks.push_back("What passes between " + pair + " is not known: its traffic is still in the bound.");
      else if (p.match == TensorMatch::none)
        f_.remarks.push_back("Nothing passes between " + pair + ": " + name(i + 1) + " reads no tensor such as the " +
                             (p.tensor.empty() ? number(p.elements) + " elements" : p.tensor) + " that " + name(i) + " writes.");
      else if (left_.count[i] != left_.count[i + 1])
        f_.remarks.push_back(name(i) + " runs " + often(left_.count[i]) + " and " + name(i + 1) + ' ' + often(left_.count[i + 1]) + ": " +
                             number(p.occurrences) + " of each are taken to follow one another.");
      if (rows_[i + 1] != rows_[i] + 1)
        f_.remarks.push_back(quantity(rows_[i + 1] - rows_[i] - 1, "operation stands", "operations stand") + " between " + pair +
                             " in the file, and is not part of this.");
    }
    for (std::size_t i = 0; i < f_.parts.size(); ++i)
      if (const OpAnalysis& alone = f_.parts[i].alone; !known(alone.fully_known_bound_s()))
        f_.remarks.push_back(alone.partly_known ? "The bound of " + name(i) + " is only partly known, so the fused kernel has no bound."
                                                : name(i) + " has no bound, so neither have they together.");
    if (f_.time_s * Summary::above_roof_ratio < f_.parts_s)
      f_.remarks.push_back("They took " + seconds(f_.time_s) + ", less than this machine allows: what of that would be left is not known.");
    if (std::any_of(f_.between.begin(), f_.between.end(), [](const Passed& p) { return p.matched(); }))
      f_.remarks.emplace_back("Assumes that no other operation reads the intermediate result and that it fits on chip.");
  }

  void say() {
    Finding& out = f_.finding;
    const std::string together = "As one kernel the " + quantity(f_.parts.size(), "operation", "operations");
    if (!known(f_.fused_s))
      return void(out.say("Not all of these operations have a bound, so it is not known what one kernel would save."));
    out.say(together + " need at least ")
        .figure(seconds(f_.fused_s), {bound_formula()})
        .say(" instead of ")
        .figure(seconds(f_.parts_s), {parts_formula()})
        .say(": " + faster(f_.speedup(), f_.speedup()) + ". ");
    const bool any = std::any_of(f_.between.begin(), f_.between.end(), [](const Passed& p) { return p.matched(); });
    if (any && known(f_.saved_bytes()))
      out.figure(with_unit(f_.saved_bytes(), "B"), {bytes_formula()})
          .say(" of " + with_unit(f_.bytes, "B") + " stay on chip; it is then " + bound_word(plan_, f_.bound_by) + ".");
    else
      out.say("No traffic between them is known to go; it is " + bound_word(plan_, f_.bound_by) + ".");
    if (f_.launch_s > f_.fused_launch_s)
      out.say(" Launching takes " + seconds(f_.fused_launch_s) + " instead of " + seconds(f_.launch_s) + ".");
    if (known(f_.fused_time_s.low))
      out.say(" The " + seconds(f_.time_s) + " measured would become ")
          .figure(seconds(f_.fused_time_s.low), {shrinks_formula()})
          .say(" to ")
          .figure(seconds(f_.fused_time_s.high), {stays_formula()})
          .say(".");
  }

  [[nodiscard]] std::string bound_formula() const {
    std::string terms;
    for (std::size_t r = 0; r < f_.resources.size(); ++r)
      if (f_.resources[r].fused_time_s > 0)
        terms += (terms.empty() ? "" : ", ") + plan_.resources()[r].name + ' ' + seconds(f_.resources[r].fused_time_s);
    return "the longest of " + terms;
  }
  [[nodiscard]] std::string parts_formula() const {
    std::string terms;
    for (std::size_t i = 0; i < f_.parts.size(); ++i)
      terms += (i > 0 ? " + " : "") + name(i) + ' ' + seconds(f_.parts[i].alone.predicted_time_s);
    return terms;
  }
  [[nodiscard]] std::string bytes_formula() const {
    std::string terms;
    for (const Passed& p : f_.between)
      if (p.matched())
        terms += (terms.empty() ? "" : " + ") + with_unit(p.written_bytes, "B") + " written and " + with_unit(p.read_bytes, "B") + " read";
    const double derived = std::accumulate(f_.between.begin(), f_.between.end(), 0.0,
                                           [](double sum, const Passed& p) { return sum + known_or(p.bytes(), 0); });
    const bool scaled = std::abs(derived - f_.saved_bytes()) > 1e-9 * derived;
    return terms + (scaled ? ", as shares of the bytes that were measured" : "");
  }
  [[nodiscard]] std::string shrinks_formula() const {
    return "at today's efficiency: " + seconds(f_.time_s) + " * " + seconds(f_.fused_s) + " / " + seconds(f_.parts_s);
  }
  [[nodiscard]] std::string stays_formula() const {
    return "what is above the bound stays: max(" + seconds(f_.time_s) + " - " + seconds(f_.parts_s) + ", 0) + " + seconds(f_.fused_s);
  }

  const Plan& plan_;
  const Workload& from_;
  const std::vector<std::uint32_t>& rows_;
  const std::vector<OperationTensors>& tensors_;
  Workload left_;  ///< a row for each part
  Fusion f_;
};

}  // namespace

Result<Fusion> fuse(const Plan& plan, const std::vector<std::uint32_t>& rows, const std::vector<OperationTensors>& tensors) {
  if (rows.size() < 2) return fail("one operation alone is one kernel already: expected two or more", "ops");
  if (rows.size() > 1000) return fail(with_commas(rows.size()) + " operations: expected at most 1,000", "ops");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= plan.workload().size()) return fail("no operation has the index " + std::to_string(rows[i]), "ops");
    if (i > 0 && rows[i] <= rows[i - 1]) return fail("expected operations in the order of the file, each once", "ops");
  }
  if (!tensors.empty() && tensors.size() != rows.size()) return fail("expected a record for each operation", "records");
  return Fuser(plan, rows, tensors).run();
}

}  // namespace roofline
