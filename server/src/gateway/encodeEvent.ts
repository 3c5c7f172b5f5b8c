/**
 * Turns events of the bus into the gateway's event format, the same on every node and every time. protocol.md
 * §3.
 */
import { createHash } from 'node:crypto'
import { type PrivateMessageBody, privateEventOf } from '@guildhall/wire/chat/event.ts'
import { type EventData, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { messageUpdated } from '@guildhall/wire/message/action.ts'
import {
  EPHEMERAL_MESSAGE,
  EPHEMERAL_UPDATE,
  type EphemeralMessage,
  type EphemeralUpdate,
  eventOf,
} from '@guildhall/wire/message/event.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { publicBody } from '@guildhall/wire/message/public.ts'
import { SYSTEM_USER } from '@guildhall/wire/user/user.ts'
import { type LiveEvent, topicOf } from '../kit/events/bus.ts'
import { EncodedEvent } from './transport/encodedEvent.ts'

/** The body of a `message` event on the bus. */
export interface MessageBody {
  readonly message: Message
  readonly channel: { readonly name: string; readonly type: number }
}

/**
 * Frame fields of a bot's event beside `d`: no encryption, no callback, all event groups. protocol.md §2.3.
 */
const BOT_FRAME = { extra: { verifyToken: '', encryptKey: '', callbackUrl: '', intent: -1 } }

/** A bus event, encoded when the first receiver of a dialect needs it. */
export const encodeEvent = (event: LiveEvent): EncodedEvent => encodeData((dialect) => dataOf(event, dialect))

/** The same for an event's `d`. */
export const encodeData = (dataIn: (dialect: NumberDialect) => EventData): EncodedEvent =>
  new EncodedEvent((dialect) => ({
    d: dataIn(dialect),
    ...(dialect === 'public' && { moreFields: BOT_FRAME }),
  }))

function dataOf(event: LiveEvent, dialect: NumberDialect): EventData {
  if (event.to === 'guild' && event.kind === 'message') {
    const { message, channel } = event.body as MessageBody
    return eventOf(message, channel, dialect)
  }
  if (event.kind === 'message') return privateEventOf(event.body as PrivateMessageBody, dialect)
  if (event.kind === EPHEMERAL_MESSAGE) {
    const { message, channel, visible_only } = event.body as EphemeralMessage
    return eventOf(message, channel, dialect, visible_only)
  }
  if (event.kind === EPHEMERAL_UPDATE) {
    const { guild_id, body } = event.body as EphemeralUpdate
    const update = systemEvent(event, messageUpdated.name, dialect === 'public' ? publicBody(body) : body)
    return { ...update, channel_type: 'GROUP', target_id: guild_id }
  }
  const body = dialect === 'public' ? publicBody(event.body) : event.body
  return systemEvent(event, event.kind, body)
}

/**
 * `d` of a system event; `name` and `body` may differ from those of the logged event, and `about`
 * distinguishes several of one name. protocol.md §3.4.
 */
export function systemEvent(event: LiveEvent, name: string, body: unknown, about = ''): EventData {
  const to =
    event.to === 'guild'
      ? ({ channel_type: 'GROUP', target_id: event.guildId } as const)
      : ({ channel_type: 'PERSON', target_id: event.userId } as const)
  return {
    ...to,
    type: SYSTEM_EVENT,
    author_id: SYSTEM_USER,
    content: '[系统消息]',
    msg_id: uuidOf(`${topicOf(event)} ${event.seq} ${name}${about}`),
    msg_timestamp: event.at,
    nonce: '',
    from_type: 1,
    extra: { type: name, body },
  }
}

/** A version 5 style UUID that depends on the text alone, so that every node computes the same one. */
function uuidOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
