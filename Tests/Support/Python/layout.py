# Longbox
# SPDX-License-Identifier: MIT
"""Scripts that look at the layout of a page. Each returns the elements with something wrong, as the start of their HTML."""

# Waits until nothing moves and the loaded pictures are decoded. What isn't shown, such as the content of closed details, may
# begin to change its colour, but continues only when it is shown.
SETTLED = """() => {
  const waiting = new Set()
  const wait = (element, promise) => {
    const name = element.outerHTML.slice(0, 120)
    waiting.add(name)
    return promise.catch(() => {}).then(() => waiting.delete(name))
  }
  const all = Promise.all([
    ...document.getAnimations().filter(({ effect }) => effect.target.checkVisibility())
      .map(({ effect, finished }) => wait(effect.target, finished)),
    ...[...document.images].filter(image => image.complete).map(image => wait(image, image.decode()))
  ])
  return Promise.race([all, new Promise((resolve, reject) => setTimeout(() =>
    reject(new Error(`The page doesn't come to rest: ${[...waiting].join(', ')}`)), 20_000))])
}"""

# Makes the text twice as large, as a reader's browser does, and back.
ENLARGE = "document.documentElement.style.fontSize = '200%'"
DIMINISH = "document.documentElement.style.fontSize = ''"

# The sizes of running text, all together.
TEXT_SIZE = """[...document.querySelectorAll('main :is(p, a, li)')]
  .reduce((sum, element) => sum + parseFloat(getComputedStyle(element).fontSize), 0)"""

# Whether the page scrolls sideways, given the window's width.
SIDEWAYS = "width => document.documentElement.scrollWidth > width ? [document.documentElement.scrollWidth] : []"

# Leaves the beginnings of long lists: what follows is like them, and axe takes its time for each.
SHORTEN = """() => {
  const more = '.year ~ .year ~ .year, :is(.covers, .lines, .results) > li:nth-child(n + 7), .squares > :nth-child(n + 60)'
  for (const element of document.querySelectorAll(more)) element.remove()
}"""

# Elements whose text is cut off. Text that is hidden visually on purpose is one pixel large; the frame of a zoomed picture
# cuts it off.
CUT_OFF = """() => {
  // Such as a sheet, whose content scrolls by itself.
  const scrolls = element => /auto|scroll/.test(getComputedStyle(element).overflowY)
  const scrollsInside = element => [...element.querySelectorAll('*')].some(scrolls)
  return [...document.body.querySelectorAll('*')].filter(element => {
  const style = getComputedStyle(element)
  const isCut = (overflow, seen, whole) => /hidden|clip/.test(overflow) && seen > 1 && whole > seen + 1
  return (isCut(style.overflowX, element.clientWidth, element.scrollWidth)
    || isCut(style.overflowY, element.clientHeight, element.scrollHeight))
    && element.innerText?.trim() && !element.matches('.zoomed .picture') && !scrollsInside(element)
}).map(element => element.outerHTML.slice(0, 120))
}"""

# The innermost elements beyond the right edge of the window, given its width, except those in a part that scrolls
# sideways, and those beside the current comic.
BEYOND = """width => {
  const isBeyond = element => element.getBoundingClientRect().right > width + 1 && !isInside(element.parentElement)
  const isInside = element => element !== document.body && element !== null
    && (/auto|scroll|clip/.test(getComputedStyle(element).overflowX) || isInside(element.parentElement))
  return [...document.querySelectorAll('main *, footer *, dialog *, .bar *')]
    .filter(element => isBeyond(element) && ![...element.children].some(isBeyond))
    .slice(0, 5).map(element => element.outerHTML.slice(0, 120))
}"""

# Pairs of messages and controls over the page of which one covers the other; what is leaving, or can't be used, doesn't count.
PAINTED_OVER = """() => {
  const parts = ".caption, .toast, .read-pill, .zoom-controls, .ends, .animation, .attribution, .continue a"
    + ", .pager a, .title, .actions"
  const isShown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest("[inert], .turns > .stage")
  // Zoomed, the picture's frame lies over the credit on purpose.
  const isBehind = element => element.matches(".zoomed .attribution, .toast:has(p:empty)")
  const boxes = [...document.querySelectorAll(parts)]
    .filter(element => isShown(element) && !isBehind(element))
    .map(element => [element, element.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.bottom > 0 && box.top < innerHeight)
  const overlap = (a, b, start, end) => Math.min(a[end], b[end]) - Math.max(a[start], b[start]) > 1
  const meet = (a, b) => overlap(a, b, "left", "right") && overlap(a, b, "top", "bottom")
  return boxes.flatMap(([element, box], place) => boxes.slice(place + 1)
    .filter(([other, otherBox]) => meet(box, otherBox) && !element.contains(other) && !other.contains(element))
    .map(([other]) => `${element.className} ${other.className}`))
}"""

# Hidden text in a part that shows only so many lines: WebKit counts it, and shows "…" after text that fits.
HIDDEN_IN_LIMITED_LINES = """() => [...document.querySelectorAll('*')]
  .filter(element => getComputedStyle(element).webkitLineClamp !== 'none' && element.querySelector('.aside'))
  .map(element => element.outerHTML.slice(0, 120))"""

