// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { header, isSegment } from "../../src/worker/archive.js"
import { fakeSegment } from "./fakes.js"

test("a segment's header is read", () => {
  const segment = fakeSegment({ revision: 9, base: 4, rules: 2, samples: 3 })
  assert.deepEqual(header(segment), { revision: 9, base: 4, rules: 2, samples: 1 })
  assert.ok(isSegment(segment))
})

test("a proxy's error page is not a segment", () => {
  assert.ok(!isSegment(new TextEncoder().encode("<h1>Log in</h1>".repeat(20)).buffer))
  assert.ok(!isSegment(fakeSegment().slice(0, 63)))
})
