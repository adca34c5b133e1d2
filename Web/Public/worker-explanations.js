// Longbox
// SPDX-License-Identifier: MIT
//
// Explanations: kept on the device in a database of their own, as the server made them. The server puts this file before
// sw.js.

const explanationPath = /^\/(\d+)\/explanation$/
const explanationTextPath = /^\/explanations\/(\d+)$/

/** What is kept of explanations; without room or permission for it there is nothing. */
const explanations = (() => {
  let opening = null

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("longbox-explanations", 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore("texts", { keyPath: "comic" })
        request.result.createObjectStore("state")
      }
      request.onsuccess = () => {
        request.result.onclose = () => { opening = null }
        resolve(request.result)
      }
      request.onerror = () => reject(request.error)
    }).catch((error) => {
      opening = null
      throw error
    })
    return opening
  }

  async function transaction(mode, step) {
    const database = await open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(["texts", "state"], mode, { durability: "relaxed" })
      const result = step(transaction.objectStore("texts"), transaction.objectStore("state"))
      transaction.oncomplete = () => resolve(result?.())
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("aborted"))
    })
  }

  return {
    /** Those of some comics that are kept. */
    some(comics) {
      return transaction("readonly", (texts) => {
        const requests = comics.map((comic) => texts.get(comic))
        return () => requests.map(({ result }) => result).filter(Boolean)
      })
    },

    keys() {
      return transaction("readonly", (texts) => {
        const request = texts.getAllKeys()
        return () => request.result
      })
    },

    /** How far the download of all has come: { samples, change }, or undefined. */
    progress() {
      return transaction("readonly", (texts, state) => {
        const request = state.get("progress")
        return () => request.result
      })
    },

    /** The index by which search looks into explanations: the whole and what was added, or undefined. */
    index() {
      return transaction("readonly", (texts, state) => {
        const request = state.get("index")
        return () => request.result
      })
    },

    /** Keeps the index, or none. */
    keepIndex(segments) {
      return transaction("readwrite", (texts, state) => {
        state.put(segments, "index")
      })
    },

    /** Keeps explanations, and with those of a download how far it has come. */
    keep(list, progress) {
      return transaction("readwrite", (texts, state) => {
        for (const explanation of list) texts.put({ ...explanation, keptAt: Date.now() })
        if (progress) state.put(progress, "progress")
      })
    },

    /** Removes all but those of some comics. */
    clear(except = []) {
      return transaction("readwrite", (texts, state) => {
        const keys = texts.getAllKeys()
        keys.onsuccess = () => {
          for (const comic of keys.result) if (!except.includes(comic)) texts.delete(comic)
        }
        state.clear()
      })
    },
  }
})()

/** The beginnings of explanations for a page to be made with, empty where they are not kept. */
async function beginnings(comics) {
  if (comics.length === 0) return []
  const kept = new Map((await explanations.some(comics).catch(() => [])).map(({ comic, beginning }) => [comic, beginning]))
  return comics.map((comic) => ({ comic, beginning: kept.get(comic) ?? "" }))
}

/** An explanation that is kept, and kept up to date, or that can be fetched now. */
async function knownExplanation(event, comic) {
  const [kept] = await explanations.some([comic]).catch(() => [])
  if (kept) event.waitUntil(keepExplanationsOf([comic]).catch(() => {}))
  return kept ?? fetchExplanation(comic)
}

/** Answers a comic's page that was made before its explanation was here: null where there is none, or none to be had now. */
async function explanationText(event, comic) {
  return Response.json((await knownExplanation(event, comic)) ?? null)
}

/** Answers a comic's page that asks for the whole explanation. */
async function explanation(event, comic) {
  const known = await knownExplanation(event, comic)
  if (!known?.whole) return ask(event.request).catch(() => asArticle("<p>This explanation is not on this device yet.</p>", 503))
  return asArticle(known.whole)
}

