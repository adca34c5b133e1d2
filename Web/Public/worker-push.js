// Longbox
// SPDX-License-Identifier: MIT
//
// New comics: notifications by web push, what can be done in them, and the badge of the installed app. The server puts this
// file before sw.js; docs/push.md tells more.

// What is new

/** No list of news grows beyond this. */
const mostNews = 100

let newsTurn = Promise.resolve()

/**
 * Changes what is known of news, one step after another: the latest comic, those that nobody has looked at since they came
 * (`unseen`), and those that a notification was shown for (`announced`).
 */
function changeNews(step) {
  const turn = newsTurn.then(async () => {
    const news = (await store.get("news")) ?? { samples: 0, latest: 0, unseen: [], announced: [] }
    const result = step(news)
    for (const list of ["unseen", "announced"]) news[list] = news[list].slice(-mostNews)
    await store.set("news", news)
    await showBadge(news.unseen.length)
    return result
  })
  newsTurn = turn.catch(() => {})
  return turn
}

/** How many comics came that nobody has looked at, on the icon of the installed app. */
async function showBadge(count) {
  try {
    if (count > 0) await navigator.setAppBadge?.(count)
    else await navigator.clearAppBadge?.()
  } catch {
    // Not installed, or not allowed: there is no badge then.
  }
}

function addUnseen(news, latest) {
  for (let comic = Math.max(news.latest + 1, latest - mostNews); comic <= latest; comic += 1) {
    if (comic !== 404) news.unseen.push(comic)
  }
  news.latest = Math.max(news.latest, latest)
}

/** The greatest number in a segment of the archive: its records are in order, 56 bytes each (SegmentLayout.swift). */
function latestIn(segment) {
  const view = new DataView(segment)
  for (let section = 0; section < view.getUint16(10, true); section += 1) {
    const [kind, offset, length] = [0, 4, 8].map((place) => view.getUint32(64 + 12 * section + place, true))
    if (kind === 1 && length >= 56) return view.getUint32(offset + length - 56, true)
  }
  return 0
}

/** Notes what the archive has brought. What was there at first, and the sample box, is no news. */
function noteArchive(segment) {
  const { samples } = heading(segment)
  return changeNews((news) => {
    if (news.latest === 0 || samples || news.samples) Object.assign(news, { samples, latest: latestIn(segment), unseen: [] })
    else addUnseen(news, latestIn(segment))
  })
}

/** Notes that somebody looks at a comic. */
async function noteSeen(path) {
  const comic = Number(/^\/(\d+)\/$/.exec(path)?.[1] ?? 0)
  const known = await store.get("news")
  const seen = path === "/" ? known?.latest : comic
  if (known?.unseen.includes(seen)) await changeNews((news) => { news.unseen = news.unseen.filter((other) => other !== seen) })
}

// Notifications

self.addEventListener("push", (event) => event.waitUntil(hearOf(event)))

async function hearOf(event) {
  let news = null
  try {
    news = event.data.json()
  } catch {
    // Browsers want something to be shown whatever came.
  }
  if (news?.test) return notify("Longbox", { body: "Notifications work. This one was a test.", tag: "test", data: { path: "/" } })
  if (!Number.isInteger(news?.comic)) return notify("Longbox", { body: "There is something new.", tag: "news", data: { path: "/" } })
  // A server that was killed in the midst may say the same twice.
  const isRepeated = await changeNews((known) => {
    const isKnown = known.announced.includes(news.comic)
    if (!isKnown) known.announced.push(news.comic)
    return isKnown
  })
  const arrival = fetchNews(news)
  if (!isRepeated) await announce(news)
  await arrival
}

const notify = (title, options) => registration.showNotification(title, { icon: "/assets/icon-192.png", ...options })

async function announce({ comic, count, title, thumbnail, hides }) {
  const image = (await within(4_000, notificationImage(thumbnail, hides))) ?? undefined
  if (count) {
    return notify(`${count} new comics`, {
      body: `The newest is #${comic}.`, tag: "comics", image, data: { comic, path: "/comics?unread=1" },
    })
  }
  return notify(title ? `#${comic} ${title}` : `#${comic}`, {
    body: "A new comic is out.", tag: `comic-${comic}`, image, data: { comic, path: `/${comic}/` },
    actions: [{ action: "favorite", title: "Favorite" }, { action: "later", title: "Read later" }],
  })
}

/** The small picture as an address that needs no connection any more; blurred, where it may not say what it shows. */
async function notificationImage(thumbnail, isHidden) {
  if (!thumbnail?.startsWith("/comics/")) return null
  const response = await ask(thumbnail)
  if (!response.ok) return null
  const picture = await response.blob()
  return dataAddress(isHidden ? await blurred(picture) : picture)
}

/** So few points across that nothing can be made out, drawn large and smooth. */
async function blurred(picture) {
  const bitmap = await createImageBitmap(picture)
  const height = (width) => Math.max(1, Math.round((width * bitmap.height) / bitmap.width))
  const draw = (source, width) => {
    const canvas = new OffscreenCanvas(width, height(width))
    const context = canvas.getContext("2d")
    context.imageSmoothingQuality = "high"
    context.drawImage(source, 0, 0, canvas.width, canvas.height)
    return canvas
  }
  return draw(draw(bitmap, 12), 360).convertToBlob({ type: "image/png" })
}

function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** Fetches what a tap on the notification will show, so that it shows without a connection. */
async function fetchNews({ comic }) {
  await refreshArchive().catch(() => {})
  await changeNews((news) => { if (!news.samples) addUnseen(news, comic) })
  const { keepsComics } = await currentFacts()
  if (keepsComics) await keepLatest(comic)
}

async function keepLatest(comic) {
  const wanted = (await device()).pictures("latest").find((picture) => picture.comic === comic)
  if (wanted) await downloadPicture(wanted)
}

self.addEventListener("notificationclick", (event) => {
  const { comic, path } = event.notification.data ?? {}
  event.notification.close()
  const steps = {
    favorite: () => edit("/favorites/set", `comic=${comic}&on=yes`),
    later: async () => {
      await edit("/read/set", `comic=${comic}&on=no`)
      await keepLatest(comic)
    },
  }
  event.waitUntil((steps[event.action] ?? (() => openPage(path ?? "/")))())
})

/** Does what a form of a page would do. */
async function edit(path, form) {
  const question = { path, form, isOffline: !isConnected() }
  const reply = await answer(question)
  await afterwards(question, reply)
  if (reply.isLibraryChanged) await tellAll({ kind: "library" })
}

async function openPage(path) {
  const [open] = await clients.matchAll({ type: "window" })
  if (!open) return clients.openWindow(path)
  const shown = (await open.navigate(path)) ?? open
  return shown.focus().catch(() => {})
}

// Subscriptions

/** A browser may change its subscription at any time; the server has to know the new one. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event)))

async function renewSubscription({ oldSubscription, newSubscription }) {
  let subscription = newSubscription ?? (await registration.pushManager.getSubscription())
  if (!subscription) {
    const { publicKey } = await (await ask("/api/push/key")).json()
    subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  }
  await ask("/api/push/subscriptions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...subscription.toJSON(), replaces: oldSubscription?.endpoint }),
  })
}

// Where there is no push: an installed app may look for news by itself now and then, where the browser lets it

const newsInterval = 12 * 3_600_000

function lookForNewsNowAndThen() {
  return registration.periodicSync?.register("news", { minInterval: newsInterval }).catch(() => {})
}

self.addEventListener("periodicsync", (event) => {
  if (event.tag === "news") event.waitUntil(refreshArchive().catch(() => {}))
})
