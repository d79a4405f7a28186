/* Articulated models of the C++ front: the bits of the C calls, models that release themselves, and motions that do not
   fit their models. */
#include "scene.hpp"

namespace {

const double half_turn = 3.141592653589793;
const std::vector<position> rod = {{0, 0, -0.1}, {1, 0, -0.1}, {1, 0, 0.1}},
                            post = {{0, 0.5, -0.05}, {-1, 0.7, -0.5}, {-1, 0.7, 0.5}};
const std::vector<std::array<int, 3>> triangle = {{0, 1, 2}};

/// Two rods in a row, each on a revolute joint about z.
std::vector<graze::link> arm_links() {
    std::vector<graze::link> links(2);
    for (graze::link &link : links) {
        link.joint = GRAZE_JOINT_REVOLUTE;
        link.meshes.push_back({rod, triangle});
    }
    links[1].parent = 0;
    links[1].origin = graze::frame({1.1, 0, 0});
    return links;
}

graze::motion turned(const std::vector<double> &at, const std::array<double, 3> &turn) {
    graze::motion made(at, at);
    made.turns = {turn};
    return made;
}

graze::motion curved(const std::array<double, 4> &a, const std::array<double, 4> &b, std::size_t count = 2) {
    graze::motion made;
    made.cubic = {a, b};
    made.cubic.resize(count);
    return made;
}

graze::motion with_screws(std::size_t count) {
    graze::motion made;
    made.screws.assign(count, 1);
    return made;
}

graze::motion with_rotvecs(std::size_t count) {
    graze::motion made;
    made.rotvecs.assign(count, 0);
    return made;
}

bool same_contact(const graze_link_contact &a, const graze_link_contact &b) {
    return a.verdict == b.verdict && a.proven == b.proven && a.toi == b.toi && a.toi_upper == b.toi_upper &&
           a.model_a == b.model_a && a.link_a == b.link_a && a.model_b == b.model_b && a.link_b == b.link_b &&
           same_pair(a.pair, b.pair) && std::memcmp(a.point, b.point, sizeof a.point) == 0 &&
           std::memcmp(a.normal, b.normal, sizeof a.normal) == 0;
}

/// The arm of arm_links() and the post as C has them, moved from zeros to `to`.
struct in_c {
    explicit in_c(graze::context &context) : context_(context.get()) {
        static const uint32_t faces[1][3] = {{0, 1, 2}};
        graze_link_mesh meshes[2] = {graze_default_link_mesh(), graze_default_link_mesh()};
        meshes[0].vertices = graze::points(rod).rows();
        meshes[1].vertices = graze::points(post).rows();
        for (graze_link_mesh &mesh : meshes) {
            mesh.vertex_count = 3;
            mesh.face_count = 1;
            mesh.faces = faces;
        }
        graze_link links[3] = {graze_default_link(), graze_default_link(), graze_default_link()};
        for (int i = 0; i < 3; i++) {
            links[i].meshes = &meshes[i / 2];
            links[i].mesh_count = 1;
            if (i < 2) links[i].joint = GRAZE_JOINT_REVOLUTE;
        }
        links[1].parent = 0;
        links[1].origin.position[0] = 1.1;
        CHECK(graze_model_create(context_, links, 2, &models[0]) == GRAZE_OK);
        CHECK(graze_model_create(context_, links + 2, 1, &models[1]) == GRAZE_OK);
    }
    ~in_c() {
        for (graze_model *model : models) graze_model_destroy(context_, model);
    }
    graze_articulated_result step(const std::vector<double> &to, graze_articulated_mode mode) const {
        graze_articulated_options options = graze_default_articulated_options();
        options.mode = mode;
        graze_motion motions[2] = {graze_default_motion(), graze_default_motion()};
        motions[0].to = to.data();
        graze_articulated_result found = graze_default_articulated_result();
        CHECK(graze_articulated_step(context_, models, 2, motions, &options, &found) == GRAZE_OK);
        return found;
    }
    graze_model *models[2];

