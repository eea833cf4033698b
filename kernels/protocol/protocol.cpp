#include "kernels/protocol/protocol.h"

#include <concepts>
#include <utility>

#include "kernels/protocol/message_fields.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxTextBytes = 200;       // names, versions, dates
constexpr std::size_t kMaxNameBytes = 1000;      // of a kernel with its template arguments
constexpr std::size_t kMaxSentenceBytes = 2000;  // sentences
constexpr std::size_t kMaxFindingBytes = 400;
constexpr std::size_t kMaxStrategies = 256;
constexpr std::size_t kMaxArguments = 64;
constexpr std::size_t kMaxCounters = 200;
constexpr double kMaxMicroseconds = 1e12;
constexpr double kMaxGBps = 1e9;
constexpr std::uint64_t kMaxThreads = 1U << 20U;  // a sane bound; the rules are in bench_rules.h

constexpr std::array kCacheStates{CacheState::Cold, CacheState::Warm};
constexpr std::array kScopes{Scope::Kernel, Scope::Full};
constexpr std::array kElementTypes{ElementType::Float, ElementType::Double, ElementType::Int};
constexpr std::array kErrorKinds{ErrorKind::Other, ErrorKind::NoCompiler};

std::string_view errorKindName(ErrorKind kind) {
  return kind == ErrorKind::NoCompiler ? "no-compiler" : "other";
}

/// A message to be written (const) or read.
template <class M, class Message>
concept Of = std::same_as<std::remove_const_t<M>, Message>;

// The fields of each message, for both ways (message_fields.h), in the order of kernels/worker/README.md.

void describe(auto& f, Of<SeriesKey> auto& series) {
  f.text("strategy", series.strategy, kMaxTextBytes);
  f.integer("n", series.n, {1});
  f.integer("block", series.block, {1, kMaxThreads});
  f.word("cache", series.cache, kCacheStates, cacheStateName);
  f.word("scope", series.scope, kScopes, scopeName, Presence::WhereSet);
  f.word("element", series.type, kElementTypes, elementTypeName, Presence::WhereSet);
  f.integer("blocks", series.blocks, {1}, Presence::WhereSet);
}

void describe(auto& f, Of<TextLaunch> auto& launch) {
  f.text("kernel", launch.kernel, kMaxNameBytes);
  f.extent("grid", launch.grid);
  f.extent("block", launch.block);
  f.integer("dynamicShared", launch.dynamicSharedBytes, {0, 0x7fffffff});
  f.texts("arguments", launch.arguments, kMaxArguments, kMaxNameBytes);
  f.code("text", launch.text, kMaxKernelTextBytes);
}

void describe(auto& f, Of<HelloMessage> auto& m) {
  f.text("protocol", m.protocol, kMaxTextBytes);
  if (m.protocol != kWorkerProtocol) return;
  f.text("worker", m.worker, kMaxTextBytes);
  f.text("gpu", m.gpu, kMaxTextBytes);
  f.text("computeCapability", m.computeCapability, kMaxTextBytes);
  f.text("driver", m.driver, kMaxTextBytes);
  f.text("cudaDriver", m.cudaDriver, kMaxTextBytes);
  f.text("cudaRuntime", m.cudaRuntime, kMaxTextBytes);
  f.integer("sms", m.sms);
  f.integer("l2Bytes", m.l2Bytes);
  f.integer("memoryBytes", m.memoryBytes);
  f.thousandths("theoreticalGBps", m.theoreticalGBps, kMaxGBps);
  f.text("date", m.date, kMaxTextBytes);
}

void describe(auto& f, Of<CeilingMessage> auto& m) {
  f.thousandths("gbps", m.gbps, kMaxGBps);
  f.thousandths("us", m.us, kMaxMicroseconds);
  f.integer("bytes", m.bytes);
  f.integer("samples", m.samples);
  f.thousandths("launchUs", m.launchUs, kMaxMicroseconds);
  f.text("how", m.how, kMaxSentenceBytes);
}

