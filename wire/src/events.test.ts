import { expect, it } from 'vitest'
import * as userState from './auth/userState.ts'
import * as boost from './boost/boost.ts'
import * as channel from './channel/channel.ts'
import * as chat from './chat/chat.ts'
import * as chatPage from './chat/page.ts'
import * as emoji from './emoji/emoji.ts'
import type { EventKind } from './event.ts'
import { events, systemEvents } from './events.ts'
import * as friend from './friend/friend.ts'
import * as personNote from './friend/personNote.ts'
import * as guild from './guild/guild.ts'
import * as transfer from './guild/transfer.ts'
import * as memberEvent from './member/event.ts'
import * as memberAct from './member/moderation.ts'
import * as act from './message/action.ts'
import * as card from './message/card.ts'
import * as notify from './message/notify.ts'
import * as reading from './message/readMark.ts'
import * as moderation from './moderation/event.ts'
import * as order from './order/order.ts'
import * as profile from './profile/profile.ts'
import * as renewal from './renewal/renewal.ts'
import * as roleEvent from './role/event.ts'
import * as screening from './screening/screening.ts'
import * as changedIdentity from './user/changedIdentity.ts'

const isEvent = (value: unknown): value is EventKind =>
  typeof value === 'object' && value !== null && 'to' in value && 'body' in value

it('lists every declared event under its own name, sorted', () => {
  const declared = [
    userState,
    channel,
    chat,
    chatPage,
    emoji,
    friend,
    personNote,
    memberAct,
    guild,
    transfer,
    memberEvent,
    roleEvent,
    act,
    card,
    notify,
    reading,
    moderation,
    order,
    boost,
    profile,
    renewal,
    screening,
    changedIdentity,
  ]
    .flatMap((module) => Object.values(module) as unknown[])
    .filter(isEvent)
    .map((kind) => kind.name)
    .sort()
  expect([...events.keys()]).toEqual(declared)
  for (const [name, kind] of Object.entries(systemEvents)) expect(kind.name).toBe(name)
})
