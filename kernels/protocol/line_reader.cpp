#include "kernels/protocol/line_reader.h"

namespace lanescope {

void LineReader::keep(std::string_view part) {
  if (dropped_ > 0 || line_.size() + part.size() > limit_) {
    dropped_ += line_.size() + part.size();
    line_.clear();
    return;
  }
  line_ += part;
}

void LineReader::endLine(const Handler& onLine) {
  const bool overlong = dropped_ > 0;
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (overlong || !line_.empty()) onLine(line_, overlong);
  line_.clear();
  dropped_ = 0;
}

void LineReader::feed(std::string_view bytes, const Handler& onLine) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) return keep(bytes);
    keep(bytes.substr(0, end));
    endLine(onLine);
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::finish(const Handler& onLine) { endLine(onLine); }

}  // namespace lanescope
