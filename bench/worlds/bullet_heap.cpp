/* Collision detection of Bullet on the heap of `graze bench worlds`, at rest: where it is at the start of the step. */
#include "bench/worlds/heap.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

namespace {

enum { CELLS = 11, REPEATS = 4 };

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

btVector3 vector_of(const double *x) { return {btScalar(x[0]), btScalar(x[1]), btScalar(x[2])}; }

/* Triangles that may move, as they are; they borrow their mesh. */
std::unique_ptr<btCollisionShape> triangles_of(const heap_stone &stone, btTriangleMesh &mesh) {
    for (size_t f = 0; f < stone.face_count; f++)
        mesh.addTriangle(vector_of(stone.x[stone.faces[f][0]]), vector_of(stone.x[stone.faces[f][1]]),
                         vector_of(stone.x[stone.faces[f][2]]));
    auto shape = std::make_unique<btGImpactMeshShape>(&mesh);
    shape->setMargin(0);
    shape->updateBound();
    return shape;
}

std::unique_ptr<btCollisionShape> hull_of(const heap_stone &stone) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (size_t v = 0; v < stone.vertex_count; v++) shape->addPoint(vector_of(stone.x[v]), false);
    shape->recalcLocalAabb();
    shape->setMargin(0);
    return shape;
}

void measure(const heap &made, bool triangles) {
    btTriangleMesh meshes[HEAP_STONES];
    std::unique_ptr<btCollisionShape> shapes[HEAP_STONES];
    std::vector<btCollisionObject> bodies(made.count);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btCollisionWorld world(&dispatcher, &broad, &configuration);
    if (triangles) btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    for (int i = 0; i < HEAP_STONES; i++)
        shapes[i] = triangles ? triangles_of(made.stones[i], meshes[i]) : hull_of(made.stones[i]);
    for (size_t i = 0; i < made.count; i++) {
        const heap_pose &pose = made.poses[i][0];
        const double *q = pose.rotation;
        btQuaternion turn{btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])};
        bodies[i].setCollisionShape(shapes[i % HEAP_STONES].get());
        bodies[i].setWorldTransform(btTransform(turn.normalized(), vector_of(pose.position)));
        world.addCollisionObject(&bodies[i]);
    }
    double least = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double begin = cpu_seconds();
        world.performDiscreteCollisionDetection();
        double spent = cpu_seconds() - begin;
        if (spent < least) least = spent;
    }
    std::printf("%s: %.1f ms of processor time, %d pairs of boxes\n", triangles ? "triangles" : "convex hulls",
                1e3 * least, broad.getOverlappingPairCache()->getNumOverlappingPairs());
    for (btCollisionObject &body : bodies) world.removeCollisionObject(&body);
}

} // namespace

int main(int argc, char **argv) {
    heap made;
    size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000;
    bool good = heap_make(&made, count, CELLS, HEAP_CLEAR, 1);
    for (int triangles = 0; good && triangles < 2; triangles++) measure(made, triangles != 0);
    heap_free(&made);
    return good ? 0 : 2;
}
