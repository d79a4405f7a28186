# Writes one file of src/cuda as C++ for the device in software, line by line in its place: launches, __shared__ and
# __noinline__, which no header can give a meaning to.
#   usage: cmake -DFROM=FILE -DTO=FILE -P translate.cmake
file(READ ${FROM} text)
string(REPLACE ";" "\\;" text "${text}") # a list is cut there
string(REGEX REPLACE "([A-Za-z_][A-Za-z0-9_]*(<[a-zA-Z_, ]*>)?)([ \n]*)<<<" "\\3software::launch(\"\\1\", SOFTWARE_KERNEL(\\1), " text "${text}")
string(REGEX REPLACE ">>>([ \n]*)\\(" ")\\1(" text "${text}")
# more than one name in a line: each with the type before it
foreach(again 1 2 3)
  string(REGEX REPLACE "(__shared__ )([^,;=\n]*[ *])([a-z_0-9]+)((\\[[^],]*\\])+), ([^;\n]*\\\\;)" "\\1\\2\\3\\4\\\\; \\1\\2\\6" text "${text}")
endforeach()
string(REGEX REPLACE "__shared__ ([^,;=\n]*[ *])([a-z_0-9]+)((\\[[^],]*\\])+)\\\\;" "SOFTWARE_SHARED(\\1, \\2, \\3)\\\\;" text "${text}")
string(REPLACE "__noinline__" "__attribute__((noinline))" text "${text}")
string(REPLACE "\\;" ";" text "${text}")
if(text MATCHES "<<<|>>>|__shared__")
  message(FATAL_ERROR "${FROM}: a launch or shared memory that translate.cmake cannot read")
endif()
file(WRITE ${TO} "${text}")
