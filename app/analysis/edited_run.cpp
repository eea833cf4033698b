#include "app/analysis/edited_run.h"

#include "kernels/protocol/profile_run.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxOutputs = 64;
constexpr std::size_t kMaxContent = std::size_t{8} << 20U;  // of all outputs together

struct RunOf {
  std::uint64_t operator()(const HelloMessage& /*hello*/) const { return 0; }
  std::uint64_t operator()(const CeilingMessage& /*ceiling*/) const { return 0; }
  std::uint64_t operator()(const RateMessage& /*rate*/) const { return 0; }
  std::uint64_t operator()(const ErrorMessage& error) const { return error.run.value_or(0); }
  template <class Message>
  std::uint64_t operator()(const Message& message) const {
    return message.run;
  }
};

}  // namespace

std::uint64_t makeRun(const WorkerMessage& message) { return std::visit(RunOf{}, message); }

void EditedRun::receive(const OutputMessage& output) {
  if (outputs_.size() >= kMaxOutputs && !outputs_.contains(output.argument)) return;
  outputs_[output.argument] = EditedOutput{output.bytes, output.sum, output.fnv1a, {}};
}

/// Parts come in order; one that does not follow the last is dropped, and its buffer is then not whole.
void EditedRun::receive(const WordsMessage& words) {
  const auto found = outputs_.find(words.argument);
  if (found == outputs_.end() || words.offset != found->second.content.size()) return;
  std::size_t held = words.bytes.size();
  for (const auto& [argument, output] : outputs_) held += output.content.size();
  if (held > kMaxContent || words.offset + words.bytes.size() > found->second.bytes) return;
  auto& content = found->second.content;
  content.insert(content.end(), words.bytes.begin(), words.bytes.end());
}

void EditedRun::apply(const WorkerMessage& message) {
  if (makeRun(message) != run_ || run_ == 0) return;
  if (const auto* compiled = std::get_if<CompiledMessage>(&message)) {
    compiled_ = *compiled;
  } else if (const auto* output = std::get_if<OutputMessage>(&message)) {
    receive(*output);
  } else if (const auto* words = std::get_if<WordsMessage>(&message)) {
    receive(*words);
  } else if (const auto* timed = std::get_if<TimedMessage>(&message)) {
    timed_ = *timed;
  } else if (const auto* counters = std::get_if<CountersMessage>(&message)) {
    counters_ = *counters;
  } else if (const auto* kernel = std::get_if<ProfileMessage>(&message)) {
    profile_ = LaunchProfile{*kernel, {}, {}};
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    problem_ = error->sentence;
    lacksCompiler_ = error->kind == ErrorKind::NoCompiler;
  } else if (const auto* done = std::get_if<DoneMessage>(&message)) {
    finished_ = !done->ending;  // otherwise its end is still to come, and then lose()
  } else if (profile_) {
    addMessage(*profile_, message);
  }
}

void EditedRun::lose(const std::string& sentence) {
  const bool compiling = !compiled_ && !counters_ && !profile_;
  if (problem_.empty()) problem_ = (compiling ? "While the text was being compiled: " : "") + sentence;
  finished_ = true;
  lostWorker_ = true;
}

}  // namespace lanescope
