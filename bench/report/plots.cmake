# Installs the plot library from the lock file into the build folder. Without npm, or where it cannot reach a registry,
# the report has static plots only: that is no error.
# cmake -DSOURCE=… -DFOLDER=… [-DNPM=…] -P plots.cmake      writes FOLDER/{plots.js,plots.css,license.txt}
file(REMOVE "${FOLDER}/plots.js" "${FOLDER}/plots.css" "${FOLDER}/license.txt")
file(MAKE_DIRECTORY "${FOLDER}")
set(status "there is no npm")
if(NPM)
  file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${FOLDER}")
  execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
                  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
  set(library "${FOLDER}/node_modules/uplot")
  if(result EQUAL 0 AND EXISTS "${library}/dist/uPlot.iife.min.js")
    configure_file("${library}/dist/uPlot.iife.min.js" "${FOLDER}/plots.js" COPYONLY)
    configure_file("${library}/dist/uPlot.min.css" "${FOLDER}/plots.css" COPYONLY)
    configure_file("${library}/LICENSE" "${FOLDER}/license.txt" COPYONLY)
    set(status "")
  else()
    set(status "npm could not install it; to try again, remove ${FOLDER}")
  endif()
endif()
if(status)
  message("graze: no interactive plots in benchmark reports (${status}); they have static ones")
endif()
file(WRITE "${FOLDER}/done" "${status}\n")
