import { themeMeta } from '../kit/browser/themeColours.ts'

type Rgb = readonly [number, number, number]

/** Of a colour as a number, 0 to 0xFFFFFF. */
const rgbOf = (color: number): Rgb => [color >> 16, (color >> 8) & 255, color & 255]

/** Of a colour as `#rrggbb`. */
const partsOf = (color: string): Rgb => rgbOf(Number.parseInt(color.slice(1), 16))

const groundOf = (theme: string, usual: string): Rgb =>
  partsOf(themeMeta()?.dataset[theme]?.split(' ')[2] ?? usual)

/** The background of each theme on which names have the least contrast: `brand-soft` of tokens.css. */
const BACKGROUND = {
  light: groundOf('light', '#e3f4ec'),
  dark: groundOf('dark', '#173328'),
}

const channel = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
const luminance = ([r, g, b]: Rgb) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)

/** The contrast ratio of two colours by WCAG, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const ratio = (luminance(a) + 0.05) / (luminance(b) + 0.05)
  return Math.max(ratio, 1 / ratio)
}

const WHITE: Rgb = [255, 255, 255]
/** Dark enough that either white or this reaches 4.5 on any background. */
const BLACK: Rgb = [5, 6, 7]

/**
 * The text colour, `#rrggbb`, for a background colour, `#rrggbb`: light or dark, whichever has more contrast.
 */
export function textColorOn(background: string): string {
  const own = partsOf(background)
  return contrast(WHITE, own) >= contrast(BLACK, own) ? '#ffffff' : '#050607'
}

/**
 * A role's colour made readable on a theme's background: unchanged when its contrast is 4.5 or more, else
 * mixed with black or white just far enough. `color` is 0 to 0xFFFFFF; 0 means none and gives null.
 */
export function readableColor(color: number, theme: 'light' | 'dark'): string | null {
  if (color <= 0 || color > 0xffffff) return null
  return css(readable(rgbOf(color), theme))
}

/**
 * The same for the colours of a gradient, as a `linear-gradient` that is readable from its beginning to its
 * end. Null: none is given.
 */
export function readableGradient(colors: readonly number[], theme: 'light' | 'dark'): string | null {
  const stops = colors.map((it) => readable(rgbOf(it), theme))
  if (stops.length === 0) return null
  const all = stops.flatMap((stop, at) => {
    const before = stops[at - 1]
    return before ? [...between(before, stop, theme), stop] : [stop]
  })
  return `linear-gradient(90deg, ${all.map(css).join(', ')})`
}

/**
 * Stops on the way from one colour to another, where the plain mixture is not readable: between red and blue
 * it can be too dark.
 */
function between(from: Rgb, to: Rgb, theme: 'light' | 'dark'): Rgb[] {
  const steps = Array.from({ length: STEPS - 1 }, (_, at) => mixed(from, to, (at + 1) / STEPS))
  const better = steps.map((step) => readable(step, theme))
  return better.every((step, at) => step === steps[at]) ? [] : better
}
const STEPS = 8

const mixed = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, at) => Math.round(part + (to[at]! - part) * share)) as unknown as Rgb

const css = (it: Rgb): string => `rgb(${it.join(' ')})`

/** A colour with a contrast of 4.5 or more: the same one when it has it. */
function readable(own: Rgb, theme: 'light' | 'dark'): Rgb {
  const towards: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255]
  if (contrast(own, BACKGROUND[theme]) >= 4.5) return own
  for (let share = 0.05; share < 1; share += 0.05) {
    const found = mixed(own, towards, share)
    if (contrast(found, BACKGROUND[theme]) >= 4.5) return found
  }
  return towards
}
