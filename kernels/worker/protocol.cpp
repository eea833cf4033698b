#include "kernels/worker/protocol.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/worker/edited_json.h"
#include "kernels/worker/json_fields.h"

namespace lanescope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTextBytes = 200;       // names, versions, dates
constexpr std::size_t kMaxSentenceBytes = 2000;  // sentences
constexpr std::size_t kMaxStrategies = 256;
constexpr double kMaxMicroseconds = 1e12;
constexpr double kMaxGBps = 1e9;
constexpr std::uint32_t kMaxThreads = 1U << 20U;  // a sane bound; the rules are in bench_rules.h

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void putSeries(Json& json, const SeriesKey& series) {
  json["strategy"] = series.strategy;
  json["n"] = series.n;
  json["block"] = series.block;
  json["cache"] = cacheStateName(series.cache);
  if (series.scope != Scope::Kernel) json["scope"] = scopeName(series.scope);
  if (series.type != ElementType::Float) json["element"] = elementTypeName(series.type);
  if (series.blocks != 0) json["blocks"] = series.blocks;
}

Json toJson(const HelloMessage& m) {
  return Json{{"type", "hello"},
              {"protocol", m.protocol},
              {"worker", m.worker},
              {"gpu", m.gpu},
              {"computeCapability", m.computeCapability},
              {"driver", m.driver},
              {"cudaDriver", m.cudaDriver},
              {"cudaRuntime", m.cudaRuntime},
              {"sms", m.sms},
              {"l2Bytes", m.l2Bytes},
              {"memoryBytes", m.memoryBytes},
              {"theoreticalGBps", thousandths(m.theoreticalGBps)},
              {"date", m.date}};
}

Json toJson(const CeilingMessage& m) {
  return Json{{"type", "ceiling"}, {"gbps", thousandths(m.gbps)}, {"us", thousandths(m.us)},
              {"bytes", m.bytes},  {"samples", m.samples},        {"launchUs", thousandths(m.launchUs)},
              {"how", m.how}};
}

Json toJson(const ProgressMessage& m) {
  return Json{{"type", "progress"}, {"run", m.run}, {"done", m.done}, {"total", m.total}};
}

Json toJson(const SampleMessage& m) {
  Json json{{"type", "sample"}, {"run", m.run}};
  putSeries(json, m.series);
  json["index"] = m.index;
  json["us"] = thousandths(m.us);
  return json;
}

Json toJson(const ResultMessage& m) {
  Json json{{"type", "result"}, {"run", m.run}};
  putSeries(json, m.series);
  json["grid"] = m.grid;
  if (m.elementsPerThread > 0) json["elementsPerThread"] = m.elementsPerThread;
  json["launches"] = m.launches;
  json["sharedBytes"] = m.sharedBytes;
  json["verified"] = m.verified;
  json["expected"] = numberOrNull(m.expected);
  json["got"] = numberOrNull(m.got);
  json["wrongBlocks"] = m.wrongBlocks;
  json["bytes"] = m.bytes;
  if (!m.verified) return json;
  json["medianUs"] = thousandths(m.medianUs);
  json["q1Us"] = thousandths(m.q1Us);
  json["q3Us"] = thousandths(m.q3Us);
  json["samples"] = m.samples;
  json["discarded"] = m.discarded;
  json["gbps"] = thousandths(m.gbps);
  return json;
}

Json toJson(const ErrorMessage& m) {
  Json json{{"type", "error"}};
  if (m.run) json["run"] = *m.run;
  json["sentence"] = printable(m.sentence, kMaxSentenceBytes);
  return json;
}

Json toJson(const DoneMessage& m) {
  Json json{{"type", "done"}, {"run", m.run}, {"cancelled", m.cancelled}};
  if (m.ending) json["ending"] = true;
  return json;
}

Json toJson(const HelloRequest& r) { return Json{{"type", "hello"}, {"protocol", r.protocol}}; }

