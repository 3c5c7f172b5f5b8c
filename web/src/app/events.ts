import { userState } from '@guildhall/wire/auth/auth.ts'
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { memberUpdated, roleDeleted } from '@guildhall/wire/guild/guild.ts'
import { messageOf, visibleOnlyOf } from '@guildhall/wire/message/event.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { readMarkUpdated } from '@guildhall/wire/message/reading.ts'
import { emojiChanged, guildChanged, guildsChanged } from '../guild/guild.ts'
import { stale } from '../kit/ask.ts'
import { changeOf } from '../roomStore/messageChange.ts'
import {
  authorsChanged,
  messageArrived,
  messageChanged,
  quietlyTold,
  roomsMissedSomething,
} from '../roomStore/roomStore.ts'
import { applyMark, countMessage, recount } from '../roomStore/unreadCounts.ts'

/** What each system event changes. The target is the guild, or oneself. protocol.md §3.4. */
const system: Readonly<Record<string, (target: string, body: unknown, name: string) => void>> = {
  updated_guild: guildChanged,
  added_role: guildChanged,
  updated_role: guildChanged,
  deleted_role(guildId, body) {
    guildChanged(guildId)
    const role = roleDeleted.body.safeParse(body)
    if (role.success) authorsChanged(guildId, { type: 'role_gone', roleId: role.data.role_id })
  },
  updated_guild_member(guildId, body) {
    guildChanged(guildId)
    const member = memberUpdated.body.safeParse(body)
    if (!member.success) return
    const { user_id: userId, ...as } = member.data
    authorsChanged(guildId, { type: 'member', userId, as })
  },
  added_emoji: emojiChanged,
  updated_emoji: emojiChanged,
  removed_emoji: emojiChanged,
  deleted_emoji: emojiChanged,
  added_channel: guildChanged,
  updated_channel: guildChanged,
  deleted_channel: guildChanged,
  self_joined_guild: guildsChanged,
  self_exited_guild: guildsChanged,
  joined_guild: comeOrGone,
  exited_guild: comeOrGone,
  updated_message: changeMessage,
  deleted_message: changeMessage,
  added_reaction: changeMessage,
  deleted_reaction: changeMessage,
  pinned_message: changeMessage,
  unpinned_message: changeMessage,
  embeds_append: changeMessage,
  updated_read_mark(_me, body) {
    const mark = readMarkUpdated.body.safeParse(body)
    if (mark.success) applyMark(mark.data)
  },
}

/** A newcomer has no nickname and no roles, and who left neither. */
function comeOrGone(guildId: string, body: unknown): void {
  const { user_id: userId } = body as { user_id?: unknown }
  if (typeof userId === 'string') authorsChanged(guildId, { type: 'member', userId, as: null })
}

/** What is not shown among what is pinned. */
const NOT_PINNED: ReadonlySet<string> = new Set(['added_reaction', 'deleted_reaction', 'embeds_append'])

function changeMessage(guildId: string, body: unknown, name: string): void {
  const change = changeOf(name, body)
  if (!change) return
  if (change.name === 'updated_message' && change.body.visible_only)
    return quietlyTold(change.body.channel_id, { type: 'view', view: change.body })
  messageChanged(change.body.channel_id, change)
  if (change.name === 'updated_message' || change.name === 'deleted_message')
    recount(guildId, change.body.channel_id)
  if (!NOT_PINNED.has(change.name)) stale(listPins, { id: change.body.channel_id })
}

/** One event of the line, handed to the noun it belongs to. Unknown ones are left aside. */
export function applyEvent(frame: EventFrame): void {
  const { d } = frame
  if (d.type === SYSTEM_EVENT) {
    const name = d.extra.type
    if (typeof name === 'string') system[name]?.(d.target_id, d.extra.body, name)
    return
  }
  const message = messageOf(d)
  if (!message) return
  const to = visibleOnlyOf(d)
  if (to !== null) return quietlyTold(message.channel_id, { type: 'quiet', quiet: { message, to } })
  messageArrived(message)
  countMessage(message)
}

let hasStood = false

/**
 * A session began that knows nothing of before: whatever is on screen is asked for again, as loading the page anew
 * would do, and stays where it is meanwhile. chat.md §4 "code 100", decision 11.
 */
export function refetchAll(): void {
  guildsChanged()
  roomsMissedSomething()
  stale(listPins)
  // The first session follows the page's own asking who is here.
  if (hasStood) stale(userState)
  hasStood = true
}
