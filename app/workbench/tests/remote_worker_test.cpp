// A worker behind ssh: a real sshd on the loopback address, run by this user with keys of its own.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <thread>

#include "app/gpu/worker_client.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kLong{30000};

int freePort() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  close(listener);
  return ntohs(address.sin_port);
}

bool answers(int port) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool connected = connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(client);
  return connected;
}

/// Starts a program with its output in a file; its process.
pid_t spawn(const std::vector<std::string>& words, const std::string& log) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // it outlives no test, whatever becomes of that
  if (freopen(log.c_str(), "a", stdout) == nullptr || freopen(log.c_str(), "a", stderr) == nullptr)
    _exit(126);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An sshd for the life of a test.
class Sshd {
 public:
  Sshd() : folder_(fs::temp_directory_path() / ("lanescope-sshd-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    for (const char* key : {"host", "user"}) {
      const std::string make = "ssh-keygen -q -t ed25519 -N '' -f '" + (folder_ / key).string() + "'";
      if (std::system(make.c_str()) != 0) problem_ = "ssh-keygen failed";
    }
    fs::copy_file(folder_ / "user.pub", folder_ / "authorized");
    if (getuid() == 0) fs::create_directories("/run/sshd");  // where a privileged sshd shuts its child in
    start();
  }
  ~Sshd() {
    stop();
    fs::remove_all(folder_);
  }
  Sshd(const Sshd&) = delete;
  Sshd& operator=(const Sshd&) = delete;

  /// Empty once it answers.
  const std::string& problem() const { return problem_; }

  /// The ssh command up to the remote one.
  std::string ssh() const {
    return "ssh -F none -p " + std::to_string(port_) + " -i '" + (folder_ / "user").string() +
           "' -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o LogLevel=ERROR "
           "-o UserKnownHostsFile='" +
           (folder_ / "known").string() + "' 127.0.0.1 ";
  }

  /// Ends every connection, as a cable that is pulled does: the processes of sshd's own name below it. A
  /// connection of root's has one of them, since OpenSSH 9.8 two, one below the other.
  void cutConnections() const {
    std::set<int> ours{pid_};
    for (std::size_t before = 0; before != ours.size();) {
      before = ours.size();
      addChildren(ours);
    }
    ours.erase(pid_);
    for (const int process : ours) kill(process, SIGKILL);
  }

 private:
  static void addChildren(std::set<int>& processes) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator("/proc", code)) {
      if (std::atoi(entry.path().filename().c_str()) == 0) continue;  // no process
      const std::string stat = readFile(entry.path() / "stat");
      const std::size_t close = stat.rfind(')');
      if (close == std::string::npos || stat.find("(sshd") == std::string::npos) continue;
      // After the name: the state, then the parent.
      if (processes.count(std::atoi(stat.c_str() + close + 4)) > 0) processes.insert(std::atoi(stat.c_str()));
    }
  }

  void start() {
    const std::string config = (folder_ / "config").string();
    port_ = freePort();
    std::ofstream(config) << "ListenAddress 127.0.0.1\nPort " << port_ << "\nHostKey "
                          << (folder_ / "host").string() << "\nAuthorizedKeysFile "
                          << (folder_ / "authorized").string()
                          << "\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                             "PermitRootLogin yes\n";
    const std::string log = (folder_ / "log").string();
    pid_ = spawn({"/usr/sbin/sshd", "-D", "-e", "-f", config}, log);
    for (int i = 0; i < 250 && !answers(port_); ++i) std::this_thread::sleep_for(milliseconds(20));
    if (!answers(port_)) problem_ = "sshd did not start: " + readFile(log);
  }
  void stop() {
    cutConnections();
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }

  fs::path folder_;
  int port_ = 0;
  pid_t pid_ = -1;
  std::string problem_;
};

class RemoteWorker : public ::testing::Test {
 protected:
  void SetUp() override {
    if (access("/usr/sbin/sshd", X_OK) != 0) GTEST_SKIP() << "There is no sshd here: install openssh-server.";
    sshd_ = std::make_unique<Sshd>();
    ASSERT_EQ(sshd_->problem(), "");
  }

