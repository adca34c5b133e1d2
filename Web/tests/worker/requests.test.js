// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { DamagedArchive } from "../../src/worker/device.js"
import { handlerOf, PageRequests, route } from "../../src/worker/requests.js"
import { fakeConnection } from "./fakes.js"

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
  ["/embed/latest", { mode: "navigate" }, "browser"],
  ["/latest.png", { mode: "navigate" }, "browser"],
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

const origin = "https://box.example"
const url = new URL("/353/?a=b", origin)
const deviceResponse = (more = {}) => ({ status: 200, location: "", body: new TextEncoder().encode("device"), isLibraryChanged: false, ...more })
const outcome = (more = {}) => ({ response: deviceResponse(), needs: [], isForServer: false, afterwards: [], ...more })

/** A page's request; `clone` returns itself, since nothing is really sent. */
function request({ method = "GET", form = "", referrer = `${origin}/353/`, headers = {}, ...more } = {}) {
  const made = { url: url.href, method, referrer, headers: new Headers(headers), text: async () => form, clone: () => made, ...more }
  return made
}

/** Page requests whose device gives these outcomes in turn; `log` records what happened. */
function newRequests(outcomes, { server, facts = {}, base = "", isCopy = false } = {}) {
  const log = []
  const connection = fakeConnection(server ? { "/353/": server, "/albums/settings": server } : {})
  const requests = new PageRequests({
    loop: {
      respond: async (deviceRequest, options = {}) => {
        log.push(["asked", deviceRequest.path, deviceRequest.form ?? null, options.isOffline ?? false])
        const next = outcomes.shift()
        if (next instanceof Error) throw next
        return next
      },
    },
    background: { after: async () => { log.push(["after"]) } },
    host: { facts: async () => facts },
    sync: {
      run: async ({ isForced = false } = {}) => { log.push(["sync", isForced]) },
      runOrWait: async () => { log.push(["sync or wait"]) },
    },
    albums: { renew: async (path) => { log.push(["renew", path]) }, expire: async () => { log.push(["expire"]) } },
    archive: { refetch: async () => { log.push(["refetch"]) } },
    connection,
    headers: { "x-guard": "yes" },
    origin,
    base,
    isCopy,
  })
  const background = []
  const event = (made) => ({ request: made, waitUntil: (work) => background.push(work) })
  const respond = async (made = request()) => {
    const response = await requests.respond(event(made), url)
    await Promise.allSettled(background)
    return response
  }
  return { requests, respond, log, connection }
}

const serverPage = (status = 200) => new Response("server", { status })

test("the device's responses have the headers of the server's pages", async () => {
  const { respond, log, connection } = newRequests([outcome()])
  const response = await respond()
  assert.equal(await response.text(), "device")
  assert.equal(response.headers.get("x-guard"), "yes")
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8")
  assert.deepEqual(log, [["asked", "/353/", null, false], ["after"]])
  assert.deepEqual(connection.sent, [])
})

test("a response may redirect", async () => {
  const { respond } = newRequests([outcome({ response: deviceResponse({ status: 303, location: "/6/" }) })])
  const response = await respond(request({ method: "POST", form: "comic=5" }))
  assert.equal(response.status, 303)
  assert.equal(response.headers.get("location"), `${origin}/6/`)
})

test("a script gets the page that a redirect leads to, and its address", async () => {
  const redirect = () => outcome({ response: deviceResponse({ status: 303, location: "/6/" }) })
  const { respond, log } = newRequests([redirect(), outcome()], { base: "/longbox" })
  const response = await respond(request({ mode: "cors", redirect: "follow", headers: { purpose: "prefetch" } }))
  assert.deepEqual([response.status, await response.text()], [200, "device"])
  assert.equal(response.headers.get("content-location"), "/longbox/6/")
  assert.equal(response.headers.get("x-guard"), "yes")
  assert.deepEqual(log, [["asked", "/353/", null, false], ["asked", "/6/", null, false]], "neither counts as a view")
  for (const more of [{ mode: "cors", redirect: "manual" }, { mode: "navigate", redirect: "manual" }]) {
    assert.equal((await newRequests([redirect()]).respond(request(more))).status, 303)
  }
})

test("below a base path, redirects have it, and forms must come from a page below it", async () => {
  const base = "/longbox"
  const { respond, log } = newRequests(
    [
      outcome({ response: deviceResponse({ status: 303, location: "/6/" }) }),
      outcome({ response: deviceResponse({ status: 303, location: "https://xkcd.com/6/" }) }),
    ],
    { server: () => serverPage(), base },
  )
  const form = { method: "POST", form: "comic=5" }
  const [own, other] = [await respond(request({ ...form, referrer: `${origin}${base}/5/` })), await respond(request({ ...form, referrer: `${origin}${base}/5/` }))]
  assert.equal(own.headers.get("location"), `${origin}${base}/6/`)
  assert.equal(other.headers.get("location"), "https://xkcd.com/6/")
  assert.equal(log.filter(([what]) => what === "asked").length, 2)
  // A neighbour on the same host sends it: the server decides.
  await respond(request({ ...form, referrer: `${origin}/neighbour/` }))
  assert.equal(log.filter(([what]) => what === "asked").length, 2)
})

test("a prefetch starts no background work", async () => {
  const { respond, log } = newRequests([outcome()])
  await respond(request({ headers: { purpose: "prefetch" } }))
  assert.deepEqual(log, [["asked", "/353/", null, false]])
})

