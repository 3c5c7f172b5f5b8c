/** One emoji of each of unicode's versions that phones in use may lack, the newest first. */
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

/** The newest version of emoji whose pictures this phone has. Where that cannot be told: any. */
export function newestDrawable(): number {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE * 2
  canvas.height = SIDE
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) return Number.POSITIVE_INFINITY
  pen.font = `${SIDE / 1.5}px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif`
  pen.textBaseline = 'top'
  const drawn = (characters: string, colour: string) => {
    pen.clearRect(0, 0, canvas.width, canvas.height)
    pen.fillStyle = colour
    pen.fillText(characters, 0, 2)
    return pen.getImageData(0, 0, canvas.width, canvas.height).data
  }
  // A picture is the same in every colour; the box that stands for what is missing is not.
  const isPicture = (characters: string) => {
    const black = drawn(characters, '#000')
    const white = drawn(characters, '#fff')
    return black.some((part) => part > 0) && black.every((part, i) => part === white[i])
  }
  const one = pen.measureText('😀').width
  // A sequence that is not known is drawn as its parts, side by side.
  const isOne = (characters: string) => pen.measureText(characters).width < one * 1.5
  if (!isPicture('😀')) return Number.POSITIVE_INFINITY
  return PROBES.find(([, it]) => isOne(it) && isPicture(it))?.[0] ?? OLDER
}