  private:
    graze_context *context_;
};

template <class Call> graze_status status_of(const Call &call) {
    std::error_code code;
    call(code);
    return static_cast<graze_status>(code.value());
}

} // namespace

TEST(articulated_steps_in_every_mode_have_the_bits_of_the_c_calls) {
    graze::context context;
    const in_c expected_of(context);
    const graze::model arm(context, arm_links()), obstacle = graze::model::obstacle(context, post, triangle);
    CHECK(arm.links() == 2 && arm.values() == 2 && obstacle.values() == 0);
    long hits = 0, clear = 0;
    for (int i = 0; i < 40; i++)
        for (const auto mode : {GRAZE_ARTICULATED_EARLIEST, GRAZE_ARTICULATED_ANY, GRAZE_ARTICULATED_ALL}) {
            const std::vector<double> to = {0.1 * i, 2 - 0.05 * i};
            graze_articulated_result expected = expected_of.step(to, mode);
            const graze::articulated_result found =
                graze::articulated_step(context, {arm, obstacle}, {{{}, to}, {}}, graze::articulated_options(mode));
            CHECK(found.verdict == expected.verdict && found.toi == expected.toi && found.reason == expected.reason);
            CHECK(found.toi_upper == expected.toi_upper && found.checks == expected.checks);
            CHECK(found.pairs_tested == expected.pairs_tested && found.pairs_near == expected.pairs_near &&
                  found.pairs_close == expected.pairs_close);
            CHECK(found.contact.has_value() == (expected.has_contact != 0));
            if (found.contact) CHECK(same_contact(*found.contact, expected.contact));
            CHECK(found.contacts.size() == expected.contact_count);
            for (std::size_t k = 0; k < found.contacts.size(); k++)
                CHECK(same_contact(found.contacts[k], expected.contacts[k]));
            hits += found.verdict == GRAZE_HIT, clear += found.verdict == GRAZE_CLEAR;
            graze_articulated_release(context.get(), &expected);
        }
    CHECK_MSG(hits > 20 && clear > 20, "%ld hits, %ld clear", hits, clear);
}

TEST(a_batch_answers_each_path_as_a_call_of_its_own) {
    graze::context context;
    std::vector<graze::model> both;
    both.emplace_back(context, arm_links());
    both.push_back(graze::model::obstacle(context, post, triangle));
    std::vector<graze::motion> motions;
    for (int i = 0; i < 50; i++) {
        motions.push_back({{0.01 * i, 0}, {0.06 * i, 0.02 * i}});
        motions.push_back({});
    }
    const std::vector<graze_articulated_result> results = graze::articulated_batch(context, both, motions);
    CHECK(results.size() == 50);
    long hits = 0;
    for (std::size_t i = 0; i < results.size(); i++) {
        const graze::articulated_result one =
            graze::articulated_step(context, both, {motions[2 * i], motions[2 * i + 1]});
        CHECK(one.verdict == results[i].verdict && one.toi == results[i].toi && one.checks == results[i].checks);
        hits += one.verdict == GRAZE_HIT;
    }
    CHECK(hits > 10 && hits < 50);
}

TEST(clear_paths_have_a_certificate_and_others_none) {
    graze::context context;
    std::vector<graze::model> both;
    both.emplace_back(context, arm_links());
    both.push_back(graze::model::obstacle(context, post, triangle));
    std::vector<graze::motion> clear, mixed;
    for (int i = 0; i < 50; i++) {
        const graze::motion path{{0.01 * i, 0}, {0.06 * i, 0.02 * i}};
        const bool is_clear = graze::articulated_step(context, both, {path, {}}).verdict == GRAZE_CLEAR;
        for (std::vector<graze::motion> *to : {&mixed, &clear})
            if (is_clear || to == &mixed) to->insert(to->end(), {path, {}});
    }
    CHECK(!clear.empty() && clear.size() < mixed.size());
    const graze::articulated_proof proof = graze::articulated_certificate(context, both, clear);
    CHECK(proof.results.size() == clear.size() / 2 && proof.certificate.size() > 1000);
    CHECK(proof.certificate.compare(proof.certificate.size() - 4, 4, "\n]}\n") == 0);
    const graze::articulated_proof none = graze::articulated_certificate(context, both, mixed);
    CHECK(none.results.size() == 50 && none.certificate.empty());
}

