// ZIP archives for tests, byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roofline {

/// `bytes` bytes, the lowest first.
inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

struct ZipEntry {
  std::string name, data;
  int method = 0;
  std::uint64_t size = data.size(), crc = 0;  ///< unpacked
};

/// A ZIP archive as APPNOTE.TXT describes it; sums of data are not looked at.
inline std::string zip_archive(const std::vector<ZipEntry>& entries) {
  std::string file, directory;
  for (const ZipEntry& e : entries) {
    const std::string sizes = little(e.crc, 4) + little(e.data.size(), 4) + little(e.size, 4);
    directory += std::string("PK\x01\x02") + little(20, 2) + little(20, 2) + little(0, 2) +
                 little(static_cast<std::uint64_t>(e.method), 2) + little(0, 4) + sizes + little(e.name.size(), 2) + little(0, 2) +
                 little(0, 2) + little(0, 8) + little(file.size(), 4) + e.name;
    file += std::string("PK\x03\x04") + little(20, 2) + little(0, 2) + little(static_cast<std::uint64_t>(e.method), 2) + little(0, 4) +
            sizes + little(e.name.size(), 2) + little(4, 2) + e.name + "more" + e.data;
  }
  const std::uint64_t at = file.size();
  return file + directory + std::string("PK\x05\x06") + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
         little(directory.size(), 4) + little(at, 4) + little(0, 2);
}

}  // namespace roofline
