#include "app/panels/export_dialog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <tuple>

#include <imgui_stdlib.h>

#include "app/export/data_files.h"
#include "app/launch/kernel_file.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/widgets.h"
#include "app/panels/table_view.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

struct KindChoice {
  ExportKind kind;
  const char* text;
  const char* tip;
};
constexpr std::array kKinds = {
    KindChoice{ExportKind::Picture, "Picture", "The picture shown"},
    KindChoice{ExportKind::Strip, "Whole walk", "Every phase on one page: its array and its banks"},
    KindChoice{ExportKind::Page, "Page", "One HTML file to step through in a browser, by the chosen steps"},
    KindChoice{ExportKind::Frames, "Frames", "A folder of PNGs, one per step of those chosen"},
    KindChoice{ExportKind::Gif, "GIF", "The same frames as one animation, two per second"},
    KindChoice{ExportKind::Counters, "Counters", "The block's counters as CSV: total, by phase, by line"},
    KindChoice{ExportKind::Trace, "Trace", "The block's phases as JSON, with what each word was made of"},
};
constexpr std::array kOfTwo = {
    KindChoice{ExportKind::Sides, "Both pictures", "Both sides' pictures, next to each other"},
    KindChoice{ExportKind::Differences, "Differences", "The counters of one block of both as CSV"},
};
constexpr std::array kOfTable = {
    KindChoice{ExportKind::Table, "Table", "The rows shown as CSV, for a spreadsheet"},
};
/// The screen's content in a mode.
std::span<const KindChoice> kindsIn(Mode mode) {
  if (mode == Mode::Compare) return kOfTwo;
  if (mode == Mode::Table) return kOfTable;
  return kKinds;
}
constexpr std::array kPictures = {
    std::pair{Picture::All, "All"},       std::pair{Picture::Array, "Array"},
    std::pair{Picture::Warps, "Warps"},   std::pair{Picture::Banks, "Banks"},
    std::pair{Picture::Source, "Source"}, std::pair{Picture::Timeline, "Timeline"}};
constexpr std::array kSharpness = {std::pair{1.0F, "1x"}, std::pair{2.0F, "2x"}, std::pair{4.0F, "4x"}};

/// Pills side by side; true if one was pressed that was not chosen before.
template <class Value, class Pairs>
bool choice(const ViewContext& context, const Pairs& pairs, Value& chosen) {
  bool changed = false;
  for (const auto& [value, text] : pairs) {
    if (&value != &pairs.front().first) ImGui::SameLine();
    if (!pill(context, text, value == chosen, pillWidth(context, text), ImGui::GetFrameHeight())) continue;
    changed = value != chosen;
    chosen = value;
  }
  return changed;
}

/// The label before a row of pills, and the x position of the first.
void rowLabel(const ViewContext& context, const char* text) {
  ImGui::AlignTextToFramePadding();
  label(context, text, ColorRole::TextDim);
  ImGui::SameLine(16 * context.unit + pillWidth(context, "picture"));
}

/// The title of the shown run.
RunTitle makeTitle(const ViewContext& context) {
  const Session& session = context.session();
  const Selection& shown = session.shown();
  const Trace& trace = context.replay()->trace();
  if (shown.strategy != nullptr && shown.document == 0)
    return titleOfRun(*shown.strategy, shown.n, shown.blocks, trace.launch, session.shownRun()->facts,
                      &trace.tracedBlock);
  const Document* file = session.editor().makeDocument(shown);
  return titleOfFile(trace.launch, trace.kernelName, file == nullptr ? "" : file->original->text());
}

/// The title of the right run of two; no value if there is only one.
std::optional<RunTitle> makeRightTitle(const ViewContext& context) {
  Session& session = context.session();
  const Comparison& comparison = session.comparison();
  if (comparison.replay() == nullptr || comparison.strategy() == nullptr) return std::nullopt;
  const Trace& trace = comparison.replay()->trace();
  return titleOfRun(*comparison.strategy(), session.shown().n, session.shown().blocks, trace.launch,
                    comparison.facts(), &trace.tracedBlock);
}

bool isOfFrames(ExportKind kind) { return kind == ExportKind::Frames || kind == ExportKind::Gif; }
bool isOfTwo(ExportKind kind) { return kind == ExportKind::Sides || kind == ExportKind::Differences; }

}  // namespace

bool revealsAnswers(ExportKind kind, bool hidesFuture) { return hidesFuture && kind != ExportKind::Picture; }

std::string ExportDialog::ending() const {
  const std::vector<std::string> endings = listEndings(kind_);
  if (endings.empty()) return {};
  return endings[endings.size() > 1 && png_ ? 1 : 0];
}

