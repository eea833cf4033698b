#include "kernels/protocol/protocol.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

template <class Message>
Message roundTrip(const Message& message) {
  const auto parsed = parseMessage(toLine(WorkerMessage(message)));
  EXPECT_TRUE(parsed.ok()) << parsed.error().sentence();
  return std::get<Message>(*parsed);
}

template <class Request>
Request roundTripRequest(const Request& request) {
  const auto parsed = parseRequest(toLine(WorkerRequest(request)));
  EXPECT_TRUE(parsed.ok()) << parsed.error().sentence();
  return std::get<Request>(*parsed);
}

std::string findProblem(std::string_view line) {
  const auto parsed = parseMessage(line);
  return parsed ? std::string() : parsed.error().sentence();
}

const SeriesKey kSeries{"no-bank-conflict", std::uint64_t{1} << 31U, 1024, CacheState::Warm};

TEST(Protocol, HelloKeepsEveryField) {
  HelloMessage hello{std::string(kWorkerProtocol),
                     "0.1.0",
                     "NVIDIA H200",
                     "9.0",
                     "580.159.04",
                     "13.0",
                     "13.0",
                     132,
                     62914560,
                     150109880320,
                     4814.304,
                     "2026-11-20"};
  const HelloMessage back = roundTrip(hello);
  EXPECT_EQ(back.gpu, hello.gpu);
  EXPECT_EQ(back.computeCapability, "9.0");
  EXPECT_EQ(back.driver, hello.driver);
  EXPECT_EQ(back.sms, 132U);
  EXPECT_EQ(back.l2Bytes, hello.l2Bytes);
  EXPECT_EQ(back.memoryBytes, hello.memoryBytes);
  EXPECT_DOUBLE_EQ(back.theoreticalGBps, 4814.304);
  EXPECT_EQ(back.date, hello.date);
  EXPECT_FALSE(protocolMismatch(back));
}

TEST(Protocol, AnotherVersionIsReadAsFarAsItsName) {
  const auto parsed = parseMessage(R"({"type":"hello","protocol":"lanescope.worker/2","else":[1]})");
  ASSERT_TRUE(parsed.ok());
  const auto mismatch = protocolMismatch(std::get<HelloMessage>(*parsed));
  ASSERT_TRUE(mismatch);
  EXPECT_SAYS(mismatch->message);
}

TEST(Protocol, SampleResultCeilingProgressErrorDone) {
  const SampleMessage sample = roundTrip(SampleMessage{7, kSeries, 39, 1234.567});
  EXPECT_EQ(sample.series, kSeries);
  EXPECT_EQ(sample.run, 7U);
  EXPECT_EQ(sample.index, 39U);
  EXPECT_DOUBLE_EQ(sample.us, 1234.567);

  ResultMessage result{7, kSeries, 1U << 21U, 2,  4096, true, 1e9,       1e9,
                       0, 10.5,    10.25,     11, 38,   2,    1U << 30U, 4321.5};
  const ResultMessage right = roundTrip(result);
  EXPECT_EQ(right.series, kSeries);
  EXPECT_TRUE(right.verified);
  EXPECT_DOUBLE_EQ(right.medianUs, 10.5);
  EXPECT_DOUBLE_EQ(right.q1Us, 10.25);
  EXPECT_DOUBLE_EQ(right.q3Us, 11);
  EXPECT_EQ(right.samples, 38U);
  EXPECT_EQ(right.discarded, 2U);
  EXPECT_EQ(right.bytes, 1U << 30U);
  EXPECT_DOUBLE_EQ(right.gbps, 4321.5);
  EXPECT_EQ(right.sharedBytes, 4096U);
  EXPECT_EQ(right.launches, 2U);

  const SeriesKey full{"cub", 33, 256, CacheState::Cold, Scope::Full, ElementType::Double};
  EXPECT_EQ(roundTrip(SampleMessage{7, full, 0, 1}).series, full);
  // Recordings made before there were scopes and types of element say nothing of them.
  const auto old = parseMessage(
      R"({"type":"sample","run":1,"strategy":"baseline","n":8,"block":32,"cache":"cold","index":0,"us":1})");
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(std::get<SampleMessage>(*old).series.scope, Scope::Kernel);
  EXPECT_EQ(std::get<SampleMessage>(*old).series.type, ElementType::Float);

  const CeilingMessage ceiling = roundTrip(CeilingMessage{4531.168, 947.872, 1ULL << 32U, 15, 2.784, "how"});
  EXPECT_DOUBLE_EQ(ceiling.gbps, 4531.168);
  EXPECT_DOUBLE_EQ(ceiling.launchUs, 2.784);
  const RateMessage rate =
      roundTrip(RateMessage{RateUnit::Shared, 1U << 20U, 12.5, 2.5, 104857.6, 15, "how"});
  EXPECT_EQ(rate.unit, RateUnit::Shared);
  EXPECT_EQ(rate.amount, 1U << 20U);
  EXPECT_DOUBLE_EQ(rate.us, 12.5);
  EXPECT_DOUBLE_EQ(rate.launchUs, 2.5);
  EXPECT_DOUBLE_EQ(rate.perUs, 104857.6);
  for (const RateUnit unit : kRateUnits)
    EXPECT_EQ(roundTrip(RateMessage{unit, 0, 0, 0, 0, 0, ""}).unit, unit);
  EXPECT_FALSE(parseMessage(R"({"type":"rate","unit":"tensor","amount":1})").ok());
  EXPECT_EQ(roundTrip(ProgressMessage{7, 3, 240}).total, 240U);
  EXPECT_EQ(*roundTrip(ErrorMessage{7, "No."}).run, 7U);
  EXPECT_FALSE(roundTrip(ErrorMessage{std::nullopt, "No."}).run);
  EXPECT_TRUE(roundTrip(DoneMessage{7, true}).cancelled);
}