Json toJson(const BenchRequest& r) {
  Json json{{"type", "bench"},
            {"run", r.run},
            {"strategies", Json(r.strategies)},
            {"n", r.n},
            {"block", r.block},
            {"cold", r.cold},
            {"warm", r.warm},
            {"scope", scopeName(r.scope)},
            {"element", elementTypeName(r.type)},
            {"maxSamples", r.maxSamples},
            {"minSeconds", r.minSeconds}};
  if (r.blocks != 0) json["blocks"] = r.blocks;
  return json;
}

Json toJson(const CancelRequest& r) {
  Json json{{"type", "cancel"}};
  if (r.run) json["run"] = *r.run;
  return json;
}

Json toJson(const QuitRequest& /*quit*/) { return Json{{"type", "quit"}}; }

/// Scope and type of element, which default to the kernel and to float: earlier recordings leave them out.
void readWhat(JsonFields& fields, Scope& scope, ElementType& type) {
  std::string word;
  if (fields.has("scope")) {
    fields.text("scope", word, kMaxTextBytes);
    if (word != "kernel" && word != "full") fields.fail("scope", "kernel or full");
    scope = word == "full" ? Scope::Full : Scope::Kernel;
  }
  if (!fields.has("element")) return;
  fields.text("element", word, kMaxTextBytes);
  for (const ElementType one : {ElementType::Float, ElementType::Double, ElementType::Int}) {
    if (word != elementTypeName(one)) continue;
    type = one;
    return;
  }
  fields.fail("element", "float, double or int");
}

void readSeries(JsonFields& fields, SeriesKey& series) {
  fields.text("strategy", series.strategy, kMaxTextBytes);
  fields.integer<std::uint64_t>("n", series.n, 1, kMaxCount);
  fields.integer<std::uint32_t>("block", series.block, 1, kMaxThreads);
  std::string cache;
  fields.text("cache", cache, kMaxTextBytes);
  if (cache == "warm") {
    series.cache = CacheState::Warm;
  } else if (cache != "cold") {
    fields.fail("cache", "cold or warm");
  }
  readWhat(fields, series.scope, series.type);
  if (fields.has("blocks")) fields.integer<std::uint64_t>("blocks", series.blocks, 1, kMaxCount);
}

HelloMessage readHello(JsonFields& fields) {
  HelloMessage m;
  m.protocol.clear();
  fields.text("protocol", m.protocol, kMaxTextBytes);
  if (protocolMismatch(m)) return m;
  fields.text("worker", m.worker, kMaxTextBytes);
  fields.text("gpu", m.gpu, kMaxTextBytes);
  fields.text("computeCapability", m.computeCapability, kMaxTextBytes);
  fields.text("driver", m.driver, kMaxTextBytes);
  fields.text("cudaDriver", m.cudaDriver, kMaxTextBytes);
  fields.text("cudaRuntime", m.cudaRuntime, kMaxTextBytes);
  fields.integer<std::uint32_t>("sms", m.sms);
  fields.integer<std::uint64_t>("l2Bytes", m.l2Bytes, 0, kMaxCount);
  fields.integer<std::uint64_t>("memoryBytes", m.memoryBytes, 0, kMaxCount);
  fields.number("theoreticalGBps", m.theoreticalGBps, 0, kMaxGBps);
  fields.text("date", m.date, kMaxTextBytes);
  return m;
}

CeilingMessage readCeiling(JsonFields& fields) {
  CeilingMessage m;
  fields.number("gbps", m.gbps, 0, kMaxGBps);
  fields.number("us", m.us, 0, kMaxMicroseconds);
  fields.integer<std::uint64_t>("bytes", m.bytes, 0, kMaxCount);
  fields.integer<std::uint32_t>("samples", m.samples);
  fields.number("launchUs", m.launchUs, 0, kMaxMicroseconds);
  fields.text("how", m.how, kMaxSentenceBytes);
  return m;
}

ProgressMessage readProgress(JsonFields& fields) {
  ProgressMessage m;
  readRun(fields, m.run);
  fields.integer<std::uint64_t>("done", m.done, 0, kMaxCount);
  fields.integer<std::uint64_t>("total", m.total, 0, kMaxCount);
  return m;
}

