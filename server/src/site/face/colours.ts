/**
 * The operator's colours: four of each theme, from which the others of `web/src/ui/tokens.css` are mixed, so
 * that everything that is read keeps a contrast of 4.5:1.
 */

/** A theme's colours as the operator says them, `#rrggbb`. */
export interface Colours {
  readonly accent: string
  readonly on_accent: string
  readonly background: string
  readonly text: string
}
export type Theme = 'light' | 'dark'
export type Themes = Readonly<Record<Theme, Colours>>

/** Those of tokens.css. */
export const DEFAULT_COLOURS: Themes = {
  light: { accent: '#0b7a53', on_accent: '#ffffff', background: '#f3f5f7', text: '#16191d' },
  dark: { accent: '#3fd39a', on_accent: '#06281b', background: '#101317', text: '#e9ecef' },
}

/** WCAG AA for text. */
export const CONTRAST_MIN = 4.5

type Rgb = readonly [number, number, number]

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
const hexOf = (it: Rgb): string => `#${it.map((part) => part.toString(16).padStart(2, '0')).join('')}`

const linear = (value: number): number => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
/** 0 to 1, by WCAG. */
export function luminanceOf(hex: string): number {
  const [r, g, b] = parse(hex)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** The contrast ratio of two colours by WCAG, 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [high, low] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** `share` of 1 is `to`. */
const mix = (from: string, to: string, share: number): string => {
  const [a, b] = [parse(from), parse(to)]
  return hexOf(a.map((part, at) => Math.round(part + (b[at]! - part) * share)) as unknown as Rgb)
}

const isReadable = (words: string, grounds: readonly string[]): boolean =>
  grounds.every((ground) => contrastOf(words, ground) >= CONTRAST_MIN)

/** A ground mixed as far as `share`, or less, so that the words on it can be read. */
function ground(from: string, to: string, share: number, words: string): string {
  for (let tried = share; tried > 0; tried -= share / 8) {
    const found = mix(from, to, tried)
    if (isReadable(words, [found])) return found
  }
  return from
}

/** A colour of words, mixed with the text's as little as makes it readable. */
function words(own: string, text: string, grounds: readonly string[]): string {
  for (let share = 0; share < 1; share += 0.05) {
    const found = mix(own, text, share)
    if (isReadable(found, grounds)) return found
  }
  return text
}

/** As far from the ground as in tokens.css; what is raised is lighter in both themes. */
const MIXED = {
  light: { surface: 1, raised: 1, line: 0.07, muted: 0.3, pressed: 6 },
  dark: { surface: 0.04, raised: 0.08, line: 0.12, muted: 0.36, pressed: 8 },
} as const
/** Those of tokens.css that are not the operator's, and have to be read on the operator's grounds. */
const SIGNALS = {
  light: { link: '#1f66d0', danger: '#c62b3a', gold: '#8a5a00' },
  dark: { link: '#7fb2ff', danger: '#ff7b86', gold: '#f4c256' },
} as const

/** The variables of tokens.css for a theme, without their dashes. */
export function tokensOf(
  theme: Theme,
  { accent, on_accent, background, text }: Colours,
): Readonly<Record<string, string>> {
  const mixed = MIXED[theme]
  const surface = ground(background, '#ffffff', mixed.surface, text)
  const raised = ground(background, '#ffffff', mixed.raised, text)
  const soft = ground(background, accent, 0.14, text)
  const grounds = [background, surface, raised, soft]
  const signals = Object.entries(SIGNALS[theme]).map(([name, own]) => [name, words(own, text, grounds)])
  const [r, g, b] = parse(text)
  const [ar, ag, ab] = parse(accent)
  return {
    canvas: background,
    surface,
    raised,
    line: mix(background, text, mixed.line),
    text,
    muted: words(mix(text, background, mixed.muted), text, grounds),
    brand: accent,
    'on-brand': on_accent,
    'brand-words': words(accent, text, grounds),
    'brand-soft': soft,
    ...Object.fromEntries(signals),
    pressed: `rgb(${r} ${g} ${b} / ${mixed.pressed}%)`,
    control: mix(text, background, 0.45),
    glow: ground(background, accent, 0.3, text),
    shine: `rgb(${ar} ${ag} ${ab} / 30%)`,
    'invite-words': words(mix(text, background, 0.15), text, grounds),
  }
}

const variables = (tokens: Readonly<Record<string, string>>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** Goes before tokens.css, wherever that stands. */
export const styleOf = ({ light, dark }: Themes): string =>
  `:root:root{${variables(tokensOf('light', light))}}:root:root[data-theme="dark"]{${variables(tokensOf('dark', dark))}}`

/** What scripts of the page have to know: ground, bar, and the ground on which names are read worst. */
export function groundsOf(theme: Theme, colours: Colours): string {
  const { canvas, surface, raised, ...tokens } = tokensOf(theme, colours)
  const worst = [canvas, surface, raised, tokens['brand-soft']].toSorted(
    (a, b) => contrastOf(a!, colours.text) - contrastOf(b!, colours.text),
  )[0]
  return `${canvas} ${surface} ${worst}`
}
