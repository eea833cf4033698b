// Saves and restores the contents of a session file and of the next start.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

struct GrainName {
  Grain grain;
  std::string_view name;
};
constexpr std::array<GrainName, 3> kGrains{
    {{Grain::Phase, "phase"}, {Grain::Instruction, "instruction"}, {Grain::Wavefront, "wavefront"}}};

/// The selection of a session file, if all parts of it exist.
Result<Selection> makeSelection(const SavedSession& saved, KernelCache& kernels) {
  Selection selection;
  selection.strategy = saved.strategy.empty() ? nullptr : findStrategy(saved.strategy);
  selection.machine = findMachine(saved.machine);
  selection.n = saved.n;
  selection.blocks = saved.blocks;
  selection.block = saved.block;
  if (selection.strategy == nullptr && !saved.strategy.empty())
    return Error{"The session is about a strategy '" + saved.strategy + "', which is not here.", ""};
  if (!saved.compared.empty() && findStrategy(saved.compared) == nullptr)
    return Error{"The session compares with a strategy '" + saved.compared + "', which is not here.", ""};
  if (selection.strategy == nullptr && saved.path.empty())
    return Error{"The session file names neither a strategy nor a file.", ""};
  if (selection.strategy == nullptr && (!saved.ran.form || !saved.draft.form))
    return Error{"The session file has no launch for its kernel.", ""};
  if (selection.machine == nullptr)
    return Error{"The session is for the machine '" + saved.machine + "', which does not exist.", ""};
  if (saved.n == 0 || saved.n > kMostElements)
    return Error{"The session is over " + counted(saved.n, "element") + ", which cannot be launched.", ""};
  if (std::ranges::find(kGrains, saved.grain, &GrainName::name) == kGrains.end())
    return Error{"The session steps by '" + saved.grain + "', which is not phase, instruction or wavefront.",
                 ""};
  if (selection.strategy == nullptr) {
    selection.blocks = 1;
    selection.block = 0;
  } else if (std::ranges::find(kBlockCounts, saved.blocks) == kBlockCounts.end() ||
             saved.block >= saved.blocks) {
    return Error{"The session has block " + std::to_string(saved.block) + " of " +
                     std::to_string(saved.blocks) + ", which are not offered.",
                 ""};
  }
  // The launch must be valid before any change is made for it.
  const auto source = std::make_shared<SourceText>("session.cu", plainText(saved.ran.text), saved.includes);
  const Result<Launch> launch =
      saved.ran.form
          ? launchFrom(completed(*saved.ran.form, kernels.findKernels(source)), source, *selection.machine)
          : makeLaunch(*selection.strategy, selection.n, selection.blocks, *selection.machine);
  if (!launch) return launch.error();
  return selection;
}

void restoreStops(const SavedSession& saved, Stops& stops) {
  stops.clear();
  for (const std::uint32_t line : saved.lines) {
    if (!stops.hasLine(line)) stops.toggleLine(line);
  }
  for (std::size_t kind = 0; kind < kStopKinds; ++kind) {
    const auto one = static_cast<StopKind>(kind);
    if (std::ranges::find(saved.conditions, nameFor(one)) != saved.conditions.end()) stops.toggle(one);
  }
}

}  // namespace

SavedSession Session::saved() const {
  SavedSession saved;
  const Document* document = editor_.current();
  if (document == nullptr) return saved;
  const Opened place = opened();
  saved.strategy = place.strategy;
  saved.path = place.file;
  if (document->strategy == nullptr) {
    saved.original = std::string(document->original->text());
    saved.includes = document->ran != nullptr ? document->ran->text().includes() : document->includes;
  }
  saved.ran = document->ran != nullptr
                  ? SavedText{std::string(document->ran->text().text()), document->ran->asked.form}
                  : SavedText{std::string(document->original->text()), document->form};
  saved.draft = {document->buffer.text(), document->form};
  saved.n = place.n;
  saved.machine = selection_.machine == nullptr ? "" : selection_.machine->name;
  saved.machineChosen = machineChosen_;
  saved.blocks = place.blocks;
  saved.block = selection_.block;
  if (replay_) {
    saved.steps = replay_->cursor().steps;
    saved.wavefront = replay_->cursor().wavefront;
  }
  saved.grain = std::ranges::find(kGrains, grain_, &GrainName::grain)->name;
  saved.speed = speed_;
  saved.lines.assign(stops_.lines().begin(), stops_.lines().end());
  for (std::size_t kind = 0; kind < kStopKinds; ++kind) {
    const auto one = static_cast<StopKind>(kind);
    if (stops_.has(one)) saved.conditions.emplace_back(nameFor(one));
  }
  if (comparison_.chosen() != nullptr) saved.compared = comparison_.chosen()->id;
  return saved;
}

Opened Session::opened() const {
  Opened opened;
  const Document* document = editor_.current();
  if (document == nullptr) return opened;
  if (document->strategy != nullptr) {
    opened.strategy = document->strategy->id;
  } else {
    opened.file = document->path;
  }
  opened.n = selection_.n;
  opened.chosenN = chosenN_;
  opened.blocks = selection_.blocks;
  if (machineChosen_ && selection_.machine != nullptr) opened.machine = selection_.machine->name;
  return opened;
}

bool Session::reopen(const Opened& opened) {
  std::error_code failure;
  const bool isFile = opened.strategy.empty();
  if (isFile && (opened.file.empty() || !std::filesystem::is_regular_file(opened.file, failure)))
    return false;
  if (opened.n == 0 || opened.n > kMostElements) return false;
  Selection next;
  next.strategy = findStrategy(opened.strategy);
  next.n = opened.n;
  next.blocks = opened.blocks;
  next.machine = opened.machine.empty() ? &defaultMachine(opened.n) : findMachine(opened.machine);
  if (next.machine == nullptr) return false;
  if (!isFile &&
      (next.strategy == nullptr || !makeLaunch(*next.strategy, next.n, next.blocks, *next.machine)))
    return false;
  machineChosen_ = !opened.machine.empty();
  if (!isFile) {
    select(next, opened.chosenN);
    return true;
  }
  if (machineChosen_) selection_.machine = next.machine;
  openFile(opened.file);
  return true;
}

std::optional<Error> Session::restore(const SavedSession& saved) {
  Result<Selection> next = makeSelection(saved, *kernels_);
  if (!next) return next.error();
  next->document = editor_.restore(saved);
  machineChosen_ = saved.machineChosen;
  chosenN_ = saved.n;
  grain_ = std::ranges::find(kGrains, saved.grain, &GrainName::name)->grain;
  if (saved.speed > 0) speed_ = std::clamp(saved.speed, kSpeeds.front(), kSpeeds.back());
  restoreStops(saved, stops_);
  comparison_.choose(saved.compared.empty() ? nullptr : findStrategy(saved.compared));
  playing_ = false;
  openAt_ = Cursor{saved.steps, saved.wavefront};
  request(*next, TextChoice::Draft);
  if (!error_.empty()) openAt_.reset();
  Document& document = *editor_.current();
  document.buffer.replaceAll(saved.draft.text);
  document.form = saved.draft.form;
  return std::nullopt;
}

}  // namespace lanescope
