// Longbox
// SPDX-License-Identifier: MIT
//
// What the device keeps besides files: the archive's segments, the reader's library, and a few small things. They are
// in IndexedDB, where a transaction is kept whole or not at all. The server puts this file before sw.js.

const store = (() => {
  let opening = null

  function open() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("longbox", 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore("segments")
        request.result.createObjectStore("things")
      }
      request.onsuccess = () => {
        request.result.onversionchange = () => request.result.close()
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

  /** Runs a step in one transaction; gives what the step's requests hold when all of it is kept. */
  async function transaction(names, mode, step, durability = "relaxed") {
    const database = await open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(names, mode, { durability })
      const result = step(transaction)
      transaction.oncomplete = () => resolve(result())
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("aborted"))
    })
  }

  const read = (names, step) => transaction(names, "readonly", step)

  return {
    get(key) {
      return read(["things"], (transaction) => {
        const request = transaction.objectStore("things").get(key)
        return () => request.result
      })
    },

    set(key, value) {
      return transaction(["things"], "readwrite", (transaction) => {
        transaction.objectStore("things").put(value, key)
        return () => undefined
      })
    },

    /** Puts in the place of a thing what `step` makes of it, in one transaction; gives what is kept then. */
    change(key, step) {
      return transaction(["things"], "readwrite", (transaction) => {
        const things = transaction.objectStore("things")
        const before = things.get(key)
        let kept
        before.onsuccess = () => {
          kept = step(before.result)
          things.put(kept, key)
        }
        return () => kept
      })
    },

    /** The segments in their order, and the library with its serial; all as of one moment. */
    all() {
      return read(["segments", "things"], (transaction) => {
        const segments = transaction.objectStore("segments").getAll()
        const library = transaction.objectStore("things").get("library")
        return () => ({ segments: segments.result, library: library.result })
      })
    },

    /** What is known of the archive without opening it: see `heading` in worker-device.js. */
    archive() {
      return this.get("archive")
    },

    /** Puts segments in place of those from a place on, and says what the archive is now. */
    keepSegments(place, segments, archive) {
      return transaction(["segments", "things"], "readwrite", (transaction) => {
        const all = transaction.objectStore("segments")
        all.delete(IDBKeyRange.lowerBound(place))
        segments.forEach((segment, index) => all.put(segment, place + index))
        transaction.objectStore("things").put(archive, "archive")
        return () => undefined
      }, "strict")
    },

    /**
     * Keeps the library, unless somebody else has since it was read: while a new worker takes over from an old one
     * there are two.
     * @returns the new serial, or null where nothing was kept.
     */
    keepLibrary(bytes, serial, durability) {
      let kept = null
      return transaction(["things"], "readwrite", (transaction) => {
        const things = transaction.objectStore("things")
        const current = things.get("library")
        current.onsuccess = () => {
          if ((current.result?.serial ?? 0) !== serial) return
          kept = serial + 1
          things.put({ bytes, serial: kept }, "library")
        }
        return () => kept
      }, durability)
    },
  }
})()
