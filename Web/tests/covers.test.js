// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

const page = { documentElement: { dataset: {} } }
globalThis.document = page
const { listPlace, returnTo } = await import("../src/pages/covers.js")

/**
 * A list in a window of 1,000 pixels, with a comic every 100 pixels. As in a browser, the part above a comic in view has its
 * real height, `settled` pixels more than before, only after two frames.
 */
function newList({ settled = 0 } = {}) {
  const list = { frames: 0, grown: 0, reader: new EventTarget() }
  const tile = (comic) => {
    const top = () => 100 * comic + list.grown - globalThis.scrollY
    const item = {
      querySelector: () => ({ pathname: `/longbox/${comic}/` }),
      getBoundingClientRect: () => ({ top: top(), bottom: top() + 100 }),
      scrollIntoView: () => { globalThis.scrollY += Math.min(0, top()) + Math.max(0, top() - 900) },
    }
    return { closest: () => item }
  }
  Object.assign(globalThis, {
    scrollY: 0, innerWidth: 400, innerHeight: 1000,
    scrollTo: ({ top }) => { globalThis.scrollY = top },
    scrollBy: ({ top }) => { globalThis.scrollY += top },
    addEventListener: (kind, listener, options) => list.reader.addEventListener(kind, listener, options),
    requestAnimationFrame: (step) => { list.next = step },
  })
  page.querySelector = (selector) => {
    const comic = /\/(\d+)\//.exec(selector)?.[1]
    return comic ? tile(Number(comic)) : {}
  }
  // Two years of 50 comics; measuring the items of another year than that in view would take long.
  page.querySelectorAll = () => [0, 50].map((first) => ({
    getBoundingClientRect: () => ({ bottom: list.topOf(first + 50) }),
    children: Array.from({ length: 50 }, (_, index) => tile(first + index).closest()),
  }))
  list.topOf = (comic) => tile(comic).closest().getBoundingClientRect().top
  list.run = (most = 1000) => {
    for (let count = 0; list.next && count < most; count += 1) {
      const step = list.next
      list.next = null
      list.frames += 1
      if (list.frames === 2) list.grown += settled
      step()
    }
    return list.frames
  }
  return list
}

test("a reader returns to the very comic, although parts above it get their real height later", () => {
  const before = newList()
  globalThis.scrollY = 4030
  const place = listPlace()
  assert.deepEqual(place, { scroll: 4030, comic: "45", top: 470 })
  assert.equal(before.topOf(45), 470)
  for (const settled of [-2300, 0, 700]) {
    const list = newList({ settled })
    returnTo(place)
    assert.ok(list.run() < 20, "it ends")
    assert.equal(list.topOf(45), 470)
  }
})

test("the comic read last is in view in the end", () => {
  for (const settled of [-2300, 0, 700]) {
    const list = newList({ settled })
    returnTo({ scroll: 4030, comic: "45", top: 470 }, "80")
    list.run()
    assert.equal(list.topOf(80), 900)
    returnTo({ scroll: 4030, comic: "45", top: 470 }, "46")
    list.run()
    assert.deepEqual([list.topOf(45), list.topOf(46)], [470, 570], "one that was in view stays where it was")
  }
})

test("a list that goes on moving, and a reader who scrolls, are left alone", () => {
  const restless = newList()
  returnTo({ scroll: 4030, comic: "45", top: 470 })
  for (let count = 0; restless.next && count < 1000; count += 1) {
    restless.grown += 5
    restless.run(1)
  }
  assert.ok(restless.frames < 100)
  const list = newList()
  returnTo({ scroll: 4030, comic: "45", top: 470 })
  list.reader.dispatchEvent(new Event("wheel"))
  list.grown += 700
  list.run()
  assert.equal(list.topOf(45), 1170)
})

test("at the top, and without a comic in view, the scroll position counts", () => {
  const list = newList()
  assert.deepEqual(listPlace(), { scroll: 0 })
  returnTo({ scroll: 300 })
  assert.deepEqual([globalThis.scrollY, list.next], [300, undefined])
  returnTo(null, null)
  assert.equal(globalThis.scrollY, 300)
})
