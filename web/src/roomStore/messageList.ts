/**
 * Operations on lists of messages that are ordered by `seq`. They return the same list when nothing changes.
 */
import type { Message } from '@guildhall/wire/message/message.ts'

/** Whether a message is older than every message of the list; false for an empty list. */
export const isBeforeAll = (message: Message, all: readonly Message[]): boolean =>
  message.seq < (all[0]?.seq ?? 0)

/** The list with the message of this id replaced by `by(message)`. */
export function replaced(
  all: readonly Message[],
  id: string,
  by: (message: Message) => Message,
): readonly Message[] {
  const at = lastIndexWhere(all, (it) => it.id === id)
  const known = all[at]
  if (!known) return all
  const now = by(known)
  return now === known ? all : [...all.slice(0, at), now, ...all.slice(at + 1)]
}

/**
 * -1 when there is none. `findLastIndex`, `with` and `toSpliced` are missing in the in-app browsers of iOS
 * 15.
 */
function lastIndexWhere(all: readonly Message[], is: (message: Message) => boolean): number {
  for (let at = all.length - 1; at >= 0; at -= 1) if (is(all[at]!)) return at
  return -1
}

/** The list with the message inserted. Of two copies the one with the higher revision stays. */
export function inserted(all: readonly Message[], message: Message): readonly Message[] {
  const last = all.at(-1)
  if (!last || last.seq < message.seq) return [...all, message]
  const at = lastIndexWhere(all, (it) => it.seq <= message.seq)
  const known = all[at]
  if (known?.id !== message.id) return [...all.slice(0, at + 1), message, ...all.slice(at + 1)]
  return known.revision < message.revision ? replaced(all, message.id, () => message) : all
}

/** Both lists merged, each message once; of two copies the one in `newer` stays. */
export function union(older: readonly Message[], newer: readonly Message[]): readonly Message[] {
  const last = older.at(-1)
  const first = newer[0]
  if (!first) return older
  if (!last || last.seq < first.seq) return [...older, ...newer]
  const byId = new Map(older.map((it) => [it.id, it]))
  for (const it of newer) byId.set(it.id, it)
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}
