#include "kernels/worker/edited_json.h"

#include <charconv>
#include <cmath>

namespace lanescope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxNameBytes = 1000;
constexpr std::size_t kMaxArguments = 64;
constexpr std::size_t kMaxFindingBytes = 400;
constexpr std::size_t kMaxCounters = 200;
constexpr double kMaxTime = 1e12;

void putLaunch(Json& json, const TextLaunch& launch) {
  json["kernel"] = launch.kernel;
  json["grid"] = launch.grid;
  json["block"] = launch.block;
  json["dynamicShared"] = launch.dynamicSharedBytes;
  json["arguments"] = launch.arguments;
  json["text"] = launch.text;
}

void readExtent(JsonFields& fields, const char* key, std::array<std::uint32_t, 3>& extent) {
  const auto* list = fields.find(key);
  if (list == nullptr) return;
  if (!list->is_array() || list->size() != 3) return fields.fail(key, "three whole numbers of 1 or more");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& part = (*list)[i];
    if (!part.is_number_unsigned() || part.get<std::uint64_t>() < 1 ||
        part.get<std::uint64_t>() > 0x7fffffffU) {
      return fields.fail(key, "three whole numbers of 1 or more");
    }
    extent[i] = part.get<std::uint32_t>();
  }
}

TextLaunch readLaunch(JsonFields& fields) {
  TextLaunch launch;
  fields.text("text", launch.text, kMaxKernelTextBytes);
  fields.text("kernel", launch.kernel, kMaxNameBytes);
  readExtent(fields, "grid", launch.grid);
  readExtent(fields, "block", launch.block);
  fields.integer<std::uint64_t>("dynamicShared", launch.dynamicSharedBytes, 0, 0x7fffffff);
  const auto* arguments = fields.find("arguments");
  if (arguments == nullptr) return launch;
  if (!arguments->is_array() || arguments->size() > kMaxArguments) {
    fields.fail("arguments", "a list of at most " + std::to_string(kMaxArguments) + " arguments");
    return launch;
  }
  for (const auto& argument : *arguments) {
    const auto* spec = argument.get_ptr<const std::string*>();
    if (spec == nullptr || spec->size() > kMaxNameBytes) {
      fields.fail("arguments", "a list of strings such as f32:hash:1024");
      return launch;
    }
    launch.arguments.push_back(*spec);
  }
  return launch;
}

std::vector<CompilerFinding> readFindings(JsonFields& fields) {
  std::vector<CompilerFinding> findings;
  const auto* list = fields.find("findings");
  if (list == nullptr) return findings;
  if (!list->is_array() || list->size() > kMaxDiagnostics) {
    fields.fail("findings", "a list of at most " + std::to_string(kMaxDiagnostics));
    return findings;
  }
  for (const auto& entry : *list) {
    if (!entry.is_object()) {
      fields.fail("findings", "a list of objects");
      return findings;
    }
    CompilerFinding finding;
    JsonFields parts(entry);
    parts.boolean("error", finding.isError);
    parts.integer<std::uint32_t>("line", finding.line);
    parts.integer<std::uint32_t>("column", finding.column);
    parts.text("message", finding.message, 2 * kMaxFindingBytes);
    if (parts.problem()) fields.fail("findings", "a list of well-formed findings");
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string hexOf(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    hex += kDigits[value >> 4U];
    hex += kDigits[value & 15U];
  }
  return hex;
}

/// Reads one number of exactly `text`, in hexadecimal.
template <class Integer>
bool readHex(std::string_view text, Integer& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return failure == std::errc{} && end == text.data() + text.size();
}

void readHexBytes(JsonFields& fields, std::vector<std::byte>& bytes) {
  std::string hex;
  fields.text("hex", hex, 2 * kWordsBytes);
  if (hex.size() % 2 != 0) return fields.fail("hex", "two digits a byte");
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    std::uint8_t value = 0;
    if (!readHex(std::string_view(hex).substr(i, 2), value)) return fields.fail("hex", "hexadecimal");
    bytes.push_back(std::byte{value});
  }
}

}  // namespace

Json toJson(const CompileRunRequest& r) {
  Json json{{"type", "compile-run"}, {"run", r.run}, {"seconds", r.seconds}, {"maxSamples", r.maxSamples}};
  putLaunch(json, r.launch);
  return json;
}

Json toJson(const CountersRequest& r) {
  Json json{{"type", "counters"}, {"run", r.run}};
  putLaunch(json, r.launch);
  return json;
}

Json toJson(const CompiledMessage& m) {
  Json findings = Json::array();
  for (const CompilerFinding& finding : m.findings) {
    if (findings.size() == kMaxDiagnostics) break;
    findings.push_back({{"error", finding.isError},
                        {"line", finding.line},
                        {"column", finding.column},
                        {"message", finding.message.substr(0, kMaxFindingBytes)}});
  }
  return Json{{"type", "compiled"},       {"run", m.run},
              {"compiled", m.compiled},   {"architecture", m.architecture},
              {"compiler", m.compiler},   {"milliseconds", thousandths(m.milliseconds)},
              {"registers", m.registers}, {"staticShared", m.staticSharedBytes},
              {"local", m.localBytes},    {"findings", std::move(findings)}};
}

