/** Estimates the height of rows before they are drawn, so that the scroll position is about right. */
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { estimateCardHeight } from '../../card/cardHeight.ts'
import { embedsHeight } from '../../media/Embeds.tsx'
import { mediaHeight } from '../../media/Media.tsx'
import type { Outgoing } from '../../roomStore/room.ts'
import type { Row } from './rows.ts'

/** The quoted message above the text, px. */
const QUOTE_HEIGHT = 50
/** The line under an ephemeral message, px. */
const EPHEMERAL_HEIGHT = 32

/** The estimated height of a row, px. */
export function estimateRowHeight(row: Row | undefined): number {
  if (!row) return 48
  if (row.kind === 'start') return 180
  if (row.kind === 'day' || row.kind === 'new') return 44
  const ephemeral = row.kind === 'message' && row.ephemeralTo !== undefined ? EPHEMERAL_HEIGHT : 0
  return (row.head ? 36 : 4) + ephemeral + bodyHeight(row.kind === 'message' ? row.message : row.outgoing)
}

/** The list asks for the heights of all rows it has not drawn, many times. */
const bodyHeights = new WeakMap<Message | Outgoing, number>()

function bodyHeight(message: Message | Outgoing): number {
  const known = bodyHeights.get(message)
  if (known !== undefined) return known
  const height = estimateBodyHeight(message)
  bodyHeights.set(message, height)
  return height
}

function estimateBodyHeight(message: Message | Outgoing): number {
  const media =
    'type' in message ? message : { content: message.content, attachments: null, ...message.media }
  if (media.type !== undefined) {
    const height = mediaHeight({ ...media, type: media.type })
    if (height !== null) return height
    if (kindOf(media.type, 'specification') === 'card') return estimateCardHeight(message.content)
  }
  const lines =
    Math.max(1, Math.ceil(message.content.length / 22)) + (message.content.match(/\n/g)?.length ?? 0)
  const embeds = 'embeds' in message ? embedsHeight(message.embeds) : 0
  return lines * 23 + (message.quote ? QUOTE_HEIGHT : 0) + embeds
}
