#include <roofline/base/text.hpp>
#include <roofline/network/byte_source.hpp>

namespace roofline {

Result<std::string> ByteSource::read(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset > size() || bytes > size() - offset)
    return fail("the file ends after " + with_commas(size()) + " bytes: expected " + with_commas(bytes) + " from byte " +
                with_commas(offset) + " on");
  if (bytes > most_at_once)
    return fail(with_commas(bytes) + " bytes from byte " + with_commas(offset) + " on are not read at once: expected at most 64 MiB");
  std::string out(static_cast<std::size_t>(bytes), '\0');
  if (!fill(offset, out.data(), out.size())) return fail("the file cannot be read at byte " + with_commas(offset));
  return out;
}

}  // namespace roofline