void describe(auto& f, Of<RateMessage> auto& m) {
  f.word("unit", m.unit, kRateUnits, rateUnitName);
  f.integer("amount", m.amount);
  f.thousandths("us", m.us, kMaxMicroseconds);
  f.thousandths("launchUs", m.launchUs, kMaxMicroseconds);
  f.thousandths("perUs", m.perUs, kMaxMicroseconds);
  f.integer("samples", m.samples);
  f.text("how", m.how, kMaxSentenceBytes);
}

void describe(auto& f, Of<ProgressMessage> auto& m) {
  f.run(m.run);
  f.integer("done", m.done);
  f.integer("total", m.total);
}

void describe(auto& f, Of<SampleMessage> auto& m) {
  f.run(m.run);
  describe(f, m.series);
  f.integer("index", m.index);
  f.thousandths("us", m.us, kMaxMicroseconds);
}

void describe(auto& f, Of<ResultMessage> auto& m) {
  f.run(m.run);
  describe(f, m.series);
  f.integer("grid", m.grid);
  f.require("grid", m.series.blocks == 0 || m.grid == m.series.blocks, "the 'blocks' asked for");
  f.number("elementsPerThread", m.elementsPerThread, 0, static_cast<double>(kMaxCount), Presence::WhereSet);
  f.integer("launches", m.launches, {}, Presence::Later);
  f.integer("registers", m.registers, {}, Presence::WhereSet);
  f.integer("residentBlocks", m.residentBlocks, {}, Presence::WhereSet);
  f.integer("sharedBytes", m.sharedBytes);
  f.boolean("verified", m.verified);
  f.numberOrNull("expected", m.expected);
  f.numberOrNull("got", m.got);
  f.integer("wrongBlocks", m.wrongBlocks);
  f.integer("bytes", m.bytes);
  if (!m.verified) return;
  f.thousandths("medianUs", m.medianUs, kMaxMicroseconds);
  f.thousandths("q1Us", m.q1Us, kMaxMicroseconds);
  f.thousandths("q3Us", m.q3Us, kMaxMicroseconds);
  f.require("medianUs", m.medianUs > 0, "at least 0.001");
  f.integer("samples", m.samples, {1});
  f.integer("discarded", m.discarded);
  f.thousandths("gbps", m.gbps, kMaxGBps);
}

void describe(auto& f, Of<ErrorMessage> auto& m) {
  f.run(m.run);
  f.word("kind", m.kind, kErrorKinds, errorKindName, Presence::WhereSet);
  f.sentence("sentence", m.sentence, kMaxSentenceBytes);
}

void describe(auto& f, Of<DoneMessage> auto& m) {
  f.run(m.run);
  f.boolean("cancelled", m.cancelled);
  f.boolean("ending", m.ending, Presence::WhereSet);
}

void describe(auto& f, Of<CompiledMessage> auto& m) {
  f.run(m.run);
  f.boolean("compiled", m.compiled);
  f.text("architecture", m.architecture, kMaxNameBytes);
  f.text("compiler", m.compiler, kMaxNameBytes);
  f.thousandths("milliseconds", m.milliseconds, kMaxMicroseconds);
  f.integer("registers", m.registers);
  f.integer("staticShared", m.staticSharedBytes);
  f.integer("local", m.localBytes);
  f.list("findings", m.findings, kMaxDiagnostics, [](auto& part, auto& finding) {
    part.boolean("error", finding.isError);
    part.integer("line", finding.line);
    part.integer("column", finding.column);
    part.sentence("message", finding.message, kMaxFindingBytes);
  });
}

void describe(auto& f, Of<OutputMessage> auto& m) {
  f.run(m.run);
  f.integer("argument", m.argument, {0, kMaxArguments});
  f.integer("bytes", m.bytes);
  f.numberOrNull("sum", m.sum);
  f.hash("fnv1a", m.fnv1a);
}

void describe(auto& f, Of<WordsMessage> auto& m) {
  f.run(m.run);
  f.integer("argument", m.argument, {0, kMaxArguments});
  f.integer("offset", m.offset, {0, kMaxWordsBytes});
  f.bytes("hex", m.bytes, kWordsBytes);
}

void describe(auto& f, Of<TimedMessage> auto& m) {
  f.run(m.run);
  f.thousandths("medianUs", m.medianUs, kMaxMicroseconds);
  f.thousandths("q1Us", m.q1Us, kMaxMicroseconds);
  f.thousandths("q3Us", m.q3Us, kMaxMicroseconds);
  f.require("medianUs", m.medianUs > 0, "at least 0.001");
  f.integer("samples", m.samples, {1});
  f.integer("discarded", m.discarded);
}

