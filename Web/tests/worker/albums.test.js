// Longbox
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict"
import { test } from "node:test"
import { Albums } from "../../src/worker/albums.js"
import { MessageReader } from "../../src/worker/device.js"
import { useFakeCaches } from "./fake-caches.js"
import { fakeConnection, fakePages } from "./fakes.js"

const online = { isOnline: true }
const offline = { isOnline: false }
const content = (album, more = {}) => Response.json({
  album, name: `Album ${album}`, body: `<p>${album}</p>`, artist: { id: "9", name: "Oda & Pim" }, tracks: ["One", "Two"],
  hasCover: false, isProvisional: false, ...more,
})

function newAlbums(saved, responses, connectionOptions) {
  const caches = useFakeCaches()
  const connection = fakeConnection(responses, connectionOptions)
  const pages = fakePages()
  const facts = { albums: saved }
  const albums = new Albums({ host: { facts: async () => facts }, connection, pages, base: "" })
  return { albums, connection, caches, facts }
}

function decoded(bytes) {
  const reader = new MessageReader(bytes)
  const [album, name, body, artistID, artistName] = Array.from({ length: 5 }, () => reader.text())
  return { album, name, body, artistID, artistName, tracks: reader.list(() => reader.text()), isAll: reader.isAtEnd }
}

test("a saved album is cached with its covers", async () => {
  const { albums, caches } = newAlbums(["/albums/1?country=us"], {
    "/albums/1/content.json?country=us": content("1", { hasCover: true }),
    "/albums/1/cover": new Response("a cover"), "/albums/1/cover?size=small": new Response("a small cover"),
  })
  await albums.keepSaved()
  assert.deepEqual(caches.paths("longbox-albums"), ["/albums/1/cover", "/albums/1/cover?size=small", "/albums/1/content.json"])
  assert.deepEqual(decoded(await albums.page("1?country=us", offline)), {
    album: "1", name: "Album 1", body: "<p>1</p>", artistID: "9", artistName: "Oda & Pim", tracks: ["One", "Two"], isAll: true,
  })
  assert.equal((await albums.sizes()).count, 1)
})

test("what a redirect led to is not cached as a cover", async () => {
  const { albums, caches } = newAlbums(["/albums/1"], {
    "/albums/1/content.json": content("1", { hasCover: true }),
    "/albums/1/cover": () => Object.defineProperty(new Response("<h1>Log in</h1>"), "redirected", { value: true }),
  })
  await albums.keepSaved()
  assert.deepEqual(caches.paths("longbox-albums"), ["/albums/1/content.json"])
})

test("a cover that is missing is a drawing, which every browser shows", async () => {
  const { albums, connection, caches } = newAlbums(["/albums/1"], {
    "/albums/1/cover": new Response("a drawing", { status: 404, headers: { "content-type": "image/svg+xml" } }),
    "/albums/2/cover": new Response("a cover"),
    "/albums/3/cover": () => Object.defineProperty(new Response("<h1>Log in</h1>"), "redirected", { value: true }),
  })
  const cover = (path) => {
    const url = new URL(path, "https://box.example")
    return albums.respondCover({ request: new Request(url) }, url)
  }
  assert.equal(await (await cover("/albums/2/cover")).text(), "a cover")
  // The last can't be reached.
  for (const path of ["/albums/1/cover", "/albums/3/cover", "/albums/4/cover"]) {
    const response = await cover(path)
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/svg+xml"], path)
    assert.equal(response.headers.get("cache-control"), "no-store")
  }
  assert.equal(connection.sent.length, 4)
  assert.deepEqual(caches.paths("longbox-albums"), [])
})

test("an album comes with what its page says for each choice of article", async () => {
  const article = { language: "en", versions: [{ page: null, html: "<p>Found</p>" }, { page: 4, html: "<p>Chosen</p>" }] }
  const { albums } = newAlbums(["/albums/1"], { "/albums/1/content.json": content("1", { article }) })
  await albums.keepSaved()
  const reader = new MessageReader(await albums.page("1", offline))
  for (let count = 0; count < 5; count++) reader.text()
  reader.list(() => reader.text())
  const rest = []
  while (!reader.isAtEnd) rest.push(reader.text())
  assert.deepEqual(rest, ["en", "", "<p>Found</p>", "4", "<p>Chosen</p>"])
})