TEST(turns_cubics_angles_and_scales_reach_the_motion) {
    graze::context context;
    // a body at x = 2 that turns once around itself, or all the way around the origin, where the post is
    const graze::model body = graze::model::rigid(context, rod, triangle),
                       obstacle = graze::model::obstacle(context, post, triangle);
    const std::vector<double> there = {2, 0, 0, 0, 0, 0}, home(6);
    const std::array<double, 3> full = {0, 0, 2 * half_turn};
    CHECK(graze::articulated_step(context, {body, obstacle}, {turned(there, full), {}}).verdict == GRAZE_CLEAR);
    CHECK(graze::articulated_step(context, {body, obstacle}, {turned(home, full), {}}).verdict == GRAZE_HIT);
    CHECK(graze::articulated_step(context, {body, obstacle}, {{home, home}, {}}).verdict == GRAZE_CLEAR);

    // straight through the post, or around it by a screw, with the rod pointing outward all the way
    graze::motion across({2, 0, 0, 0, 0, 0}, {-2, 0, 0, 0, 0, 0.9 * half_turn});
    CHECK(graze::articulated_step(context, {body, obstacle}, {across, {}}).verdict == GRAZE_HIT);
    across.screws = {1};
    CHECK(graze::articulated_step(context, {body, obstacle}, {across, {}}).verdict == GRAZE_CLEAR);

    // from −2 to 2 rad by way of 0, as the vector goes, or the shorter way, around the back
    const graze::model ahead =
        graze::model::obstacle(context, post, triangle, graze::frame::of_angles({0, 0, 0}, {0, 0, -half_turn / 2}));
    graze::motion around({0, 0, 0, 0, 0, -2}, {0, 0, 0, 0, 0, 2});
    const bool back = graze::articulated_step(context, {body, ahead}, {around, {}}).verdict == GRAZE_HIT;
    around.rotvecs = {1};
    CHECK(graze::articulated_step(context, {body, ahead}, {around, {}}).verdict == GRAZE_HIT && !back);

    const graze::model arm(context, arm_links());
    const std::array<double, 4> still = {0, 0, 0, 0}, swing = {0, 1.5 * half_turn, 1.5 * half_turn, 0};
    CHECK(graze::articulated_step(context, {arm, obstacle}, {curved(swing, still), {}}).verdict == GRAZE_HIT);
    CHECK(graze::articulated_step(context, {arm, obstacle}, {curved(still, still), {}}).verdict == GRAZE_CLEAR);

    // the same swing with a rod that is a tenth as long, and with one that is turned away, does not reach the post
    graze::link small = arm_links()[0], turned = small;
    small.meshes[0].scale = {0.1, 1, 1};
    turned.meshes[0].origin = graze::frame::of_angles({0, 0, 0}, {0, -half_turn / 2, 0});
    for (const graze::link &link : {small, turned}) {
        const graze::model short_arm(context, {link});
        CHECK(graze::articulated_step(context, {short_arm, obstacle}, {{{}, {half_turn}}, {}}).verdict == GRAZE_CLEAR);
    }
    const graze::model long_arm(context, {arm_links()[0]});
    CHECK(graze::articulated_step(context, {long_arm, obstacle}, {{{}, {half_turn}}, {}}).verdict == GRAZE_HIT);
}

