// Longbox
// SPDX-License-Identifier: MIT
//
// The service worker: installs Longbox on the device, and answers from there, with a connection or without.
// The server puts before it `build`, which is what to install, and the worker-*.js files. docs/device.md tells more.

const shellCache = "longbox-shell"

// The connection

let wasReached = true

/** Whether it makes sense to ask the server. */
const isConnected = () => navigator.onLine && wasReached

function noteReached(isReached) {
  if (wasReached === isReached) return
  wasReached = isReached
  tellAll({ kind: "connection", isReached })
}

/** Asks the server, and notes whether it can be reached. */
async function ask(request, options) {
  try {
    const response = await fetch(request, options)
    // All that the server says has a policy; without one a proxy speaks for a server that is gone.
    if (response.status >= 500 && !response.headers.has("content-security-policy")) throw new TypeError(response.statusText)
    noteReached(true)
    return response
  } catch (error) {
    if (error.name !== "AbortError") noteReached(false)
    throw error
  }
}

/** What a step gives, or undefined where that takes too long or fails. */
function within(milliseconds, step) {
  return Promise.race([
    Promise.resolve(step).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ])
}

async function tellAll(message) {
  for (const client of await clients.matchAll({ type: "window" })) client.postMessage(message)
}

// Installing

self.addEventListener("install", (event) => event.waitUntil(install()))

async function install() {
  await installShell()
  await refreshArchive()
  await device()
  // What the reader did so far stands on the server only, and must be here before this worker answers.
  await lookForLibrary()
  await skipWaiting()
}

/** Fetches those files whose content is not here already. */
async function installShell() {
  const cache = await caches.open(shellCache)
  await Promise.all(build.files.map(async ({ name, hash }) => {
    if (await cache.match(shellKey(name, hash))) return
    const response = await ask(`/assets/${name}?v=${build.assets}`, { cache: "no-cache" })
    const tag = response.headers.get("etag")
    // Another version than that of this worker: it has been replaced on the server meanwhile.
    if (!response.ok || (tag && !tag.includes(hash))) throw new Error(`${name} can't be installed.`)
    await cache.put(shellKey(name, hash), response)
  }))
}

const shellKey = (name, hash) => `/assets/${name}?hash=${hash}`

async function shellFile(name) {
  const file = build.files.find((file) => file.name === name)
  return file && (await caches.open(shellCache)).match(shellKey(name, file.hash))
}

self.addEventListener("activate", (event) => event.waitUntil(activate()))

async function activate() {
  const cache = await caches.open(shellCache)
  const wanted = new Set(build.files.map(({ name, hash }) => new URL(shellKey(name, hash), location).href))
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
  await clients.claim()
  const before = await store.get("assets")
  await store.set("assets", build.assets)
  if (before && before !== build.assets) await tellAll({ kind: "updated" })
}

// Answering

self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  if (request.mode === "navigate") {
    if (request.method === "GET" || request.method === "POST") event.respondWith(page(event, url))
  } else if (request.headers.get("accept") === "text/html") {
    // turning.js asks for a page to show in the place of another, or sends a form.
    event.respondWith(page(event, url))
  } else if (request.method === "GET") {
    if (url.pathname === "/search") {
      // The search box asks while somebody types.
      event.respondWith(page(event, url))
    } else if (explanationPath.test(url.pathname)) {
      event.respondWith(explanation(event, Number(explanationPath.exec(url.pathname)[1])))
    } else if (explanationTextPath.test(url.pathname)) {
      event.respondWith(explanationText(event, Number(explanationTextPath.exec(url.pathname)[1])))
    } else if (coverPath.test(url.pathname)) {
      event.respondWith(cover(event, url))
    } else if (picturePath.test(url.pathname)) {
      event.respondWith(picture(event, url.pathname, url.searchParams.get("v") ?? ""))
    } else if (url.pathname.startsWith("/assets/") || url.pathname === "/manifest.webmanifest") {
      event.respondWith(asset(request, url))
    }
  }
})