  WorkerOptions overSsh(const std::string& mode) const {
    WorkerOptions options;
    options.command = sshd_->ssh() + "'" + LANESCOPE_FAKE_WORKER + " " + mode + "'";
    options.silenceTimeout = kLong;
    return options;
  }

  /// A sentence without the ssh command, which names a port and a folder, and without the words of ssh or of
  /// the remote shell, which differ between versions.
  static std::string withoutForeignWords(const std::string& sentence) {
    const std::string ours = std::regex_replace(sentence, std::regex("'ssh .*' was"), "'ssh …' was");
    return std::regex_replace(ours, std::regex(R"(: .*$|\.$)"), ": …");
  }

  static BenchRequest smallRequest() { return {.n = 1U << 20U}; }

  static bool isOver(const WorkerView& view) {
    return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
  }

  std::unique_ptr<Sshd> sshd_;
};

TEST_F(RemoteWorker, TimesAsALocalOneDoes) {
  WorkerClient client(overSsh("good"));
  ASSERT_TRUE(client.bench(smallRequest()).ok());
  ASSERT_TRUE(client.waitUntil(isOver, kLong));
  const auto view = client.view();
  ASSERT_EQ(view->state, WorkerState::Ready) << view->sentence;
  EXPECT_EQ(view->data->hello()->gpu, "Fake GPU");
  const auto reading = view->data->reading({"baseline", 1U << 20U, 256, CacheState::Cold});
  ASSERT_TRUE(reading);
  // The worker's own times, not those of the way here.
  EXPECT_DOUBLE_EQ(reading->medianUs, 10.0 + findStrategy("baseline")->order);

  CompileRunRequest text;
  text.launch.text = std::string(kMaxKernelTextBytes - 100, ' ') + "__global__ void k() {}";
  text.launch.kernel = "k";
  ASSERT_TRUE(client.compileRun(text).ok());  // a megabyte goes through the link
  ASSERT_TRUE(client.waitUntil([](const WorkerView& now) { return now.edited->finished; }, kLong));
  EXPECT_EQ(client.view()->edited->problem, "");
}

TEST_F(RemoteWorker, TellsALostLinkAndGoesOnOnDemand) {
  WorkerClient client(overSsh("slow"));
  ASSERT_TRUE(client.bench(smallRequest()).ok());
  ASSERT_TRUE(client.waitUntil([](const WorkerView& view) { return !view.data->series().empty(); }, kLong));
  sshd_->cutConnections();
  ASSERT_TRUE(
      client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Failed; }, kLong));
  EXPECT_SAYS(withoutForeignWords(client.view()->sentence));
  EXPECT_FALSE(client.view()->data->series().empty());  // what had come stays

  ASSERT_TRUE(client.bench(smallRequest()).ok());
  EXPECT_TRUE(
      client.waitUntil([](const WorkerView& view) { return view.state == WorkerState::Running; }, kLong));
  client.cancel();
  EXPECT_TRUE(client.waitUntil(isOver, kLong));
  EXPECT_EQ(client.view()->state, WorkerState::Ready) << client.view()->sentence;
}

TEST_F(RemoteWorker, RefusesAnotherVersionNamingBoth) {
  WorkerClient client(overSsh("wrong-version"));
  client.start();
  ASSERT_TRUE(client.waitUntil(isOver, kLong));
  const auto view = client.view();
  EXPECT_EQ(view->state, WorkerState::Failed);
  EXPECT_SAYS(view->sentence);
}

TEST_F(RemoteWorker, SaysThatTheProgramIsNotThere) {
  WorkerOptions options = overSsh("good");
  options.command = sshd_->ssh() + "no-such-worker-here";
  WorkerClient client(options);
  client.start();
  ASSERT_TRUE(client.waitUntil(isOver, kLong));
  EXPECT_EQ(client.view()->state, WorkerState::Failed);
  EXPECT_SAYS(withoutForeignWords(client.view()->sentence));
}

}  // namespace
}  // namespace lanescope