TEST(Protocol, ANumberOfBlocksIsSaidOnlyWhereOneWasAskedFor) {
  SeriesKey asked = kSeries;
  asked.blocks = 0x7fffffff;
  EXPECT_EQ(roundTrip(SampleMessage{7, asked, 0, 1}).series, asked);
  EXPECT_NE(asked, kSeries);
  EXPECT_EQ(toLine(WorkerMessage(SampleMessage{7, kSeries, 0, 1})).find("blocks"), std::string::npos);
  BenchRequest request{.run = 1};
  EXPECT_EQ(toLine(WorkerRequest(request)).find("blocks"), std::string::npos) << "as to an earlier worker";
  EXPECT_EQ(roundTripRequest(request).blocks, 0U);
  request.blocks = 1056;
  EXPECT_EQ(roundTripRequest(request).blocks, 1056U);

  ResultMessage result;
  result.run = 7;
  result.series = asked;
  result.grid = asked.blocks;
  result.elementsPerThread = 31.030303030303031;
  EXPECT_DOUBLE_EQ(roundTrip(result).elementsPerThread, result.elementsPerThread);
  EXPECT_EQ(roundTrip(result).series, asked);
  // Another grid than the one asked for is no answer.
  result.grid = 4;
  EXPECT_SAYS(findProblem(toLine(WorkerMessage(result))));
  result.series = kSeries;
  EXPECT_EQ(findProblem(toLine(WorkerMessage(result))), "");
  for (const char* bad : {"0", "-1", "1.5", "\"many\"", "1e300"}) {
    const std::string sample =
        R"({"type":"sample","run":1,"strategy":"s","n":4,"block":1,"cache":"cold","index":0,"us":1,"blocks":)";
    EXPECT_SAYS(findProblem(sample + bad + "}"));
  }
}

TEST(Protocol, AWrongResultCarriesNoTime) {
  ResultMessage result{7, kSeries, 8, 1, 0, false, 100, std::nan(""), 3, 10.5, 10, 11, 38, 2, 64, 99};
  const std::string line = toLine(WorkerMessage(result));
  for (const char* time : {"medianUs", "q1Us", "q3Us", "gbps"}) EXPECT_EQ(line.find(time), std::string::npos);
  const ResultMessage back = roundTrip(result);
  EXPECT_FALSE(back.verified);
  EXPECT_EQ(back.medianUs, 0);
  EXPECT_EQ(back.gbps, 0);
  EXPECT_EQ(back.wrongBlocks, 3U);
  EXPECT_TRUE(std::isnan(back.got));
}

