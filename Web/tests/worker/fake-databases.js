// Longbox
// SPDX-License-Identifier: MIT

/**
 * In-memory IndexedDB with the methods that Longbox uses. Transactions are atomic and run one after another.
 * @param {{ failure?: Error }} [options] `failure` fails every transaction that writes
 */
export function fakeDatabases(options = {}) {
  const databases = new Map()
  return {
    open(name) {
      const request = {}
      queueMicrotask(() => {
        const isNew = !databases.has(name)
        if (isNew) databases.set(name, fakeDatabase(options))
        request.result = databases.get(name)
        if (isNew) request.onupgradeneeded?.()
        request.onsuccess?.()
      })
      return request
    },
  }
}

export const fakeRanges = { lowerBound: (from) => ({ from }) }

function fakeDatabase(options) {
  const stores = new Map()
  let last = Promise.resolve()
  return {
    createObjectStore: (name, { keyPath } = {}) => stores.set(name, { keyPath, rows: new Map() }),
    close() {},
    transaction(names, mode) {
      const steps = []
      const copies = new Map()
      const transaction = { objectStore: (name) => fakeStore(steps, () => copies.get(name), stores.get(name).keyPath) }
      last = last.then(() => {
        for (const name of names) copies.set(name, new Map(stores.get(name).rows))
        while (steps.length > 0) steps.shift()()
        if (options.failure && mode === "readwrite") {
          // As in browsers, the request's event comes before the transaction has an error.
          transaction.onerror?.()
          transaction.error = options.failure
          return transaction.onabort?.()
        }
        for (const [name, rows] of copies) stores.get(name).rows = rows
        transaction.oncomplete?.()
      })
      return transaction
    },
  }
}

function fakeStore(steps, rows, keyPath) {
  const later = (step) => {
    const request = {}
    steps.push(() => {
      request.result = step()
      request.onsuccess?.()
    })
    return request
  }
  const sorted = () => [...rows().entries()].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    get: (key) => later(() => structuredClone(rows().get(key))),
    getAll: () => later(() => sorted().map(([, row]) => structuredClone(row))),
    getAllKeys: () => later(() => sorted().map(([key]) => key)),
    count: () => later(() => rows().size),
    put: (row, key) => later(() => { rows().set(keyPath ? row[keyPath] : key, structuredClone(row)) }),
    clear: () => later(() => rows().clear()),
    delete: (key) => later(() => {
      for (const other of rows().keys()) if (other === key || other >= key?.from) rows().delete(other)
    }),
  }
}