# Controls and headings with a word that is broken over two lines; addresses may be, and titles of comics under covers.
BROKEN_WORDS = """() => [...document.querySelectorAll('a, button, summary, label, [role=tab], h1, h2')].filter(element => {
  if (!element.checkVisibility({ visibilityProperty: true })) return false
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.includes('://') || node.parentElement.closest('.caption')) continue
    for (const { index, 0: word } of node.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const rects = [...range.getClientRects()].filter(({ width }) => width > 1)
      if (new Set(rects.map(({ top }) => Math.round(top))).size > 1 && node.parentElement.clientWidth !== 1) return true
    }
  }
}).map(element => element.outerHTML.slice(0, 120))"""

# What can be pressed but is smaller than a thumb. A checkbox can also be pressed by its label.
TOO_SMALL = """() => [...document.querySelectorAll('nav a, .attribution a, .hint a, button, input, summary')].filter(element => {
  if (!element.checkVisibility({ visibilityProperty: true })) return false
  const box = (element.closest('label') ?? element).getBoundingClientRect()
  // The ::before content makes some larger.
  const { content, top } = getComputedStyle(element, '::before')
  const height = content === 'none' ? box.height : box.height - 2 * Math.min(parseFloat(top) || 0, 0)
  return box.width > 0 && box.height > 0 && (box.width < 43.5 || height < 43.5)
}).map(element => element.outerHTML.slice(0, 120))"""

# Controls whose middle another element gets the pointer's events of, when they are scrolled to the middle of the window.
# A control is pressed where it looks pressable: its largest line if it has several, a label for its field, and a pill for the
# control of its row. What is allowed to cover a control passes or is put away: a message, the offer to install, a zoomed picture.
COVERED = """() => {
  const kinds = 'a[href], button, summary, select, textarea, input:not([type=hidden]), label, .pill'
  const dialog = document.querySelector('dialog:modal')
  const middleOf = element => {
    const lines = [...element.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    const [largest] = lines.sort((a, b) => b.width * b.height - a.width * a.height)
    return largest && { x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }
  }
  const isShown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest('[inert]') && getComputedStyle(element).clipPath === 'none'
  const acts = (element, hit) => element.contains(hit) || hit.closest('label')?.control === element || element.control === hit
    || (element.matches('.pill') && hit.matches(kinds) && hit.closest('.row') === element.closest('.row'))
  const passes = hit => hit.closest('.toast, .install-card, .zoomed .picture')
  const found = []
  for (const element of (dialog ?? document.body).querySelectorAll(kinds)) {
    // The link to the content is above the window until it has the focus.
    if (!isShown(element) || element.matches('.skip')) continue
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const middle = middleOf(element)
    if (!middle) continue
    const hit = document.elementFromPoint(middle.x, middle.y)
    if (hit && (acts(element, hit) || passes(hit))) continue
    const cover = hit ? `is covered by ${hit.outerHTML.slice(0, 100)}` : 'is out of the window'
    found.push(`${element.outerHTML.slice(0, 100)} at ${Math.round(middle.x)}, ${Math.round(middle.y)} ${cover}`)
  }
  scrollTo({ top: 0, behavior: 'instant' })
  return found
}"""

# Links and buttons of the colour of what they lie on.
INVISIBLE = """() => [...document.querySelectorAll('a, button')].filter(element => {
  const style = getComputedStyle(element)
  return element.checkVisibility({ visibilityProperty: true }) && style.color === style.backgroundColor
}).map(element => element.outerHTML.slice(0, 120))"""

# Pictures that blend with what scrolls along, without a background there: WebKit draws what scrolls apart from what is
# behind it, so they blend with nothing, not even with the background of the part that scrolls.
BLENDS_WITH_NOTHING = """() => {
  const scrolls = element => /auto|scroll/.test(getComputedStyle(element).overflow) && element !== document.body
  const hasBackground = element => getComputedStyle(element).isolation === 'isolate'
    && !/^(transparent|rgba\\(.*, 0\\))$/.test(getComputedStyle(element).backgroundColor)
  const blendsWithNothing = element => {
    for (let one = element.parentElement; one && one !== document.documentElement; one = one.parentElement) {
      if (scrolls(one)) return true
      if (hasBackground(one)) return false
    }
    return false
  }
  const blends = element => element.checkVisibility() && getComputedStyle(element).mixBlendMode !== 'normal'
  return [...document.body.querySelectorAll('*')].filter(element => blends(element) && blendsWithNothing(element))
    .map(element => element.outerHTML.slice(0, 120))
}"""

# What moves or may move; a fade of at most 150 milliseconds is no motion.
MOVING = """() => [...document.querySelectorAll('*')].filter(element => {
  const style = getComputedStyle(element)
  const times = style.transitionDuration.split(', ').map(parseFloat)
  const fades = style.transitionProperty === 'opacity' && Math.max(...times) <= 0.15
  return style.animationName !== 'none' || (!fades && times.some(time => time > 0.01))
    || style.scrollBehavior === 'smooth'
}).map(element => element.outerHTML.slice(0, 120))"""