test("a newly saved album is fetched for its page", async () => {
  const { albums } = newAlbums(["/albums/1?country=us"], { "/albums/1/content.json?country=us": content("1") })
  assert.equal(decoded(await albums.page("1?country=us", online)).name, "Album 1")
})

test("an unsaved album is left to the server, and shown from the cache offline", async () => {
  const { albums, connection } = newAlbums([], { "/albums/2/content.json?country=us": content("2") })
  assert.equal(await albums.page("2?country=us", online), null)
  await albums.keepShown("2?country=us")
  assert.equal(await albums.page("2?country=us", online), null)
  assert.equal(await albums.page("2", offline), null, "of another country nothing is known")
  assert.equal(decoded(await albums.page("2?country=us", offline)).name, "Album 2")
  connection.isConnected = false
  assert.equal(decoded(await albums.page("2?country=us", online)).name, "Album 2")
})

test("only incomplete albums are fetched again", async () => {
  const { albums, connection, caches } = newAlbums(["/albums/1?country=us", "/albums/2?country=us"], {
    "/albums/1/content.json?country=us": content("1", { hasCover: true }),
    "/albums/1/cover": new Response("", { status: 503 }), "/albums/1/cover?size=small": new Response("", { status: 404 }),
    "/albums/2/content.json?country=us": content("2"),
  })
  await albums.keepSaved()
  assert.deepEqual(caches.paths("longbox-albums"), ["/albums/1/content.json", "/albums/2/content.json"])
  connection.sent.length = 0
  await albums.keepSaved()
  assert.deepEqual(connection.sent, ["/albums/1/content.json?country=us", "/albums/1/cover", "/albums/1/cover?size=small"])
})

test("catching up removes albums that are no longer saved", async () => {
  const { albums, caches, facts } = newAlbums(["/albums/1"], { "/albums/1/content.json": content("1") })
  await albums.keepSaved()
  facts.albums = []
  await albums.keepSaved()
  assert.equal(caches.paths("longbox-albums").length, 1)
  await albums.clearUnsaved()
  assert.equal(caches.paths("longbox-albums").length, 0)
})

test("a quiz reads an album once, without its page", async () => {
  const { albums, connection } = newAlbums([], { "/albums/3/content.json": content("3"), "/albums/4/content.json": content("4", { tracks: undefined }) })
  const first = await albums.quiz("3", online)
  assert.deepEqual([decoded(first).body, decoded(first).tracks], ["", ["One", "Two"]])
  assert.equal(await albums.quiz("3", online), first)
  assert.deepEqual(connection.sent, ["/albums/3/content.json"])
  assert.equal(await albums.saved("3"), null, "it was shown, not saved")
  assert.equal(await albums.quiz("4", online), null, "its tracks are not known")
  assert.equal(await albums.quiz("5", offline), null)
})

test("the last twelve shown albums are cached", async () => {
  const numbers = Array.from({ length: 14 }, (_, index) => String(index + 1))
  const { albums, caches } = newAlbums([], Object.fromEntries(numbers.map((number) => [`/albums/${number}/content.json`, content(number)])))
  for (const number of numbers) await albums.keepShown(number)
  assert.deepEqual(caches.paths("longbox-albums-shown"), numbers.slice(2).map((number) => `/albums/${number}/content.json`))
})

test("a form handled by the server refreshes its saved album", async () => {
  const { albums, connection } = newAlbums(["/albums/1?country=us"], { "/albums/1/content.json?country=us": () => content("1") })
  await albums.renew("/albums/1")
  await albums.renew("/albums/1")
  await albums.renew("/353/")
  assert.equal(connection.sent.length, 2)
})

test("after a change of their settings, cached albums are fetched again, and shown until then", async () => {
  const { albums, connection, caches } = newAlbums(["/albums/1?country=us"], {
    "/albums/1/content.json?country=us": () => content("1"), "/albums/2/content.json": () => content("2"),
  })
  await albums.keepSaved()
  await albums.keepShown("2")
  await albums.expire()
  assert.deepEqual(caches.paths("longbox-albums-shown"), [])
  assert.equal(decoded(await albums.page("1?country=us", offline)).name, "Album 1")
  await albums.keepSaved()
  await albums.keepSaved()
  assert.equal(connection.sent.filter((address) => address.startsWith("/albums/1/")).length, 2)
})
