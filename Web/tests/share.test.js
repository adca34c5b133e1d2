// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"

const image = { dataset: {}, currentSrc: "" }
const dataset = {}
const text = (textContent) => ({ textContent })
let elements = {}
let lines = []
let isTouched = false
Object.assign(globalThis, {
  document: { documentElement: { dataset }, querySelector: (selector) => elements[selector] ?? null, querySelectorAll: () => lines },
  matchMedia: () => ({ matches: isTouched }),
})
const { describe, prepare, shareLink, sharePicture } = await import("../src/pages/share.js")

const define = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true })
const picture = (type = "image/png") => new Response("a picture", { headers: { "content-type": type } })
const settled = () => new Promise((resolve) => { setTimeout(resolve) })

beforeEach(() => {
  elements = {
    ".bar .number": text("#7"), ".attribution a": {}, ".details .alt": text(" Alt text. "), ".pages > .stage .picture:not(.absent) img": image,
  }
  lines = []
  isTouched = false
  define("share", undefined)
  define("clipboard", undefined)
})

/** A phone that shares; `shared` is what it was given. */
function phone(failure) {
  const shared = []
  isTouched = true
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
  define("clipboard", { writeText: async (value) => { copied.push(value) }, write: async ([item]) => { copied.push(await item.parts["image/png"]) } })
  globalThis.ClipboardItem = class { constructor(parts) { this.parts = parts } }
  return copied
}

test("a comic's link is xkcd.com's, where people elsewhere can't reach the server", () => {
  assert.equal(describe("#7 A title").link, "https://xkcd.com/7/")
})

test("what is shared is the comic's title, credit, alt text and link, and its transcript a line a paragraph", () => {
  lines = [text("A scene."), text(" Pim: Yes. ")]
  const shared = describe("#7 A title")
  assert.equal(shared.text, "xkcd #7 A title, by Randall Munroe, CC BY-NC 2.5\n\nAlt text.\n\nhttps://xkcd.com/7/")
  assert.equal(shared.transcript, "A scene.\nPim: Yes.")
})

test("a sample has no address elsewhere", () => {
  delete elements[".attribution a"]
  const shared = describe("#7 A title")
  assert.deepEqual([shared.link, shared.text], ["", "#7 A title, a sample drawn for Longbox\n\nAlt text."])
})

test("a link is copied within the press", async () => {
  const [copied, said] = [clipboard(), []]
  const ended = shareLink(describe("A title"), (message) => said.push(message))
  assert.deepEqual(copied, ["https://xkcd.com/7/"])
  await ended
  assert.deepEqual(said, ["Link copied."])
})

test("a link is shown where it can't be copied", async () => {
  const said = []
  await shareLink(describe("A title"), (message) => said.push(message))
  assert.deepEqual(said, ["Copy this to share it: https://xkcd.com/7/"])
})

test("a phone shares a link by its own sheet, within the press", () => {
  const shared = phone()
  shareLink(describe("A title"), () => {})
  assert.deepEqual(shared, [{ title: "xkcd A title", url: "https://xkcd.com/7/" }])
})

test("a computer copies, even if it could share", async () => {
  const [shared, copied] = [phone(), clipboard()]
  isTouched = false
  await shareLink(describe("A title"), () => {})
  assert.deepEqual([shared.length, copied.length], [0, 1])
})

test("a picture that was fetched before is shared within the press, with its texts", async () => {
  const shared = phone()
  image.currentSrc = "/comics/7/image"
  const fetched = []
  globalThis.fetch = async (address) => {
    fetched.push(address)
    return picture()
  }
  prepare()
  await settled()
  sharePicture(describe("A title"), () => {})
  assert.deepEqual(shared.map(({ title, files }) => [title, files[0].name, files[0].size]), [["xkcd A title", "xkcd-7.png", 9]])
  assert.match(shared[0].text, /Alt text\.\n\nhttps:\/\/xkcd\.com\/7\/$/)
  assert.deepEqual(fetched, ["/comics/7/image"])
})

test("a picture that takes long, or can't be had, is not shared, and is asked for again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] })
  const [shared, said] = [phone(), []]
  const say = (message) => said.push(message)
  image.currentSrc = "/comics/8/image"
  globalThis.fetch = () => new Promise(() => {})
  const slow = sharePicture(describe("A title"), say)
  context.mock.timers.tick(1_000)
  await slow
  image.currentSrc = "/comics/9/image"
  globalThis.fetch = async () => { throw new TypeError() }
  await sharePicture(describe("A title"), say)
  assert.deepEqual([shared.length, said.length], [0, 2])
  globalThis.fetch = async () => picture()
  await sharePicture(describe("A title"), say)
  assert.equal(shared.length, 1)
})

test("a computer copies the picture within the press, before it is fetched", async () => {
  const [copied, said] = [clipboard(), []]
  image.currentSrc = "/comics/10/image"
  globalThis.fetch = async () => picture()
  await sharePicture(describe("A title"), (message) => said.push(message))
  assert.equal(copied[0].size, 9)
  assert.deepEqual(said, ["Picture copied."])
})

test("a browser that can't copy pictures says where to save it", async () => {
  const said = []
  delete globalThis.ClipboardItem
  image.currentSrc = "/comics/11/image"
  globalThis.fetch = async () => picture()
  await sharePicture(describe("A title"), (message) => said.push(message))
  assert.match(said[0], /Save it in Details/)
})

test("if sharing fails the link is copied, but not if the reader cancels", async () => {
  const copied = clipboard()
  phone(new DOMException("", "NotAllowedError"))
  await shareLink(describe("A title"), () => {})
  phone(new DOMException("", "AbortError"))
  await shareLink(describe("A title"), () => {})
  assert.equal(copied.length, 1)
})
