// Longbox
// SPDX-License-Identifier: MIT

// The viewer's computations, without access to the page.

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { time: number }} Moment */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** The picture's corner in its frame, and its scale (1 at rest). @typedef {Point & { scale: number }} View */
/** The middle between two fingers, and their distance. @typedef {Point & { distance: number }} Fingers */
/** The state at the start of a pinch. @typedef {View & { fingers: Fingers }} Pinch */

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

/**
 * Limits a picture's position along one axis. At scale 1 the only position is the one at rest. From scale 2 on, the
 * limits are the frame's edges; at the least scale, what fits is in the frame's middle. Between, they move over linearly.
 * @param {number} value the wanted position
 * @param {number} size the picture's length at this scale
 * @param {number} length the frame's length
 * @param {number} rest the position at rest
 * @param {number} scale
 * @param {number} [least] the least scale, 1 unless the picture is cut off at rest
 */
export function along(value, size, length, rest, scale, least = 1) {
  const slack = clamp(2 - scale, 0, 1)
  const [low, high] = [Math.min(0, length - size), Math.max(0, length - size)]
  /** @param {number} edge */
  const towardsRest = (edge) => edge + (rest - edge) * slack
  const [first, last] = [Math.min(low, towardsRest(low)), Math.max(high, towardsRest(high))]
  if (scale >= 1 || least >= 1) return clamp(value, first, last)
  const share = clamp((1 - scale) / (1 - least), 0, 1)
  const [from, to] = size > length ? [low, high] : [high / 2, high / 2]
  return clamp(value, first + (from - first) * share, last + (to - last) * share)
}

/**
 * Changes the scale around a fixed point of the window.
 * @param {View} view
 * @param {number} scale
 * @param {Point} point
 * @param {Box} frame
 * @returns {View}
 */
export function scaled(view, scale, point, frame) {
  const share = scale / view.scale
  const [x, y] = [point.x - frame.left, point.y - frame.top]
  return { x: x - (x - view.x) * share, y: y - (y - view.y) * share, scale }
}

/**
 * @param {number} scale
 * @param {{ least: number, most: number }} limits
 */
const withFriction = (scale, { least, most }) =>
  scale > most ? most + (scale - most) * .05 : scale < least ? least - (least - scale) * .15 : scale

/**
 * The maximum scale: 8, or 2 CSS pixels a picture's pixel if that is more.
 * @param {number} natural the picture's own width
 * @param {number} shown its width at rest
 */
export const maxScale = (natural, shown) => Math.max(8, 2 * natural / shown)

/**
 * The scale at which a picture is whole in width: 1, or less if it is cut off at rest.
 * @param {number} shown the picture's width at rest
 * @param {number} room the width that it may have
 */
export const leastScale = (shown, room) => shown > room + 1 ? room / shown : 1

/** A pixel of a picture that takes at least so many CSS pixels is large enough to read the picture's text. */
const readable = .6

/**
 * The scale at which a picture has its natural size, if its text can't be read at rest; otherwise null.
 * @param {number} natural the picture's own width
 * @param {number} shown its width at rest
 */
export const readingScale = (natural, shown) => shown > 0 && shown < natural * readable ? natural / shown : null

/**
 * The scale of a double tap: twice, or the frame's width or the picture's natural size if that is more.
 * @param {number} natural the picture's own width
 * @param {number} shown the picture's width at rest
 * @param {number} width the frame's width
 */
export const doubleTapScale = (natural, shown, width) => Math.max(2, width / shown, natural / shown)

/**
 * The view during a pinch: the picture follows the fingers' middle and distance, with friction beyond its limits.
 * @param {Pinch} from
 * @param {Fingers} fingers
 * @param {Box} frame
 * @param {{ least: number, most: number }} limits of the scale
 * @returns {View}
 */
export function pinched(from, fingers, frame, limits) {
  const scale = withFriction(from.scale * fingers.distance / from.fingers.distance, limits)
  const { x, y } = scaled(from, scale, from.fingers, frame)
  return { x: x + fingers.x - from.fingers.x, y: y + fingers.y - from.fingers.y, scale }
}

/**
 * Where bars begin at the lower edge of the window.
 * @param {{ width: number, height: number }} window
 * @param {{ top: number, width: number }[]} bars bars that may be there
 */
