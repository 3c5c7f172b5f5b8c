/** One emoji of each Unicode version that phones in use may lack, newest first. */
const PROBES: readonly (readonly [version: number, characters: string])[] = [
  [15.1, '🐦‍🔥'],
  [15, '🫨'],
  [14, '🫠'],
  [13.1, '😶‍🌫️'],
  [13, '🥲'],
  [12.1, '🧑‍🦰'],
  [12, '🥱'],
]
const OLDER = 11
const SIDE = 24

/** The newest emoji version that this device can draw; infinity when that cannot be detected. */
export function newestDrawable(): number {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE * 2
  canvas.height = SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return Number.POSITIVE_INFINITY
  context.font = `${SIDE / 1.5}px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif`
  context.textBaseline = 'top'
  const drawn = (characters: string, colour: string) => {
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.fillStyle = colour
    context.fillText(characters, 0, 2)
    return context.getImageData(0, 0, canvas.width, canvas.height).data
  }
  // An emoji has the same pixels in every text colour; the box for a missing glyph does not.
  const isPicture = (characters: string) => {
    const black = drawn(characters, '#000')
    const white = drawn(characters, '#fff')
    return black.some((part) => part > 0) && black.every((part, i) => part === white[i])
  }
  const one = context.measureText('😀').width
  // An unknown sequence is drawn as its parts, side by side.
  const isOne = (characters: string) => context.measureText(characters).width < one * 1.5
  if (!isPicture('😀')) return Number.POSITIVE_INFINITY
  return PROBES.find(([, it]) => isOne(it) && isPicture(it))?.[0] ?? OLDER
}
