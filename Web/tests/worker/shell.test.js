// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Shell } from "../../src/worker/shell.js"
import { useFakeCaches } from "./fake-caches.js"
import { fakeConnection, quotaExceeded } from "./fakes.js"

const origin = "https://box.example"

/** Builds by version: each has another app.js, and a script whose name has a hash. */
const build = (version) => ({
  assets: version, base: "", files: [{ name: "app.js", hash: version }, { name: `sheets-${version}.js`, hash: version }],
})

/** The files after installing one build after another. The server has only the files of the last build. */
async function installed(versions, options) {
  const kept = useFakeCaches()
  let shell
  for (const version of versions) {
    const file = (name) => () => new Response(`${name} of ${version}`, { headers: { etag: `"${version}"` } })
    const connection = fakeConnection({ "/assets/app.js": file("app.js"), [`/assets/sheets-${version}.js`]: file("sheets") })
    shell = new Shell(build(version), connection, origin)
    await shell.install()
    if (version === versions.at(-1)) Object.assign(kept.options, options)
    await shell.tidy()
  }
  const load = async (address) => {
    const response = await shell.respond({ request: new Request(origin + address) }, new URL(address, origin))
    return response.text()
  }
  return { kept, load }
}

test("a page that was opened before an update still loads its scripts, by their names", async () => {
  const { load } = await installed(["a", "b"])
  assert.equal(await load("/assets/sheets-a.js"), "sheets of a")
  assert.equal(await load("/assets/sheets-b.js"), "sheets of b")
  assert.equal(await load("/assets/app.js?v=b"), "app.js of b")
})

test("only the files of a build and the scripts of the one before it are kept", async () => {
  const { kept, load } = await installed(["a", "b", "c"])
  assert.deepEqual(kept.paths("longbox-shell").toSorted(), [
    "/assets/app.js?hash=c", "/assets/sheets-b.js?hash=before", "/assets/sheets-c.js?hash=c",
  ])
  await assert.rejects(load("/assets/sheets-a.js"), TypeError)
})

test("on a full device, an update succeeds without the scripts of the previous build", async () => {
  const { kept } = await installed(["a", "b"], { failure: quotaExceeded() })
  assert.deepEqual(kept.paths("longbox-shell").toSorted(), ["/assets/app.js?hash=b", "/assets/sheets-b.js?hash=b"])
})

test("what a redirect led to is not installed", async () => {
  const kept = useFakeCaches()
  const page = () => Object.defineProperty(new Response("<h1>Log in</h1>"), "redirected", { value: true })
  const connection = fakeConnection({ "/assets/app.js": page, "/assets/sheets-a.js": page })
  await assert.rejects(new Shell(build("a"), connection, origin).install(), /can't be installed/)
  assert.deepEqual(kept.paths("longbox-shell"), [])
})