Json toJson(const OutputMessage& m) {
  std::string hash(16, '0');
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), m.fnv1a, 16).ptr;
  hash.replace(16 - static_cast<std::size_t>(end - digits.data()), std::string::npos, digits.data(),
               static_cast<std::size_t>(end - digits.data()));
  return Json{{"type", "output"},
              {"run", m.run},
              {"argument", m.argument},
              {"bytes", m.bytes},
              {"sum", std::isfinite(m.sum) ? Json(m.sum) : Json(nullptr)},
              {"fnv1a", hash}};
}

Json toJson(const WordsMessage& m) {
  return Json{{"type", "words"},
              {"run", m.run},
              {"argument", m.argument},
              {"offset", m.offset},
              {"hex", hexOf(m.bytes)}};
}

Json toJson(const TimedMessage& m) {
  return Json{{"type", "timed"},
              {"run", m.run},
              {"medianUs", thousandths(m.medianUs)},
              {"q1Us", thousandths(m.q1Us)},
              {"q3Us", thousandths(m.q3Us)},
              {"samples", m.samples},
              {"discarded", m.discarded}};
}

Json toJson(const CountersMessage& m) {
  Json counters = Json::object();
  for (const MeasuredCounter& counter : m.counters) {
    counters[counter.name] = counter.value ? Json(*counter.value) : Json(nullptr);
  }
  return Json{{"type", "counters"}, {"run", m.run}, {"tool", m.tool}, {"counters", std::move(counters)}};
}

CompileRunRequest readCompileRun(JsonFields& fields) {
  CompileRunRequest r;
  readRun(fields, r.run);
  fields.number("seconds", r.seconds, 0.01, 60);
  fields.integer<std::uint32_t>("maxSamples", r.maxSamples, 0, 1000);
  r.launch = readLaunch(fields);
  return r;
}

CountersRequest readCountersRequest(JsonFields& fields) {
  CountersRequest r;
  readRun(fields, r.run);
  r.launch = readLaunch(fields);
  return r;
}

CompiledMessage readCompiled(JsonFields& fields) {
  CompiledMessage m;
  readRun(fields, m.run);
  fields.boolean("compiled", m.compiled);
  fields.text("architecture", m.architecture, kMaxNameBytes);
  fields.text("compiler", m.compiler, kMaxNameBytes);
  fields.number("milliseconds", m.milliseconds, 0, kMaxTime);
  fields.integer<std::uint32_t>("registers", m.registers);
  fields.integer<std::uint64_t>("staticShared", m.staticSharedBytes, 0, kMaxCount);
  fields.integer<std::uint64_t>("local", m.localBytes, 0, kMaxCount);
  m.findings = readFindings(fields);
  return m;
}

OutputMessage readOutput(JsonFields& fields) {
  OutputMessage m;
  readRun(fields, m.run);
  fields.integer<std::uint32_t>("argument", m.argument, 0, kMaxArguments);
  fields.integer<std::uint64_t>("bytes", m.bytes, 0, kMaxCount);
  fields.numberOrNull("sum", m.sum);
  std::string hash;
  fields.text("fnv1a", hash, 16);
  if (hash.size() != 16 || !readHex(hash, m.fnv1a)) fields.fail("fnv1a", "16 hexadecimal digits");
  return m;
}

WordsMessage readWords(JsonFields& fields) {
  WordsMessage m;
  readRun(fields, m.run);
  fields.integer<std::uint32_t>("argument", m.argument, 0, kMaxArguments);
  fields.integer<std::uint64_t>("offset", m.offset, 0, kMaxWordsBytes);
  readHexBytes(fields, m.bytes);
  return m;
}

TimedMessage readTimed(JsonFields& fields) {
  TimedMessage m;
  readRun(fields, m.run);
  fields.number("medianUs", m.medianUs, 0, kMaxTime);
  fields.number("q1Us", m.q1Us, 0, kMaxTime);
  fields.number("q3Us", m.q3Us, 0, kMaxTime);
  fields.integer<std::uint32_t>("samples", m.samples, 1);
  fields.integer<std::uint32_t>("discarded", m.discarded);
  return m;
}

CountersMessage readCounters(JsonFields& fields) {
  CountersMessage m;
  readRun(fields, m.run);
  fields.text("tool", m.tool, kMaxNameBytes);
  const auto* counters = fields.find("counters");
  if (counters == nullptr) return m;
  if (!counters->is_object() || counters->size() > kMaxCounters) {
    fields.fail("counters", "an object of names and whole numbers");
    return m;
  }
  for (const auto& [name, value] : counters->items()) {
    MeasuredCounter counter{name, std::nullopt};
    if (value.is_number_unsigned()) {
      counter.value = value.get<std::uint64_t>();
    } else if (!value.is_null()) {
      fields.fail("counters", "an object of names and whole numbers");
    }
    m.counters.push_back(std::move(counter));
  }
  return m;
}

}  // namespace lanescope
