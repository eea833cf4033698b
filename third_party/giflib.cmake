# giflib, for animated GIFs. Optional: without it a GIF is refused in one sentence and everything else is there.
find_package(GIF 5.1 QUIET)
if(TARGET GIF::GIF)
  add_library(lanescope::gif ALIAS GIF::GIF)
else()
  message(STATUS "giflib was not found: no GIF is written (apt-get install libgif-dev).")
endif()