async function asset(request, url) {
  const version = url.searchParams.get("v")
  const isOurs = version === null || version === build.assets
  const file = await shellFile(url.pathname.split("/").pop())
  if (file && isOurs) return file
  return ask(request).catch((error) => {
    if (file) return file
    throw error
  })
}

/** Files that a reader may open by themselves; whatever else is navigated to is a page. */
const isFile = (url) => picturePath.test(url.pathname) || coverPath.test(url.pathname) || /^\/(assets\/|archive$|sw\.js$|healthz$)|\.\w+$/.test(url.pathname)

async function page(event, url) {
  const { request } = event
  if (isFile(url)) return ask(request)
  // The server's page; without a connection the comic's shows what is kept.
  const [, explained] = explanationPath.exec(url.pathname) ?? []
  if (explained) return passOn(event).catch(() => Response.redirect(new URL(`/${explained}/#explanation`, location), 303))
  // Saved albums are searched by the server, which knows the library, too.
  if (url.pathname === "/search" && url.searchParams.get("q")?.split(" ").includes("is:album")) {
    return passOn(event).catch(() => Response.redirect(new URL("/albums/saved", location), 303))
  }
  // A form of another site's page: the server knows better where it comes from, and refuses it.
  if (request.method === "POST" && !request.referrer.startsWith(`${location.origin}/`)) return passOn(event)
  const copy = request.clone()
  try {
    const question = { path: url.pathname, query: url.search.slice(1), isOffline: !isConnected() }
    question.isAhead = request.headers.get("purpose") === "prefetch"
    if (request.method === "POST") question.form = await request.text()
    let reply = await answerHere(question)
    // What is lacking is asked for even where the server was out of reach a moment ago: it may be back.
    const lacksText = () => navigator.onLine && reply.needs.some(({ kind }) => kind === "latest" || kind === "comic")
    if (lacksText()) {
      const isNew = await within(4_000, refreshArchive())
      question.isOffline = !isConnected()
      if (isNew) reply = await answerHere(question)
    }
    if (lacksText() || (reply.isUnknownHere && navigator.onLine)) {
      const elsewhere = await passOn(event, copy).catch(() => null)
      const [, album] = articlePath.exec(url.pathname) ?? []
      if (elsewhere && album) await within(3_000, renewAlbum(album))
      if (elsewhere?.ok && albumPath.test(url.pathname)) event.waitUntil(keepShownAlbum(url.pathname, url.search).catch(() => {}))
      if (elsewhere) return elsewhere
      reply = await answerHere({ ...question, isOffline: true })
    }
    // The album's page comes next, and says that it was saved: that is the device's to say.
    if (question.path === "/albums/save" && isConnected()) await within(4_000, keepAlbums())
    if (!question.isAhead) event.waitUntil(Promise.allSettled([afterwards(question, reply), noteSeen(url.pathname)]))
    return asResponse(reply)
  } catch (error) {
    console.warn("Longbox could not answer on the device:", error)
    if (error instanceof DamagedArchive) event.waitUntil(refreshArchive({ isWhole: true }).catch(() => {}))
    return passOn(event, copy).catch(() => apology())
  }
}

/** The comic at the address `/`, as far as it has been asked for. */
let latestComic = null

/** The comics whose explanations a page is going to show, as far as its address tells. */
async function comicsShown(path) {
  const [, comic] = /^\/(\d+)\/$/.exec(path) ?? []
  if (comic) return [Number(comic)]
  if (path === "/favorites") return (await currentFacts()).favorites
  return path === "/" && latestComic ? [latestComic] : []
}

/** Answers by the module that knows the address. */
async function answerHere(question) {
  return (await answerAlbums(question)) ?? answerWithExplanations(question)
}

/** Answers with the beginnings of explanations that are kept. */
async function answerWithExplanations(question) {
  if (question.form !== undefined) return answer(question)
  const shelved = await beginnings(await comicsShown(question.path))
  const reply = await answer({ ...question, shelved })
  const lacking = reply.needs.filter(({ kind }) => kind === "explanation").map(({ comic }) => comic)
  if (lacking.length === 0) return reply
  if (question.path === "/") latestComic = lacking[0]
  const page = await answer({ ...question, shelved: [...shelved, ...(await beginnings(lacking))] })
  return { ...page, isLibraryChanged: page.isLibraryChanged || reply.isLibraryChanged }
}

