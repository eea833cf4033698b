// A worker with no GPU, good or bad as its first argument says. The client must survive all of them.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "kernels/worker/bench_rules.h"

namespace lanescope {
namespace {

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void say(const WorkerMessage& message) { say(toLine(message)); }

void sayHello(const std::string& protocol = std::string(kWorkerProtocol)) {
  HelloMessage hello;
  hello.protocol = protocol;
  hello.worker = "fake";
  hello.gpu = "Fake GPU";
  hello.date = "2026-01-02";
  say(hello);
}

[[noreturn]] void hang() {
  while (true) pause();
}

SampleMessage sampleOf(const BenchRequest& request, const Strategy& strategy, std::uint32_t index) {
  const SeriesKey series{std::string(strategy.id), request.n, request.block, CacheState::Cold};
  return {request.run, series, index, 10.0 + strategy.order + 0.1 * index};
}

void sayResult(const BenchRequest& request, const Strategy& strategy, bool verified) {
  ResultMessage result;
  result.run = request.run;
  result.series = sampleOf(request, strategy, 0).series;
  result.grid = request.n / elementsPerBlock(strategy, request.block);
  result.verified = verified;
  result.wrongBlocks = verified ? 0 : 3;
  result.bytes = bytesMoved(strategy, request.n, request.block);
  result.medianUs = 10.0 + strategy.order;
  result.q1Us = result.q3Us = result.medianUs;
  result.samples = 5;
  result.gbps = gigabytesPerSecond(result.bytes, result.medianUs);
  say(result);
}

/// Answers one run in the way of `mode`; may not return.
void answer(const BenchRequest& request, const std::string& mode) {
  const auto chosen = strategiesOf(request);
  if (!chosen) return say(ErrorMessage{request.run, chosen.error().sentence()});
  if (mode == "error-in-run") {
    say(ErrorMessage{request.run, "The GPU is out of memory."});
    return say(DoneMessage{request.run, false});
  }
  for (const Strategy* strategy : *chosen) {
    for (std::uint32_t i = 0; i < 5; ++i) say(sampleOf(request, *strategy, i));
    if (mode == "dies-mid-run") raise(SIGSEGV);
    if (mode == "exits-mid-run") {
      std::fputs("out of luck\n", stderr);
      _exit(3);
    }
    if (mode == "hangs-mid-run") hang();
    if (mode == "floods-stranger") {
      // Series that nobody asked for, without end.
      for (std::uint64_t n = 1;; ++n) {
        SampleMessage stranger = sampleOf(request, *strategy, 0);
        stranger.series.n = n;
        say(stranger);
      }
    }
    if (mode == "floods-samples") {
      for (std::uint32_t i = 0;; ++i) say(sampleOf(request, *strategy, i));
    }
    sayResult(request, *strategy, mode != "wrong-sums" || strategy->order != 2);
  }
  if (mode == "slow") return;  // done comes with the cancel
  say(DoneMessage{request.run, false});
}

void serve(const std::string& mode) {
  std::uint64_t lastRun = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = parseRequest(line);
    if (!request) {
      say(ErrorMessage{std::nullopt, request.error().sentence()});
    } else if (const auto* bench = std::get_if<BenchRequest>(&*request)) {
      lastRun = bench->run;
      answer(*bench, mode);
    } else if (std::holds_alternative<CancelRequest>(*request)) {
      say(DoneMessage{lastRun, true});
    } else if (std::holds_alternative<QuitRequest>(*request)) {
      return;
    }
  }
}

int play(const std::string& mode) {
  if (mode == "dies") return 7;
  if (mode == "no-gpu") {
    say(ErrorMessage{std::nullopt, "This machine has no CUDA device."});
    return 1;
  }
  if (mode == "hangs-before-hello") hang();
  if (mode == "refuses-to-die") {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    hang();
  }
  if (mode == "endless-line") {
    const std::string chunk(1U << 16U, 'x');
    while (std::fputs(chunk.c_str(), stdout) >= 0) {
    }
    return 0;
  }
  if (mode == "garbage") {
    while (std::puts("\x01\xff{]what\tis this") >= 0) {
    }
    return 0;
  }
  if (mode == "stderr-flood") {
    sayHello();
    while (std::fputs("warning: something is odd\n", stderr) >= 0) {
    }
    return 0;
  }
  if (mode == "banner") say("Welcome to the lab server!\nUse it wisely.");
  sayHello(mode == "wrong-version" ? "lanescope.worker/99" : std::string(kWorkerProtocol));
  if (mode == "closes-output") {
    fclose(stdout);
    close(STDOUT_FILENO);
    hang();
  }
  serve(mode);
  return 0;
}

}  // namespace
}  // namespace lanescope

int main(int argc, char** argv) { return lanescope::play(argc > 1 ? argv[1] : "good"); }