TEST(Protocol, RequestsKeepEveryField) {
  const BenchRequest bench = roundTripRequest(BenchRequest{
      9, {"shuffle", "baseline"}, 4096, 64, false, true, Scope::Full, ElementType::Int, 17, 1.5});
  EXPECT_EQ(bench.run, 9U);
  EXPECT_EQ(bench.strategies, (std::vector<std::string>{"shuffle", "baseline"}));
  EXPECT_EQ(bench.n, 4096U);
  EXPECT_EQ(bench.block, 64U);
  EXPECT_FALSE(bench.cold);
  EXPECT_TRUE(bench.warm);
  EXPECT_EQ(bench.scope, Scope::Full);
  EXPECT_EQ(bench.type, ElementType::Int);
  EXPECT_EQ(bench.maxSamples, 17U);
  EXPECT_DOUBLE_EQ(bench.minSeconds, 1.5);
  EXPECT_EQ(*roundTripRequest(CancelRequest{4}).run, 4U);
  EXPECT_FALSE(roundTripRequest(CancelRequest{}).run);
  roundTripRequest(QuitRequest{});
  EXPECT_EQ(roundTripRequest(HelloRequest{}).protocol, kWorkerProtocol);
}

TEST(Protocol, UnknownFieldsAreIgnoredAndUnknownTypesAreNot) {
  EXPECT_TRUE(parseMessage(R"({"type":"done","run":1,"cancelled":false,"later":{"a":[1]}})").ok());
  EXPECT_SAYS(findProblem(R"({"type":"applause"})"));
}

TEST(Protocol, EveryWrongFieldIsNamed) {
  EXPECT_SAYS(findProblem(R"({"type":"done","run":1})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":0,"cancelled":true})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":-1,"cancelled":true})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":1.5,"cancelled":true})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":"1","cancelled":true})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":1e300,"cancelled":true})"));
  EXPECT_SAYS(findProblem(R"({"type":"done","run":1,"cancelled":1})"));
  const std::string sample =
      R"({"type":"sample","run":1,"strategy":"s","n":4,"block":1,"index":0,"us":1,"cache":)";
  EXPECT_EQ(findProblem(sample + "\"cold\"}"), "");
  EXPECT_SAYS(findProblem(sample + "\"tepid\"}"));
  const std::string timed =
      R"({"type":"sample","run":1,"strategy":"s","n":4,"block":1,"index":0,"cache":"cold","us":)";
  EXPECT_NE(findProblem(timed + "-1}").find("'us'"), std::string::npos);
  EXPECT_NE(findProblem(timed + "1e999}").size(), 0U);
  EXPECT_NE(findProblem(timed + "null}").find("'us'"), std::string::npos);
}

TEST(Protocol, HostileLinesAreRefused) {
  const std::string deep(60000, '[');
  const std::string longText = R"({"type":"error","sentence":")" + std::string(5000, 'x') + "\"}";
  for (const std::string& line :
       {std::string(), std::string("null"), std::string("[]"), std::string("42"), std::string("{"),
        std::string("{\"type\":3}"), std::string("{\"type\":\"\xff\"}"), deep, longText,
        std::string("\0\0\0", 3), std::string(kMaxLineBytes + 1, ' ')}) {
    EXPECT_FALSE(parseMessage(line).ok()) << line.substr(0, 40);
    EXPECT_FALSE(parseRequest(line).ok()) << line.substr(0, 40);
  }
}

TEST(Protocol, DamagedLinesNeverCrash) {
  const std::string line = toLine(WorkerMessage(SampleMessage{7, kSeries, 39, 1234.567}));
  std::mt19937 random(1);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = line;
    for (int k = 0; k < 1 + i % 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto parsed = parseMessage(damaged);
    if (!parsed) {
      ++refused;
      ASSERT_FALSE(parsed.error().message.empty());
      ASSERT_LT(parsed.error().sentence().size(), 400U);
    }
  }
  EXPECT_GT(refused, 10000U);
}

