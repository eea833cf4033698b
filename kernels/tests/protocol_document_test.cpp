// The protocol's README has every field of every message, and of no other; recordings stay as written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "kernels/protocol/profile_record.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

/// One message of each type, with every field that may be left out.
std::vector<WorkerMessage> fullMessages() {
  const SeriesKey series{"shuffle", 64, 32, CacheState::Warm, Scope::Full, ElementType::Double, 2};
  ResultMessage result;
  result.series = series;
  result.grid = series.blocks;
  result.elementsPerThread = 1;
  result.verified = true;
  result.registers = 16;
  result.residentBlocks = 8;
  CompiledMessage compiled;
  compiled.findings = {{}};
  // A reason is no field: it has the name of the one that it is in.
  const ProfileCounts counts{1, 1, 1, 1, 1, 1, 1, 1, {{"stalls", 1}}};
  return {HelloMessage{},
          CeilingMessage{},
          ProgressMessage{},
          SampleMessage{1, series},
          result,
          ErrorMessage{1, "No.", ErrorKind::NoCompiler},
          DoneMessage{1, true, true},
          compiled,
          OutputMessage{},
          WordsMessage{},
          TimedMessage{},
          CountersMessage{},
          ProfileMessage{},
          ProfileLinesMessage{1, {{1, counts}}},
          ProfileInstructionsMessage{1, {{1, "EXIT", counts}}},
          RateMessage{}};
}

std::vector<WorkerRequest> fullRequests() {
  BenchRequest bench{.blocks = 2};
  return {HelloRequest{},
          bench,
          CancelRequest{1},
          QuitRequest{},
          CompileRunRequest{},
          CountersRequest{},
          ProfileRequest{1, {}, true},
          ExperimentRequest{1, "integer-division", 64}};
}

void collectNames(const Json& json, std::set<std::string>& names) {
  if (!json.is_structured()) return;
  for (const auto& [name, value] : json.items()) {
    if (json.is_object() && name != "type") names.insert(name);
    collectNames(value, names);
  }
}

template <class Message>
std::map<std::string, std::set<std::string>> fieldsWritten(const std::vector<Message>& messages) {
  std::map<std::string, std::set<std::string>> fields;
  for (const Message& message : messages) {
    const Json json = parseJson(toLine(message));
    collectNames(json, fields[json["type"]]);
  }
  return fields;
}

/// The fields in the table under `title`: what is quoted outside brackets.
std::map<std::string, std::set<std::string>> fieldsDescribed(const std::string& title) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/kernels/worker/README.md");
  static const std::regex row(R"(\| `([a-z-]+)` \|(.*)\|)");
  static const std::regex bracketed(R"(\([^()]*\))");
  static const std::regex quoted("`([A-Za-z0-9_]+)`");
  std::map<std::string, std::set<std::string>> fields;
  bool isHere = false;
  for (std::string line; std::getline(file, line);) {
    if (line == title) isHere = true;
    std::smatch found;
    if (!isHere || !std::regex_match(line, found, row)) {
      if (isHere && !fields.empty()) break;
      continue;
    }
    const std::string described = std::regex_replace(found[2].str(), bracketed, "");
    auto& names = fields[found[1]];
    for (std::sregex_iterator at(described.begin(), described.end(), quoted), end; at != end; ++at)
      names.insert((*at)[1]);
  }
  return fields;
}

TEST(ProtocolDocument, HasEveryField) {
  const auto messages = fullMessages();
  const auto requests = fullRequests();
  ASSERT_EQ(messages.size(), std::variant_size_v<WorkerMessage>);
  ASSERT_EQ(requests.size(), std::variant_size_v<WorkerRequest>);
  EXPECT_EQ(fieldsDescribed("Worker to client:"), fieldsWritten(messages));
  EXPECT_EQ(fieldsDescribed("Client to worker:"), fieldsWritten(requests));
}

TEST(Recordings, AreWrittenAsTheyAreRead) {
  std::size_t messages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/recordings")) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    RecordReader reader;
    RecordWriter writer;
    std::string text;
    std::string written;
    for (std::string line; std::getline(file, line); text += line + '\n') {
      const auto read = reader.receive(line);
      ASSERT_TRUE(read.ok()) << entry.path() << ": " << read.error().sentence();
      messages += read->size();
      for (const WorkerMessage& message : *read) written += writer.receive(message);
    }
    written += writer.finish();
    EXPECT_TRUE(written == text) << entry.path();
  }
  EXPECT_GT(messages, 10000U);
}

}  // namespace
}  // namespace lanescope
