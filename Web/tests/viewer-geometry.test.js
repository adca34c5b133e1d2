// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { distanceAfter, flingTime, longest, pageSpring, settlingMotion, thrown, zoomEasing } from "../src/pages/viewer/geometry.js"

import {
  along, besideCard, clamp, doubleTapScale, edgeStep, fitsWhole, floorOf, leastScale, middle, maxScale, pinched, readingScale, spaceBetween, rubberBand, scaled,
  turnOf, velocity,
} from "../src/pages/viewer/geometry.js"

/** value, size, frame, rest, scale, perhaps the least scale, expected */
const places = [
  ["a picture that fits stays where it was at rest", [50, 400, 400, 150, 1], 50],
  ["at scale 1 it can't move away from rest", [-80, 300, 400, 50, 1], 0],
  ["at scale 2 it stops at the frame's first edge", [50, 800, 400, 150, 2], 0],
  ["at scale 2 it stops at the other edge", [-900, 800, 400, 150, 2], -400],
  ["at scale 1.5 it stops halfway between the edge and rest", [200, 600, 400, 100, 1.5], 50],
  ["a picture that is scrolled above its frame stays there", [-300, 400, 400, -300, 1], -300],
  ["a picture cut off at rest is in the middle at its least scale", [-300, 360, 400, -300, .3, .3], 20],
  ["between rest and its least scale it is on the way there", [-900, 360, 400, -300, .65, .3], -140],
  ["while it is still cut off, it moves between its edges", [50, 780, 400, -300, .65, .3], 0],
]
for (const [name, [value, size, frame, rest, scale, least], expected] of places) {
  test(name, () => assert.equal(along(value, size, frame, rest, scale, least), expected))
}

const frame = { left: 10, top: 60, width: 400, height: 600 }

test("a zoom keeps its point in place", () => {
  for (const [view, scale, point] of [
    [{ x: 0, y: 0, scale: 1 }, 2, { x: 110, y: 160 }], [{ x: -50, y: 30, scale: 2 }, 1.5, { x: 200, y: 300 }],
    [{ x: 20, y: -200, scale: 4 }, 8, { x: 10, y: 60 }],
  ]) {
    const next = scaled(view, scale, point, frame)
    const [before, after] = [view, next].map(({ x, y, scale }) => [(point.x - frame.left - x) / scale, (point.y - frame.top - y) / scale])
    assert.deepEqual(after, before)
    assert.equal(next.scale, scale)
  }
})

test("a pinch scales with the fingers' distance and moves with them", () => {
  const from = { x: 0, y: 0, scale: 1, fingers: middle({ x: 110, y: 160 }, { x: 210, y: 160 }) }
  const limits = { least: 1, most: 8 }
  assert.deepEqual(pinched(from, middle({ x: 60, y: 160 }, { x: 260, y: 160 }), frame, limits), { x: -150, y: -100, scale: 2 })
  assert.deepEqual(pinched(from, middle({ x: 130, y: 190 }, { x: 230, y: 190 }), frame, limits), { x: 20, y: 30, scale: 1 })
})

test("a pinch goes beyond its limits with friction: 0.15 below, 0.05 above", () => {
  const from = { x: 0, y: 0, scale: 1, fingers: middle({ x: 110, y: 160 }, { x: 210, y: 160 }) }
  const limits = { least: 1, most: 8 }
  const half = middle({ x: 135, y: 160 }, { x: 185, y: 160 })
  assert.equal(pinched(from, half, frame, limits).scale, 1 - .5 * .15)
  assert.equal(pinched(from, half, frame, { least: .5, most: 8 }).scale, .5)
  assert.equal(pinched(from, middle({ x: -340, y: 160 }, { x: 660, y: 160 }), frame, limits).scale, 8 + 2 * .05)
})

test("the maximum scale is 8, or 2 CSS pixels for each pixel of the picture", () => {
  assert.equal(maxScale(740, 358), 8)
  assert.equal(maxScale(2600, 390), 2 * 2600 / 390)
})

