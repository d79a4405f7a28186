/// Robots from files that release themselves. graze.hpp does not include it: it needs libgraze_robot.
#ifndef GRAZE_CPP_ROBOT_HPP
#define GRAZE_CPP_ROBOT_HPP

#include "graze/cpp/error.hpp"
#include "graze/robot.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace graze {

/// A graze_robot: `robot->links` and the other arrays, or `*robot`. Empty after a load that failed.
class robot {
  public:
    using packages = std::vector<std::pair<std::string, std::string>>; ///< name and folder

    robot() = default;

    /// graze_robot_load; `srdf` may be empty.
    static robot load(const std::string &path, const std::string &srdf = {}, const packages &known = {},
                      const report &say = {}) {
        std::vector<const char *> names, folders;
        for (const auto &package : known) {
            names.push_back(package.first.c_str());
            folders.push_back(package.second.c_str());
        }
        graze_robot_options options = graze_default_robot_options();
        options.srdf = srdf.empty() ? nullptr : srdf.c_str();
        options.package_names = names.data();
        options.package_folders = folders.data();
        options.package_count = names.size();
        graze_robot *loaded = nullptr;
        graze_robot_error error;
        const graze_status status = graze_robot_load(path.c_str(), &options, &loaded, &error);
        robot made;
        made.owned_.reset(loaded);
        say(status, error.message);
        return made;
    }

    explicit operator bool() const noexcept { return owned_ != nullptr; }
    const graze_robot &operator*() const noexcept { return *owned_; }
    const graze_robot *operator->() const noexcept { return owned_.get(); }

  private:
    struct release {
        void operator()(graze_robot *r) const noexcept { graze_robot_free(r); }
    };
    std::unique_ptr<graze_robot, release> owned_;
};

} // namespace graze

#endif
