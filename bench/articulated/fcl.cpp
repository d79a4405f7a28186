/* Calls FCL (Debian: libfcl-dev). */
#include "bench/articulated/fcl.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <new>

struct bench_fcl_body {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
};

struct bench_fcl_scene {
    const uint8_t *pairs;
    size_t count;
    struct part {
        std::unique_ptr<fcl::CollisionObjectd> object;
        fcl::Transform3d place; // in the body
    };
    struct body {
        std::vector<part> parts;
        size_t index = 0;
        bool still = false, placed = false;
    };
    std::vector<std::unique_ptr<body>> bodies;
    fcl::DynamicAABBTreeCollisionManagerd moving, standing;
    bool ready = false, hit = false;
};

namespace {

/* Ends with the first contact. */
bool look(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *user) {
    auto *scene = static_cast<bench_fcl_scene *>(user);
    const auto *x = static_cast<bench_fcl_scene::body *>(a->getUserData());
    const auto *y = static_cast<bench_fcl_scene::body *>(b->getUserData());
    if (!scene->pairs[x->index * scene->count + y->index]) return false;
    fcl::CollisionRequestd request(1, false);
    fcl::CollisionResultd result;
    scene->hit = fcl::collide(a, b, request, result) > 0;
    return scene->hit;
}

const fcl::CCDMotionType motions[BENCH_FCL_MOTIONS] = {fcl::CCDM_TRANS, fcl::CCDM_LINEAR, fcl::CCDM_SCREW};

template <typename Volume>
std::shared_ptr<fcl::CollisionGeometryd> build(const double (*vertices)[3], size_t vertex_count,
                                               const uint32_t (*faces)[3], size_t face_count) {
    std::vector<fcl::Vector3d> points(vertex_count);
    std::vector<fcl::Triangle> triangles(face_count);
    for (size_t i = 0; i < vertex_count; i++) points[i] = fcl::Vector3d(vertices[i][0], vertices[i][1], vertices[i][2]);
    for (size_t f = 0; f < face_count; f++) triangles[f] = fcl::Triangle(faces[f][0], faces[f][1], faces[f][2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

fcl::Transform3d transform_of(const bench_fcl_pose &pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    fcl::Vector3d turn(pose.turn[0], pose.turn[1], pose.turn[2]);
    if (turn.norm() > 0) t.linear() = fcl::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.position[0], pose.position[1], pose.position[2]);
    return t;
}

fcl::Transform3d transform_of(const double frame[3][4]) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) t.linear()(i, j) = frame[i][j];
        t.translation()[i] = frame[i][3];
    }
    return t;
}

void add_part(bench_fcl_scene::body &body, std::shared_ptr<fcl::CollisionGeometryd> geometry,
              const fcl::Transform3d &place) {
    body.parts.push_back({std::make_unique<fcl::CollisionObjectd>(std::move(geometry)), place});
    body.parts.back().object->setUserData(&body);
}

/* A sphere or a capsule around a triangle of one or two different corners; false for another one. */
bool add_round(bench_fcl_scene::body &body, const double (*vertices)[3], const uint32_t face[3], double padding) {
    fcl::Vector3d x[3];
    for (int k = 0; k < 3; k++) x[k] = fcl::Vector3d(vertices[face[k]][0], vertices[face[k]][1], vertices[face[k]][2]);
    if (x[1] != x[2]) return false;
    fcl::Transform3d place = fcl::Transform3d::Identity();
    const fcl::Vector3d along = x[1] - x[0];
    place.translation() = 0.5 * (x[0] + x[1]);
    if (along.norm() > 0) {
        place.linear() = Eigen::Quaterniond::FromTwoVectors(fcl::Vector3d::UnitZ(), along).toRotationMatrix();
        add_part(body, std::make_shared<fcl::Capsuled>(padding, along.norm()), place);
    } else {
        add_part(body, std::make_shared<fcl::Sphered>(padding), place);
    }
    return true;
}

} // namespace