test("a double tap zooms to twice the size, to the frame's width, or to the picture's natural size", () => {
  assert.equal(doubleTapScale(300, 300, 390), 2)
  assert.equal(doubleTapScale(100, 100, 844), 8.44)
  assert.equal(doubleTapScale(1790, 358, 390), 5)
})

test("a picture below 0.6 of its natural size can be zoomed to that at once", () => {
  assert.equal(readingScale(1000, 400), 2.5)
  assert.equal(readingScale(1000, 600), null)
  assert.equal(readingScale(300, 300), null)
  assert.equal(readingScale(300, 0), null)
})

test("the least scale shows a picture whole in width", () => {
  assert.equal(leastScale(358, 358), 1)
  assert.equal(leastScale(1432, 358), .25)
})

test("a zoomed picture has the space between the bars", () => {
  assert.deepEqual(spaceBetween(390, { left: 0, right: 390, width: 390 }, 60, 708), { left: 0, top: 60, width: 390, height: 648 })
  assert.deepEqual(spaceBetween(1280, { left: 104, right: 900, width: 796 }, 70, 800), { left: 104, top: 70, width: 796, height: 730 })
})

test("bars at a side or at the top don't count as the lower edge", () => {
  const [tabs, pager] = [{ top: 760, width: 390 }, { top: 708, width: 390 }]
  assert.equal(floorOf({ width: 390, height: 844 }, [tabs, pager]), 708)
  const others = [{ top: 0, width: 104 }, { top: 740, width: 400 }, { top: 0, width: 1280 }]
  assert.equal(floorOf({ width: 1280, height: 800 }, others), 800)
})

/** the finger's distance, the page's offset, the finger's velocity, expected direction, on a page of 390 pixels */
const swipes = [
  ["half of the width turns", [195, 195, 0], 1],
  ["less than half of the width does not turn", [194, 194, 0], 0],
  ["a fast finger turns after 25 px", [-25, -25, -.4], -1],
  ["a fast finger that moved less does not turn", [-24, -24, -.9], 0],
  ["a slower finger does not turn after 100 px", [-100, -100, -.39], 0],
  ["a finger that turns back fast cancels", [150, 150, -.5], 0],
  ["a finger that turns back slowly cancels, too", [250, 250, -.15], 0],
  ["a finger that trembles does not cancel", [250, 250, -.05], 1],
  ["a second swipe turns while the page still moves", [-60, 90, -.8], -1],
]
for (const [name, [dx, shift, speed], expected] of swipes) {
  test(name, () => assert.equal(turnOf({ dx, shift, speed }, 390), expected))
}

test("a page dragged beyond the end follows as on iOS: 26, 48, 86 px for 50, 100, 200", () => {
  for (const [drawn, given] of [[0, 0], [50, 26], [100, 48], [200, 86], [-200, -86]]) assert.equal(Math.round(rubberBand(drawn, 390)), given)
})

test("a page beside the open card goes back to rest and no further, and gives way a little on the other side", () => {
  assert.deepEqual([60, 116, 300].map((drawn) => besideCard(-116, drawn, 390)), [-56, -0, -0])
  assert.equal(besideCard(116, -60, 390), 56)
  assert.equal(Math.round(besideCard(-116, -50, 390)), -142)
})

test("a picture is shown whole if its text can still be read", () => {
  const room = { width: 700, height: 300 }
  for (const [width, height, isWhole] of [[400, 500, true], [400, 501, false], [1166, 300, true], [1167, 300, false], [NaN, NaN, false]]) {
    assert.equal(fitsWhole({ width, height }, room), isWhole, `${width} by ${height}`)
  }
})

