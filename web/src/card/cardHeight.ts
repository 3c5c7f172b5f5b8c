/** Estimates the height of cards from their text, before the code that draws them is loaded. */

/** Cards higher than this are folded, px. protocol.md §7.2. */
export const FOLD_PX = 400
/** The button that unfolds a card, px: what hides less than it is not folded. */
const TOGGLE_PX = 44

/**
 * Where a card of this height is cut, px; null: it is not folded. No picture is cut: one in the way is left
 * out when it begins in the lower half of what is shown, else it is shown whole.
 */
export function foldAt(
  height: number,
  pictures: readonly { readonly top: number; readonly bottom: number }[],
): number | null {
  if (height <= FOLD_PX) return null
  let cut = FOLD_PX
  for (const { top, bottom } of pictures)
    if (top < cut && bottom > cut) cut = top >= FOLD_PX / 2 && cut === FOLD_PX ? top : bottom
  return height > cut + TOGGLE_PX ? cut : null
}

const LINE_PX = 23
const CACHE_MAX = 500
const cache = new Map<string, number>()

interface Loose {
  readonly [key: string]: unknown
}
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  return isLoose(value) && typeof value.content === 'string' ? value.content.length : 0
}
const linesOf = (value: unknown): number => Math.max(1, Math.ceil(lengthOf(value) / 20))
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function heightOf(module: unknown): number {
  if (!isLoose(module)) return LINE_PX
  const elements = listOf(module.elements)
  switch (module.type) {
    case 'header':
      return 28 * Math.max(1, Math.ceil(lengthOf(module.text) / 18))
    case 'section': {
      const fields = isLoose(module.text) ? listOf(module.text.fields) : []
      const textHeight =
        fields.length > 0
          ? fields.reduce((sum: number, it) => sum + linesOf(it) * LINE_PX + 6, 0)
          : linesOf(module.text) * LINE_PX
      return isLoose(module.accessory) ? Math.max(textHeight, 44) : textHeight
    }
    case 'image-group':
      return elements.length === 1 ? 200 : 110 * Math.ceil(elements.length / (elements.length === 4 ? 2 : 3))
    case 'container':
      return 200 * elements.length
    case 'action-group':
      return 44
    case 'divider':
      return 1
    case 'video':
      return 180
    case 'countdown':
      return 64
    case 'invite':
      return 116
    case 'file':
    case 'audio':
      return 68
    default:
      return LINE_PX
  }
}

/** The estimated height of a message's cards, px; at least a line. */
export function estimateCardHeight(content: string): number {
  const known = cache.get(content)
  if (known !== undefined) return known
  if (cache.size >= CACHE_MAX) cache.clear()
  const height = guess(content)
  cache.set(content, height)
  return height
}

function guess(content: string): number {
  let cards: unknown
  try {
    cards = JSON.parse(content)
  } catch {
    return LINE_PX
  }
  return Math.max(
    LINE_PX,
    listOf(cards).reduce((sum: number, card) => {
      const modules = isLoose(card) ? listOf(card.modules) : []
      if (modules.length === 0) return sum
      const tall = modules.reduce((all: number, it) => all + heightOf(it) + 10, 20)
      return sum + 8 + (tall > FOLD_PX ? FOLD_PX + 44 : tall)
    }, 0),
  )
}
