// Recordings of profiles, written dense and read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "kernels/protocol/ncu_profile.h"
#include "kernels/protocol/ncu_run.h"
#include "kernels/protocol/profile_record.h"

namespace lanescope {
namespace {

ProfileCounts counts(std::uint64_t samples, std::vector<StallCount> stalls) {
  ProfileCounts all;
  all.samples = samples;
  all.notIssued = 3;
  all.executed = 100;
  all.threadExecuted = 3200;
  all.stalls = std::move(stalls);
  return all;
}

/// A profile of three lines and four instructions: some of no line, with lanes masked off, conflicts and
/// sectors too many, and of samples more than there are reasons for.
LaunchProfile smallProfile() {
  LaunchProfile profile;
  profile.kernel.run = 2;
  profile.kernel.strategy = "baseline";
  profile.kernel.n = 1024;
  profile.kernel.kernel = "baseline";
  profile.kernel.tool = "Nsight Compute";
  profile.kernel.textHash = hashText("text");
  profile.kernel.metrics = {{"dram", 94.5}, {"gone", std::nullopt}, {"time", 1620500.0}};
  profile.lines = {
      {3, counts(7, {{"wait", 5}, {"barrier", 2}})}, {4, counts(0, {})}, {9, counts(12, {{"long_sb", 10}})}};
  profile.lines[1].counts.threadExecuted = 700;
  profile.lines[2].counts.sharedWavefronts = 64;
  profile.lines[2].counts.sharedIdealWavefronts = 32;
  profile.lines[2].counts.globalSectors = 4096;
  profile.lines[2].counts.globalIdealSectors = 1024;
  const ProfileCounts none;
  profile.instructions = {{3, "LDG.E R5, [R2.64]", profile.lines[0].counts},
                          {0, "SHFL.DOWN PT, R1, R2, 0x1, 0x1f", profile.lines[2].counts},
                          {9, "@!P0   BRA 0x10", none},
                          {0, "EXIT", none}};
  profile.kernel.opcodes = countOpcodes(profile.instructions);
  return profile;
}

std::vector<WorkerMessage> read(const std::string& text) {
  RecordReader reader;
  std::vector<WorkerMessage> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    auto messages = reader.receive(line);
    EXPECT_TRUE(messages.ok()) << messages.error().sentence() << "\n" << line;
    if (!messages) return all;
    all.insert(all.end(), messages->begin(), messages->end());
  }
  return all;
}

void expectSame(const LaunchProfile& profile, std::span<const WorkerMessage> messages) {
  ASSERT_FALSE(messages.empty());
  LaunchProfile back;
  back.kernel.run = profile.kernel.run;
  for (const WorkerMessage& message : messages) addMessage(back, message);
  EXPECT_EQ(toLine(WorkerMessage(back.kernel)), toLine(WorkerMessage(profile.kernel)));
  EXPECT_EQ(back.lines, profile.lines);
  EXPECT_EQ(back.instructions, profile.instructions);
}

TEST(ProfileRecord, KeepsEveryField) {
  const LaunchProfile profile = smallProfile();
  RecordWriter writer;
  std::string text;
  for (const WorkerMessage& message : makeMessages(profile)) text += writer.receive(message);
  EXPECT_EQ(text, "") << "the profile is not known to be whole";
  text += writer.finish();
  EXPECT_EQ(writer.finish(), "");
  expectSame(profile, read(text));
}

TEST(ProfileRecord, KeepsWhatInstructionsDoNotSay) {
  LaunchProfile profile = smallProfile();
  profile.kernel.opcodes = {{"LDG", 5}, {"STS", std::nullopt}};
  profile.instructions.clear();
  RecordWriter writer;
  for (const WorkerMessage& message : makeMessages(profile)) EXPECT_EQ(writer.receive(message), "");
  expectSame(profile, read(writer.finish()));
}

TEST(ProfileRecord, NamesMetricsOnceAndPassesOtherMessages) {
  const LaunchProfile first = smallProfile();
  LaunchProfile second = first;
  second.kernel.run = 3;
  LaunchProfile third = first;
  third.kernel.run = 4;
  third.kernel.metrics.pop_back();
  RecordWriter writer;
  const HelloMessage hello;
  std::string text = writer.receive(hello);
  EXPECT_EQ(text, toLine(WorkerMessage(hello)) + "\n");
  for (const LaunchProfile& one : {first, second, third}) {
    for (const WorkerMessage& message : makeMessages(one)) text += writer.receive(message);
    text += writer.receive(ProgressMessage{one.kernel.run, 1, 2});
  }
  text += writer.receive(DoneMessage{4, false, false});
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 3 + 2 + 1) << text;
  const std::vector<WorkerMessage> messages = read(text);
  ASSERT_EQ(messages.size(), 1U + 3 * 3 + 1);
  EXPECT_TRUE(std::holds_alternative<DoneMessage>(messages.back()));
  expectSame(second, std::span(messages).subspan(4, 3));
  expectSame(third, std::span(messages).subspan(7, 3));
}