/// `baseline-n8-step26-all.svg` in the working folder.
std::string ExportDialog::suggestion(const ViewContext& context) const {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  const Replay& replay = *context.replay();
  std::string name = makeTitle(context).name;
  const std::optional<RunTitle> right = makeRightTitle(context);
  const std::string against = right ? "-and-" + right->name : "";
  switch (kind_) {
    case ExportKind::Picture:
      name += "-step" + std::to_string(replay.cursor().steps) + "-" + std::string(pictureName(picture_));
      break;
    case ExportKind::Strip:
    case ExportKind::Page:
    case ExportKind::Gif: name += "-walk"; break;
    case ExportKind::Frames: name += "-frames"; break;
    case ExportKind::Counters: name += "-counters"; break;
    case ExportKind::Trace: name += "-trace"; break;
    case ExportKind::Sides: name += against + "-" + std::string(pictureName(picture_)); break;
    case ExportKind::Differences: name += against + "-counters"; break;
    case ExportKind::Table: name = "strategies-n" + std::to_string(context.session().selection().n); break;
  }
  return (failure ? fs::path(name) : here / name).string() + ending();
}

/// A path that was not typed follows the choice. If one was typed, only its ending follows.
void ExportDialog::syncChoice(const ViewContext& context) {
  const std::string next = suggestion(context);
  if (path_.empty() || path_ == suggested_) {
    path_ = next;
  } else {
    fs::path typed(path_);
    const std::string now = typed.extension().string();
    constexpr std::array<std::string_view, 6> kKnown{".svg", ".png", ".csv", ".json", ".html", ".gif"};
    if (std::ranges::find(kKnown, now) != kKnown.end() && now != ending())
      path_ = typed.replace_extension(ending()).string();
  }
  suggested_ = next;
}

void ExportDialog::resetKinds(Mode mode) {
  const std::span<const KindChoice> kinds = kindsIn(mode);
  if (std::ranges::find(kinds, kind_, &KindChoice::kind) == kinds.end()) kind_ = kinds.front().kind;
}

void ExportDialog::drawKinds(const ViewContext& context) {
  rowLabel(context, "what");
  const std::span<const KindChoice> kinds = kindsIn(context.state.mode);
  for (const KindChoice& entry : kinds) {
    if (&entry != &kinds.front()) ImGui::SameLine();
    if (pill(context, entry.text, entry.kind == kind_, pillWidth(context, entry.text),
             ImGui::GetFrameHeight()))
      kind_ = entry.kind;
    hint(context, entry.tip);
  }
  if (kind_ != ExportKind::Picture && !isOfFrames(kind_) && kind_ != ExportKind::Sides) return;
  rowLabel(context, "picture");
  choice(context, kPictures, picture_);
}

void ExportDialog::drawFormat(const ViewContext& context) {
  const bool isImage = listEndings(kind_).size() > 1;
  if (isImage) {
    rowLabel(context, "as");
    constexpr std::array kFormats = {std::pair{false, "SVG"}, std::pair{true, "PNG"}};
    choice(context, kFormats, png_);
  }
  if ((isImage && png_) || isOfFrames(kind_)) {
    if (isImage) {
      ImGui::SameLine(0, 18 * context.unit);
    } else {
      rowLabel(context, "size");
    }
    ImGui::PushID("scale");
    choice(context, kSharpness, scale_);
    ImGui::PopID();
    ImGui::SameLine();
    label(context, "pixels per point", ColorRole::TextDim);
  }
}

