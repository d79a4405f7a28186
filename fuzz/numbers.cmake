# Fuzzers of numbers, and what each is made of besides fuzz_NAME.c: for libFuzzer (fuzz/CMakeLists.txt), and for drive.c with
# any compiler (test/CMakeLists.txt). Motions need MPFR.
find_package(Threads REQUIRED)
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
set(graze_numeric_fuzzers ccd curve step world)
if(MPFR_INCLUDE_DIR AND MPFR_LIBRARY)
  list(APPEND graze_numeric_fuzzers motion)
endif()

function(graze_numeric_fuzzer target name)
  set(test ${PROJECT_SOURCE_DIR}/test)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/fuzz_${name}.c ${test}/check.c)
  target_include_directories(${target} PRIVATE ${test} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE graze graze_verify graze_settings Threads::Threads)
  if(name STREQUAL "curve" OR name STREQUAL "step")
    target_sources(${target} PRIVATE ${test}/agreement/apart.c ${test}/agreement/draw.c ${test}/agreement/judge.c ${test}/agreement/pairs.c
                   ${test}/agreement/steps.c)
  endif()
  if(name STREQUAL "motion")
    target_include_directories(${target} SYSTEM PRIVATE ${MPFR_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${MPFR_LIBRARY} GMP::GMP)
  endif()
endfunction()