export const floorOf = ({ width, height }, bars) =>
  Math.min(height, ...bars.filter((bar) => bar.width > width / 2 && bar.top > height / 2).map((bar) => bar.top))

/**
 * The part of the window between the bars.
 * @param {number} width the window's width
 * @param {{ left: number, right: number, width: number }} stage the picture area
 * @param {number} top the height of the bar at the top
 * @param {number} bottom where bars begin at the lower edge
 * @returns {Box}
 */
export function spaceBetween(width, stage, top, bottom) {
  const isNarrow = stage.width > width * .8
  const left = isNarrow ? 0 : stage.left
  return { left, top, width: (isNarrow ? width : stage.right) - left, height: bottom - top }
}

/**
 * A finger's velocity in pixels per millisecond, over the last 50 ms; on a slow device, between its last two positions.
 * @param {Moment[]} trail
 * @param {number} now
 * @returns {Point}
 */
export function velocity(trail, now) {
  const last = trail.at(-1)
  // A finger that rests before it is lifted has no velocity.
  if (!last || now - last.time > 100) return { x: 0, y: 0 }
  const recent = trail.findIndex(({ time }) => last.time - time <= 50)
  const first = trail[Math.max(0, Math.min(recent, trail.length - 2))] ?? last
  const time = Math.max(last.time - first.time, 8)
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
}

/** The least velocity of a swipe that turns the page, in pixels per millisecond, and its least length. */
const [swipeSpeed, swipeLength] = [.4, 25]

/**
 * Where a swipe turns to: 1 to the right (the previous comic), -1 to the left, 0 if the page returns to rest.
 * @param {object} swipe
 * @param {number} swipe.dx the distance that the finger has moved
 * @param {number} swipe.shift the page's offset from rest
 * @param {number} swipe.speed the finger's velocity in pixels per millisecond
 * @param {number} width the page's width
 */
export function turnOf({ dx, shift, speed }, width) {
  const isFast = Math.abs(speed) >= swipeSpeed && Math.abs(dx) >= swipeLength
  if (isFast) return Math.sign(speed) === Math.sign(dx) ? Math.sign(dx) : 0
  const isReversed = speed * Math.sign(shift) < -.1
  return Math.abs(shift) >= width / 2 && !isReversed ? Math.sign(shift) : 0
}

/**
 * Whether a picture's text can be read while it is shown whole in a space.
 * @param {{ width: number, height: number }} picture
 * @param {{ width: number, height: number }} space
 */
export const fitsWhole = (picture, space) =>
  picture.width > 0 && Math.min(space.width / picture.width, space.height / picture.height) >= readable

/**
 * How far a page follows a finger that drags it beyond the last comic (the rubber band of iOS).
 * @param {number} drawn the distance that the finger has moved
 * @param {number} width the page's width
 */
export const rubberBand = (drawn, width) => Math.sign(drawn) * width * (1 - 1 / (.55 * Math.abs(drawn) / width + 1))

/**
 * The offset of a page that a finger drags while the card at the end is open beside it: back to rest at most, and the other way
 * less far.
 * @param {number} from the offset with the open card
 * @param {number} drawn the distance that the finger has moved
 * @param {number} width the page's width
 */
export const besideCard = (from, drawn, width) =>
  Math.sign(drawn) === Math.sign(from) ? from + rubberBand(drawn, width) : Math.sign(from) * Math.max(0, Math.abs(from) - Math.abs(drawn))

/**
 * One step of a horizontal drag of a zoomed picture. Beyond an edge the page moves, if the picture was at that edge when
 * the drag began; otherwise the picture moves on with friction. A moved page first returns to rest.
 * @param {object} drag
 * @param {number} drag.at the picture's position
 * @param {number} drag.start its position when the drag began
 * @param {number} drag.low its position at the right edge
 * @param {number} drag.high its position at the left edge
 * @param {number} drag.shift the page's offset from rest
 * @param {number} delta the distance that the finger has moved since the last step
 * @returns {{ at: number, shift: number }}
 */
