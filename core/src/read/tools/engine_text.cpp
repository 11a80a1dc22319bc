// Logs and benchmarks of inference engines. docs/formats/tools.md and docs/formats/npu.md have the rules.
#include <algorithm>
#include <roofline/base/number.hpp>

#include "base/interner.hpp"
#include "base/joined.hpp"
#include "base/letters.hpp"
#include "read/tools/text_rows.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {

/// Rows of "Run Order", by tabs, commas or blanks as its header: node type, start (in older versions), first, avg ms, ..., name. The order
/// in which the model was prepared comes first in some logs, and is no run.
std::string csv_of_benchmark_model(std::string_view text) {
  CsvRows own("name,type,time_ms"), delegate("name,type,time_ms");
  bool preparing = false, within = false, internal = false;
  char separator = '\t';
  std::size_t average = 0, columns = 0;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "Benchmark Initialization")) preparing = true;
    if (contains(line, "Regular Benchmark Runs")) preparing = false;
    if (contains(line, "Delegate internal")) internal = true;
    if (contains(line, "=====")) within = !preparing && contains(line, "Run Order");
    if (!within) continue;
    std::string_view row = without_blanks(line);
    const bool header = contains(row, "avg ms]") || contains(row, "avg_ms");
    if (header) separator = contains(row, "\t") ? '\t' : contains(row, ",") ? ',' : ' ';
    std::vector<std::string_view> cells;
    for (; !row.empty() && (header || cells.size() + 1 < columns); row = without_blanks(row)) {
      std::size_t end = std::min(row.find(separator), row.size());
      if (separator == ' ' && header && row.starts_with('[')) end = std::min(row.find(']') + 1, row.size());
      cells.push_back(without_blanks(row.substr(0, end)));
      row.remove_prefix(std::min(end + 1, row.size()));
    }
    if (header) {
      columns = cells.size();
      average = std::min(place(cells, "[avg ms]"), place(cells, "avg_ms"));
    } else if (columns > average && cells.size() + 1 == columns && !row.empty() && known(number_in(cells[average]))) {
      (internal ? delegate : own).add({row, cells[0], cells[average]});  // what is left is the name, which may hold the separator
    }
  }
  return internal ? delegate.text() : own.text();
}

/// benchmark_app -report_type detailed_counters: a block of layers for each inference, each closed by its sum.
std::string csv_of_openvino_counters(std::string_view text) {
  struct Layer {
    std::string_view name, type, kernel;
    double time = 0, runs = 0;
  };
  std::vector<Layer> layers;
  Interner names;
  each_row(text, ';', "layerName;", [&](const auto& row) {
    const auto& cells = row.cells;
    const double time = number_in(row["realTime (ms)"]);
    if (!known(time) || cells.size() < 4 || contains(cells[1], "NOT_RUN") || contains(cells[1], "OPTIMIZED_OUT") || cells[1].empty())
      return;
    const std::uint32_t l = names.intern(cells[0]);
    if (l == layers.size()) layers.push_back({cells[0], cells[2], cells[3]});
    layers[l].time += time;
    ++layers[l].runs;
  });
  CsvRows rows("name,type,time_ms,kernel,dtype");
  for (const Layer& layer : layers) {
    const std::string_view precision = layer.kernel.substr(layer.kernel.rfind('_') + 1);
    rows.add({layer.name, layer.type, exact(layer.time / layer.runs), layer.kernel, precision == "I8" ? "int8" : precision});
  }
  return rows.text();
}

/// "Convolution  conv1  12.34ms    | [224, 224,  3 *1] -> [112, 112,  8 *4]  kernel: 3 x 3  stride: 2 x 2", for each inference: width,
/// height and channels, of which some lie together.
std::string csv_of_ncnn(std::string_view text) {
  struct Layer {
    std::string type;
    double macs = unknown, time_ms = 0, runs = 0;
  };
  std::vector<Layer> layers;
  Interner names;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 4 || !words[2].ends_with("ms") || words[3] != "|") continue;
    const double time = number_in(words[2].substr(0, words[2].size() - 2));
    if (!known(time)) continue;
    const std::uint32_t l = names.intern(words[1]);
    if (l == layers.size()) layers.push_back({words[0]});
    layers[l].time_ms += time;
    ++layers[l].runs;
    struct Shape {
      double elements = 1, last = 1;  // all, and those of the last dimension
      int dimensions = 0;
    };
    const auto shape = [&](std::size_t open) {
      Shape s;
      for (const std::string_view length : split(line.substr(open + 1, line.find(']', open) - open - 1), ',')) {
        const std::vector<std::string_view> factors = trimmed_cells(length, '*');
        s.last = number_in(factors[0]) * (factors.size() > 1 ? number_in(factors[1]) : 1);
        s.elements *= s.last;
        ++s.dimensions;
      }
      return s;
    };
    const std::size_t in = line.find('['), out = line.find('[', in + 1), kernel = line.find("kernel:");
    if (in == std::string_view::npos || out == std::string_view::npos) continue;
    if (words[0] == "InnerProduct") {
      const Shape from = shape(in), to = shape(out);
      const bool of_rows = from.dimensions == 2 && to.dimensions == 2 && from.last == to.last;  // each row times the weights
      layers[l].macs = from.elements * to.elements / (of_rows ? from.last : 1);
    }
    if (words[0] != "Convolution" || kernel == std::string_view::npos) continue;
    const std::vector<std::string> sides = words_of(line.substr(kernel + 7));  // 3 x 3
    if (sides.size() > 2) layers[l].macs = shape(out).elements * shape(in).last * number_in(sides[0]) * number_in(sides[2]);
  }
  CsvRows rows("name,type,macs,time_ms");
  for (std::uint32_t l = 0; l < layers.size(); ++l)
    rows.add({names[l], layers[l].type, known(layers[l].macs) ? exact(layers[l].macs) : "", exact(layers[l].time_ms / layers[l].runs)});
  return rows.text();
}

