# Headers, both libraries, pkg-config file, CMake package, program, man page and completions.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS graze graze_shared EXPORT grazeTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
export(EXPORT grazeTargets NAMESPACE graze:: FILE ${PROJECT_BINARY_DIR}/grazeTargets.cmake) # find_package on a build folder
install(EXPORT grazeTargets NAMESPACE graze:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

if(GRAZE_ROBOT)
  install(TARGETS ${graze_robot_libraries} EXPORT grazeRobotTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT grazeRobotTargets NAMESPACE graze:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
endif()

configure_package_config_file(cmake/grazeConfig.cmake.in ${PROJECT_BINARY_DIR}/grazeConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/grazeConfig.cmake ${PROJECT_BINARY_DIR}/grazeConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/graze)

set(graze_pc_private "-lm")
if(graze_with_threads AND CMAKE_THREAD_LIBS_INIT)
  string(APPEND graze_pc_private " ${CMAKE_THREAD_LIBS_INIT}")
endif()
if(graze_with_openmp)
  string(APPEND graze_pc_private " ${OpenMP_C_FLAGS}")
endif()
# relative to the file itself, so that `cmake --install --prefix` and moved trees work
file(RELATIVE_PATH graze_pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(cmake/graze.pc.in ${PROJECT_BINARY_DIR}/graze.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(GRAZE_ROBOT)
  configure_file(cmake/graze-robot.pc.in ${PROJECT_BINARY_DIR}/graze-robot.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/graze-robot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(GRAZE_PROGRAM)
  install(TARGETS graze_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET graze_sim_program)
    install(TARGETS graze_sim_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES man/graze-sim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  install(FILES man/graze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/graze.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME graze)
  install(FILES completions/graze.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _graze)
  install(FILES completions/graze.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