void describe(auto& f, Of<CountersMessage> auto& m) {
  f.run(m.run);
  f.text("tool", m.tool, kMaxNameBytes);
  f.counters("counters", m.counters, kMaxCounters);
}

void describe(auto& f, Of<ProfileCounts> auto& counts) {
  f.integer("samples", counts.samples, {}, Presence::WhereSet);
  f.integer("notIssued", counts.notIssued, {}, Presence::WhereSet);
  f.integer("inst_executed", counts.executed, {}, Presence::WhereSet);
  f.integer("thread_inst_executed", counts.threadExecuted, {}, Presence::WhereSet);
  f.integer("memory_l1_wavefronts_shared", counts.sharedWavefronts, {}, Presence::WhereSet);
  f.integer("memory_l1_wavefronts_shared_ideal", counts.sharedIdealWavefronts, {}, Presence::WhereSet);
  f.integer("memory_l2_theoretical_sectors_global", counts.globalSectors, {}, Presence::WhereSet);
  f.integer("memory_l2_theoretical_sectors_global_ideal", counts.globalIdealSectors, {}, Presence::WhereSet);
  f.stalls("stalls", counts.stalls, kMaxStalls, kMaxStallBytes);
}

void describe(auto& f, Of<ProfileMessage> auto& m) {
  f.run(m.run);
  f.text("strategy", m.strategy, kMaxTextBytes);
  f.integer("n", m.n);
  f.text("kernel", m.kernel, kMaxNameBytes);
  f.text("tool", m.tool, kMaxNameBytes);
  f.extent("grid", m.grid);
  f.extent("block", m.block);
  f.hash("text", m.textHash);
  f.metrics("metrics", m.metrics, kMaxMetrics);
  f.counters("opcodes", m.opcodes, kMaxMetrics);
}

void describe(auto& f, Of<ProfileLinesMessage> auto& m) {
  f.run(m.run);
  f.list("lines", m.lines, kProfileRows, [](auto& part, auto& line) {
    part.integer("line", line.line, {1});
    describe(part, line.counts);
  });
}

void describe(auto& f, Of<ProfileInstructionsMessage> auto& m) {
  f.run(m.run);
  f.list("instructions", m.instructions, kProfileRows, [](auto& part, auto& instruction) {
    part.integer("line", instruction.line, {}, Presence::WhereSet);
    part.text("sass", instruction.sass, 2 * kMaxSassBytes);
    describe(part, instruction.counts);
  });
}

void describe(auto& f, Of<HelloRequest> auto& r) { f.text("protocol", r.protocol, kMaxTextBytes); }

void describe(auto& f, Of<BenchRequest> auto& r) {
  f.run(r.run);
  f.texts("strategies", r.strategies, kMaxStrategies, kMaxNameBytes);
  f.integer("n", r.n);
  f.integer("block", r.block);
  f.boolean("cold", r.cold);
  f.boolean("warm", r.warm);
  f.word("scope", r.scope, kScopes, scopeName, Presence::Later);
  f.word("element", r.type, kElementTypes, elementTypeName, Presence::Later);
  f.integer("maxSamples", r.maxSamples, {1, 10000});
  f.number("minSeconds", r.minSeconds, 0, 600);
  f.integer("blocks", r.blocks, {}, Presence::WhereSet);
}

void describe(auto& f, Of<ExperimentRequest> auto& r) {
  f.run(r.run);
  f.text("experiment", r.experiment, kMaxTextBytes);
  f.integer("n", r.n, {}, Presence::WhereSet);
  f.integer("maxSamples", r.maxSamples, {1, 10000});
}

void describe(auto& f, Of<CompileRunRequest> auto& r) {
  f.run(r.run);
  f.number("seconds", r.seconds, 0.01, 60);
  f.integer("maxSamples", r.maxSamples, {0, 1000});
  describe(f, r.launch);
}

void describe(auto& f, Of<CountersRequest> auto& r) {
  f.run(r.run);
  describe(f, r.launch);
}

