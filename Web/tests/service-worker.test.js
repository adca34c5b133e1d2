// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

const workers = new EventTarget()
const page = Object.assign(new EventTarget(), {
  documentElement: { dataset: { base: "/longbox" } }, visibilityState: "visible", querySelector: () => null,
})
const view = new EventTarget()
Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true })
Object.assign(globalThis, {
  document: page,
  location: new URL("https://example.com/longbox/5/"),
  addEventListener: view.addEventListener.bind(view),
  removeEventListener: view.removeEventListener.bind(view),
})
const { registerWorker, sendChange } = await import("../src/pages/service-worker.js")

const hour = 3_600_000

test("a page that is shown again looks for a new version, at most once an hour", async (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 10 * hour })
  let isOnline = true
  Object.defineProperty(navigator, "onLine", { get: () => isOnline, configurable: true })
  const updates = []
  workers.register = async (address) => ({
    update: async () => {
      updates.push(address)
      throw new TypeError("The script can't be fetched.")
    },
  })
  registerWorker()
  const shown = async () => {
    page.dispatchEvent(new Event("visibilitychange"))
    view.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }))
    await new Promise((resolve) => { setTimeout(resolve) })
    return updates.length
  }
  assert.equal(await shown(), 0, "the browser has just looked")
  context.mock.timers.setTime(11 * hour)
  page.visibilityState = "hidden"
  assert.equal(await shown(), 0)
  page.visibilityState = "visible"
  isOnline = false
  assert.equal(await shown(), 0)
  isOnline = true
  assert.equal(await shown(), 1)
  assert.equal(await shown(), 1)
  context.mock.timers.setTime(9 * hour)
  assert.equal(await shown(), 2, "the clock was set back")
  assert.deepEqual(updates, ["/longbox/sw.js", "/longbox/sw.js"])
})

test("the page on which the reader signs in has no worker yet", (context) => {
  const register = context.mock.method(workers, "register", async () => {})
  page.querySelector = (selector) => selector === "form.sign-in" ? {} : null
  registerWorker()
  page.querySelector = () => null
  assert.equal(register.mock.callCount(), 0)
})

/** Whether a change is accepted whose request the browser ends; `answer` is the worker's. Also the forms that the worker gets. */
async function afterEnd(context, answer) {
  const forms = []
  workers.controller = answer === undefined ? null : {
    postMessage({ answer: port, ...form }) {
      forms.push(form)
      port.postMessage(answer)
      port.close()
    },
  }
  context.mock.method(globalThis, "fetch", async () => { throw new TypeError("Load failed") })
  const isAccepted = await sendChange("https://example.com/longbox/favorites/set", new URLSearchParams({ comic: "5", on: "yes" }))
  return { isAccepted, forms }
}

test("a change reaches the worker by a message if the browser ends its request", async (context) => {
  const form = { kind: "submit", path: "/favorites/set", form: "comic=5&on=yes" }
  assert.deepEqual(await afterEnd(context, true), { isAccepted: true, forms: [form] })
  assert.deepEqual(await afterEnd(context, false), { isAccepted: false, forms: [form] })
  assert.deepEqual(await afterEnd(context, undefined), { isAccepted: false, forms: [] })
})