/** at, start, shift, the finger's distance, expected; the picture's edges are at -200 and 0 */
const steps = [
  ["between its edges, the picture follows the finger", [-100, -100, 0, 30], { at: -70, shift: 0 }],
  ["at the edge where the drag began, the page moves", [0, 0, 0, 30], { at: 0, shift: 30 }],
  ["less than a pixel from the edge is at the edge", [-.5, -.5, 0, 30], { at: -.5, shift: 30 }],
  ["at an edge reached during the drag, the picture moves on with friction", [0, -100, 0, 30], { at: 10.5, shift: 0 }],
  ["at the other edge where the drag began, the page moves, too", [-200, -200, 0, -30], { at: -200, shift: -30 }],
  ["a page that has moved goes back first", [0, 0, 40, -30], { at: 0, shift: 10 }],
  ["a page that has moved goes back to rest at most", [0, 0, 40, -60], { at: 0, shift: 0 }],
  ["once the page is at rest, the picture follows again", [0, 0, 0, -30], { at: -30, shift: 0 }],
  ["a drag that began vertically never moves the page", [0, NaN, 0, 30], { at: 10.5, shift: 0 }],
]
for (const [name, [at, start, shift, delta], expected] of steps) {
  test(name, () => assert.deepEqual(edgeStep({ at, start, low: -200, high: 0, shift }, delta), expected))
}

test("velocity considers the last 50 ms, or the last two positions on a slow device", () => {
  const trail = [{ x: 0, y: 0, time: 0 }, { x: 10, y: 0, time: 960 }, { x: 30, y: 0, time: 1000 }]
  assert.deepEqual(velocity(trail, 1000), { x: .5, y: 0 })
  assert.deepEqual(velocity(trail, 1090), { x: .5, y: 0 })
  assert.deepEqual(velocity([{ x: 0, y: 0, time: 0 }, { x: 80, y: 0, time: 80 }], 90), { x: 1, y: 0 })
})

test("a finger that rests before it is lifted has no velocity", () => {
  assert.deepEqual(velocity([{ x: 0, y: 0, time: 0 }, { x: 80, y: 0, time: 80 }], 200), { x: 0, y: 0 })
  assert.deepEqual(velocity([], 5000), { x: 0, y: 0 })
})

test("two fingers at one point have a distance above zero", () => {
  assert.equal(middle({ x: 1, y: 1 }, { x: 1, y: 1 }).distance, clamp(0, 1, 2))
})

test("a page is almost at rest after 220 ms", () => {
  const rest = Math.abs(distanceAfter(pageSpring, 390, 0, 220))
  assert.ok(rest < .011 * 390, `${rest} px`)
})

/** distance and velocity */
const motions = [["a turn by a button", 406, 0], ["a fast swipe", -300, 2.5], ["a swipe that is cancelled", 120, .3], ["a nudge", 2, 0]]
for (const [name, distance, velocity] of motions) {
  test(`${name} ends at rest in time, without overshoot`, () => {
    const { distances, duration } = settlingMotion(distance, velocity)
    assert.ok(duration <= longest)
    assert.equal(distances[0], distance)
    assert.equal(distances.at(-1), 0)
    for (const one of distances) assert.ok(one * Math.sign(distance) >= -.01, `${one}`)
  })
}

test("a page starts at the finger's velocity", () => {
  const distance = distanceAfter(pageSpring, -300, 1, 1)
  assert.ok(Math.abs(distance - -299) < .3, `${distance}`)
})

test("a thrown picture goes 199 times its velocity, or bounces to its edge", () => {
  const free = thrown(0, 1, -1000, 1000)
  assert.equal(free(0), 0)
  assert.ok(Math.abs(free(flingTime) - 199) < 1)
  const edge = thrown(-50, 2, -1000, 0)
  const positions = Array.from({ length: 90 }, (_, step) => edge(step * 10))
  assert.ok(Math.max(...positions) > 0)
  assert.ok(Math.abs(edge(flingTime)) < 1)
})

test("a zoom eases in and out", () => {
  for (const [time, share] of [[0, 0], [.5, .764], [1, 1]]) assert.ok(Math.abs(zoomEasing(time) - share) < .02, `${time}: ${zoomEasing(time)}`)
})
