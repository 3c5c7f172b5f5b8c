/** Pictures as people upload them, drawn here: faces and icons are square, banners 16 by 9. */

const picture = (width: number, height: number, ...content: readonly string[]): string => {
  const size = `viewBox="0 0 ${width} ${height}" width="${width * 8}" height="${height * 8}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content.join('')}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
const square = (...content: readonly string[]) => picture(48, 48, ...content)
const banner = (...content: readonly string[]) => picture(128, 72, ...content)

const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
const shape = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`
const ground = (from: string, to: string): string => `<linearGradient id="g" x2="1" y2="1">
  <stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
  <rect width="100%" height="100%" fill="url(#g)"/>`

const face = (from: string, to: string, skin: string, hair: string): string =>
  square(
    ground(from, to),
    shape('M6 48q2-15 18-15t18 15z', hair),
    circle(24, 21, 11, skin),
    shape('M12 21q0-14 12-14t12 14q-6-7-12-7t-12 7z', hair),
  )

export const faces = {
  me: face('#ffd9a0', '#ff8a70', '#ffe6d0', '#5b3a29'),
  friend: face('#9fd8ff', '#5a78e8', '#ffdcc0', '#20242e'),
  host: face('#c9f2d0', '#2fa58a', '#f4cfae', '#7a3520'),
  guest: face('#f7c6dd', '#b57be0', '#ffe3d1', '#3d3250'),
} as const

export const icons = {
  night: square(
    ground('#22305f', '#6f5bd0'),
    circle(31, 16, 9, '#ffe08a'),
    circle(35, 13, 8, '#3a4484'),
    shape('M0 40q10-14 20-6t28-8v22H0z', '#182247'),
  ),
  hills: square(
    ground('#0f6b66', '#7fd3b4'),
    shape('M-2 40 14 16l10 14 6-8 20 22v10H-2z', '#0a4a52'),
    circle(36, 13, 5, '#fff3c4'),
  ),
  radio: square(
    ground('#2b1d52', '#8a3f8f'),
    shape('M8 19h32v20H8z', '#ffb86b'),
    circle(18, 29, 6, '#2b1d52'),
    shape('m14 19 16-10 1 2-14 8z', '#ffe1bd'),
  ),
} as const

export const banners = {
  night: banner(
    ground('#141b3c', '#6a3f8c'),
    circle(98, 20, 11, '#ffe9b0'),
    shape('M0 60q20-16 44-8t40-10 44 4v26H0z', '#0d1230'),
  ),
  window: banner(
    ground('#ffe3c2', '#ff9fb2'),
    shape('M34 10h60v50H34z', '#8fd0ff'),
    shape('M34 48q14-12 28-4t32-6v22H34z', '#5aa469'),
    shape('M63 10h2v50h-2z', '#7a4b3a'),
  ),
} as const