function asArticle(html, status = 200) {
  return new Response(`<article id="explanation"><h2>Explanation</h2>${html}</article>`, {
    status,
    headers: { ...build.headers, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  })
}

/** Asks the server for an explanation and keeps it: null where there is none, undefined where nothing can be had now. */
async function fetchExplanation(comic) {
  try {
    const response = await ask(`/explanations/${comic}`, { cache: "no-cache" })
    if (response.status === 404) return null
    if (!response.ok) return undefined
    const explanation = await response.json()
    await explanations.keep([explanation]).catch(noteFull)
    return explanation
  } catch {
    return undefined
  }
}

function noteFull(error) {
  if (error?.name !== "QuotaExceededError") throw error
  tellAll({ kind: "full" })
}

/** After this an explanation that is looked at is asked for again. */
const explanationAge = 24 * 3_600_000

/** Fetches the explanations of some comics, unless they are kept already and not old. */
async function keepExplanationsOf(comics) {
  const kept = new Map((await explanations.some(comics)).map(({ comic, keptAt }) => [comic, keptAt]))
  for (const comic of comics.filter((comic) => Date.now() - (kept.get(comic) ?? 0) > explanationAge)) {
    if (!isConnected()) return
    if ((await fetchExplanation(comic)) === undefined) return
  }
}

// Download of all

/** Where all are kept, what has changed is fetched now and then. */
async function renewExplanations() {
  const progress = await explanations.progress()
  // Stopped where the cache is cleared meanwhile.
  if (progress?.isComplete) await downloadExplanations(async () => !(await explanations.progress()))
}

/**
 * Fetches what is new or has changed, chunk after chunk; it goes on where it stopped.
 * @param isStopped asked before each chunk, and before what has come is kept.
 * @param tell is told how many are kept, of how many.
 * @returns "done", "stopped", "offline", "failed" or "full".
 */
async function downloadExplanations(isStopped, tell = () => {}) {
  let progress = (await explanations.progress()) ?? { change: 0, samples: (await store.archive())?.samples ?? 0 }
  for (;;) {
    if (await isStopped()) return "stopped"
    let response
    try {
      response = await ask(`/explanations?since=${progress.change}&samples=${progress.samples}`, { cache: "no-cache" })
    } catch {
      return "offline"
    }
    if (!response.ok) return "failed"
    const chunk = await response.json()
    if (await isStopped()) return "stopped"
    const samples = chunk.samples ? 1 : 0
    if (samples !== progress.samples) await explanations.clear()
    progress = { change: chunk.change, samples, isComplete: chunk.isLast }
    try {
      await explanations.keep(chunk.explanations, progress)
    } catch (error) {
      noteFull(error)
      return "full"
    }
    await tell((await explanations.keys()).length, chunk.count)
    if (chunk.isLast) return refreshExplanationIndex()
  }
}

/**
 * Brings the index of explanations up to date: what was added since, or a whole one.
 * @returns "done", "offline", "failed" or "full".
 */
async function refreshExplanationIndex() {
  const known = (await explanations.index()) ?? []
  const headings = known.map(heading)
  const isLong = known.length > mostDeltas
  const since = (isLong ? headings[0] : headings.at(-1))?.revision ?? 0
  let segment
  try {
    const query = `since=${since}&rules=${headings[0]?.rules ?? 0}&samples=${headings[0]?.samples ?? 0}`
    const response = await ask(`/explanations/index?${query}`, { cache: "no-cache" })
    if (!response.ok) return "failed"
    if (response.status === 204) return "done"
    segment = await response.arrayBuffer()
    if (!isSegment(segment)) return "failed"
  } catch {
    return "offline"
  }
  const before = heading(segment).base === 0 ? [] : isLong ? known.slice(0, 1) : known
  try {
    await explanations.keepIndex([...before, segment])
  } catch (error) {
    noteFull(error)
    return "full"
  }
  finding = null
  return "done"
}