TEST(links_are_attached_placed_padded_and_left_out) {
    graze::context context;
    graze::model arm(context, {arm_links()[0]});
    graze::model obstacle = graze::model::obstacle(context, post, triangle, graze::frame({0, 5, 0}));
    const std::vector<graze::motion> quarter = {{{}, {half_turn / 2}}, {}};
    const auto verdict = [&] { return graze::articulated_step(context, {arm, obstacle}, quarter).verdict; };
    const double apart = graze::articulated_distance(context, {arm, obstacle}, {{}, {}}).lower;
    CHECK(apart > 1 && verdict() == GRAZE_CLEAR);
    obstacle.pad(0, 1);
    CHECK(std::fabs(graze::articulated_distance(context, {arm, obstacle}, {{}, {}}).lower - (apart - 1)) < 1e-9);
    obstacle.pad(0, 0);
    obstacle.place(0, graze::frame());
    CHECK(verdict() == GRAZE_HIT);
    obstacle.place(0, graze::frame({0, 2, 0})); // 2.5 away: only a hand on the arm reaches it
    CHECK(verdict() == GRAZE_CLEAR);
    graze::link hand = arm_links()[1];
    hand.joint = GRAZE_JOINT_FIXED;
    hand.meshes[0].scale = {2, 1, 1};
    hand.parent = 0;
    arm.attach(hand);
    CHECK(arm.links() == 2 && arm.values() == 1 && verdict() == GRAZE_HIT);
    graze::articulated_options options;
    options.link_pairs = {1, 1, 1, 1, 1, 0, 1, 0, 1}; // the hand and the post
    CHECK(graze::articulated_step(context, {arm, obstacle}, quarter, options).verdict == GRAZE_CLEAR);
    arm.detach();
    CHECK(arm.links() == 1 && verdict() == GRAZE_CLEAR);
}

TEST(a_held_bar_is_tested_against_the_forearm) {
    graze::context context;
    std::vector<graze::link> links = arm_links();
    links[1].meshes.clear(); // a flange without geometry at 1.1, beyond the end of the rod
    graze::model arm(context, links);
    graze::link bar;
    bar.parent = 1;
    bar.meshes.push_back({post, triangle}); // its tip is 0.5 from the flange, to the left
    arm.attach(bar);
    CHECK(graze::articulated_step(context, {arm}, {{{}, {0, 1.6}}}).verdict == GRAZE_HIT);
    graze::articulated_options options;
    options.link_pairs = {1, 1, 0, 1, 1, 1, 0, 1, 1};
    CHECK(graze::articulated_step(context, {arm}, {{{}, {0, 1.6}}}, options).verdict == GRAZE_CLEAR);
}

