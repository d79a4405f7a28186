# Runs build.sh where one of the files that INPUTS lists is newer than the last success. Without the tools, or where npm reaches
# no registry, there is no viewer: that is no error, and the next build tries again.
# cmake -DSOURCE=… -DWASM=… -DSITE=… -DINPUTS=… -DDONE=… -P build.cmake
file(STRINGS "${INPUTS}" inputs)
set(done TRUE)
foreach(input ${inputs} "${INPUTS}")
  if("${input}" IS_NEWER_THAN "${DONE}") # also where one of them is not there
    set(done FALSE)
  endif()
endforeach()
if(done AND EXISTS "${SITE}/index.html")
  return()
endif()
message("Building the viewer")
file(REMOVE "${SITE}/index.html" "${DONE}")
execute_process(COMMAND sh "${SOURCE}/web/build.sh" "${SOURCE}" "${WASM}" "${SITE}" RESULT_VARIABLE result OUTPUT_VARIABLE said
                ERROR_VARIABLE said)
if(result EQUAL 0)
  file(WRITE "${DONE}" "")
else()
  file(REMOVE "${SITE}/index.html")
  message("graze: no viewer in the program: ${said}")
endif()
