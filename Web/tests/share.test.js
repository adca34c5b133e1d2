// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"

const image = { dataset: {}, currentSrc: "" }
const elements = { ".bar .number": { textContent: "#7" }, ".attribution a": {}, ".pages > .stage .picture img": image }
Object.assign(globalThis, {
  document: { documentElement: { dataset: { base: "/longbox" } }, querySelector: (selector) => elements[selector] ?? null },
  location: { href: "https://box.example/longbox/7/" },
})
const { prepare, share } = await import("../src/pages/share.js")

const define = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true })
const picture = () => new Response("a picture", { headers: { "content-type": "image/png" } })

/** A device that shares; `shared` is what it was given. */
function sharingDevice(failure) {
  const shared = []
  define("share", (data) => {
    shared.push(data)
    return failure ? Promise.reject(failure) : Promise.resolve()
  })
  define("canShare", () => true)
  return shared
}

/** A clipboard; `copied` is what it was given. */
function clipboard() {
  const copied = []
  define("clipboard", { writeText: async (text) => { copied.push(text) } })
  return copied
}

test("a link is copied within the press", async () => {
  define("share", undefined)
  const [copied, said] = [clipboard(), []]
  const ended = share((text) => said.push(text), "A title")
  assert.deepEqual(copied, ["https://box.example/longbox/7/"])
  await ended
  assert.deepEqual(said, ["Link copied."])
})

test("a picture that was fetched before is shared within the press", async () => {
  const shared = sharingDevice()
  image.currentSrc = "/comics/7/image"
  const fetched = []
  globalThis.fetch = async (address) => {
    fetched.push(address)
    return picture()
  }
  prepare()
  await new Promise((resolve) => { setTimeout(resolve) })
  share(() => {}, "A title")
  assert.deepEqual(shared.map(({ title, url, files }) => [title, url, files[0].name, files[0].size]), [
    ["xkcd A title", "https://box.example/longbox/7/", "xkcd-7.png", 9],
  ])
  assert.deepEqual(fetched, ["/comics/7/image"])
})

test("a comic is shared without a picture that takes long, or can't be had", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] })
  const shared = sharingDevice()
  image.currentSrc = "/comics/8/image"
  globalThis.fetch = () => new Promise(() => {})
  const slow = share(() => {}, "A title")
  assert.equal(shared.length, 0)
  context.mock.timers.tick(1_000)
  await slow
  image.currentSrc = "/comics/9/image"
  globalThis.fetch = async () => { throw new TypeError() }
  await share(() => {}, "A title")
  assert.deepEqual(shared.map(({ files }) => files), [undefined, undefined])
  globalThis.fetch = async () => picture()
  await share(() => {}, "A title")
  assert.equal(shared[2].files.length, 1, "it is asked for again")
})

test("if sharing fails the link is copied, but not if the reader cancels", async () => {
  const copied = clipboard()
  sharingDevice(new DOMException("", "NotAllowedError"))
  await share(() => {}, "A title")
  sharingDevice(new DOMException("", "AbortError"))
  await share(() => {}, "A title")
  assert.equal(copied.length, 1)
})