SampleMessage readSample(JsonFields& fields) {
  SampleMessage m;
  readRun(fields, m.run);
  readSeries(fields, m.series);
  fields.integer<std::uint32_t>("index", m.index);
  fields.number("us", m.us, 0, kMaxMicroseconds);
  return m;
}

ResultMessage readResult(JsonFields& fields) {
  ResultMessage m;
  readRun(fields, m.run);
  readSeries(fields, m.series);
  fields.integer<std::uint64_t>("grid", m.grid, 0, kMaxCount);
  if (m.series.blocks != 0 && m.grid != m.series.blocks) fields.fail("grid", "the 'blocks' asked for");
  if (fields.has("elementsPerThread"))
    fields.number("elementsPerThread", m.elementsPerThread, 0, static_cast<double>(kMaxCount));
  if (fields.has("launches")) fields.integer<std::uint64_t>("launches", m.launches, 0, kMaxCount);
  fields.integer<std::uint64_t>("sharedBytes", m.sharedBytes, 0, kMaxCount);
  fields.boolean("verified", m.verified);
  fields.numberOrNull("expected", m.expected);
  fields.numberOrNull("got", m.got);
  fields.integer<std::uint64_t>("wrongBlocks", m.wrongBlocks, 0, kMaxCount);
  fields.integer<std::uint64_t>("bytes", m.bytes, 0, kMaxCount);
  if (!m.verified) return m;
  fields.number("medianUs", m.medianUs, 0, kMaxMicroseconds);
  fields.number("q1Us", m.q1Us, 0, kMaxMicroseconds);
  fields.number("q3Us", m.q3Us, 0, kMaxMicroseconds);
  fields.integer<std::uint32_t>("samples", m.samples, 1);
  fields.integer<std::uint32_t>("discarded", m.discarded);
  fields.number("gbps", m.gbps, 0, kMaxGBps);
  return m;
}

ErrorMessage readError(JsonFields& fields) {
  ErrorMessage m;
  if (fields.has("run")) readRun(fields, m.run.emplace());
  fields.text("sentence", m.sentence, kMaxSentenceBytes);
  return m;
}

DoneMessage readDone(JsonFields& fields) {
  DoneMessage m;
  readRun(fields, m.run);
  fields.boolean("cancelled", m.cancelled);
  if (fields.has("ending")) fields.boolean("ending", m.ending);
  return m;
}

BenchRequest readBench(JsonFields& fields) {
  BenchRequest r;
  readRun(fields, r.run);
  if (const auto* ids = fields.find("strategies"); ids != nullptr) {
    if (!ids->is_array() || ids->size() > kMaxStrategies) {
      fields.fail("strategies", "a list of ids");
    } else {
      for (const auto& id : *ids) {
        if (!id.is_string()) fields.fail("strategies", "a list of ids");
        if (id.is_string()) r.strategies.push_back(id.get<std::string>());
      }
    }
  }
  fields.integer<std::uint64_t>("n", r.n, 0, kMaxCount);
  fields.integer<std::uint32_t>("block", r.block);
  fields.boolean("cold", r.cold);
  fields.boolean("warm", r.warm);
  readWhat(fields, r.scope, r.type);
  if (fields.has("blocks")) fields.integer<std::uint64_t>("blocks", r.blocks, 0, kMaxCount);
  fields.integer<std::uint32_t>("maxSamples", r.maxSamples, 1, 10000);
  fields.number("minSeconds", r.minSeconds, 0, 600);
  return r;
}

CancelRequest readCancel(JsonFields& fields) {
  CancelRequest r;
  if (fields.has("run")) readRun(fields, r.run.emplace());
  return r;
}

Error tooLong(std::size_t limit) {
  return Error{"A line is longer than " + std::to_string(limit) + " bytes.", {}, {}};
}

/// The object on a line and its type, or why there is none.
Result<std::pair<nlohmann::json, std::string>> openLine(std::string_view line, std::size_t limit) {
  if (line.size() > limit) return tooLong(limit);
  auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error{"Not a message: '" + printable(line, 80) + "'.", {}, {}};
  JsonFields fields(json);
  std::string type;
  fields.text("type", type, kMaxTextBytes);
  if (fields.problem()) return *fields.problem();
  return std::pair{std::move(json), std::move(type)};
}