/** What is done after an answer; nobody waits for it. */
async function afterwards(question, reply) {
  if (!isConnected()) {
    if (reply.isLibraryChanged) await registration.sync?.register("library").catch(() => {})
    return
  }
  const steps = []
  if (reply.isLibraryChanged) steps.push(sync())
  if (question.form !== undefined) steps.push(keepFavorites(), keepAlbums())
  if (reply.needs.some(({ kind }) => ["latest", "comic", "picture"].includes(kind))) steps.push(refreshArchiveNowAndThen())
  steps.push(keepExplanationsAfter(question))
  await Promise.allSettled(steps)
}

/** Keeps the explanation of a comic that was looked at. */
async function keepExplanationsAfter({ path, form }) {
  const { keepsComics } = await currentFacts()
  const shown = keepsComics && form === undefined ? await comicsShown(path) : []
  await keepExplanationsOf(shown)
}

/** Lets the server answer; it should know what was done here, and what it does should be known here. */
async function passOn(event, request = event.request) {
  if ((await currentFacts().catch(() => null))?.hasUnsentEdits) await within(3_000, sync())
  const response = await ask(request)
  if (request.method === "POST") await within(3_000, sync({ isForced: true }))
  return response
}

function asResponse(reply) {
  if (reply.location) return Response.redirect(new URL(reply.location, location), reply.status)
  return new Response(reply.body, {
    status: reply.status,
    headers: { ...build.headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
  })
}

/** Where neither the device nor the server can answer. */
function apology() {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Longbox</title><link rel="stylesheet" href="/assets/style.css"><body class="message-page"><main class="message">
    <h1>That did not work</h1><p role="alert">Longbox could not open what is stored on this device, and there is no connection
    to fetch it anew. Your favorites are safe. Load this page again when you are back online.</p>
    <p><a href="/">Try again</a></p></main>`
  return new Response(text, { status: 503, headers: { ...build.headers, "content-type": "text/html; charset=utf-8" } })
}

// What pages say

self.addEventListener("message", (event) => {
  const steps = {
    hello: () => greet(event.source),
    tick: () => catchUp(),
    online: () => {
      noteReached(true)
      return catchUp()
    },
    probe: () => probe(),
    sizes: async () => event.source.postMessage({ kind: "sizes", ...(await downloadSizes()), albums: await albumSizes() }),
    download: () => startDownload(event.data.selection),
    pause: () => changeDownload((job) => job && { ...job, state: "paused" }),
    resume: async () => {
      await changeDownload((job) => job && { ...job, state: "running" })
      return continueDownload()
    },
    continue: () => continueDownload(),
    stop: () => setDownload(null),
    clear: async () => {
      await clearCache()
      event.source.postMessage({ kind: "cleared" })
    },
  }
  const step = steps[event.data?.kind]
  if (step) event.waitUntil(step().catch((error) => console.warn(`Longbox: ${event.data.kind}:`, error)))
})

self.addEventListener("sync", (event) => {
  if (event.tag === "library") event.waitUntil(sync())
})

/** A page has come: it is told how things are, and they are brought up to date. */
async function greet(client) {
  client.postMessage({ kind: "connection", isReached: wasReached })
  const job = await downloadJob()
  if (job) client.postMessage({ kind: "download", job: await withProgress(job) })
  if (!isConnected()) return
  const steps = [sync(), lookForLibraryNowAndThen(), refreshArchiveNowAndThen(), lookForNewsNowAndThen()]
  if (job) steps.push(continueDownload())
  await Promise.allSettled(steps)
}

async function catchUp() {
  if (!isConnected()) return
  await Promise.allSettled([sync(), refreshArchive(), continueDownload(), keepFavorites(), keepAlbums({ clears: true }),
    renewExplanations()])
}

/** Looks whether the server can be reached again. */
async function probe() {
  if (!navigator.onLine) return
  const wasConnected = isConnected()
  await ask("/healthz", { cache: "no-store" })
  if (!wasConnected) await catchUp()
}
