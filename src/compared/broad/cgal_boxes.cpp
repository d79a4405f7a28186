#include "compared/broad/cgal_boxes.h"

#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

#include <exception>
#include <vector>

namespace {

using box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t>;
struct stopped {};

std::vector<box> boxes_of(const double (*from)[6], uint32_t count) {
    std::vector<box> boxes;
    boxes.reserve(count);
    for (uint32_t i = 0; i < count; i++) {
        double low[3] = {from[i][0], from[i][1], from[i][2]}, high[3] = {from[i][3], from[i][4], from[i][5]};
        boxes.emplace_back(low, high, i);
    }
    return boxes;
}

} // namespace

bool gz_cgal_search(const double (*a)[6], uint32_t a_count, const double (*b)[6], uint32_t b_count,
                    gz_cgal_visit *visit, void *state) {
    try {
        auto found = [&](const box &x, const box &y) {
            if (!visit(state, x.info(), y.info())) throw stopped();
        };
        std::vector<box> first = boxes_of(a, a_count);
        if (!b) {
            CGAL::box_self_intersection_d(first.begin(), first.end(), found);
        } else {
            std::vector<box> second = boxes_of(b, b_count);
            CGAL::box_intersection_d(first.begin(), first.end(), second.begin(), second.end(), found);
        }
    } catch (const stopped &) {
        return true;
    } catch (const std::exception &) {
        return false;
    }
    return true;
}