template <class Variant, class Value>
Result<Variant> finish(const JsonFields& fields, Value value, const std::string& type) {
  if (!fields.problem()) return Variant(std::move(value));
  return Error{"A '" + type + "' message is malformed.", fields.problem()->message, {}};
}

}  // namespace

std::string_view cacheStateName(CacheState state) { return state == CacheState::Cold ? "cold" : "warm"; }

std::string_view scopeName(Scope scope) { return scope == Scope::Full ? "full" : "kernel"; }

std::string toLine(const WorkerMessage& message) {
  return std::visit([](const auto& m) { return dump(toJson(m)); }, message);
}

std::string toLine(const WorkerRequest& request) {
  return std::visit([](const auto& r) { return dump(toJson(r)); }, request);
}

Result<WorkerMessage> parseMessage(std::string_view line) {
  auto opened = openLine(line, kMaxLineBytes);
  if (!opened) return opened.error();
  const nlohmann::json& json = opened->first;
  const std::string& type = opened->second;
  JsonFields fields(json);
  const auto take = [&](auto value) { return finish<WorkerMessage>(fields, std::move(value), type); };
  if (type == "hello") return take(readHello(fields));
  if (type == "ceiling") return take(readCeiling(fields));
  if (type == "progress") return take(readProgress(fields));
  if (type == "sample") return take(readSample(fields));
  if (type == "result") return take(readResult(fields));
  if (type == "error") return take(readError(fields));
  if (type == "done") return take(readDone(fields));
  if (type == "compiled") return take(readCompiled(fields));
  if (type == "output") return take(readOutput(fields));
  if (type == "words") return take(readWords(fields));
  if (type == "timed") return take(readTimed(fields));
  if (type == "counters") return take(readCounters(fields));
  return Error{"A message of the unknown type '" + printable(type, 40) + "'.", {}, {}};
}

Result<WorkerRequest> parseRequest(std::string_view line) {
  auto opened = openLine(line, kMaxRequestBytes);
  if (!opened) return opened.error();
  const nlohmann::json& json = opened->first;
  const std::string& type = opened->second;
  JsonFields fields(json);
  const auto take = [&](auto value) { return finish<WorkerRequest>(fields, std::move(value), type); };
  if (type == "compile-run") return take(readCompileRun(fields));
  if (type == "counters") return take(readCountersRequest(fields));
  if (line.size() > kMaxLineBytes) return tooLong(kMaxLineBytes);
  if (type == "hello") {
    HelloRequest hello;
    fields.text("protocol", hello.protocol, kMaxTextBytes);
    return take(hello);
  }
  if (type == "bench") return take(readBench(fields));
  if (type == "cancel") return take(readCancel(fields));
  if (type == "quit") return take(QuitRequest{});
  return Error{"A request of the unknown type '" + printable(type, 40) + "'.", {}, {}};
}

std::optional<Error> protocolMismatch(const HelloMessage& hello) {
  if (hello.protocol == kWorkerProtocol) return std::nullopt;
  return Error{"The worker speaks '" + printable(hello.protocol, 60) + "' and this program speaks '" +
                   std::string(kWorkerProtocol) + "'.",
               "Use a worker and an app of the same version.",
               {}};
}

std::optional<Error> protocolMismatch(const HelloRequest& hello) {
  if (hello.protocol == kWorkerProtocol) return std::nullopt;
  return Error{"The client speaks '" + printable(hello.protocol, 60) + "' and this worker speaks '" +
                   std::string(kWorkerProtocol) + "'.",
               "Use a worker and an app of the same version.",
               {}};
}

std::string printable(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  std::string clean(text.substr(0, limit));
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  // A round trip through the JSON writer replaces broken UTF-8, a character cut in two too.
  const auto quoted = Json(clean).dump(-1, ' ', false, Json::error_handler_t::replace);
  clean = nlohmann::json::parse(quoted, nullptr, false).get<std::string>();
  return cut ? clean + "…" : clean;
}

}  // namespace lanescope
