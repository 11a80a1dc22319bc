// Machines measured by other tools: ERT's roofline.json, clpeak's XML, rocprof-compute's roofline.csv, logs of STREAM and
// nccl-tests. Every figure has the basis "measured".
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <roofline/machine/machine_import.hpp>
#include <utility>

#include "base/letters.hpp"
#include "base/lines.hpp"
#include "base/xml.hpp"
#include "machine/json.hpp"
#include "machine/stream_log.hpp"

namespace roofline {
namespace {

std::optional<FormatId> format_named(std::string_view name) { return Formats::catalogue().find(name); }

/// Keeps the larger of two rates of a format.
void raise(std::vector<Peak>& peaks, FormatId format, const Figure& flops) {
  for (Peak& peak : peaks)
    if (peak.format == format) {
      if (flops.value > peak.flops.value) peak.flops = flops;
      return;
    }
  peaks.push_back({format, flops});
}

/// peaks.matrix is what a matrix product reaches on whichever unit runs it: where no matrix unit is faster, that is the vector unit.
void matrix_from_vector(Machine& machine) {
  for (const Peak& peak : machine.vector) {
    Figure flops = peak.flops;
    flops.note += (flops.note.empty() ? "" : " ") + std::string("Measured on the vector units, where no matrix unit was faster.");
    raise(machine.matrix, peak.format, flops);
  }
}

// --- ERT: {"empirical": {"gbytes": {"data": [["L1", GB/s], ..., ["DRAM", GB/s]]}, "gflops": {"data": [["GFLOPs", GFLOP/s]]}}} -----------

constexpr const char* an_ert = R"(an ERT roofline.json: {"empirical": {"gbytes": {"data": [["DRAM", GB/s]]}, "gflops": {"data": [...]}}})";

/// A label of ERT's and the figure behind it.
using ErtRates = std::vector<std::pair<std::string, Figure>>;

Figure measured(double value) { return {value, {}, "measured", {}}; }

/// [[name, number], ...] at `path`, in units of 1e9.
Result<ErtRates> ert_rates(const Json& json, const std::string& path, const char* unit) {
  const Json& data = member(json, "data");
  if (!data.is_array() || data.empty())
    return fail((data.is_null()    ? "missing"
                 : data.is_array() ? "empty"
                                   : kind_of(data)) +
                    std::string("; expected [[name, ") + unit + "]]",
                path + ".data");
  ErtRates rates;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const bool pair = data[i].is_array() && data[i].size() == 2 && data[i][0].is_string();
    const double rate = pair ? number_of(data[i][1]) : unknown;
    if (!(rate > 0 && rate < 1e18)) return fail(std::string("expected [name, ") + unit + "]", path + ".data[" + std::to_string(i) + "]");
    rates.emplace_back(text_of(data[i][0]), measured(rate * 1e9));
  }
  return rates;
}

/// What the tool was built to compute in: "FP32 GFLOPs"; without a word for it double precision, which ERT's kernels use.
FormatId ert_format(std::string_view label) {
  const std::string word = normalised(label);
  for (const auto& [mark, id] :
       {std::pair("fp16", "fp16"), std::pair("half", "fp16"), std::pair("fp32", "fp32"), std::pair("single", "fp32")})
    if (contains(word, mark)) return format_named(id).value_or(no_format);
  return format_named("fp64").value_or(no_format);
}

/// `host` and `version` may be empty. `bandwidths` are listed from the innermost memory outward.
Machine ert_machine(const std::string& host, const std::string& version, ErtRates peaks, ErtRates bandwidths) {
  const std::string tool = "Empirical Roofline Tool" + (version.empty() ? std::string() : " " + version);
  for (ErtRates* rates : {&peaks, &bandwidths})
    for (auto& rate : *rates) rate.second.source = tool;
  Machine machine;
  machine.id = "ert" + (host.empty() ? std::string() : "-" + host);
  machine.name = (host.empty() ? std::string("Machine") : host) + ", measured by ERT";
  for (const auto& [label, flops] : peaks) raise(machine.vector, ert_format(label), flops);
  matrix_from_vector(machine);
  std::reverse(bandwidths.begin(), bandwidths.end());
  std::stable_partition(bandwidths.begin(), bandwidths.end(), [](const auto& rate) { return normalised(rate.first) == "dram"; });
  for (const auto& [name, bandwidth] : bandwidths) machine.memories.push_back({name, bandwidth, {}, {}, {}});
  return machine;
}

Result<Machine> import_ert(const Json& json) {
  const Json& empirical = member(json, "empirical");
  auto bandwidths = ert_rates(member(empirical, "gbytes"), "empirical.gbytes", "GB/s");
  if (!bandwidths) return Unexpected(bandwidths.error());
  auto peaks = ert_rates(member(empirical, "gflops"), "empirical.gflops", "GFLOP/s");
  if (!peaks) return Unexpected(peaks.error());

  const Json& spec = member(json, "spec");
  const auto stated = [&](const char* group, const std::string& name) -> std::string {
    for (const Json& item : member(member(spec, group), "data"))
      if (item.is_array() && item.size() == 2 && text_of(item[0]) == name && item[1].is_number())
        return "Specified: " + compact(item[1]) + (std::string_view(group) == "gbytes" ? " GB/s." : " GFLOP/s.");
    return "";
  };
  for (auto& [label, flops] : *peaks) flops.note = stated("gflops", label);
  for (auto& [name, bandwidth] : *bandwidths) bandwidth.note = stated("gbytes", name);
  const Json& metadata = member(empirical, "metadata");
  return ert_machine(text_of(member(metadata, "HOSTNAME")), text_of(member(metadata, "ERT_VERSION")), std::move(*peaks),
                     std::move(*bandwidths));
}

// --- ERT's `sum` file: "21.84 GFLOPs", a blank line, "349.39 L1" ... "34.88 DRAM" in GB/s, and after META_DATA a word and its value a line

constexpr const char* an_ert_sum = "an ERT sum file: lines such as 355.79 GFLOPs and 83.0 DRAM (GB/s), then META_DATA";

Result<Machine> import_ert_sum(std::string_view text) {
  std::string host, version;
  ErtRates peaks, bandwidths;
  bool metadata = false;
  std::size_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    ++number;
    const std::string line(without_blanks(raw));
    if (line.empty()) continue;
    if (line == "META_DATA") metadata = true;
    const std::size_t gap = line.find_first_of(" \t"), value_at = line.find_first_not_of(" \t", gap);
    if (metadata) {
      if (gap == std::string::npos || value_at == std::string::npos) continue;
      const std::string word = line.substr(0, gap), value = line.substr(value_at);
      const std::size_t quote = value.find('\'');  // ('name', [], ['127.0.1.1']), as Python prints it
      if (word == "ERT_VERSION") version = value;
      if (word == "HOSTNAME") host = quote == std::string::npos ? value : value.substr(quote + 1, value.find('\'', quote + 1) - quote - 1);
      continue;
    }
    char* after = nullptr;
    const double rate = std::strtod(line.c_str(), &after) * 1e9;
    if (after == line.c_str() || value_at == std::string::npos || !(rate > 0 && rate < 1e27))
      return Unexpected(Error{std::string("expected a number and a name in ") + an_ert_sum, number, 1, {}});
    const std::string name = line.substr(value_at), word = normalised(name);
    if (contains(word, "flops"))
      peaks.emplace_back(name, measured(rate));
    else if (word != "weight")  // a score of the run, no memory
      bandwidths.emplace_back(name, measured(rate));
  }
  if (peaks.empty()) return fail(std::string("has no line with GFLOPs: expected ") + an_ert_sum);
  if (bandwidths.empty()) return fail(std::string("has no line with a bandwidth: expected ") + an_ert_sum);
  return ert_machine(host, version, std::move(peaks), std::move(bandwidths));
}