/// True if Enter was pressed.
bool ExportDialog::drawPath(const ViewContext& context) {
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const bool isEntered = ImGui::InputTextWithHint("##export path", "/path/to/picture.svg", &path_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  return isEntered;
}

void ExportDialog::write(const ViewContext& context) {
  Session& session = context.session();
  const Replay& replay = *context.replay();
  ExportRequest request;
  request.trace = replay.sharedTrace();
  request.cursor = replay.cursor();
  request.kind = kind_;
  request.picture = picture_;
  request.grain = session.player().grain();
  request.theme = &context.theme();
  const bool isPng = isOfFrames(kind_) || fs::path(path_).extension() == ".png";
  request.scale = isPng ? scale_ : 1;
  request.path = session.host()->withHome(path_);
  const Selection& shown = session.shown();
  request.strategy = shown.document == 0 ? shown.strategy : nullptr;
  request.n = shown.n;
  const RunTitle run = makeTitle(context);
  request.options.title = run.text;
  request.options.isTitled = !run.isOwn;
  request.options.thread = context.marks().thread;
  request.options.variable = context.marks().variable;
  request.options.warp = context.marks().warp;
  request.options.hidesFuture = context.state.hidesFuture();
  if (!request.options.hidesFuture) request.options.hazards = session.player().hazards();
  if (isOfTwo(kind_)) {
    const std::optional<RunTitle> right = makeRightTitle(context);
    isBad_ = !right;
    if (isBad_) {
      note_ = "No run on the right yet: wait for it, or mend what stopped it.";
      return;
    }
    const Replay& other = *session.comparison().replay();
    request.right = {other.sharedTrace(), other.cursor(), request.options};
    request.right.options.title = right->text;
    request.right.options.hazards = session.comparison().hazards();
  }
  if (kind_ == ExportKind::Table) request.table = tableCsv(context.state);
  const std::string wanted = ending();
  const std::string extension = request.path.extension().string();
  const std::vector<std::string> endings = listEndings(kind_);
  if (revealsAnswers(kind_, request.options.hidesFuture)) {
    isBad_ = true;
    note_ = "That would show what is to be predicted: close prediction (" +
            keyText(context.state, "predict") + ") first, or write a picture.";
    return;
  }
  isBad_ = path_.empty() || (!endings.empty() && std::ranges::find(endings, extension) == endings.end());
  if (isBad_) {
    note_ = path_.empty() ? "Give a path to write to." : "The name of this must end in " + wanted + ".";
    return;
  }
  note_.clear();
  exporter_.request(std::move(request));
}

void ExportDialog::drawButtons(const ViewContext& context, bool isEntered) {
  const float height = ImGui::GetFrameHeight();
  const Host& host = *context.session().host();
  const bool isPresent =
      kind_ != ExportKind::Frames && host.kindOf(host.withHome(path_)) == Host::FileKind::File;
  if (auto outcome = exporter_.consume()) {
    note_ = std::move(outcome->sentence);
    isBad_ = !outcome->good;
  }
  const bool isBusy = exporter_.busy();
  // The second click of a double click hits no other button here, and has no other meaning.
  const bool isAgain = ImGui::GetIO().MouseClickedLastCount[0] > 1;
  ImGui::BeginDisabled(isBusy);
  const bool isPressed = pill(context, isPresent ? "Write over it" : "Write", !isBusy,
                              pillWidth(context, "Write over it"), height);
  ImGui::EndDisabled();
  drawChooser(context);
  ImGui::SameLine();
  if (pill(context, "Close", false, pillWidth(context, "Close"), height)) context.state.dialog = Dialog::None;
  if (isBusy) {
    ImGui::SameLine();
    ImGui::BeginDisabled(exporter_.isCancelled());
    if (pill(context, "Cancel", false, pillWidth(context, "Cancel"), height)) exporter_.cancel();
    ImGui::EndDisabled();
  } else if ((isPressed && !isAgain) || isEntered) {
    write(context);
    wantsFocus_ = true;
  }
  if (exporter_.busy()) {
    drawProgress(context);
  } else if (!note_.empty()) {
    wrappedText(context, note_, isBad_ ? ColorRole::Bad : ColorRole::Text);
  }
}

/// The button for the system's dialog, if there is one, and its answer. Frames are written to a folder that
/// need not exist yet: its path is typed.
void ExportDialog::drawChooser(const ViewContext& context) {
  if (!chooser_ || !chooser_->isPresent() || kind_ == ExportKind::Frames) return;
  const std::optional<FileAnswer> reply = chooser_->consume();
  ImGui::SameLine();
  ImGui::BeginDisabled(chooser_->busy());
  if (pill(context, "Choose…", false, pillWidth(context, "Choose…"), ImGui::GetFrameHeight()))
    chooser_->ask({FileQuestion::For::Save,
                   "Export to",
                   context.session().host()->withHome(path_),
                   "Exports",
                   {"*" + ending()}});
  ImGui::EndDisabled();
  if (!reply || reply->path.empty()) return;
  path_ = reply->path;
  note_.clear();
  wantsFocus_ = true;
}

/// The progress of the writing: for frames as a bar, too.
void ExportDialog::drawProgress(const ViewContext& context) const {
  const ExportProgress progress = exporter_.progress();
  if (exporter_.isCancelled()) return label(context, "Stopping…", ColorRole::TextDim);
  if (progress.total == 0) return label(context, "Writing…", ColorRole::TextDim);
  const auto total = static_cast<float>(progress.total);
  ImGui::ProgressBar(static_cast<float>(progress.done) / total, ImVec2(-1, 6 * context.unit), "");
  label(context,
        progress.done < progress.total
            ? "Writing step " + withCommas(progress.done + 1) + " of " + withCommas(progress.total) +
                  ". It continues when this is closed; a canceled export keeps nothing."
            : "Making the GIF of " + counted(progress.total, "frame") + "…",
        ColorRole::TextDim);
}

void ExportDialog::draw(const ViewContext& context, ImVec2 size) {
  Dialog& dialog = context.state.dialog;
  if (dialog == Dialog::Export && context.replay() == nullptr) dialog = Dialog::None;
  if (dialog != Dialog::Export) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) {
    wantsFocus_ = true;
    note_.clear();
    if (context.state.usesSystemDialogs && !chooser_) chooser_.emplace(executor_, *context.session().host());
  }
  resetKinds(context.state.mode);
  syncChoice(context);
  beginDialog(context, "export dialog", "EXPORT", "Enter writes, Esc closes", size);
  const auto before = std::tuple(kind_, picture_, png_, scale_);
  drawKinds(context);
  drawFormat(context);
  if (before != std::tuple(kind_, picture_, png_, scale_)) {
    wantsFocus_ = true;  // Enter writes, whatever was clicked last
    note_.clear();
  }
  syncChoice(context);
  const bool isEntered = drawPath(context);
  drawButtons(context, isEntered);
  endOverlay();
}

}  // namespace lanescope