void describe(auto& f, Of<ProfileRequest> auto& r) {
  f.run(r.run);
  f.boolean("linked", r.linked, Presence::WhereSet);
  describe(f, r.launch);
}

void describe(auto& f, Of<CancelRequest> auto& r) { f.run(r.run); }

void describe(auto& /*f*/, Of<QuitRequest> auto& /*quit*/) {}

std::string findLine(const auto& message) {
  Json json{{"type", message.kType}};
  FieldWriter writer(json);
  describe(writer, message);
  return jsonLine(json);
}

Error tooLong(std::size_t limit) {
  return Error{"A line is longer than " + std::to_string(limit) + " bytes."};
}

/// Reads the alternative of that type, or reports that there is none.
template <class Variant, std::size_t index = 0>
Result<Variant> readAlternative(const Json& json, const std::string& type, std::size_t lineBytes) {
  if constexpr (index == std::variant_size_v<Variant>) {
    const char* const what = std::same_as<Variant, WorkerMessage> ? "message" : "request";
    return Error{std::string("A ") + what + " of the unknown type '" + printable(type, 40) + "'."};
  } else {
    std::variant_alternative_t<index, Variant> message;
    if (type != message.kType) return readAlternative<Variant, index + 1>(json, type, lineBytes);
    constexpr bool kCarriesText = requires { message.launch; };
    if (!kCarriesText && lineBytes > kMaxLineBytes) return tooLong(kMaxLineBytes);
    FieldReader reader(json);
    describe(reader, message);
    if (!reader.problem()) return Variant(std::move(message));
    return Error{"A '" + type + "' message is malformed.", reader.problem()->message};
  }
}

template <class Variant>
Result<Variant> readObject(const Json& object, std::size_t lineBytes) {
  FieldReader reader(object);
  std::string type;
  reader.text("type", type, kMaxTextBytes);
  if (reader.problem()) return *reader.problem();
  return readAlternative<Variant>(object, type, lineBytes);
}

template <class Variant>
Result<Variant> readLine(std::string_view line, std::size_t limit) {
  if (line.size() > limit) return tooLong(limit);
  const Json json = parseJson(line);
  if (!json.is_object()) return Error{"Not a message: '" + printable(line, 80) + "'."};
  return readObject<Variant>(json, line.size());
}

}  // namespace

std::string_view cacheStateName(CacheState state) { return state == CacheState::Cold ? "cold" : "warm"; }

std::string_view scopeName(Scope scope) { return scope == Scope::Full ? "full" : "kernel"; }

std::string_view rateUnitName(RateUnit unit) {
  switch (unit) {
    case RateUnit::Dram: return "dram";
    case RateUnit::L2: return "l2";
    case RateUnit::Shared: return "shared";
    case RateUnit::Issue: return "issue";
    case RateUnit::Launch: break;
  }
  return "launch";
}

std::string toLine(const WorkerMessage& message) {
  return std::visit([](const auto& m) { return findLine(m); }, message);
}

std::string toLine(const WorkerRequest& request) {
  return std::visit([](const auto& r) { return findLine(r); }, request);
}

Result<WorkerMessage> parseMessage(std::string_view line) {
  return readLine<WorkerMessage>(line, kMaxLineBytes);
}

Result<WorkerRequest> parseRequest(std::string_view line) {
  return readLine<WorkerRequest>(line, kMaxRequestBytes);
}

Result<WorkerMessage> readMessage(const Json& object) { return readObject<WorkerMessage>(object, 0); }

std::optional<Error> protocolMismatch(const HelloMessage& hello) {
  if (hello.protocol == kWorkerProtocol) return std::nullopt;
  return Error{"The worker speaks '" + printable(hello.protocol, 60) + "' and this program speaks '" +
                   std::string(kWorkerProtocol) + "'.",
               "Use a worker and an app of the same version."};
}

std::optional<Error> protocolMismatch(const HelloRequest& hello) {
  if (hello.protocol == kWorkerProtocol) return std::nullopt;
  return Error{"The client speaks '" + printable(hello.protocol, 60) + "' and this worker speaks '" +
                   std::string(kWorkerProtocol) + "'.",
               "Use a worker and an app of the same version."};
}

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