extern "C" {

const char *bench_fcl_volume_name(int volume) {
    static const char *const names[BENCH_FCL_VOLUMES] = {"RSS", "kIOS", "OBBRSS"};
    return names[volume];
}

const char *bench_fcl_motion_name(int motion) {
    static const char *const names[BENCH_FCL_MOTIONS] = {"translation", "linear", "screw"};
    return names[motion];
}

bench_fcl_body *bench_fcl_body_make(int volume, const double (*vertices)[3], size_t vertex_count,
                                    const uint32_t (*faces)[3], size_t face_count) {
    try {
        auto geometry = volume == 0   ? build<fcl::RSSd>(vertices, vertex_count, faces, face_count)
                        : volume == 1 ? build<fcl::kIOSd>(vertices, vertex_count, faces, face_count)
                                      : build<fcl::OBBRSSd>(vertices, vertex_count, faces, face_count);
        return new bench_fcl_body{geometry};
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void bench_fcl_body_free(bench_fcl_body *body) { delete body; }

bench_fcl_answer bench_fcl_step(const bench_fcl_body *a, const bench_fcl_pose from_to_a[2], const bench_fcl_body *b,
                                const bench_fcl_pose from_to_b[2], int motion) {
    fcl::ContinuousCollisionRequestd request;
    fcl::ContinuousCollisionResultd result;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.ccd_motion_type = motions[motion];
    fcl::continuousCollide(a->geometry.get(), transform_of(from_to_a[0]), transform_of(from_to_a[1]), b->geometry.get(),
                           transform_of(from_to_b[0]), transform_of(from_to_b[1]), request, result);
    return {result.is_collide, result.is_collide ? result.time_of_contact : 1};
}

double bench_fcl_distance(const bench_fcl_body *a, const double frame_a[3][4], const bench_fcl_body *b,
                          const double frame_b[3][4]) {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(a->geometry.get(), transform_of(frame_a), b->geometry.get(), transform_of(frame_b), request,
                         result);
}

bench_fcl_scene *bench_fcl_scene_make(const uint8_t *pairs, size_t count) {
    auto *scene = new (std::nothrow) bench_fcl_scene;
    if (!scene) return nullptr;
    scene->pairs = pairs;
    scene->count = count;
    return scene;
}

void bench_fcl_scene_free(bench_fcl_scene *scene) { delete scene; }

bool bench_fcl_scene_add(bench_fcl_scene *scene, const double (*vertices)[3], size_t vertex_count,
                         const uint32_t (*faces)[3], size_t face_count, double padding, bool still) {
    scene->bodies.push_back(std::make_unique<bench_fcl_scene::body>());
    bench_fcl_scene::body &body = *scene->bodies.back();
    body.index = scene->bodies.size() - 1;
    body.still = still;
    if (face_count && padding == 0)
        add_part(body, build<fcl::OBBRSSd>(vertices, vertex_count, faces, face_count), fcl::Transform3d::Identity());
    for (size_t f = 0; f < face_count && padding > 0; f++)
        if (!add_round(body, vertices, faces[f], padding)) return false;
    return true;
}

void bench_fcl_scene_place(bench_fcl_scene *scene, size_t index, const double frame[3][4]) {
    bench_fcl_scene::body &body = *scene->bodies[index];
    if (body.parts.empty() || (body.still && body.placed)) return;
    const fcl::Transform3d pose = transform_of(frame);
    for (auto &part : body.parts) {
        part.object->setTransform(pose * part.place);
        part.object->computeAABB();
    }
    body.placed = true;
}

bool bench_fcl_scene_collides(bench_fcl_scene *scene) {
    if (!scene->ready)
        for (auto &body : scene->bodies)
            for (auto &part : body->parts)
                (body->still ? scene->standing : scene->moving).registerObject(part.object.get());
    if (!scene->ready) scene->standing.setup();
    if (scene->ready)
        scene->moving.update();
    else
        scene->moving.setup();
    scene->ready = true;
    scene->hit = false;
    scene->moving.collide(scene, look);
    if (!scene->hit) scene->moving.collide(&scene->standing, scene, look);
    return scene->hit;
}
}
