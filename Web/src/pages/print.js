// Longbox
// SPDX-License-Identifier: MIT

// A tall comic on paper: while it is printed, slices take the picture's place, so that pages end between its panels. Paper may have
// any size, which scripts don't know: they say where the picture may be cut, and the browser chooses.

/** Sides of slices, in widths of the picture. A slice up to `whole` fits on a page below a title; what is higher is cut into `pieces`. */
const whole = 0.85
const pieces = { least: 0.1, most: 0.35 }
/** How much neighbouring pixels differ at the edge of a stroke: the sum of three colors, each 0 to 255. */
const contrast = 120
/** How many rows are read at once. */
const band = 512

/**
 * How many strokes each row of a picture crosses: 0 for a line that is all white, and few for one between words within a frame.
 * @param {ArrayLike<number>} pixels as RGBA
 * @param {number} width in pixels
 * @returns {number[]}
 */
export function strokesOfRows(pixels, width) {
  const rows = []
  for (let start = 0; start < pixels.length; start += 4 * width) {
    let strokes = 0
    for (let at = start + 4; at < start + 4 * width; at += 4) {
      const difference = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)
        - (pixels[at - 4] ?? 0) - (pixels[at - 3] ?? 0) - (pixels[at - 2] ?? 0)
      if (Math.abs(difference) > contrast) strokes++
    }
    rows.push(strokes)
  }
  return rows
}

/**
 * Where a picture may be cut: in the middle of white bands, and where that leaves too high a part, in its emptiest rows.
 * @param {number[]} rows the strokes of each row
 * @param {number} width in pixels
 * @returns {number[]} rows, from 0 to the picture's height
 */
export function cutsOf(rows, width) {
  const white = [0]
  for (let start = 0; start < rows.length; start++) {
    if (rows[start]) continue
    let end = start
    while (rows[end + 1] === 0) end++
    if (start > 0 && end < rows.length - 1) white.push((start + end + 1) >> 1)
    start = end
  }
  white.push(rows.length)
  return white.flatMap((cut, index) => [...cutsWithin(rows, white[index - 1] ?? cut, cut, width), cut])
}

/**
 * @param {number[]} rows
 * @param {number} start
 * @param {number} end
 * @param {number} width
 */
function cutsWithin(rows, start, end, width) {
  /** @type {number[]} */
  const cuts = []
  if (end - start <= whole * width) return cuts
  let from = start
  while (end - from > pieces.most * width) {
    const [first, last] = [from + Math.max(1, Math.floor(pieces.least * width)), from + Math.ceil(pieces.most * width)]
    let best = first
    for (let row = first; row < last; row++) if ((rows[row] ?? 0) <= (rows[best] ?? 0)) best = row
    cuts.push(best)
    from = best
  }
  return cuts
}

/** @param {HTMLImageElement} image */
function rowsOf(image) {
  const { width, height } = sizeOf(image)
  const canvas = document.createElement("canvas")
  canvas.width = width
  canvas.height = band
  const context = canvas.getContext("2d", { willReadFrequently: true })
  if (!context) return []
  const rows = []
  for (let top = 0; top < height; top += band) {
    context.clearRect(0, 0, width, band)
    context.drawImage(image, 0, -top, width, height)
    rows.push(...strokesOfRows(context.getImageData(0, 0, width, Math.min(band, height - top)).data, width))
  }
  return rows
}

/** The size of a picture whose double-size file may be shown. @param {HTMLImageElement} image */
const sizeOf = (image) => ({
  width: Number(image.getAttribute("width")) || image.naturalWidth, height: Number(image.getAttribute("height")) || image.naturalHeight,
})

/** @param {HTMLImageElement} image */
function slicesOf(image) {
  const { width, height } = sizeOf(image)
  const cuts = cutsOf(rowsOf(image), width)
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0
    const slice = new Image()
    slice.className = "slice"
    slice.alt = ""
    slice.decoding = "sync"
    slice.src = image.currentSrc
    slice.style.aspectRatio = `${width} / ${end - start}`
    slice.style.objectPosition = `0 ${100 * start / Math.max(1, height - end + start)}%`
    return slice
  })
}

function slice() {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".pages > .stage .tall > img:not(.slice)"))
  if (!image?.complete || !image.naturalWidth) return
  restore()
  try {
    image.after(...slicesOf(image))
  } catch {
    // Pixels of a file on a disk can't be read. The browser cuts the picture then.
  }
}

const restore = () => document.querySelectorAll(".tall > .slice").forEach((part) => part.remove())

/** Slices the tall comic shown then, whenever the page is printed. */
export function startPrint() {
  addEventListener("beforeprint", slice)
  addEventListener("afterprint", restore)
}
