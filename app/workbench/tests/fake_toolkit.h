#pragma once

#include <filesystem>
#include <string>

#include "app/analysis/toolkit.h"
#include "app/workbench/tests/scratch_folder.h"

namespace lanescope::testing {

/// A CUDA Toolkit 13.0 of shell scripts, in bin/ of a folder of its own.
class FakeToolkit {
 public:
  /// `nvdisasm` prints that listing; `nvcc` runs those commands, with $cubin and $text set.
  explicit FakeToolkit(const std::string& listing, const std::string& nvcc = "echo made > \"$cubin\"") {
    std::filesystem::create_directory(folder_.path() / "bin");
    folder_.write("listing.txt", listing);
    tools.nvcc =
        script("nvcc",
               "case $* in *--list-gpu-code*) printf 'sm_80\\nsm_90\\n'; exit;; *--version*) echo 'release "
               "13.0, V13.0.1'; exit;; esac\n"
               "for word; do case $word in *.cubin) cubin=$word;; *.cu) text=$word;; esac; done\n" +
                   nvcc);
    tools.nvdisasm = script("nvdisasm", "cat '" + (folder_.path() / "listing.txt").string() + "'");
  }

  Toolkit tools;
  /// Its folder, as CUDA_HOME names it.
  std::string home() const { return folder_.path().string(); }

 private:
  std::filesystem::path script(const std::string& name, const std::string& body) const {
    const std::filesystem::path path = folder_.write("bin/" + name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  ScratchFolder folder_;
};

}  // namespace lanescope::testing
