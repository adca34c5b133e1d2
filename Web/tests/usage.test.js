// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { usageIn } from "../src/pages/usage.js"

const day = 24 * 3_600_000

/** Usage at a time that the test sets; a session that began long ago. */
function newUsage() {
  const values = new Map()
  const storage = { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) }
  const clock = { now: Date.UTC(2026, 10, 22, 12) }
  return { usage: usageIn(storage, () => clock.now), clock, values }
}

const isDue = ({ usage, clock }, age = 60_000) => usage.isOfferDue(clock.now - age)
const read = ({ usage }, count) => { for (let comic = 0; comic < count; comic += 1) usage.noteComic() }

test("the offer needs five comics, and a favorite or a second day", () => {
  const bench = newUsage()
  bench.usage.noteDay()
  read(bench, 4)
  bench.usage.noteKept()
  assert.equal(isDue(bench), false)
  read(bench, 1)
  assert.equal(isDue(bench), true)

  const other = newUsage()
  other.usage.noteDay()
  read(other, 9)
  other.usage.noteDay()
  assert.equal(isDue(other), false)
  other.clock.now += day
  other.usage.noteDay()
  assert.equal(isDue(other), true)
})

test("the offer never comes in the first thirty seconds", () => {
  const bench = newUsage()
  read(bench, 5)
  bench.usage.noteKept()
  assert.equal(isDue(bench, 29_999), false)
  assert.equal(isDue(bench, 30_000), true)
})

test("a dismissed offer rests for ninety days, and comes three times at most", () => {
  const bench = newUsage()
  read(bench, 5)
  bench.usage.noteKept()
  for (let dismissal = 1; dismissal <= 3; dismissal += 1) {
    assert.equal(isDue(bench), true)
    bench.usage.noteDismissal()
    bench.clock.now += 90 * day - 1
    assert.equal(isDue(bench), false)
    bench.clock.now += 1
  }
  bench.clock.now += 1000 * day
  assert.equal(isDue(bench), false)
})

test("dismissals counted by an earlier version are kept", () => {
  const bench = newUsage()
  bench.values.set("longbox-usage", JSON.stringify({ comics: 9, isKept: true, refusals: 3, refusedAt: 7 }))
  assert.equal(isDue(bench), false)
  bench.usage.noteComic()
  assert.deepEqual(JSON.parse(bench.values.get("longbox-usage")), {
    comics: 10, days: 0, day: "", isKept: true, dismissals: 3, dismissedAt: 7,
  })
})

test("damaged counts count as none", () => {
  const bench = newUsage()
  bench.values.set("longbox-usage", "{")
  assert.equal(bench.usage.counts().comics, 0)
  bench.usage.noteComic()
  assert.equal(bench.usage.counts().comics, 1)
})