export function edgeStep({ at, start, low, high, shift }, delta) {
  const next = at + delta
  const isBeyond = delta > 0 ? next > high : next < low
  if (isBeyond) {
    const wasAtEdge = delta > 0 ? start >= high - 1 : start <= low + 1
    return wasAtEdge ? { at, shift: shift + delta } : { at: at + delta * panFriction, shift }
  }
  if (shift === 0) return { at: next, shift }
  return { at, shift: shift > 0 ? Math.max(0, shift + delta) : Math.min(0, shift + delta) }
}
const panFriction = .35

/**
 * @param {Point} a
 * @param {Point} b
 * @returns {Fingers}
 */
export const middle = (a, b) =>
  ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) })

// Springs, as functions of time.

/**
 * A damped spring. `frequency` is the natural angular frequency, in radians per second; `damping` is the damping ratio: 1
 * is critical, without any overshoot from rest.
 * @typedef {{ frequency: number, damping: number }} Spring
 */

/** The pages of the pager. @type {Spring} */
export const pageSpring = { frequency: 30, damping: 1 }
/** The maximum duration of a page's motion to rest, in milliseconds. */
export const longest = 350

/**
 * The distance from rest after some milliseconds.
 * @param {Spring} spring
 * @param {number} distance the distance from rest at the start
 * @param {number} velocity at the start, in pixels per millisecond
 * @param {number} time in milliseconds
 */
export function distanceAfter({ frequency, damping }, distance, velocity, time) {
  const seconds = time / 1000
  const speed = velocity * 1000
  const decay = Math.exp(-damping * frequency * seconds)
  if (damping === 1) return (distance + (speed + frequency * distance) * seconds) * decay
  const swing = frequency * Math.sqrt(1 - damping * damping)
  const across = (damping * frequency * distance + speed) / swing
  return decay * (distance * Math.cos(swing * seconds) + across * Math.sin(swing * seconds))
}

/**
 * The motion of a page that settles: its distances from rest at equal intervals, the last one 0, and the duration. It starts at
 * the finger's velocity, limited so that the page doesn't overshoot, which would show a gap.
 * @param {number} distance
 * @param {number} velocity in pixels per millisecond
 * @returns {{ distances: number[], duration: number }}
 */
export function settlingMotion(distance, velocity) {
  const most = Math.abs(distance) * pageSpring.frequency / 1000
  const speed = Math.sign(velocity) === -Math.sign(distance) ? Math.sign(velocity) * Math.min(Math.abs(velocity), most) : velocity
  let duration = 16
  while (duration < longest && Math.abs(distanceAfter(pageSpring, distance, speed, duration)) > .5) duration += 4
  duration = Math.min(duration, longest)
  const steps = Math.max(2, Math.round(duration / 16))
  const distances = Array.from({ length: steps }, (_, step) => distanceAfter(pageSpring, distance, speed, duration * step / steps))
  return { distances: [...distances, 0], duration }
}

/** The frequency of the spring that returns a thrown picture to its edge. */
const flingFrequency = 12
/** The distance of a throw, divided by its velocity, in milliseconds: each millisecond the velocity falls to 0.995 of itself. */
const reach = 199

/**
 * The position of a thrown picture along one axis, as a function of milliseconds.
 * @param {number} from
 * @param {number} velocity in pixels per millisecond
 * @param {number} low
 * @param {number} high
 * @returns {(time: number) => number}
 */
export function thrown(from, velocity, low, high) {
  const aim = from + velocity * reach
  const to = Math.min(Math.max(aim, low), high)
  const spring = { frequency: flingFrequency, damping: to === aim ? 1 : .82 }
  return (time) => to + distanceAfter(spring, from - to, velocity, time)
}
/** The time after which a thrown picture is at rest, in milliseconds. */
export const flingTime = 900

/** The return of a zoom from beyond its limits. @type {Spring} */
export const limitSpring = { frequency: 40, damping: 1 }

/**
 * The easing of a zoom, cubic-bezier(.4, 0, .22, 1): maps a share of the time to a share of the change.
 * @param {number} time
 */
export function zoomEasing(time) {
  let [low, high] = [0, 1]
  for (let round = 0; round < 20; round += 1) {
    const middle = (low + high) / 2
    const at = 3 * (1 - middle) ** 2 * middle * .4 + 3 * (1 - middle) * middle ** 2 * .22 + middle ** 3
    if (at < time) low = middle
    else high = middle
  }
  return 3 * (1 - high) * high ** 2 + high ** 3
}
