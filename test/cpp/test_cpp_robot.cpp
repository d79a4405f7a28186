/* Robots of the C++ front. */
#include "check.h"

#include "graze/cpp/robot.hpp"

#include <cstdio>
#include <unistd.h>

namespace {

std::string written(const char *text) {
    const std::string path = "/tmp/graze-cpp-robot-" + std::to_string(getpid()) + ".urdf";
    FILE *stream = std::fopen(path.c_str(), "wb");
    CHECK(stream != nullptr);
    std::fputs(text, stream);
    std::fclose(stream);
    return path;
}

} // namespace

TEST(a_robot_is_loaded_and_releases_itself) {
    const std::string path = written("<robot name=\"r\"><link name=\"a\"/></robot>");
    graze::robot robot = graze::robot::load(path), moved = std::move(robot);
    CHECK(!robot && moved && moved->link_count == 1 && std::string((*moved).link_names[0]) == "a");
    std::remove(path.c_str());
}

TEST(a_robot_that_is_wrong_throws_its_line_or_sets_the_code) {
    const std::string path = written("<robot name=\"r\">\n<link/></robot>");
    std::error_code code;
    CHECK(!graze::robot::load(path, {}, {{"parts", "."}}, code) &&
          code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
    try {
        graze::robot::load(path);
        CHECK(false);
    } catch (const graze::error &error) {
        CHECK_MSG(std::string(error.what()).find(":2: <link> without name") != std::string::npos, "%s", error.what());
    }
    std::remove(path.c_str());
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
