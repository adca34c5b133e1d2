// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { secondsOf, timeOf } from "../src/pages/quiz-time.js"

for (const [seconds, time] of [[0, "0:00"], [9, "0:09"], [123, "2:03"], [3600, "1:00:00"], [3723, "1:02:03"]]) {
  test(`${seconds} seconds are ${time}`, () => {
    assert.equal(timeOf(seconds), time)
    assert.equal(secondsOf(time), seconds)
  })
}
