# cairo with FreeType and fontconfig, for pictures as PNG. Optional: without it PNG is refused in one
# sentence and everything else is there.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(LANESCOPE_CAIRO QUIET IMPORTED_TARGET GLOBAL cairo>=1.16 cairo-ft fontconfig)
endif()
if(TARGET PkgConfig::LANESCOPE_CAIRO)
  add_library(lanescope::cairo ALIAS PkgConfig::LANESCOPE_CAIRO)
else()
  message(STATUS "cairo was not found: pictures are written as SVG alone (apt-get install libcairo2-dev).")
endif()