TEST(ProfileRecord, ReadsMessagesAsTheWorkerSendsThem) {
  std::string text;
  for (const WorkerMessage& message : makeMessages(smallProfile())) text += toLine(message) + "\n";
  expectSame(smallProfile(), read(text));
}

TEST(ProfileRecord, RefusesWhatIsWrong) {
  const std::string names = "{\"type\":\"profile-metrics\",\"names\":[\"a\"]}";
  const std::string head =
      "{\"type\":\"recorded-profile\",\"run\":1,\"strategy\":\"\",\"n\":0,\"kernel\":\"k\",\"tool\":\"t\","
      "\"grid\":[1,1,1],\"block\":[1,1,1],\"text\":\"0123456789abcdef\",\"metrics\":[1]";
  const auto taken = [&](const std::string& line) {
    RecordReader reader;
    EXPECT_TRUE(reader.receive(names).ok());
    return reader.receive(line);
  };
  ASSERT_TRUE(taken(head + R"(,"lines":{"line":"1*2 5","inst_executed":"0 7"}})").ok());
  const std::vector<std::pair<std::string, std::string>> cases{
      {"{\"type\":\"recorded-profile\",", "Not a message"},
      {"{\"type\":\"profile-metrics\",\"names\":[1]}", "'names'"},
      {head.substr(0, head.size() - 3) + "[1,2]}", "'metrics'"},
      {head + R"(,"lines":{"line":"0 1"}})", "1 or more"},
      {head + R"(,"lines":{"line":"-1"}})", "from 0"},
      {head + R"(,"lines":{"line":"1*30000"}})", "'line'"},
      {head + R"(,"lines":{"line":"1","samples":"1 2"}})", "'samples'"},
      {head + R"(,"lines":{"line":"1","samples":"1x"}})", "'samples'"},
      {head + R"(,"lines":{"line":"1","samples":"1*"}})", "'samples'"},
      {head + R"(,"lines":{"line":"1","samples":"-1"}})", "2^53"},
      {head + R"(,"lines":{"line":"1","samples":7}})", "'samples'"},
      {head + R"(,"lines":{"line":"1","stalls":{"wait":"-1"}}})", "2^53"},
      {head + R"(,"lines":{"line":"1","stalls":[]}})", "stall"},
      {head + R"(,"instructions":{"sass":[1]}})", "'sass'"},
      {head + R"(,"instructions":{"sass":["EXIT"],"line":"1 2"}})", "'line'"},
      {head.substr(0, head.find(",\"kernel\"")) + ",\"metrics\":[1]}", "'kernel'"}};
  for (const auto& [line, wanted] : cases) {
    const auto messages = taken(line);
    ASSERT_FALSE(messages.ok()) << line;
    EXPECT_NE(messages.error().sentence().find(wanted), std::string::npos) << messages.error().sentence();
  }
  RecordReader reader;
  EXPECT_FALSE(reader.receive(head + "}").ok()) << "metrics whose names are nowhere";
}

}  // namespace
}  // namespace lanescope
