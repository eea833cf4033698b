#include "app/platform/application.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include "app/base/executor.h"
#include "app/base/host.h"
#include "app/base/quantile.h"
#include "app/export/interrupts.h"
#include "app/gpu/gpu_session.h"
#include "app/paint/imgui_compat.h"
#include "app/paint/imgui_painter.h"
#include "app/panels/file_dialogs.h"
#include "app/panels/guide_view.h"
#include "app/platform/frame_output.h"
#include "app/platform/glfw_window.h"
#include "app/window/main_window.h"
#include "app/workbench/saved_state.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostFrames = 100000;

/// CPU time that this thread has used, in seconds.
double threadCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Times of frames. CPU times: of building them (ours) and of passing them to OpenGL (with software OpenGL,
/// the drawing itself). Wall-clock time: of the whole frame with its swap.
class FrameStats {
 public:
  /// Three times in seconds, and the share of the window's pixels that were drawn.
  void add(double buildSeconds, double drawSeconds, double wholeSeconds, double share);
  std::size_t frames() const { return build_.size(); }
  /// One line: `200 frames: whole with swap 5.1 ms median, 6.0 ms 95th percentile, 7.2 ms 99th, 9.9 ms
  /// longest; of CPU time, build 1.9 ms median, 2.4 ms 95th percentile, draw 3.1 ms median, 3.9 ms 95th
  /// percentile; 12% of the pixels drawn anew, nothing in 40 frames`.
  std::string text() const;

 private:
  std::vector<double> build_;
  std::vector<double> draw_;
  std::vector<double> whole_;
  std::vector<double> share_;
};

void FrameStats::add(double buildSeconds, double drawSeconds, double wholeSeconds, double share) {
  if (build_.size() >= kMostFrames) return;
  build_.push_back(buildSeconds);
  draw_.push_back(drawSeconds);
  whole_.push_back(wholeSeconds);
  share_.push_back(share);
}

std::string FrameStats::text() const {
  const auto ms = [](const std::vector<double>& values, double share) {
    return 1e3 * quantile(values, share);
  };
  return fmt::format(
      "{} frames: whole with swap {:.2f} ms median, {:.2f} ms 95th percentile, {:.2f} ms 99th, {:.2f} ms "
      "longest; of CPU time, build {:.2f} ms median, {:.2f} ms 95th percentile, draw {:.2f} ms median, "
      "{:.2f} ms 95th percentile; {:.0f}% of the pixels drawn anew, nothing in {} frames",
      frames(), ms(whole_, 0.5), ms(whole_, 0.95), ms(whole_, 0.99), ms(whole_, 1), ms(build_, 0.5),
      ms(build_, 0.95), ms(draw_, 0.5), ms(draw_, 0.95),
      100 * std::accumulate(share_.begin(), share_.end(), 0.0) / std::max(1.0, static_cast<double>(frames())),
      std::ranges::count(share_, 0.0));
}

using Clock = std::chrono::steady_clock;

constexpr std::pair<int, int> kStandardSize{1600, 1000};
constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kAnimationSeconds = 1.0 / 30;
constexpr int kFramesAfterInput = 3;  ///< highlights, the tooltip and its layout settle in these
constexpr int kEndedBySignal = 128;   ///< plus the signal's number: the exit status, as a shell reports it

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void report(const Error& error) { std::fprintf(stderr, "lanescope: %s\n", error.sentence().c_str()); }

/// The data that earlier starts have stored.
struct Remembered {
  Settings settings;
  bool isFirstStart = false;  ///< there are no settings yet
};

Remembered remember(const ApplicationOptions& options, Host& host) {
  Remembered remembered;
  if (!options.isForUse()) return remembered;
  remembered.isFirstStart = host.kindOf(host.settingsPath()) == Host::FileKind::None;
  if (Result<Settings> settings = loadSettings(host)) {
    remembered.settings = std::move(settings).value();
  } else {
    report(settings.error());
  }
  return remembered;
}

/// ImGui's context and backends for a window, and the fonts for its scale.
class ImguiLayer {
 public:
  explicit ImguiLayer(Window& window) : window_(window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    window_.attachGui();
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~ImguiLayer() {
    ImGui_ImplOpenGL3_Shutdown();
    window_.detachGui();
    ImGui::DestroyContext();
  }
  ImguiLayer(const ImguiLayer&) = delete;
  ImguiLayer& operator=(const ImguiLayer&) = delete;

  /// Makes the fonts for that scale, unless the current ones fit; returns true if it did.
  bool fitFonts(float unit, float density) {
    if (unit == unit_ && density == density_) return false;
    ImGuiIO& io = ImGui::GetIO();
    [[maybe_unused]] const bool again = unit_ > 0;
    if (again) {
#if IMGUI_VERSION_NUM < 19200  // the atlas does not tell the backend when its texture changes
      ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
      io.Fonts->Clear();
    }
    unit_ = unit;
    density_ = density;
    fonts_ = loadFonts(*io.Fonts, unit_, density_, fontFolders());
#if IMGUI_VERSION_NUM < 19200
    // Only the texture: 1.86 confuses new vertex buffers with the old ones, and then draws nothing any more.
    if (again) ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    io.FontGlobalScale = 1 / density_;
    return true;
  }
  const FontTable& fonts() const { return fonts_; }
  float unit() const { return unit_; }

 private:
  Window& window_;
  FontTable fonts_;
  float unit_ = 0;
  float density_ = 0;
};

class Application {
 public:
  Application(const ApplicationOptions& options, const HostPtr& host, Remembered remembered, Window& window)
      : options_(options),
        kept_(std::move(remembered.settings)),
        executor_(std::make_shared<ThreadExecutor>([&window] { window.wake(); })),
        session_(executor_, {}, host),
        gpu_(gpuOptions(options, executor_, host)),
        main_(session_, gpu_, themes().front(), executor_),
        window_(window) {
    applySettings();
    main_.state().usesSystemDialogs = !options.ownFileDialogs;
    if (options.machineChosen) session_.chooseMachine(*options.selection.machine);
    if (options.namesRun || !session_.reopen(kept_.stored().opened))
      session_.select(options.selection, options.chosenN);
    if (!options.file.empty()) openPath(main_.state(), options.file);
    if (options.step) session_.openAt(*options.step);
    if (options.isForUse()) main_.keepDrafts();
    if (remembered.isFirstStart && !options.namesRun) openGuide(main_.state(), 0);
    window_.onKey = [this](const Chord& pressed) { main_.receive(pressed); };
    main_.onFullScreen = [this] { window_.toggleFullScreen(); };
    window_.onDrop = [this](const std::string& path) { openPath(main_.state(), path); };
    imgui_.emplace(window_);
    output_.emplace(window_);
  }

  int showWindow();
  /// Takes what is new and draws a frame; false once the window is to close.
  bool tick();
  /// Seconds until the next tick; no value: not before there is input or a job has something to take.
  std::optional<double> due() const;
  int writePicture();

 private:
  static GpuSessionOptions gpuOptions(const ApplicationOptions& options, const ExecutorPtr& executor,
                                      const HostPtr& host) {
    GpuSessionOptions gpu;
    gpu.executor = executor;
    gpu.worker.host = host;
    gpu.worker.command = options.worker;
    gpu.worker.wake = [executor] { executor->wake(); };
    if (!options.screenshot.empty()) gpu.replaySeconds = 0;
    return gpu;
  }

  double now() const { return secondsSince(options_.started); }
  void buildFrame(ImVec2 size);
  void drawFrame();
  bool waitForTrace();
  void applySettings();
  void keepSettings(bool isLast);
  int endStatus() const;

  const ApplicationOptions& options_;
  KeptSettings kept_;
  ExecutorPtr executor_;
  Session session_;
  GpuSession gpu_;
  MainWindow main_;
  Window& window_;
  Interrupts interrupts_{[this] { window_.wake(); }};
  std::optional<ImguiLayer> imgui_;
  std::optional<FrameOutput> output_;
  FrameStats stats_;
  std::optional<std::pair<int, int>> startSize_;  ///< the remembered one stays until another is chosen
  const Theme* startTheme_ = nullptr;             ///< the remembered one stays until another is chosen
  int framesDue_ = kFramesAfterInput;
  Clock::time_point lastFrame_;
  Clock::time_point lastTick_;
  bool wasPlaying_ = false;  ///< at the end of the last tick
};

/// Takes over the remembered settings; not for a picture, which is the same on every machine.
void Application::applySettings() {
  ViewState& state = main_.state();
  if (options_.isForUse()) {
    state.settings = kept_.stored();
    session_.player().setSpeed(state.settings.speed);
    session_.player().motion().setSeconds(state.settings.moves);
  }
  const Theme* theme = findTheme(options_.theme.empty() ? kept_.stored().theme : options_.theme);
  if (theme != nullptr) state.theme = theme;
  startTheme_ = state.theme;
}

/// Stores the changed settings. If they cannot be stored, that is said in the window, and again as it ends.
void Application::keepSettings(bool isLast) {
  if (!options_.isForUse()) return;
  ViewState& state = main_.state();
  if (state.theme != startTheme_) startTheme_ = nullptr;  // from now on the user's choice counts
  if (startTheme_ == nullptr) state.settings.theme = state.theme->id;
  state.settings.speed = session_.player().speed();
  state.settings.moves = session_.player().motion().seconds();
  state.settings.opened = session_.opened();
  const std::optional<std::pair<int, int>> size = window_.sizeToKeep();
  if (!startSize_) startSize_ = size;
  if (size && size != startSize_) std::tie(state.settings.width, state.settings.height) = *size;
  std::string failure = kept_.keep(*session_.host(), state.settings, isLast);
  if (failure.empty()) return;
  if (isLast) {
    std::fprintf(stderr, "lanescope: %s\n", failure.c_str());
  } else {
    state.notify(std::move(failure));
    framesDue_ = kFramesAfterInput;
  }
}

void Application::buildFrame(ImVec2 size) {
  ImGui::NewFrame();
  main_.draw(size, imgui_->fonts(), imgui_->unit());
  ImGui::Render();
}

void Application::drawFrame() {
  const Clock::time_point began = Clock::now();
  const double start = threadCpuSeconds();
  const ImVec2 size = window_.size();
  if (imgui_->fitFonts(main_.unit(size), window_.density())) output_->forget();
  ImGui_ImplOpenGL3_NewFrame();
  output_->frameBegins();
  dropFontPixels(*ImGui::GetIO().Fonts);
  window_.beginGuiFrame();
  spreadClicks();
  actAt(window_.pollButtonPlace());
  buildFrame(size);
  window_.frameBuilt();
  const double built = threadCpuSeconds();
  output_->draw(*ImGui::GetDrawData(), imguiColorVec(*main_.state().theme, ColorRole::Background));
  const double drawn = threadCpuSeconds();
  output_->show();
  lastFrame_ = Clock::now();
  stats_.add(built - start, drawn - built, std::chrono::duration<double>(lastFrame_ - began).count(),
             output_->shareDrawn());
}

/// After a signal, it closes as its window does: unfinished files are removed, the worker is ended.
int Application::endStatus() const {
  const int signal = Interrupts::asked();
  return signal == 0 ? 0 : kEndedBySignal + signal;
}

int Application::showWindow() {
  while (tick()) window_.handleEvents(due());
  keepSettings(true);
  if (const std::string news = main_.flushDrafts(); !news.empty())
    std::fprintf(stderr, "lanescope: %s\n", news.c_str());
  if (options_.statsFrames > 0) std::fprintf(stderr, "%s\n", stats_.text().c_str());
  return endStatus();
}

bool Application::tick() {
  if (window_.closing() || Interrupts::asked() != 0) return false;
  const bool isEarly = framesDue_ > 0 && due() > 0.0;
  if (window_.handleInput()) framesDue_ = kFramesAfterInput;
  if (isEarly) return true;
  framesDue_ = std::max(framesDue_, 1);
  const bool isFirst = lastTick_ == Clock::time_point();
  const Clock::time_point time = Clock::now();
  // Measured frames are steps of a smooth film, however long each takes.
  const double passed =
      options_.statsFrames > 0 ? kFrameSeconds : std::chrono::duration<double>(time - lastTick_).count();
  lastTick_ = time;
  if (wasPlaying_) session_.player().advance(passed);
  executor_->step();
  if (session_.poll()) framesDue_ = kFramesAfterInput;
  if (gpu_.update(now())) framesDue_ = kFramesAfterInput;
  drawFrame();
  framesDue_ = std::max(framesDue_ - 1, main_.restless() ? 1 : 0);
  // Input that waited for that frame, or waits for the next.
  if (window_.handleInput() || inputWaits()) framesDue_ = kFramesAfterInput;
  if (isFirst) {
    if (options_.startupTime) std::fprintf(stderr, "first frame after %.0f ms\n", 1000 * now());
    gpu_.start();
  }
  if (options_.statsFrames > 0) {
    if (stats_.frames() >= options_.statsFrames) return false;
    if (session_.player().replay() != nullptr && !session_.player().playing()) session_.player().togglePlay();
    framesDue_ = 1;
  }
  if (framesDue_ == 0) keepSettings(false);
  wasPlaying_ = session_.player().playing() || session_.player().motion().moving();
  return true;
}

std::optional<double> Application::due() const {
  if (framesDue_ > 0)
    return options_.statsFrames > 0 ? 0.0 : std::max(0.0, kFrameSeconds - secondsSince(lastFrame_));
  std::optional<double> seconds = session_.player().secondsToNextStep();
  if (session_.player().motion().moving()) seconds = std::min(seconds.value_or(kFrameSeconds), kFrameSeconds);
  if (const std::optional<double> change = main_.secondsToChange())
    seconds = std::min(seconds.value_or(*change), *change);
  if (gpu_.animating()) seconds = std::min(seconds.value_or(kAnimationSeconds), kAnimationSeconds);
  if (seconds) seconds = std::max(*seconds, 0.001);
  return seconds;
}

bool Application::waitForTrace() {
  while (Interrupts::asked() == 0) {
    executor_->step();
    if (!session_.poll() && !session_.busy()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return session_.player().replay() != nullptr;
}

int Application::writePicture() {
  if (!waitForTrace()) {
    if (const int status = endStatus(); status != 0) return status;
    std::fprintf(stderr, "lanescope: %s\n", session_.error().c_str());
    return 1;
  }
  if (options_.worker.empty()) {
    if (const std::optional<Error> error = gpu_.replay()) main_.state().gpuPanel.notice = error->sentence();
  } else {
    gpu_.start();
  }
  const auto pixels = options_.size.value_or(kStandardSize);
  const int width = pixels.first;
  const int height = pixels.second;
  const ImVec2 size(static_cast<float>(width), static_cast<float>(height));
  imgui_->fitFonts(main_.unit(size), 1);
  const auto frame = [&] {
    gpu_.update(now());
    ImGui_ImplOpenGL3_NewFrame();
    output_->frameBegins();
    window_.beginGuiFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size;
    io.DisplayFramebufferScale = ImVec2(1, 1);
    io.MousePos = ImVec2(-1, -1);
    buildFrame(size);
  };
  for (int i = 0; i < kFramesAfterInput; ++i) frame();
  const std::optional<Error> error = saveScreenshot(options_.screenshot, width, height, [&] {
    frame();
    const ImVec4 background = imguiColorVec(*main_.state().theme, ColorRole::Background);
    glViewport(0, 0, width, height);
    glClearColor(background.x, background.y, background.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  });
  if (!error) return 0;
  report(*error);
  return 1;
}

}  // namespace

int runApplication(const ApplicationOptions& options, const HostPtr& host) {
  const bool picture = !options.screenshot.empty();
  Remembered remembered = remember(options, *host);
  const Settings& settings = remembered.settings;
  GlfwWindow::Options shape;
  shape.visible = !picture;
  std::pair<int, int> size = kStandardSize;
  if (settings.width > 0 && settings.height > 0) size = {settings.width, settings.height};
  if (picture) size = {64, 64};  // it is drawn beside the window
  std::tie(shape.width, shape.height) = picture ? size : options.size.value_or(size);
  Result<std::unique_ptr<Window>> window = GlfwWindow::open(shape);
  if (!window) {
    report(window.error());
    return 1;
  }
  Application application(options, host, std::move(remembered), **window);
  return picture ? application.writePicture() : application.showWindow();
}

}  // namespace lanescope
