// Profilers and simulators of further NPUs: Vela, RKNN, TIDL, Vitis AI and Hailo. docs/formats/npu.md has the rules.
#include <roofline/base/number.hpp>

#include "base/letters.hpp"
#include "read/tools/text_rows.hpp"
#include "read/tools/tool_tables.hpp"

namespace roofline {

/// One row of many columns: the whole network, at the clock that Vela was told.
std::string csv_of_vela_summary(std::string_view text) {
  CsvRows rows("name,type,macs,time_s,dtype");
  each_row(text, ',', "accelerator_configuration", [&](const auto& row) {
    if (number_in(row["inference_time"]) > 0)
      rows.add({row["network"], row["accelerator_configuration"], row["nn_macs"], row["inference_time"], "int8"});
  });
  return rows.text();
}

/// "44   convolution.relu.pooling.layer2_2   363", the time last.
std::string csv_of_rknn1(std::string_view text) {
  CsvRows rows("name,time_us");
  bool within = false;
  for (const std::string_view line : lines_of(text)) {
    if (contains(line, "Layer ID")) within = contains(line, "Time(us)");
    const std::vector<std::string> words = words_of(line);
    if (within && words.size() > 2 && known(number_in(words[0])) && known(number_in(words.back())))
      rows.add({words[0] + ' ' + words[1], words.back()});
  }
  return rows.text();
}

/// "[C7x_1 ] 1851913.287889 s:      1,          81811,          48850, ..."
std::string csv_of_tidl_log(std::string_view text) {
  CsvRows rows("name,cycles at 1 GHz");
  bool within = false;
  for (std::string_view line : lines_of(text)) {
    if (contains(line, "kernelOnlyCycles")) within = true;
    if (const std::size_t stamp = line.find(" s: "); stamp != std::string_view::npos) line.remove_prefix(stamp + 4);
    const std::vector<std::string_view> cells = trimmed_cells(line, ',');
    if (within && cells.size() >= 8 && known(number_in(cells[0])) && known(number_in(cells[1])))
      rows.add({"layer " + std::string(cells[0]), cells[1]});
  }
  return rows.text();
}

/// Volumes of input, output and weights, each with the memory it lies in.
std::string csv_of_tidl_perfsim(std::string_view text) {
  CsvRows rows("name,type,time_us,bytes");
  each_row(text, ',', "procTime(us)", [&](const auto& row) {
    if (!known(number_in(row["procTime(us)"]))) return;
    double bytes = 0;
    for (const auto& [volume, memory] :
         {std::pair("inVol(KB)", "srcMem-IN"), std::pair("outVol(KB)", "dstMem-OUT"), std::pair("wtVol(KB)", "srcMem-WT")})
      if (contains(row[memory], "DDR")) bytes += known_or(number_in(row[volume]), 0) * 1024;
    rows.add({"layer " + std::string(row["lyrNum"]), row["LyrType"], row["procTime(us)"], exact(bytes)});
  });
  return rows.text();
}

/// "DPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw": GOP, ms, MB.
std::string csv_of_vitis(std::string_view text) {
  CsvRows rows("name,gflop,time_ms,bytes_mb,dtype");
  each_row(text, '|', "DPU SubGraph", [&](const auto& row) {
    const double work = number_in(row["WL"]);
    if (!(work > 0)) return;
    double moved = 0;
    for (const char* volume : {"LdWB", "LdFM", "StFM"}) moved += known_or(number_in(row[volume]), 0);
    rows.add({row["DPU SubGraph"], exact(work), row[known(number_in(row["HW_RT"])) ? "HW_RT" : "SW_RT"], exact(moved), "int8"});
  });
  return rows.text();
}

/// "FPS     (hw_only)                 = 1328.83", or "        (streaming)               = 1328.8" where that is all there is.
std::string csv_of_hailo_text(std::string_view text) {
  CsvRows rows("name,time_s");
  double fps = unknown;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const bool hardware = contains(line, "(hw_only)");
    if (hardware || (contains(line, "(streaming)") && !known(fps))) fps = number_in(line.substr(equals + 1));
  }
  if (fps > 0) rows.add({"network", exact(1 / fps)});
  return rows.text();
}

/// net_name, ..., fps, ...: a network per row.
std::string csv_of_hailo(std::string_view text) {
  CsvRows rows("name,time_s");
  each_row(text, ',', "net_name,", [&](const auto& row) {
    const double fps = number_in(row[place(row.header, "hw_only_fps") < row.header.size() ? "hw_only_fps" : "fps"]);
    if (fps > 0) rows.add({row.cells[0], exact(1 / fps)});
  });
  return rows.text();
}

}  // namespace roofline