// --- clpeak: <clpeak><run device=""><category name=""><test name="" unit="gflops"><metric name="">number</metric>
// -------------------------

/// What a unit multiplies by, to FLOP/s, B/s or seconds; 0: not one of ours.
double clpeak_unit(std::string_view unit) {
  if (unit == "gflops" || unit == "gops" || unit == "gbps") return 1e9;
  if (unit == "tflops" || unit == "tops") return 1e12;
  if (unit == "us") return 1e-6;
  return 0;
}

/// The number format a matrix test is about: the longest run of words in a name that is one, "coopmat_fp8_e4m3" -> fp8_e4m3.
std::optional<FormatId> format_in(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (c == '_' || c == '-' || c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  for (std::size_t length = words.size(); length > 0; --length)
    for (std::size_t first = 0; first + length <= words.size(); ++first) {
      std::string joined = words[first];
      for (std::size_t i = 1; i < length; ++i) joined += "_" + words[first + i];
      if (const auto format = format_named(joined)) return format;
    }
  if (name.substr(0, 5) == "sgemm") return format_named("fp32");
  if (name.substr(0, 5) == "dgemm") return format_named("fp64");
  return {};
}

struct ClpeakTest {
  const char* begins;
  const char* format;
};
constexpr ClpeakTest clpeak_vector_tests[] = {
    {"single_precision_compute", "fp32"}, {"half_precision_compute", "fp16"},  {"double_precision_compute", "fp64"},
    {"bfloat16_compute", "bf16"},         {"integer_compute_int8_dp", "int8"}, {"int8_dot_product_compute", "int8"},
};
constexpr const char* clpeak_matrix_words[] = {"matrix", "coopmat", "wmma", "mma", "tensor", "gemm", "matmul"};

/// The runs of clpeak 1, <platform><device name=""><TEST unit=""><METRIC>number</METRIC>, in the form of version 2. A test without metrics
/// has its number in the text.
std::vector<XmlElement> runs_of_version_1(const XmlElement& root) {
  std::vector<XmlElement> runs;
  for (const XmlElement& platform : root.children)
    for (const XmlElement& device : platform.children) {
      if (platform.name != "platform" || device.name != "device") continue;
      XmlElement category{"category", {}, {}, ""};
      for (const XmlElement& test : device.children) {
        category.children.push_back({"test", {{"name", test.name}, {"unit", std::string(test.attribute("unit"))}}, {}, ""});
        std::vector<XmlElement>& metrics = category.children.back().children;
        for (const XmlElement& metric : test.children) metrics.push_back({"metric", {{"name", metric.name}}, {}, metric.text});
        if (metrics.empty()) metrics.push_back({"metric", {{"name", "dispatch"}}, {}, test.text});
      }
      runs.push_back({"run", {{"device", std::string(device.attribute("name"))}, {"backend", "OpenCL"}}, {category}, ""});
    }
  return runs;
}

Result<Machine> import_clpeak(std::string_view text) {
  Result<XmlElement> root = parse_xml(text);
  if (!root) return Unexpected(root.error());
  for (XmlElement& run : runs_of_version_1(*root)) root->children.push_back(std::move(run));
  if (root->name != "clpeak") return fail("the root element is <" + root->name + ">; expected <clpeak>, as clpeak writes it");
  std::vector<const XmlElement*> runs;
  for (const XmlElement& run : root->children)
    if (run.name == "run") runs.push_back(&run);
  if (runs.empty()) return fail("no <run>; expected one for each device measured");
  const XmlElement& run = *runs[0];
  const std::string device(run.attribute("device")), backend(run.attribute("backend"));
  if (device.empty()) return fail("the first <run> names no device; expected <run device=\"...\">");

  Machine machine;
  machine.id = "clpeak-";
  for (const char c : device) machine.id += c == ' ' ? '-' : lower(c);
  machine.name = device + ", measured by clpeak";
  const std::string_view version = root->attribute("clpeak_version");  // version 1 does not state it
  const std::string tool = "clpeak " + std::string(version.empty() ? "1" : version) + (backend.empty() ? "" : ", " + backend);
  Figure launch;
  std::optional<Memory> shared;
  for (const XmlElement& category : run.children)
    for (const XmlElement& test : category.children) {
      const std::string_view name = test.attribute("name");
      const double unit = clpeak_unit(test.attribute("unit"));
      if (test.name != "test" || unit == 0) continue;
      const bool matrix = !contains(name, "sparse") && !contains(name, "attention") &&
                          std::any_of(std::begin(clpeak_matrix_words), std::end(clpeak_matrix_words),
                                      [&](const char* word) { return contains(name, word); });
      const auto vector = std::find_if(std::begin(clpeak_vector_tests), std::end(clpeak_vector_tests),
                                       [&](const ClpeakTest& t) { return name.substr(0, std::string_view(t.begins).size()) == t.begins; });
      for (const XmlElement& metric : test.children) {
        if (metric.name != "metric" || metric.text.empty()) continue;  // a test that this device lacks
        const std::string metric_name(metric.attribute("name"));
        char* end = nullptr;
        const double value = std::strtod(metric.text.c_str(), &end);
        if (*end != '\0' || !std::isfinite(value))
          return fail("test \"" + std::string(name) + "\", metric \"" + metric_name + "\" is \"" + metric.text + "\"; expected a number");
        if (!(value > 0)) continue;
        const Figure figure{value * unit, tool + ": " + std::string(name) + ", " + metric_name, "measured", ""};
        const auto larger = [&figure](Figure& old) {
          if (!(old.value >= figure.value)) old = figure;
        };
        if (vector != std::end(clpeak_vector_tests)) {
          raise(machine.vector, format_named(vector->format).value_or(no_format), figure);
        } else if (matrix) {
          auto format = format_in(metric_name);
          if (!format) format = format_in(name);
          if (format) raise(machine.matrix, *format, figure);
        } else if (name == "global_memory_bandwidth") {
          if (machine.memories.empty()) machine.memories.push_back({"DRAM", {}, {}, {}, {}});
          larger(machine.memories[0].bandwidth);
        } else if (name == "local_memory_bandwidth") {
          if (!shared) shared = Memory{"Shared memory", {}, {}, {}, {}};
          larger(shared->bandwidth);
        } else if (name == "kernel_launch_latency" && metric_name == "dispatch") {
          launch = figure;
        }
      }
    }
  if (machine.memories.empty()) return fail("no global_memory_bandwidth; expected that test, which gives the device memory's bandwidth");
  if (machine.vector.empty() && machine.matrix.empty())
    return fail("no compute test was run; expected single_precision_compute or another");
  matrix_from_vector(machine);
  if (shared) machine.memories.push_back(*shared);
  machine.launch_s = launch;
  if (runs.size() > 1)
    machine.notes.push_back("The file holds " + std::to_string(runs.size()) + " runs; the figures are the first one's" +
                            (backend.empty() ? "." : " (" + backend + ")."));
  return machine;
}

// --- rocprof-compute: a header of triples, "HBMBw,HBMBwLow,hbmBwHigh,L2Bw,...", and a row per GPU, in GB/s, GFLOP/s and GOP/s ----------

constexpr const char* a_rocprof =
    "a roofline.csv of rocprof-compute: device,HBMBw,HBMBwLow,HBMBwHigh,L2Bw,...,FP32Flops,...,MFMAF16Flops,...";

struct RocprofPeak {
  const char* column;
  const char* format;
  bool matrix;
};
constexpr RocprofPeak rocprof_peaks[] = {
    {"fp8flops", "fp8_e4m3", false},     {"fp16flops", "fp16", false},     {"bf16flops", "bf16", false},
    {"fp32flops", "fp32", false},        {"fp64flops", "fp64", false},     {"i8ops", "int8", false},
    {"i32ops", "int32", false},          {"i64ops", "int64", false},       {"mfmaf4flops", "mxfp4", true},
    {"mfmaf6flops", "mxfp6_e2m3", true}, {"mfmaflopsf6f4", "mxfp4", true}, {"mfmaf8flops", "fp8_e4m3", true},
    {"mfmabf16flops", "bf16", true},     {"mfmaf16flops", "fp16", true},   {"mfmaf32flops", "fp32", true},
    {"mfmaf64flops", "fp64", true},      {"mfmai8ops", "int8", true},
};

Result<Machine> import_rocprof(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string_view line : lines_of(text)) {
    if (without_blanks(line).empty()) continue;
    const std::vector<std::string_view> cells = split(line, ',');
    lines.emplace_back(cells.begin(), cells.end());
  }
  if (lines.size() < 2) return fail(std::string("has a header and no GPU: expected ") + a_rocprof);
  const std::vector<std::string>&header = lines[0], &row = lines[1];
  Machine machine;
  machine.id = "rocprof-gpu-" + row[0];
  machine.name = "GPU " + row[0] + ", measured by rocprof-compute";
  for (std::size_t i = 1; i < header.size(); ++i) {
    const std::string column = normalised(header[i]);
    const auto peak =
        std::find_if(std::begin(rocprof_peaks), std::end(rocprof_peaks), [&](const RocprofPeak& p) { return column == p.column; });
    const bool bandwidth = column.size() > 2 && column.substr(column.size() - 2) == "bw";
    if (peak == std::end(rocprof_peaks) && !bandwidth) continue;  // bounds of the one before, or a column of later versions
    char* end = nullptr;
    const double value = i < row.size() ? std::strtod(row[i].c_str(), &end) : 0;
    if (i >= row.size() || end == row[i].c_str() || *end != '\0' || !(value >= 0 && value < 1e18))
      return Unexpected(
          Error{header[i] + " is \"" + (i < row.size() ? row[i] : "") + "\": expected a number of " + (bandwidth ? "GB/s" : "GFLOP/s"),
                2,
                1,
                {}});
    if (value == 0) continue;  // not measured
    const Figure figure{value * 1e9, "rocprof-compute: " + header[i], "measured", ""};
    if (bandwidth)
      machine.memories.push_back({header[i].substr(0, header[i].size() - 2), figure, {}, {}, {}});
    else
      raise(peak->matrix ? machine.matrix : machine.vector, format_named(peak->format).value_or(no_format), figure);
  }
  if (machine.memories.empty()) return fail(std::string("has no bandwidth: expected ") + a_rocprof);
  if (machine.vector.empty() && machine.matrix.empty()) return fail(std::string("has no FLOP/s: expected ") + a_rocprof);
  matrix_from_vector(machine);
  if (lines.size() > 2)
    machine.notes.push_back("The file holds " + std::to_string(lines.size() - 1) + " GPUs; the figures are those of the first.");
  const auto rate = [&](const char* format) {
    for (const Peak& peak : machine.matrix)
      if (peak.format == format_named(format).value_or(no_format)) return peak.flops.value;
    return unknown;
  };
  if (std::abs(rate("bf16") / rate("fp16") - 1) > 0.2)
    machine.notes.push_back(
        "The rates of BF16 and FP16 products differ; AMD's matrix units run both alike. The benchmark may be at fault.");
  return machine;
}

}  // namespace

bool is_rocprof_roofline(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return contains(line, "HBMBw,") && contains(line, "L2Bw,");
}

bool is_ert_sum(std::string_view text) {
  if (const char first = first_visible(text); first < '0' || first > '9') return false;
  const std::size_t mark = text.substr(0, 4096).find("META_DATA");
  return mark != std::string_view::npos && contains(text.substr(0, mark), "FLOPs");
}

Result<Machine> import_machine(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && text[first] == '<') return import_clpeak(text.substr(first));
  if (is_ert_sum(text)) return import_ert_sum(text);
  if (is_stream_log(text)) return import_stream_log(text);
  if (is_rocprof_roofline(text)) return import_rocprof(text);
  const Result<Json> json = parse_json(text, "a machine");
  if (json && json->is_object() && json->contains("empirical")) {
    auto machine = import_ert(*json);
    if (!machine) return fail(machine.error().message + " in " + an_ert, machine.error().path);
    return machine;
  }
  return json ? machine_from(*json) : parse_machine(text);  // which says what is wrong
}

}  // namespace roofline