/// The layers of "=== Profile (n iterations ) ===", where there are any; else the mean of "GPU Compute", which is the whole network.
std::string csv_of_trtexec(std::string_view text) {
  CsvRows layers("name,time_ms"), network("name,time_ms");
  std::string model = "network";
  bool profile = false, compute = false, name_last = false;
  std::size_t columns = 0;  // of numbers: all runs, the mean of one, in some versions their median, the share
  for (std::string_view line : lines_of(text)) {
    const std::size_t tag = line.find("[I] ");
    line = without_blanks(tag == std::string_view::npos ? line : line.substr(tag + 4));
    if (line.starts_with("Model: ")) model = std::string(line.substr(7));
    if (line.starts_with("=== Profile (")) profile = true;
    compute = line.starts_with("GPU Compute") || (compute && !line.starts_with("==="));
    if (const std::size_t mean = line.find(contains(line, "mean = ") ? "mean = " : "mean: "); compute && mean != std::string_view::npos) {
      network.add({model, exact(leading_number(line.substr(mean + (line[mean + 4] == ':' ? 6 : 7))))});
      compute = false;
    }
    if (!profile) continue;
    if (contains(line, "Avg.") && contains(line, "Layer")) {
      columns = contains(line, "Median") ? 4 : 3;
      name_last = line.ends_with("Layer");
      continue;
    }
    const std::vector<std::string> words = words_of(line);
    if (columns == 0 || words.size() <= columns) continue;
    const std::string& time = words[name_last ? 1 : words.size() - columns + 1];
    std::string_view name = line;
    for (std::size_t i = 0; i < columns; ++i)
      name = without_blanks(name_last ? name.substr(std::min(name.find(' '), name.size())) : name.substr(0, name.rfind(' ') + 1));
    if (known(leading_number(time)) && name != "Total") layers.add({name, time});
  }
  return layers.text().find('\n') + 1 < layers.text().size() ? layers.text() : network.text();
}

/// | model | size | params | backend | ... | test | t/s |: a row per test, with the work of one token. Tables of other tools
/// between them are skipped.
std::string csv_of_llama_bench(std::string_view text) {
  CsvRows rows("name,type,flops,bytes,time_s,dtype,backend");
  std::vector<std::string_view> header, above;
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with('|')) continue;
    const std::vector<std::string_view> cells = trimmed_cells(line, '|');
    if (line.find_first_not_of("|-: ") == std::string_view::npos) header = above;
    above = cells;
    const NamedCells row{header, cells};
    const std::string test(row["test"]), model(row["model"]);
    const double rate = leading_number(row["t/s"]), parameters = leading_number(row["params"]) * (row["params"].ends_with('M') ? 1e6 : 1e9),
                 size = leading_number(row["size"]) * (row["size"].ends_with("MiB") ? 0x1p20 : 0x1p30);
    if (!(rate > 0) || test.empty()) continue;
    // Of a mixture of experts a token uses a part: which, its table does not say.
    const bool mixture =
        contains(model, "MoE") || contains(model, "B.A") || contains(model, "B-A") || contains(model, "x7B") || contains(model, "x22B");
    const bool one_by_one = test.starts_with("tg");
    // Of the weights: "llama 7B F16". Quantised ones ("Q4_0", "MXFP4 MoE") are multiplied in FP16.
    std::string format = "fp16";
    for (const std::string& word : words_of(model))
      if (word == "F32" || word == "BF16") format = word == "BF16" ? "bf16" : "fp32";
    rows.add({model + ", " + test, one_by_one ? "decode" : "prefill", mixture ? "" : exact(2 * parameters),
              mixture || !one_by_one ? "" : exact(size), exact(1 / rate), format, row["backend"]});
  }
  return rows.text();
}

/// llama-bench's CSV, which has the time of a whole test: a row per test, with the time of one token.
std::string csv_of_llama_bench_csv(std::string_view text) {
  CsvRows rows("name,type,time_ns,backend");
  std::vector<std::string> header;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string> cells = quoted_cells(line);
    if (header.empty()) header = cells;
    const NamedCells row{header, cells};
    const double prompt = leading_number(row["n_prompt"]), generated = leading_number(row["n_gen"]);
    if (!(prompt + generated > 0)) continue;
    rows.add({joined({row["model_type"], ", ", prompt > 0 ? "pp" : "", prompt > 0 ? row["n_prompt"] : "", generated > 0 ? "tg" : "",
                      generated > 0 ? row["n_gen"] : ""}),
              generated > 0 ? "decode" : "prefill", exact(leading_number(row["avg_ns"]) / (prompt + generated)), row["backends"]});
  }
  return rows.text();
}

}  // namespace roofline
