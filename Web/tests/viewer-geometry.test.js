// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import {
  along, clamp, doubleTapScale, edgeStep, fitsWhole, floorOf, middle, maxScale, pinched, spaceBetween, rubberBand, scaled, turnOf, velocity,
} from "../src/pages/viewer/geometry.js"

/** value, size, frame, rest, scale, expected */
const places = [
  ["a picture that fits stays where it was at rest", [50, 400, 400, 150, 1], 50],
  ["at its size at rest it goes no further than rest", [-80, 300, 400, 50, 1], 0],
  ["at twice its size the frame's edges count alone", [50, 800, 400, 150, 2], 0],
  ["at twice its size it goes to the other edge", [-900, 800, 400, 150, 2], -400],
  ["between them it may be on its way to where it was at rest", [200, 600, 400, 100, 1.5], 50],
  ["a picture above its frame, scrolled away, stays there", [-300, 400, 400, -300, 1], -300],
]
for (const [name, [value, size, frame, rest, scale], expected] of places) {
  test(name, () => assert.equal(along(value, size, frame, rest, scale), expected))
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
  assert.deepEqual(pinched(from, middle({ x: 60, y: 160 }, { x: 260, y: 160 }), frame, 8), { x: -150, y: -100, scale: 2 })
  assert.deepEqual(pinched(from, middle({ x: 130, y: 190 }, { x: 230, y: 190 }), frame, 8), { x: 20, y: 30, scale: 1 })
})

test("a pinch goes beyond its limits with friction: 0.15 below, 0.05 above", () => {
  const from = { x: 0, y: 0, scale: 1, fingers: middle({ x: 110, y: 160 }, { x: 210, y: 160 }) }
  assert.equal(pinched(from, middle({ x: 135, y: 160 }, { x: 185, y: 160 }), frame, 8).scale, 1 - .5 * .15)
  assert.equal(pinched(from, middle({ x: -340, y: 160 }, { x: 660, y: 160 }), frame, 8).scale, 8 + 2 * .05)
})

test("a zoom reaches 8, or 2 CSS pixels a picture's pixel", () => {
  assert.equal(maxScale(740, 358), 8)
  assert.equal(maxScale(2600, 390), 2 * 2600 / 390)
})

test("a double tap zooms to twice the size, or to the frame's width", () => {
  assert.equal(doubleTapScale(300, 390), 2)
  assert.equal(doubleTapScale(100, 844), 8.44)
})

test("a zoomed picture has the room between the bars", () => {
  assert.deepEqual(spaceBetween(390, { left: 0, right: 390, width: 390 }, 60, 708), { left: 0, top: 60, width: 390, height: 648 })
  assert.deepEqual(spaceBetween(1280, { left: 104, right: 900, width: 796 }, 70, 800), { left: 104, top: 70, width: 796, height: 730 })
})

test("bars at a side or at the top don't count as the lower edge", () => {
  const [tabs, pager] = [{ top: 760, width: 390 }, { top: 708, width: 390 }]
  assert.equal(floorOf({ width: 390, height: 844 }, [tabs, pager]), 708)
  const others = [{ top: 0, width: 104 }, { top: 740, width: 400 }, { top: 0, width: 1280 }]
  assert.equal(floorOf({ width: 1280, height: 800 }, others), 800)
})

/** the finger's way, the page's, the finger's velocity, expected direction on a page of 390 */
const swipes = [
  ["half of the width turns", [195, 195, 0], 1],
  ["less than half of it does not", [194, 194, 0], 0],
  ["a fast finger turns after 25 px", [-25, -25, -.4], -1],
  ["a fast finger that went less far does not", [-24, -24, -.9], 0],
  ["a slower finger does not", [-100, -100, -.39], 0],
  ["a finger that turns back fast cancels", [150, 150, -.5], 0],
  ["a finger that turns back slowly cancels, too", [250, 250, -.15], 0],
  ["a finger that shakes does not cancel", [250, 250, -.05], 1],
  ["a second swipe turns although the page is still on its way", [-60, 90, -.8], -1],
]
for (const [name, [dx, shift, speed], expected] of swipes) {
  test(name, () => assert.equal(turnOf({ dx, shift, speed }, 390), expected))
}

test("a page gives way at its end as on iOS: 26, 48, 86 px for 50, 100, 200", () => {
  for (const [drawn, given] of [[0, 0], [50, 26], [100, 48], [200, 86], [-200, -86]]) assert.equal(Math.round(rubberBand(drawn, 390)), given)
})

test("a picture is shown whole if its text can still be read", () => {
  const room = { width: 700, height: 300 }
  for (const [width, height, isWhole] of [[400, 500, true], [400, 501, false], [1166, 300, true], [1167, 300, false], [NaN, NaN, false]]) {
    assert.equal(fitsWhole({ width, height }, room), isWhole, `${width} by ${height}`)
  }
})

/** at, start, shift, finger's way, expected; the picture's edges are at -200 and 0 */
const steps = [
  ["inside, the picture follows", [-100, -100, 0, 30], { at: -70, shift: 0 }],
  ["at an edge that the drag began at, the page moves", [0, 0, 0, 30], { at: 0, shift: 30 }],
  ["less than a pixel from the edge is at the edge", [-.5, -.5, 0, 30], { at: -.5, shift: 30 }],
  ["at an edge that the drag has reached, friction holds it", [0, -100, 0, 30], { at: 10.5, shift: 0 }],
  ["the same at the other edge", [-200, -200, 0, -30], { at: -200, shift: -30 }],
  ["a page that has moved goes back first", [0, 0, 40, -30], { at: 0, shift: 10 }],
  ["no further than to its place", [0, 0, 40, -60], { at: 0, shift: 0 }],
  ["then the picture follows again", [0, 0, 0, -30], { at: -30, shift: 0 }],
  ["a drag that went up first never turns", [0, NaN, 0, 30], { at: 10.5, shift: 0 }],
]
for (const [name, [at, start, shift, delta], expected] of steps) {
  test(name, () => assert.deepEqual(edgeStep({ at, start, low: -200, high: 0, shift }, delta), expected))
}

test("velocity considers the last 50 ms, or the last two places on a slow device", () => {
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