TEST(what_does_not_fit_is_an_error_and_the_answer_is_closed) {
    graze::context context;
    graze::model arm(context, arm_links());
    const graze::model obstacle = graze::model::obstacle(context, post, triangle);
    const auto step = [&](const std::vector<graze::motion> &motions, std::error_code &code) {
        const graze::articulated_result closed = graze::articulated_step(context, {arm, obstacle}, motions, {}, code);
        CHECK(!code || (closed.verdict == GRAZE_UNRESOLVED && closed.toi == 0 && !closed.contact));
    };
    const std::vector<std::vector<graze::motion>> wrong = {
        {{}},                              // a motion is missing
        {{{1}, {}}, {}},                   // of two values
        {{{}, {1, 2, 3}}, {}},             // of two values
        {turned({}, {1, 2, 3}), {}},       // of two links
        {curved({1, 2, 3, 4}, {}, 1), {}}, // of two values
        {with_screws(1), {}},              // of two links
        {with_rotvecs(1), {}},             // of two links
        {{{}, {NAN, 0}}, {}},              // refused by the library
    };
    for (const auto &motions : wrong) CHECK(status_of([&](std::error_code &code) { step(motions, code); }) != GRAZE_OK);
    CHECK(status_of([&](std::error_code &code) { step({{}, {}}, code); }) == GRAZE_OK);
    graze::articulated_options options;
    options.link_pairs = {1, 1, 1, 1};
    std::error_code code;
    graze::articulated_step(context, {arm, obstacle}, {{}, {}}, options, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
    CHECK(std::isinf(graze::articulated_distance(context, {arm, obstacle}, {{}}, {}, code).upper) && code);
    CHECK(graze::articulated_batch(context, {arm, obstacle}, {{}, {}, {}}, {}, code)[0].verdict == GRAZE_UNRESOLVED &&
          code);

    std::vector<graze::link> links = arm_links();
    links[1].parent = 7;
    try {
        graze::model bad(context, links);
        CHECK(!"a link hangs on one that is not there");
    } catch (const graze::error &error) {
        CHECK(error.index() == 1 && std::strlen(error.what()) > 5);
    }
    const graze::model none(context, links, code);
    CHECK(code && none.links() == 0 && none.values() == 0 && !none.c());
    CHECK(graze::articulated_step(context, {none}, {{}}, {}, code).verdict == GRAZE_UNRESOLVED && code);
    graze::model::obstacle(context, std::vector<double>{1, 2}, triangle, {}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
    for (const auto &change : std::vector<std::function<void(std::error_code &)>>{
             [&](std::error_code &c) { arm.pad(2, 1, c); }, [&](std::error_code &c) { arm.place(2, {}, c); },
             [&](std::error_code &c) { arm.attach(links[1], c); },
             [&](std::error_code &c) { arm.detach(c), arm.detach(c); }})
        CHECK(status_of(change) != GRAZE_OK);
}

TEST(models_and_contacts_outlive_their_context_and_nothing_leaks) {
    counting_allocator counting;
    {
        std::vector<graze::model> both;
        graze::articulated_result found;
        {
            graze::context_options options;
            options.allocator = &counting.c;
            graze::context context(options);
            both.emplace_back(context, arm_links());
            both.push_back(graze::model::obstacle(context, post, triangle));
            found = graze::articulated_step(context, both, {{{}, {half_turn, 0}}, {}},
                                            graze::articulated_options(GRAZE_ARTICULATED_ALL));
        }
        CHECK(counting.blocks > 0 && !found.contacts.empty());
        both[0].pad(0, 0.1);
        graze::context another;
        CHECK(graze::articulated_step(another, both, {{{}, {half_turn, 0}}, {}}).verdict == GRAZE_HIT);
    }
    CHECK_MSG(counting.blocks == 0, "%ld blocks are left", counting.blocks.load());
}

TEST(a_model_or_context_that_was_moved_from_is_an_error_to_every_call) {
    graze::context good, from, to = std::move(from);
    graze::model arm(good, arm_links()), gone(good, arm_links()), kept = std::move(gone);
    const std::vector<graze::motion> still(1);
    const std::vector<std::function<void()>> calls = {
        [&] { graze::model(from, arm_links()); },
        [&] { graze::model::obstacle(from, post, triangle); },
        [&] { graze::model::rigid(from, post, triangle); },
        [&] { gone.attach(graze::link()); },
        [&] { gone.detach(); },
        [&] { gone.place(0, graze::frame()); },
        [&] { gone.pad(0, 1); },
        [&] { graze::articulated_step(good, {gone}, still); },
        [&] { graze::articulated_batch(good, {gone}, still); },
        [&] { graze::articulated_certificate(good, {gone}, still); },
        [&] { graze::articulated_distance(good, {gone}, still); },
        [&] { graze::articulated_step(from, {arm}, still); },
        [&] { graze::articulated_batch(from, {arm}, still); },
        [&] { graze::articulated_certificate(from, {arm}, still); },
        [&] { graze::articulated_distance(from, {arm}, still); },
    };
    for (std::size_t i = 0; i < calls.size(); i++) {
        graze_status status = GRAZE_OK;
        try {
            calls[i]();
        } catch (const graze::error &error) {
            status = error.status();
        }
        CHECK_MSG(status == GRAZE_ERR_INVALID_ARGUMENT, "call %zu: %d", i, int(status));
    }
    CHECK(gone.links() == 0 && gone.values() == 0 && gone.c() == nullptr && kept.links() == 2);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
