// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { handlerOf } from "../../src/worker/routes.js"

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
  ["/archive", { mode: "navigate" }, "browser"],
  ["/archives", { mode: "navigate" }, "page"],
  ["/354/", { accept: "text/html" }, "page"],
  ["/favorites/set", { accept: "text/html", method: "POST" }, "page"],
  ["/search", {}, "page"],
  ["/353/explanation", {}, "fragment"],
  ["/explanations/353", {}, "explanation"],
  ["/explanations", {}, "browser"],
  ["/comics/353/image@2x", {}, "picture"],
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