TEST(Protocol, PrintableIsShortAndClean) {
  EXPECT_EQ(printable("a\tb\nc\x7f"), "a b c ");
  EXPECT_EQ(printable(std::string(500, 'x'), 10), "xxxxxxxxxx…");
  EXPECT_EQ(printable("\xff").find('\xff'), std::string::npos);
  EXPECT_EQ(printable("\x1b[2Jé µ 漢 🙂"), " [2Jé µ 漢 🙂") << "an escape sequence becomes letters";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(printable("a\u202e\u2066\u200f\u061c\u2028\u0085z"), "a      z") << "directions, line ends, C1";
  EXPECT_EQ(withoutControls("a\tb\r\nc\x1b"), "a\tb \nc ");
  // Cut letters, overlong forms, surrogates, past the last letter.
  for (const char* broken : {"\xc3", "\xe6\xbc", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    const std::string clean = printable(std::string(broken) + "z");
    EXPECT_TRUE(clean.starts_with("\xEF\xBF\xBD") && clean.ends_with("z")) << clean;
  }
}

TEST(Protocol, WhatAWorkerSaysIsShownWithoutControls) {
  HelloMessage hello;
  hello.gpu = "a\x1b[2Jb\u202ec";
  const auto read = parseMessage(toLine(hello));
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<HelloMessage>(*read).gpu, "a [2Jb c");
  CompileRunRequest run;
  run.run = 1;
  run.launch.text = "// \x1b\n\tint i;\n";
  run.launch.kernel = "k";
  const auto asked = parseRequest(toLine(run));
  ASSERT_TRUE(asked) << asked.error().sentence();
  EXPECT_EQ(std::get<CompileRunRequest>(*asked).launch.text, run.launch.text)
      << "a kernel's text stays as it is";
}

TEST(Protocol, AMeasuredTimeIsOverZero) {
  ResultMessage result;
  result.run = 1;
  result.series = {.strategy = "shuffle", .n = 1024, .block = 256};
  result.verified = true;
  result.samples = 5;
  for (const double us : {0.0, 5e-324, 1e-4, 4e-4}) {
    result.medianUs = us;
    const auto parsed = parseMessage(toLine(result));
    ASSERT_FALSE(parsed) << us;
    EXPECT_NE(parsed.error().sentence().find("at least 0.001"), std::string::npos);
    const std::string line = toLine(result);
    const std::size_t at = line.find("\"medianUs\":");
    ASSERT_NE(at, std::string::npos);
    const std::string tiny = line.substr(0, at) + "\"medianUs\":5e-324" + line.substr(line.find(',', at));
    EXPECT_FALSE(parseMessage(tiny)) << tiny;
  }
  for (const double us : {6e-4, 0.5}) {
    result.medianUs = us;
    EXPECT_TRUE(parseMessage(toLine(result))) << us;
  }
}

TEST(LineReader, CutsAnywhereAlike) {
  const std::string text = "one\ntwo\r\n\nthree\nlast";
  for (std::size_t step = 1; step <= text.size(); ++step) {
    LineReader reader;
    std::string lines;
    const auto onLine = [&](std::string_view line, bool overlong) {
      EXPECT_FALSE(overlong);
      lines += std::string(line) + "|";
    };
    for (std::size_t i = 0; i < text.size(); i += step)
      reader.feed(std::string_view(text).substr(i, step), onLine);
    EXPECT_EQ(lines, "one|two|three|");
    reader.finish(onLine);
    EXPECT_EQ(lines, "one|two|three|last|");
  }
}

TEST(LineReader, DropsWhatIsOverlongAndGoesOn) {
  LineReader reader(8);
  int overlongLines = 0;
  std::string lines;
  const auto onLine = [&](std::string_view line, bool overlong) {
    overlongLines += overlong ? 1 : 0;
    lines += std::string(line) + "|";
  };
  reader.feed("12345678\n", onLine);
  for (int i = 0; i < 1000; ++i) reader.feed("yyyyy", onLine);
  EXPECT_EQ(reader.droppedBytes(), 5000U);
  reader.feed("\nok\n", onLine);
  EXPECT_EQ(overlongLines, 1);
  EXPECT_EQ(lines, "12345678||ok|");
}

}  // namespace
}  // namespace lanescope
