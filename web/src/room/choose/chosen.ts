/** Which messages of a room are chosen, to be copied, forwarded or deleted together. */
import { MESSAGES_CHOSEN_MAX } from '@guildhall/wire/message/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Row } from '../list/rows.ts'

/** The messages of the list that can be chosen. What only its reader sees cannot. */
export const choosable = (rows: readonly Row[]): Message[] =>
  rows.flatMap((row) => (row.kind === 'message' && row.ephemeralTo === undefined ? [row.message] : []))

const without = (chosen: readonly Message[], { id }: Message) => chosen.filter((it) => it.id !== id)

/** In the order in which they were sent; null: they would be too many. */
function together(chosen: readonly Message[], more: readonly Message[]): readonly Message[] | null {
  const others = more.filter((it) => !chosen.some(({ id }) => id === it.id))
  const all = [...chosen, ...others].sort((one, other) => one.seq - other.seq)
  return all.length > MESSAGES_CHOSEN_MAX ? null : all
}

export const toggled = (chosen: readonly Message[], message: Message): readonly Message[] | null =>
  chosen.some(({ id }) => id === message.id) ? without(chosen, message) : together(chosen, [message])

/** With all from the one that was chosen last up to `message`. */
export function upTo(
  chosen: readonly Message[],
  lastId: string,
  message: Message,
  rows: readonly Row[],
): readonly Message[] | null {
  const all = choosable(rows)
  const at = [lastId, message.id].map((id) => all.findIndex((it) => it.id === id))
  const [from, to] = [Math.min(...at), Math.max(...at)]
  return together(chosen, from < 0 ? [message] : all.slice(from, to + 1))
}

/** One comes from a message to its neighbour: that is chosen too, or on the way back the first is left. */
export const stepped = (chosen: readonly Message[], from: Message, to: Message): readonly Message[] | null =>
  chosen.some(({ id }) => id === to.id) ? without(chosen, from) : together(chosen, [from, to])
