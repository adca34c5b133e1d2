// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { along, clamp, isMeant, middle, pinched, roomBetween, scaled, velocity } from "../src/pages/viewer/geometry.js"

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
  assert.equal(pinched(from, middle({ x: 159, y: 160 }, { x: 161, y: 160 }), frame, 8).scale, 1)
  assert.equal(pinched(from, middle({ x: -5000, y: 160 }, { x: 5000, y: 160 }), frame, 8).scale, 8)
})

test("a zoomed picture has the room between the bars", () => {
  const phone = { width: 390, height: 844 }
  const [tabs, pager] = [{ top: 760, width: 390 }, { top: 708, width: 390 }]
  assert.deepEqual(roomBetween(phone, { left: 0, right: 390, width: 390 }, 60, [tabs, pager]), { left: 0, top: 60, width: 390, height: 648 })
  const desktop = { width: 1280, height: 800 }
  const atSide = [{ top: 0, width: 104 }, { top: 740, width: 400 }]
  assert.deepEqual(roomBetween(desktop, { left: 104, right: 900, width: 796 }, 70, atSide), { left: 104, top: 70, width: 796, height: 730 })
})

test("a swipe must be far or fast enough", () => {
  for (const [dx, speed, expected] of [[200, 0, true], [-30, -.5, true], [30, -.5, false], [20, .5, false], [97, 0, false], [98, 0, true]]) {
    assert.equal(isMeant(dx, speed, 390), expected, `${dx} px, ${speed} px/ms`)
  }
})

test("velocity considers only the last 100 ms", () => {
  const trail = [{ x: 0, y: 0, time: 0 }, { x: 10, y: 0, time: 950 }, { x: 30, y: 0, time: 1000 }]
  assert.deepEqual(velocity(trail, 1000), { x: .4, y: 0 })
  assert.deepEqual(velocity(trail, 5000), { x: 0, y: 0 })
  assert.deepEqual(velocity([], 5000), { x: 0, y: 0 })
})

test("two fingers at one point have a distance above zero", () => {
  assert.equal(middle({ x: 1, y: 1 }, { x: 1, y: 1 }).distance, clamp(0, 1, 2))
})
