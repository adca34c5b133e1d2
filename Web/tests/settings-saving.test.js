// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { settingChanges, showSetting } from "../src/pages/settings-saving.js"

/** Changes whose sending ends when the test says so; records what is sent and shown. */
function newChanges() {
  const [sent, shown, ends] = [[], [], []]
  const send = (field, value) => new Promise((resolve) => {
    sent.push(`${field}=${value}`)
    ends.push(resolve)
  })
  const changes = settingChanges(send, (field, value, isPutBack) => shown.push(`${field}=${value}${isPutBack ? " again" : ""}`))
  changes.note("appearance", "system")
  return { changes, sent, shown, ends }
}

test("a change is shown and sent at once", async () => {
  const { changes, sent, shown, ends } = newChanges()
  const end = changes.change("appearance", "dark")
  assert.deepEqual([sent, shown], [["appearance=dark"], ["appearance=dark"]])
  ends[0](true)
  await end
  assert.deepEqual(shown, ["appearance=dark"])
})

test("a control that could not be saved returns to the saved value", async () => {
  const { changes, shown, ends } = newChanges()
  const first = changes.change("appearance", "dark")
  ends[0](true)
  await first
  const second = changes.change("appearance", "light")
  ends[1](false)
  await second
  assert.deepEqual(shown, ["appearance=dark", "appearance=light", "appearance=dark again"])
})

test("changes arrive in order, and a failed one doesn't put back a later one", async () => {
  const { changes, sent, shown, ends } = newChanges()
  const first = changes.change("appearance", "dark")
  const second = changes.change("appearance", "light")
  assert.deepEqual(sent, ["appearance=dark"])
  ends[0](false)
  await first
  await Promise.resolve()
  assert.deepEqual(sent, ["appearance=dark", "appearance=light"])
  ends[1](true)
  await second
  assert.deepEqual(shown, ["appearance=dark", "appearance=light"])
})

test("what waits is sent once when the reader leaves", async () => {
  const { changes, sent, ends } = newChanges()
  const ended = [["deep", "on"], ["keys", "off"], ["deep", "off"]].map(([field, value]) => changes.change(field, value))
  const atLast = []
  for (let time = 0; time < 2; time += 1) changes.leave((field, value) => atLast.push(`${field}=${value}`))
  assert.deepEqual([sent, atLast], [["deep=on"], ["keys=off", "deep=off"]])
  ends[0](true)
  await Promise.all(ended)
  assert.deepEqual(sent, ["deep=on"])
})

test("a change is sent at once again after the last one has ended", async () => {
  const { changes, sent, ends } = newChanges()
  const end = changes.change("keys", "off")
  ends[0](true)
  await end
  changes.change("keys", "on")
  assert.deepEqual(sent, ["keys=off", "keys=on"])
})

test("a setting changes the document as the server would", () => {
  const root = { dataset: {} }
  for (const [field, value] of [["appearance", "dark"], ["pictures", "dim"], ["tap", "zoom"], ["keys", "off"], ["deep", "on"]]) {
    showSetting(field, value, root)
  }
  assert.deepEqual(root.dataset, { appearance: "dark", pictures: "dim", doubleTap: "zoom", shortcuts: "off" })
  for (const [field, value] of [["appearance", "system"], ["pictures", "invert"], ["tap", "favorite"], ["keys", "on"]]) {
    showSetting(field, value, root)
  }
  assert.deepEqual(root.dataset, {})
})
