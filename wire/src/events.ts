/** The table of contents of all system events, by their name on the wire. */
import * as auth from './auth/auth.ts'
import * as channel from './channel/channel.ts'
import * as chat from './chat/chat.ts'
import * as emoji from './emoji/emoji.ts'
import type { EventKind } from './event.ts'
import * as guild from './guild/guild.ts'
import * as act from './message/act.ts'
import * as card from './message/card.ts'
import * as reading from './message/reading.ts'

const isEvent = (value: unknown): value is EventKind =>
  typeof value === 'object' && value !== null && 'to' in value && 'body' in value

export const events: ReadonlyMap<string, EventKind> = new Map(
  [auth, guild, emoji, channel, act, card, reading, chat]
    .flatMap((module) => Object.values(module) as unknown[])
    .filter(isEvent)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((kind) => [kind.name, kind]),
)
