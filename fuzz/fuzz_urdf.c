/* Any bytes as a URDF file and, behind a line "%%", an SRDF file. */
#include "fuzz/seeds.h"

#include "robot/tree.h"

static void read_both(io_source urdf, const char *srdf) {
    static const char *const names[] = {"parts"}, *const folders[] = {"."};
    const robot_packages packages = {urdf.name, names, folders, 1};
    io_error error = {""};
    robot_tree tree = {.file = urdf.name, .error = &error};
    robot_pairs pairs = {0};
    io_source second = {"fuzz.srdf", srdf, srdf ? strlen(srdf) : 0};
    if (!robot_parse_urdf(&tree, urdf, &packages) || !robot_close(&tree) ||
        (srdf && !robot_parse_srdf(&tree, second, &pairs)))
        fuzz_check_line(error.message);
    for (size_t i = 0; i < pairs.count; i++)
        if (pairs.pairs[i][0] >= tree.count || pairs.pairs[i][1] >= tree.count) abort();
    free(pairs.pairs);
    robot_free_tree(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    io_source source = fuzz_source(GRAZE_FUZZ_SEEDS "/beside/robot.urdf", data, size);
    char *middle = strstr(source.bytes, "\n%%\n");
    if (middle) {
        *middle = '\0';
        source.size = (size_t)(middle - source.bytes);
    }
    read_both(source, middle ? middle + 4 : NULL);
    free((char *)source.bytes);
    return 0;
}
