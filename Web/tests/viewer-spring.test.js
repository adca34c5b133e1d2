// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { distanceAfter, flingTime, longest, pageSpring, thrown, settlingMotion, zoomEasing } from "../src/pages/viewer/geometry.js"

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
