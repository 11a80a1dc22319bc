// Tenstorrent's ops_perf_results.csv: an operation of a device per row, with the shapes, formats and memories of its operands.
// docs/formats/npu.md has the rules.
#include <algorithm>
#include <array>
#include <roofline/base/text.hpp>
#include <set>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/layers/layers.hpp"
#include "read/text/format_words.hpp"
#include "read/text/named_rows.hpp"

namespace roofline {
namespace {

class TenstorrentReader final : public RowsReader<Layers> {
 public:
  explicit TenstorrentReader(const ReadOptions& options)
      : RowsReader(options, SourceFormat::kernels, "operation"),
        longest_(options.longest_record),
        fidelity_(builder().add_category("Math fidelity")),
        cores_(builder().add_measure("Cores", "")),
        ideal_(builder().add_measure("Tool's ideal time", "s")) {}

  Result<void> read(TextWindow& window, bool last) override {
    return table_.read(window, last, longest_, {[this] { return find_columns(); }, [this] { read_row(); }});
  }
  Workload take() override {
    WorkloadBuilder& rows = builder();
    if (elsewhere_ > 0)
      rows.note(Severity::info, quantity(elsewhere_, "row") + " without a kernel's time left out: signposts, and operations of the host");
    if (block_floats_ > 0)
      rows.note(Severity::info, quantity(block_floats_, "operand") +
                                    " in BFLOAT8_B or BFLOAT4_B: computed as MXINT8 and INT4; bytes are those of Tenstorrent's tiles");
    if (devices_.size() > 1) rows.note(Severity::info, with_commas(devices_.size()) + " devices ran at once: their times are added up");
    rows.note(Severity::info, "bytes are those of operands in DRAM: operands in L1 move none");
    return rows_.take();
  }

 private:
  struct Columns {
    std::array<int, 4> shape{};  // W, Z, Y, X
    int format = 0, memory = 0;
  };

  Result<void> find_columns() {
    const auto operand = [&](const std::string& name) {
      Columns c;
      for (std::size_t i = 0; i < 4; ++i) {
        const std::string length = name + '_' + "WZYX"[i];
        c.shape[i] = table_.find({length + "_PAD[LOGICAL]", length});
      }
      c.format = table_.find({name + "_DATATYPE"});
      c.memory = table_.find({name + "_MEMORY"});
      return c;
    };
    for (const auto& [word, list] : {std::pair("INPUT_", &inputs_), std::pair("OUTPUT_", &outputs_)})
      for (int i = 0; i < 64; ++i) {
        const Columns c = operand(word + std::to_string(i));
        if (c.format == NamedRows::no_column) break;
        list->push_back(c);
      }
    time_ = table_.find({"DEVICE KERNEL DURATION [ns]"});
    return {};
  }

  /// "32[19]" is padded to 32; older files have the padded length alone.
  static double length(const std::string& text, bool padded) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos || padded) return exact_number(text.substr(0, bracket)).value_or(unknown);
    return exact_number(text.substr(bracket + 1, text.find(']') - bracket - 1)).value_or(unknown);
  }

  /// A tile of 1,024 numbers in BFLOAT8_B has 64 exponents beside them.
  static double bytes_of(const std::string& format, FormatId id) {
    if (format == "BFLOAT8_B") return 1088.0 / 1024;
    if (format == "BFLOAT4_B") return 576.0 / 1024;
    return id == no_format ? unknown : Formats::catalogue()[id].bytes();
  }

  /// The operands that are there; adds the bytes of those in DRAM to `dram`.
  std::vector<Operand> operands(const std::vector<Columns>& columns, double& dram) {
    std::vector<Operand> out;
    for (const Columns& c : columns) {
      const std::string format = table_.text(c.format), memory = table_.text(c.memory);
      if (format.empty()) continue;
      Operand& o = out.emplace_back();
      const bool blocks = format == "BFLOAT8_B" || format == "BFLOAT4_B";
      block_floats_ += blocks ? 1 : 0;
      o.format = format == "BFLOAT4_B" ? format_in("int4") : blocks ? format_in("mxint8") : format_in(format);
      double padded = 1;
      for (const int column : c.shape) {
        const std::string text = table_.text(column);
        o.shape.push_back(length(text, false));
        padded *= length(text, true);
      }
      if (contains(memory, "DRAM")) dram += padded * bytes_of(format, o.format);
      if (memory.empty()) dram = unknown;
    }
    return out;
  }

  void read_row() {
    const double time_ns = table_.number(time_);
    if (!(time_ns > 0)) {
      ++elsewhere_;
      return;
    }
    Layer layer;
    layer.type = table_.text(table_.find({"OP CODE"}));
    if (layer.type.ends_with("DeviceOperation")) layer.type.resize(layer.type.size() - std::string_view("DeviceOperation").size());
    layer.time_s = time_ns * 1e-9;
    layer.device_bytes = 0;
    layer.inputs = operands(inputs_, layer.device_bytes);
    layer.outputs = operands(outputs_, layer.device_bytes);
    layer.name = layer.type;
    for (const Operand& o : layer.outputs) {
      std::string shape;
      for (const double l : o.shape) shape += (shape.empty() ? " " : "x") + number(l);
      layer.name += shape;
      break;
    }
    layer.op = find_operator(layer.type);
    layer.communicates = contains(layer.type, "AllGather") || contains(layer.type, "ReduceScatter") || contains(layer.type, "AllReduce");
    // A convolution is a product of its rows of patches: its weights are K x N.
    const bool convolution = contains(layer.type, "Conv");
    if (convolution || layer.op == nullptr || layer.op->family == OpFamily::convolution) {
      layer.op = nullptr;
      if (convolution && layer.inputs.size() > 1 && !layer.outputs.empty())
        layer.macs = layer.outputs[0].elements() * layer.inputs[1].shape[2];
    }
    devices_.insert(table_.text(table_.find({"DEVICE ID"})));
    name_machine(table_.text(table_.find({"DEVICE ARCH"})));
    rows_.add(layer);
    builder().set_word(fidelity_, table_.text(table_.find({"MATH FIDELITY"})));
    builder().set_measure(cores_, table_.number(table_.find({"CORE COUNT"})));
    builder().set_measure(ideal_, table_.number(table_.find({"PM IDEAL [ns]"})) * 1e-9);
  }

  void name_machine(const std::string& architecture) {
    std::vector<std::string>& words = builder().workload().machine_words;
    const std::string word = architecture.substr(0, architecture.find('_'));
    for (const std::string& w : {std::string("tenstorrent"), word})
      if (!w.empty() && std::find(words.begin(), words.end(), w) == words.end()) words.push_back(w);
  }

  const std::size_t longest_;
  const std::size_t fidelity_, cores_, ideal_;
  NamedRows table_;
  std::vector<Columns> inputs_, outputs_;
  int time_ = 0;
  std::size_t elsewhere_ = 0, block_floats_ = 0;
  std::set<std::string> devices_;
};

}  // namespace

bool detects_tenstorrent(std::string_view text) {
  const std::string_view line = first_line(text);
  return contains(line, "OP CODE") && contains(line, "OP TYPE") && contains(line, "DEVICE KERNEL DURATION [ns]");
}

std::unique_ptr<FormatReader> open_tenstorrent(const ReadOptions& options) { return std::make_unique<TenstorrentReader>(options); }

}  // namespace roofline
