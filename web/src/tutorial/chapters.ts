// The chapters: text, formulas, figures that compute while you look, code that a test runs.
import cCode from "../../../examples/tutorial/first_contact.c?raw";
import cOutput from "../../../examples/tutorial/first_contact.c.txt?raw";
import pythonCode from "../../../examples/tutorial/first_contact.py?raw";
import pythonOutput from "../../../examples/tutorial/first_contact.py.txt?raw";
import { h } from "../dom";
import { insideFigure } from "../pages/inside";
import { flight } from "../pages/plane";
import { flightFigure, squareFigure } from "../pages/tunnelling";
import { capFigure, scaleTable } from "./limits";
import { coplanarFigure, failureTable, rootFigure } from "./roots";
import { separationFigure } from "./separation";
import { code, exercise, formula, output, p, steps, takeAway } from "./text";
import { truthFigure } from "./truth";

interface Chapter {
  title: string;
  body(): (Node | string)[];
}

const link = (address: string, text: string): HTMLElement => h("a", { href: address }, text);
const h2 = (text: string): HTMLElement => h("h2", {}, text);

export const chapters: Record<string, Chapter> = {
  tunnelling: { title: "Tunneling", body: () => [
    p("A simulation sees snapshots. In one, a fast bullet is in front of a wall; in the next, it is behind it. It touches the wall in neither, and flies through. "
      + "Afterwards it is too late: once two bodies have passed through each other, nobody knows which side was which."),
    p("So look at the time between. Every point moves on a straight line from its old place to its new one:"),
    formula("path"),
    p("The question is no longer “do they overlap now?” but “when do they first touch, if at all?”"),
    formula("question"),
    flightFigure({ travel: 0.9, lean: 0.4, t: 0 }, () => {}),
    p("Raise the speed: the snapshots soon miss. The continuous answer does not depend on speed."),
    exercise("How slow must the bullet be so that snapshots alone are enough?", ["In one step it may move no farther than its thickness plus that of the wall. For thin things, such as cloth, no step is short enough."]),
    takeAway("Two snapshots are two samples of a motion. They do not show what happens between them.", "Continuous collision detection looks at all t in [0, 1]."),
  ] },
  roots: { title: "A root, and how it gets lost", body: () => [
    p("Two moving triangles touch first in one of two ways: a vertex meets a face, or an edge meets an edge. Either way four points lie in a plane at that moment. For a vertex p and a face a, b, c, the volume that they span is zero:"),
    formula("volume"),
    p("Each factor is linear in t, so f is a cubic:"),
    formula("cubic"),
    p("Find its roots, then test whether the contact is inside the face. Here a triangle tips over like a seesaw while a vertex crosses it. Between heights 0 and 1 the vertex goes through it twice; at 0 it only grazes."),
    rootFigure(),
    h2("Coplanar is not touching"),
    p("A root says only that four points lie in one plane. Here a vertex falls straight through the plane of a triangle. The volume has the same root wherever the vertex falls."),
    coplanarFigure(),
    h2("Where contacts are lost"),
    p("A double has 53 bits, and roots are almost never doubles. Where two roots meet, the last bits decide between two roots and none. Where everything moves in one plane, f is zero all the time, and there is no root to find. A threshold that is meant to help discards real contacts."),
    p("A false alarm costs a little work. A miss is a wall that things fall through. Count them: each family below is one kind of difficulty, and exact arithmetic gives the truth."),
    failureTable(),
    exercise("A cloth slides over a table, in its plane. What does f say?", ["It is zero at every t, whether cloth and table meet or not. ", link("#/query", "Try it"), " with the family of coplanar motions."]),
    takeAway("A contact is a root of the coplanarity condition, and a root need not be a contact.", "Roots in floating point are fast, and they miss, not in the easy cases but in those that matter."),
  ] },
  inclusion: { title: "Inclusion: never a miss", body: () => [
    p("Instead of looking for the root, discard the places where it cannot be. Write contact as the zero of a vector from a place on one primitive to a place on the other. For a vertex and a face:"),
    formula("gapFace"),
    formula("touchFace"),
    p("For two edges:"),
    formula("gapEdges"),
    p("In the plane, for the bullet and the wall, there is one parameter fewer:"),
    formula("gapPlane"),
    p("F is linear in each single parameter. So over a box of parameters its extremes are at the corners, and all its values lie inside the box around the corner values:"),
    formula("inclusion"),
    formula("excluded"),
    p("On the left, each box is a piece of time and of wall. On the right, you see the chosen box: where bullet and wall can be, and the box around their difference F. If that box contains the origin, the pair may touch, and the box stays open."),
    squareFigure(flight(0.9, 0.4), 2 ** -6).element,
    h2("The algorithm"),
    steps(
      ["Begin with one box: the whole time, and both whole primitives. Put it into a queue."],
      ["Take the box that begins earliest. Evaluate F at its corners."],
      ["If the box around these values does not contain the origin, discard it: nothing touches there."],
      ["If it is smaller than δ, stop: there is no contact before it begins, and probably one inside."],
      ["Otherwise cut its widest side in two, put both halves into the queue, and continue with step 2."],
      ["If the queue is empty, nothing touches. That is a proof."]),
    p("With a vertex and a face the square becomes a cube (t, u, v) with eight corners. Corner values are rounded, so the box is grown by a bound on the rounding error:"),
    formula("rounded"),
    exercise("Which step can end in a false alarm, and which in a miss?", ["Step 4 can give a false alarm: a box smaller than δ may hold no contact. No step can miss: only step 3 discards anything, and it has a proof."]),
    takeAway("F is multilinear: its eight corners bound everything in between.", "Discarded boxes are proven free. What is left can be a false alarm, but never a miss."),
  ] },
  code: { title: "In code", body: () => [
    p("The algorithm for a moving point and a moving segment in the plane. It needs no library; the last lines ask graze about the same motion. Both programs are in ", h("code", {}, "examples/tutorial"), ", and a test runs them and compares what they print."),
    h2("Python"),
    code(pythonCode, "python"),
    p("It prints"),
    output(pythonOutput),
    h2("C"),
    code(cCode, "c"),
    p("It prints"),
    output(cOutput),
    p("The Python program keeps its boxes in a queue, earliest first. The C program searches one half after the other and needs only a stack. With enough checks they agree. If checks run out, the queue has the better answer, since everything left begins later. Both are safe."),
    exercise("The bullet goes from (1, 3) to (9, 4), the wall from x = 6 to x = 4. When do they meet?", ["When 1 + 8t = 6 − 2t, so at t = 1/2, at height 3.5. That is on the wall, which reaches from 1 to 6. The programs stop before it, by at most δ."]),
    exercise("Make may_touch wrong: leave out the first corner. What changes?", ["The box around three corners is too small, so boxes with the contact are discarded. The answer becomes late, or “clear”, and nothing warns you. That is why graze's tests weaken its constants and comparisons on purpose: each time, a test must fail."]),
    takeAway("Fifty lines are enough for an answer that does not miss.", "Most of the work in a library is speed, and the proof of the line that grows the box."),
  ] },
  limits: { title: "How fine, and how long", body: () => [
    p("There are two knobs. The tolerance δ says when a box is small enough; the cap says how many boxes may be checked."),
    h2("A cap on checks"),
    p("Most pairs take a few checks. A pair that stays close for long can take millions, and a real-time program cannot wait. So cap the checks. When the cap is reached, the boxes left begin at some time t, and everything before t is proven free: return t, and say “unresolved”. A cap that returned “no contact” would be a miss."),
    capFigure(),
    h2("The scale of the tolerance"),
    p("A δ of one millimeter is fine for a house and absurd for a watch. Make it a fraction of the size of the pair, or of the scene:"),
    formula("tolerance"),
    p("Time and place do not have the unit of δ. A side of a box is small enough if it moves F by less than δ:"),
    formula("width"),
    p("With a fixed δ the answer changes with the units of the scene. With a δ that scales it does not:"),
    scaleTable(),
    p("The tolerance of ", h("code", {}, "certified"), " is 2⁻⁴⁰ of the pair's size by default; pairs within it are decided in double-double or in integers. A cap has no unit, but its effect depends on δ: with δ tied to sizes, a cap reaches equally far in every scene."),
    exercise("You double δ. How many checks do you save?", ["Usually a few: each halving of a box takes one more level, so checks grow with the logarithm of 1/δ. If the contact is a whole line or plane of (t, u, v), they grow with 1/δ or its square. That is where caps are reached."]),
    takeAway("A limit ends in “unresolved”, with a time that is still safe.", "Tie δ to sizes, never to units."),
  ] },
  separation: { title: "Keeping a distance", body: () => [
    p("Contact is a bad place to stop: the next rounding may be inside. So solvers ask for a separation: when do the two come within a distance d? With boxes this takes one line, which grows the box by d:"),
    formula("maximum"),
    p("But this measures distance along the axes: a square in place of a circle. Euclidean distance means"),
    formula("euclid"),
    p("and the two differ by a factor that depends on direction:"),
    formula("between"),
    separationFigure(),
    p("graze's own methods measure Euclidean distance. A useful separation is a fraction of the distance at the start: then no step ends closer than that fraction, and the next step can move on."),
    exercise("A pair starts 0.1 apart, and you ask for a separation of 0.2. What is the answer?", ["A hit at t = 0: they are already too close. Ask for a fraction of the start distance (relative separation), and every separated pair can move."]),
    takeAway("Keep a distance; do not wait for contact.", "L∞ is simpler, but stops early along diagonals, by up to a factor of √3."),
  ] },
  certificates: { title: "Certificates", body: () => [
    p("If all of A is behind all of B along some direction n, they do not touch. The gap between them along n is"),
    formula("direction"),
    p("Each term is linear in t, so their minimum is concave: over an interval it is smallest at one of the ends. A direction that works at both ends proves the whole interval:"),
    formula("concave"),
    insideFigure({ kind: "ee", points: Float64Array.of(-1, 0, 0.6, 1, 0.1, 0.6, 0, -1, 0, 0.1, 1, 0, -1, 0.2, -0.5, 1, 0, -0.3, 0, -1, 0.1, 0, 1, 0.1) }, 2 ** -4, () => {}),
    p("Two times and a direction, five numbers in all, are a certificate. A small program can check it in integers. The method certified takes such directions from closest points: a few for each pair, many pairs at once. Clear means proven, and it says when it cannot prove."),
    exercise("Why is a minimum of linear functions concave?", ["Draw the line between the minimum's values at two times. At both times every linear function is on or above this line, so it is above in between, and so is the minimum."]),
    takeAway("One direction and two times prove a whole interval.", "A proof that others can check is worth more than a promise."),
  ] },
  truth: { title: "Exact truth", body: () => [
    p("Coordinates are doubles: integers times powers of two. So every question about them has an exact answer. The times at which four points lie in a plane are roots of a polynomial with integer coefficients. The inside tests are signs of polynomials at such a root. Integers decide both without rounding."),
    truthFigure(),
    p("This takes microseconds, and it is the yardstick: every method on this site is scored against it."),
    exercise("How can you compare two roots that are not doubles?", ["By polynomials. Integers alone give the sign of a polynomial at a root of another one: isolate the root in an interval where the first has no root, or find their common divisor."]),
    takeAway("For input in doubles there is one right answer, and it can be computed.", "Test against truth, not against another method."),
  ] },
  steps: { title: "Whole steps", body: () => [
    p("A mesh has millions of pairs. Boxes around the paths rule out most of them; each pair left is a query as above. Everything may move up to the least of their times:"),
    formula("least"),
    p("A solver that minimizes an energy shortens its step to that time, so no step passes through anything."),
    p("Two warnings. Bodies that overlap at the start may never register a contact, so check the start too. And the time is proven for straight paths; a rounded state lies slightly off them, so go a little less far."),
    p(link("#/step", "Open the step viewer with an example")),
    exercise("One pair in a million takes a thousand times as long as the others. What does a step cost?", ["A thousandth more. Only the mean counts, unless that pair is the last one on one thread. Hence the cap, and hence the earliest pairs first."]),
    takeAway("Begin with a broad phase: the narrow phase is the expensive last gate.", "One pair limits the whole step."),
  ] },
  own: { title: "Before you write your own", body: () => [
    steps(
      ["Round outward. Grow every box by a bound on the error of its corner values, and derive that bound. This one line prevents misses, and its constant is easy to get wrong."],
      ["Do not use the cubic where you need a proof. It works until something moves in a plane."],
      ["Let every limit fail closed. A full queue, a cap, no memory: all are “unresolved” with a safe time, never “clear”."],
      ["Filter first. A grid or a tree of boxes leaves a few pairs for each vertex."],
      ["Scale δ with the pair, and choose the cap by your patience."],
      ["Keep a distance: stop before the contact, since the next state is rounded."],
      ["Test against exact arithmetic, on degenerate input: ", h("code", {}, "graze handcraft"), " makes it, and ", h("code", {}, "graze query --method"), " scores any method on it."]),
    exercise("Your method passes a million random queries. Is it safe?", ["No. Random points are never coplanar, never parallel, never touch at a corner. Meshes are, all the time."]),
    takeAway("Tunneling comes from sampling a motion at its ends. Continuous detection looks at the whole motion.",
      "A contact is a root of a cubic, or a zero of a vector function. The first is fast and misses; the second has bounds from its corners and does not.",
      "A direction and two times prove an interval free. Exact arithmetic decides what is left."),
    p("Go on with the ", link("docs/index.html", "first five minutes"), " of the library, or with ", link("docs/numerics.html", "why clear is a proof"), "."),
  ] },
};
