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
    p("A program that moves things step by step sees snapshots. A fast bullet is in front of the wall in one and behind it in the next. It touches the wall in neither, and flies through. "
      + "Afterwards it is too late: of two bodies that have passed through each other, nobody knows which side was which."),
    p("So ask about the time between. Every point goes on a straight line from where it is to where it will be:"),
    formula("path"),
    p("The question is no longer “do they overlap now”, but “at which time do they first touch, if at all”:"),
    formula("question"),
    flightFigure({ travel: 0.9, lean: 0.4, t: 0 }, () => {}),
    p("Raise the speed: the snapshots soon miss. The answer in between does not depend on it."),
    exercise("How slow must the bullet be so that snapshots alone are enough?", ["Slower than its own thickness, plus that of the wall, in a step. For thin things, such as cloth, no step is short enough."]),
    takeAway("Two snapshots are two samples of a motion. What happens between samples cannot be seen in them.", "Continuous collision detection looks at all t in [0, 1]."),
  ] },
  roots: { title: "A root, and how it gets lost", body: () => [
    p("Two moving triangles touch first in one of two ways: a vertex meets a face, or an edge meets an edge. Either way four points lie in a plane at that moment. For a vertex p and a face a, b, c, the volume that they span is zero:"),
    formula("volume"),
    p("Each factor is linear in t, so f is a cubic:"),
    formula("cubic"),
    p("Find its roots, then look whether the contact is inside. Here a triangle tips over like a seesaw while a vertex crosses it. Between heights 0 and 1 the vertex goes through it twice; at 0 it only grazes."),
    rootFigure(),
    h2("Coplanar is not touching"),
    p("A root says that four points lie in one plane, and no more. Here a vertex falls straight through the plane of a triangle. Its volume has the same root wherever it falls."),
    coplanarFigure(),
    h2("Where contacts are lost"),
    p("Numbers have 53 bits. Roots are hardly ever among them. Where two roots meet, the last bits decide between two and none. Where everything moves in one plane, f is zero all the time, and has no root to find. A threshold that is meant to help throws away what is real."),
    p("A false alarm costs a little work. A miss is a wall that things fall through. Count them: each family below is one kind of difficulty, and exact answers are computed beside."),
    failureTable(),
    exercise("A cloth slides over a table, in its plane. What does f say?", ["It is zero at every t. It says nothing, whether cloth and table meet or not. ", link("#/query", "Try it"), " with the family of coplanar motions."]),
    takeAway("A contact is a root of the coplanarity condition, and a root need not be a contact.", "Roots in floating point are fast, and they miss: never where it is easy, always where it hurts."),
  ] },
  inclusion: { title: "Inclusion: never a miss", body: () => [
    p("Instead of looking for the root, throw away where it is not. Write the contact as the zero of a vector, from one place on the first primitive to one on the second. For a vertex and a face:"),
    formula("gapFace"),
    formula("touchFace"),
    p("For two edges:"),
    formula("gapEdges"),
    p("In the plane, for the bullet and the wall, there is one parameter less:"),
    formula("gapPlane"),
    p("F is linear in each parameter alone. So over a box of parameters its extremes are at the corners, and all values lie inside of the box around the corner values:"),
    formula("inclusion"),
    formula("excluded"),
    p("Watch it. On the left each box is a piece of time and of wall. The chosen one is drawn on the right: where bullet and wall can be, and their difference F with the box around it. Where that holds the origin, the box stays open."),
    squareFigure(flight(0.9, 0.4), 2 ** -6).element,
    h2("The algorithm"),
    steps(
      ["Begin with one box: all of the time, all of both primitives. Put it into a queue."],
      ["Take the box that begins earliest. Evaluate F at its corners."],
      ["If the box around these values does not hold the origin, throw it away: nothing touches there."],
      ["If it is smaller than δ, stop: no contact before its beginning, and probably one in it."],
      ["Otherwise cut its widest side in two, put both halves into the queue, and go on with step 2."],
      ["If the queue is empty, nothing touches at all. That is a proof."]),
    p("With a vertex and a face the square becomes a cube (t, u, v) with eight corners. Corner values are rounded; that is met by growing the box by the most that rounding can be:"),
    formula("rounded"),
    exercise("Which step can end in a false alarm, and which in a miss?", ["Step 4 can: a box smaller than δ may hold no contact. None can miss: only step 3 throws anything away, and it has a proof."]),
    takeAway("Multilinear: eight corners bound everything in between.", "What is thrown away is proven free. What is left over can be a false alarm, and never a miss."),
  ] },
  code: { title: "In code", body: () => [
    p("The algorithm, for a point and a segment in the plane. Both move. There is no library in it; the last lines ask graze about the same motion. Both programs are in ", h("code", {}, "examples/tutorial"), ", and a test runs them and compares what they print."),
    h2("Python"),
    code(pythonCode, "python"),
    p("It prints"),
    output(pythonOutput),
    h2("C"),
    code(cCode, "c"),
    p("It prints"),
    output(cOutput),
    p("The Python program keeps its boxes in a queue, the earliest first. The C program goes down one half after the other and needs a stack only. With enough checks they agree. Where checks run out, the queue gives the better answer: all that is left begins later. Both are safe."),
    exercise("The bullet goes from (1, 3) to (9, 4), the wall from x = 6 to x = 4. When do they meet?", ["At 1 + 8t = 6 − 2t, that is t = 1/2, at height 3.5: on the wall, which reaches from 1 to 6. The programs stop just before it, by at most δ."]),
    exercise("Make may_touch wrong: leave out the first corner. What changes?", ["The box around three corners is too small, and boxes that hold the contact are thrown away. The answer becomes late, or “clear”. Nothing warns you: that is why constants and comparisons of graze are weakened on purpose, and a test must notice."]),
    takeAway("Fifty lines are enough for an answer that does not miss.", "Most of the work of a library is in making it fast, and in proving the line that grows the box."),
  ] },
  limits: { title: "How fine, and how long", body: () => [
    p("There are two knobs. The tolerance δ says when a box is small enough, and the cap says how many boxes may be looked at."),
    h2("A cap on checks"),
    p("Most pairs are settled in a few checks. A pair that stays close for long can take millions, and a real-time program has no time for that. So cap them. When the cap is reached, what is left begins at some time t, and everything before it is proven free: return that, and say “unresolved”. A cap that returned “no contact” would be a miss."),
    capFigure(),
    h2("The scale of the tolerance"),
    p("A δ of one millimeter is fine for a house and absurd for a watch. Give it as a part of the size of the pair, or of the scene:"),
    formula("tolerance"),
    p("Time and place have other units than δ. An axis is small enough when it moves F by less than δ:"),
    formula("width"),
    p("A fixed δ gives another answer when the same scene is in other units. One that scales does not:"),
    scaleTable(),
    p("The tolerance of ", h("code", {}, "certified"), " is 2⁻⁴⁰ of the pair's size unless you say otherwise; pairs within it are decided in double-double or in integers. A cap has no unit, but what it buys has: with δ tied to sizes, a number of checks goes equally far in every scene."),
    exercise("You double δ. How many checks do you save?", ["Usually a few: each halving of a box takes one level more, so checks grow with the logarithm of 1/δ. Where the contact is a whole line or a plane of (t, u, v), they grow with 1/δ or its square, and it is there that caps are hit."]),
    takeAway("A limit ends in “unresolved”, with a time that is still safe.", "Tie δ to sizes, never to units."),
  ] },
  separation: { title: "Keeping a distance", body: () => [
    p("Touching exactly is a bad place to stop: the next rounding is inside. Solvers ask for a separation: when do the two come within a distance d? With boxes that is one line, the box is grown by d:"),
    formula("maximum"),
    p("But then the distance is measured along the axes, and a square stands where a circle should. The Euclidean distance asks for"),
    formula("euclid"),
    p("and the two differ by a factor that depends on the direction:"),
    formula("between"),
    separationFigure(),
    p("graze measures Euclidean distance in all its own methods. A useful distance is a fraction of what there is at the start: then a step never ends nearer than that fraction, and the next one can go on."),
    exercise("A pair starts 0.1 apart, and you ask for a separation of 0.2. What is the answer?", ["A hit at t = 0: they are too close already. Ask for a part of the distance at the start (relative separation), and every pair that is apart may move."]),
    takeAway("Ask for a distance, not for contact.", "L∞ is simpler, and stops early along diagonals, by up to a factor of √3."),
  ] },
  certificates: { title: "Certificates", body: () => [
    p("If along some direction n all of A is behind all of B, they do not touch. Look at the room between them along n:"),
    formula("direction"),
    p("Each term is linear in t, so the least of them is concave: it is smallest at an end of a piece of time. A direction that works at both ends proves all of the piece:"),
    formula("concave"),
    insideFigure({ kind: "ee", points: Float64Array.of(-1, 0, 0.6, 1, 0.1, 0.6, 0, -1, 0, 0.1, 1, 0, -1, 0.2, -0.5, 1, 0, -0.3, 0, -1, 0.1, 0, 1, 0.1) }, 2 ** -4, () => {}),
    p("Five numbers, two times and a direction, are a certificate, and a small program can check it in integers. The method certified finds such directions from closest points, a few for each pair, many pairs at once. What it calls clear is proven; what it cannot prove it says."),
    exercise("Why is a minimum of linear functions concave?", ["Between two times every linear function is at least the straight line between its ends; so is the least of them, since each stays above the line between the least values."]),
    takeAway("One direction and two times prove a whole piece of time.", "A proof that others can check is worth more than a promise."),
  ] },
  truth: { title: "Exact truth", body: () => [
    p("The coordinates are what they are: doubles, that is integers times powers of two. So every question about them has an exact answer. The times at which four points lie in a plane are roots of a polynomial with integer coefficients. The conditions for being inside have signs at that root. Integers decide both without rounding."),
    truthFigure(),
    p("It takes microseconds, not more, and it is the yardstick for everything else: every method on this site is scored against it."),
    exercise("How can a root that is no double be compared with another one?", ["By polynomials: the sign of a polynomial at a root of another one follows from integers alone, by isolating the root in an interval in which the other has no root, or by their common divisor."]),
    takeAway("Input in doubles has one right answer, and it can be computed.", "Test against truth, not against another method."),
  ] },
  steps: { title: "Whole steps", body: () => [
    p("A mesh has millions of pairs. Boxes around the paths sort out most of them; each one that is left is a query as above. The least of their times is how far everything may go:"),
    formula("least"),
    p("A solver that minimizes an energy shortens its step to that time, so that no step passes through anything."),
    p("Two things to know. Bodies that overlap at the start may never register a contact: look at the start, too. And the time is proven for the straight paths; a state that is computed by rounding lies slightly off them, so step a little less far."),
    p(link("#/step", "Open the step viewer with an example")),
    exercise("One pair in a million takes a thousand times as long as the others. What does a step cost?", ["A thousandth more. It is the mean that counts, until that one pair is the last on one thread: hence a cap, and hence the earliest pairs first."]),
    takeAway("Lay a broad phase first: the narrow phase is the expensive last gate.", "One pair decides how far all may go."),
  ] },
  own: { title: "Before you write your own", body: () => [
    steps(
      ["Round outward. Grow every box by a bound on the error of its corner values, and derive that bound. One line prevents misses, and its constant is the easiest thing to get wrong."],
      ["Leave the cubic alone where you need a proof. It is fast until something moves in a plane."],
      ["Let every limit fail closed. A full queue, a cap, no memory: “unresolved”, with a time that is safe, and never “clear”."],
      ["Sort first. A grid or a tree of boxes leaves a few pairs for each vertex."],
      ["Scale δ with the pair, and the cap with your patience."],
      ["Keep a distance: stop at a part of the way, since the next state is rounded."],
      ["Test against exact arithmetic, on degenerate input: ", h("code", {}, "graze handcraft"), " makes it, and ", h("code", {}, "graze query --method"), " scores any method on it."]),
    exercise("Your method passes a million random queries. Is it safe?", ["No. Random points are never coplanar, never parallel, never touch at a corner. Meshes are, all the time."]),
    takeAway("Tunneling comes from sampling a motion at its ends. Continuous detection looks at all of it.",
      "A contact is a root of one cubic, or the zero of a vector of three. The first is fast and misses, the second bounds from its corners and does not.",
      "A direction and two times prove a piece of time free. Exact arithmetic decides what is left."),
    p("Go on with the ", link("docs/index.html", "first five minutes"), " of the library, or with ", link("docs/numerics.html", "why clear is a proof"), "."),
  ] },
};
