type Rgb = readonly [number, number, number]

/** Of the grounds names stand on, the one of each theme that is hardest to read on: `brand-soft` of tokens.css. */
const GROUND = { light: [227, 244, 236], dark: [23, 51, 40] } as const

const channel = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
const luminance = ([r, g, b]: Rgb) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)

/** The contrast of two colours, 1 to 21, as WCAG counts it. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const WHITE: Rgb = [255, 255, 255]
/** As dark as it must be for one of the two to reach 4.5 on any ground. */
const INK: Rgb = [5, 6, 7]

/** The colour of words on a ground of this colour, `#rrggbb`: light or dark, whichever is read more easily. */
export function inkOn(ground: string): string {
  const color = Number.parseInt(ground.slice(1), 16)
  const own: Rgb = [color >> 16, (color >> 8) & 255, color & 255]
  return contrast(WHITE, own) >= contrast(INK, own) ? '#ffffff' : '#050607'
}

/**
 * A role's colour made readable on a theme's ground: as it is when its contrast is 4.5 or more, else mixed towards
 * black or white just far enough. `color` is 0 to 0xFFFFFF; 0 means none and gives null.
 */
export function readable(color: number, theme: 'light' | 'dark'): string | null {
  if (color <= 0 || color > 0xffffff) return null
  const own: Rgb = [color >> 16, (color >> 8) & 255, color & 255]
  const towards = theme === 'light' ? 0 : 255
  for (let mix = 0; mix <= 1; mix += 0.05) {
    const mixed = own.map((part) => Math.round(part + (towards - part) * mix)) as unknown as Rgb
    if (contrast(mixed, GROUND[theme]) >= 4.5) return `rgb(${mixed.join(' ')})`
  }
  return null
}