test("the server responds to what the device leaves to it", async () => {
  const { respond, log } = newRequests(
    [outcome({ response: null, isForServer: true, afterwards: [async () => { log.push(["afterwards"]) }] })], { server: serverPage() },
  )
  assert.equal(await (await respond()).text(), "server")
  assert.deepEqual(log, [["asked", "/353/", null, false], ["afterwards"]])
})

test("nothing runs after a page that the server rejects", async () => {
  const { respond, log } = newRequests(
    [outcome({ response: null, isForServer: true, afterwards: [async () => { log.push(["afterwards"]) }] })], { server: serverPage(404) },
  )
  assert.equal((await respond()).status, 404)
  assert.deepEqual(log, [["asked", "/353/", null, false]])
})

test("if the server can't be reached, the device is asked again", async () => {
  const { respond, log } = newRequests([outcome({ response: null, isForServer: true }), outcome()])
  assert.equal(await (await respond()).text(), "device")
  assert.deepEqual(log, [["asked", "/353/", null, false], ["asked", "/353/", null, true], ["after"]])
})

test("unsent edits are synced before a request goes to the server", async () => {
  const { respond, log } = newRequests([outcome({ isForServer: true })], { server: serverPage(), facts: { isDueForSync: true } })
  await respond()
  assert.deepEqual(log, [["asked", "/353/", null, false], ["sync", false]])
})

test("after a form handled by the server, its changes are fetched", async () => {
  const { respond, log } = newRequests([outcome({ isForServer: true })], { server: serverPage() })
  await respond(request({ method: "POST", form: "page=1", referrer: `${origin}/albums/7?country=us` }))
  assert.deepEqual(log, [["asked", "/353/", "page=1", false], ["sync", true], ["renew", "/albums/7"]])
})

test("after a change of the settings of albums, all cached albums count as old, and that of the page is fetched again", async () => {
  const { respond, log } = newRequests([outcome({ isForServer: true })], { server: serverPage() })
  await respond(request({ method: "POST", form: "language=de", url: `${origin}/albums/settings`, referrer: `${origin}/albums/7?country=us` }))
  assert.deepEqual(log.slice(1), [["expire"], ["sync", true], ["renew", "/albums/7"]])
})

for (const referrer of ["", "about:client", "https://other.example/", "https://box.example.org/"]) {
  test(`a form from ${referrer || "nowhere"} goes to the server`, async () => {
    const { respond, log } = newRequests([], { server: serverPage(403) })
    assert.equal((await respond(request({ method: "POST", referrer }))).status, 403)
    assert.ok(log.every(([step]) => step !== "asked"))
  })
}

/** Silences the warnings that failures log. */
function quietly(step) {
  return async (context) => {
    context.mock.method(console, "warn", () => {})
    await step()
  }
}

test("after a trap the server responds, or else an error page is shown", quietly(async () => {
  const trap = () => [new WebAssembly.RuntimeError("unreachable")]
  assert.equal(await (await newRequests(trap(), { server: serverPage() }).respond()).text(), "server")
  const response = await newRequests(trap()).respond()
  assert.equal(response.status, 503)
  assert.match(await response.text(), /Your favorites are safe/)
}))

test("a damaged archive is fetched again as a whole", quietly(async () => {
  const { respond, log } = newRequests([new DamagedArchive()], { server: serverPage() })
  await respond()
  assert.deepEqual(log.at(-1), ["refetch"])
}))

test("a notification's form reports whether the library has changed", async () => {
  const { requests, log } = newRequests([outcome({ response: deviceResponse({ isLibraryChanged: true }) })])
  assert.equal(await requests.submit({ path: "/favorites/set", form: "comic=1" }), true)
  assert.deepEqual(log, [["asked", "/favorites/set", "comic=1", false], ["after"]])
})

test("a new view is synced, without any other background work", async () => {
  const bench = newRequests([outcome({ response: deviceResponse({ isLibraryChanged: true }) }), outcome()])
  await bench.requests.noteView(353, false)
  await bench.requests.noteView(353, true)
  assert.deepEqual(bench.log, [
    ["asked", "/read/viewed", "comic=353", false], ["sync or wait"], ["asked", "/read/viewed", "comic=353&place=keep", false],
  ])
})

test("the library's file is sent as a download", async () => {
  const { respond } = newRequests([outcome({ response: deviceResponse({ isFile: true }) })])
  const response = await respond()
  assert.match(response.headers.get("content-disposition"), /^attachment; filename="longbox-library.json"$/)
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
})

test("a form with a file is read as bytes, up to what an import may have", async () => {
  const { respond, log } = newRequests([outcome(), outcome()])
  const headers = { "content-type": "multipart/form-data; boundary=X" }
  const sent = (bytes) => ({ ...request({ method: "POST", headers }), blob: async () => new Blob([bytes]) })
  await respond(sent(Uint8Array.of(0xff, 1)))
  await respond(sent(new Uint8Array(9 << 20)))
  const forms = log.filter(([what]) => what === "asked").map(([, , form]) => form)
  assert.deepEqual([...forms[0]], [0xff, 1])
  assert.equal(forms[1].length, (8 << 20) + 1)
})

test("a static copy takes no forms, so the device responds", async () => {
  const { respond, log, connection } = newRequests([outcome({ isForServer: true })], { isCopy: true })
  assert.equal(await (await respond(request({ method: "POST", form: "a=b" }))).text(), "device")
  assert.deepEqual(log[0], ["asked", "/353/", "a=b", false])
  assert.deepEqual(connection.sent, [])
})
