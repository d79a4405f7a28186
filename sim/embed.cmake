# Writes the scenes as C: cmake -DOUTPUT=… "-DSCENES=file,file,…" -P embed.cmake
set(texts "")
set(table "")
string(REPLACE "," ";" SCENES "${SCENES}")
foreach(file ${SCENES})
  get_filename_component(name "${file}" NAME_WE)
  string(MAKE_C_IDENTIFIER "${name}" id)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND texts "static const char ${id}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", ${id}},\n")
endforeach()
file(WRITE "${OUTPUT}" "/* Made by the build. */\n#include \"sim/reader/scene.h\"\n\n${texts}
static const sim_builtin scenes[] = {\n${table}};\n
const sim_builtin *sim_builtin_get(size_t index) {
    return index < sizeof scenes / sizeof *scenes ? &scenes[index] : NULL;
}\n")
