type Rgb = readonly [number, number, number]

/** The background of each theme on which names have the least contrast: `brand-soft` of tokens.css. */
const BACKGROUND = { light: [227, 244, 236], dark: [23, 51, 40] } as const

const channel = (value: number) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
const luminance = ([r, g, b]: Rgb) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)

/** The contrast ratio of two colours by WCAG, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const WHITE: Rgb = [255, 255, 255]
/** Dark enough that either white or this reaches 4.5 on any background. */
const BLACK: Rgb = [5, 6, 7]

/** The text colour, `#rrggbb`, for a background colour, `#rrggbb`: light or dark, whichever has more contrast. */
export function textColorOn(background: string): string {
  const color = Number.parseInt(background.slice(1), 16)
  const own: Rgb = [color >> 16, (color >> 8) & 255, color & 255]
  return contrast(WHITE, own) >= contrast(BLACK, own) ? '#ffffff' : '#050607'
}

/**
 * A role's colour made readable on a theme's background: unchanged when its contrast is 4.5 or more, else mixed with
 * black or white just far enough. `color` is 0 to 0xFFFFFF; 0 means none and gives null.
 */
export function readableColor(color: number, theme: 'light' | 'dark'): string | null {
  if (color <= 0 || color > 0xffffff) return null
  const own: Rgb = [color >> 16, (color >> 8) & 255, color & 255]
  const towards = theme === 'light' ? 0 : 255
  for (let mix = 0; mix <= 1; mix += 0.05) {
    const mixed = own.map((part) => Math.round(part + (towards - part) * mix)) as unknown as Rgb
    if (contrast(mixed, BACKGROUND[theme]) >= 4.5) return `rgb(${mixed.join(' ')})`
  }
  return null
}
