// Longbox
// SPDX-License-Identifier: MIT
//
// What is answered below /albums on the device, by albums.wasm: the list of saved albums, pages of albums that are kept, and
// quizzes on them. The server puts this file before sw.js; docs/device.md describes the message.

const quizPath = /^(\/albums\/\d+)\/quiz$/

/** The most albums to choose from, as on the server. */
const mostChoices = 20

/** Pages about albums, and quizzes: albums.wasm. */
class AlbumAnswers extends Instance {
  /** Shows a page or plays a turn; `library` in the reply is to be stored, where there is one. */
  respond({ path, query = "", form = null, isOffline }, library, isSampleBox, { page = null, artist = null, albums = [] }) {
    const question = new MessageWriter()
      .byte((form === null ? 0 : 1) | (isOffline ? 2 : 0) | (isSampleBox ? 4 : 0))
      .word64(random64()).word64(Date.now())
      .text(path).text(query).text(form ?? "").text(build.assets).text(build.version)
      .word32(library.length).bytes(library)
      .text(artist?.id ?? "").text(artist?.name ?? "").text(page?.name ?? "").text(page?.body ?? "").word32(albums.length)
    for (const { album, name, tracks } of albums) {
      question.text(album).text(name).word32(tracks.length)
      for (const title of tracks) question.text(title)
    }
    const bytes = this.perform(1, question.message)
    if (!bytes) throw new Error("The module of albums could not read the request.")
    const reader = new MessageReader(bytes)
    const [status, isUnknownHere] = [reader.word32(), reader.byte() === 1]
    const changed = reader.bytes(reader.word32())
    return { status, isUnknownHere, library: changed.length ? changed : null, body: reader.bytes() }
  }
}

let answering = null

/** The running module, started by the first page about albums. */
function albumAnswers() {
  answering ??= (async () => {
    const module = new AlbumAnswers()
    await module.start(await compiled("albums.wasm"))
    return module
  })().catch((error) => {
    answering = null
    throw error
  })
  return answering
}

/** What a quiz is about, as long as the library and the albums that are kept are the same. */
const visits = new Map()

/** The album of a quiz with the saved albums of its artist, or null where its tracks are not known here. */
async function quizVisit(path, query) {
  const [, album] = quizPath.exec(path) ?? []
  const facts = await currentFacts()
  const known = visits.get(`${path}?${query}`)
  if (known?.facts === facts) return known.visit
  const asked = await albumToPlay(album, query && `?${query}`)
  if (!asked?.tracks) return null
  const saved = await Promise.all(facts.albums.map((address) => savedAlbum(new URL(address, location).pathname)))
  const choices = saved.filter((one) => one?.tracks && one.artist?.id === asked.artist?.id && one.artist?.name === asked.artist?.name)
  const visit = { artist: asked.artist, albums: [asked, ...choices.slice(0, mostChoices)] }
  visits.set(`${path}?${query}`, { facts, visit })
  return visit
}

/** Answers what is asked below /albums; null where that is another's to answer. */
async function answerAlbums(question) {
  const isQuiz = quizPath.test(question.path)
  if (!isQuiz && (question.form !== undefined || !/^\/albums($|\/)/.test(question.path))) return null
  const shown = isQuiz
    ? await quizVisit(question.path, question.query)
    : { page: await keptAlbum(question.path, question.query && `?${question.query}`).catch(() => null) }
  // A form of a quiz that is not known here.
  if (!shown && question.form !== undefined) return null
  const [module, archive] = await Promise.all([albumAnswers(), store.archive()])
  return answer(question, (device) => {
    try {
      const library = device.perform(Operation.save)
      const { library: changed, ...reply } = module.respond(question, library, archive?.samples === 1, shown ?? {})
      if (changed && !device.perform(Operation.load, changed)) throw new Error("The changed library can't be read.")
      return { ...reply, needs: [], location: "", isLibraryChanged: changed !== null }
    } catch (error) {
      answering = null
      throw error
    }
  })
}
