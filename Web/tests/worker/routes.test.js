// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { handlerOf, route } from "../../src/worker/requests.js"

for (const [path, request, handler] of [
  ["/353/", { mode: "navigate" }, "page"],
  ["/favorites/set", { mode: "navigate", method: "POST" }, "page"],
  ["/353/", { mode: "navigate", method: "HEAD" }, "browser"],
  ["/353/explanation", { mode: "navigate" }, "page"],
  ["/albums/1/quiz", { mode: "navigate" }, "page"],
  ["/comics/353/image", { mode: "navigate" }, "browser"],
  ["/albums/1/cover", { mode: "navigate" }, "browser"],
  ["/assets/icon.svg", { mode: "navigate" }, "browser"],
  ["/favorites.json", { mode: "navigate" }, "browser"],
  ["/archive/", { mode: "navigate" }, "page"],
  ["/archive", { mode: "navigate" }, "page"],
  ["/archive", {}, "browser"],
  ["/354/", { accept: "text/html" }, "page"],
  ["/favorites/set", { accept: "text/html", method: "POST" }, "page"],
  ["/search", {}, "page"],
  ["/353/explanation", {}, "fragment"],
  ["/explanations/353", {}, "explanation"],
  ["/explanations", {}, "browser"],
  ["/comics/353/image@2x", {}, "picture"],
  ["/comics/353/larger", {}, "picture"],
  ["/comics/353/thumbnail", {}, "picture"],
  ["/albums/1/cover", {}, "cover"],
  ["/assets/app.js", {}, "asset"],
  ["/manifest.webmanifest", {}, "asset"],
  ["/sync", { method: "POST" }, "browser"],
  ["/api/push/key", {}, "browser"],
]) {
  test(`${request.method ?? "GET"} ${path} (${request.mode ?? request.accept ?? "fetch"}) is for ${handler}`, () => {
    assert.equal(handlerOf({ mode: "cors", method: "GET", accept: null, path, ...request }), handler)
  })
}

test("handlers get addresses without the base path, and no others", () => {
  const paths = []
  const handlers = { page: (_, url) => paths.push(url.pathname + url.search) }
  for (const address of ["/longbox/353/?a=b", "/353/", "/longboxes/353/", "/longbox/", "//longbox/1/"]) {
    const request = { url: `https://box.example${address}`, mode: "navigate", method: "GET", headers: new Headers() }
    route({ request, respondWith: () => {} }, handlers, { origin: "https://box.example", base: "/longbox" })
  }
  assert.deepEqual(paths, ["/353/?a=b", "/"])
})
