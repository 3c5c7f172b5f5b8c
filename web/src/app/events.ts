import { userState } from '@guildhall/wire/auth/auth.ts'
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { messageOf } from '@guildhall/wire/message/event.ts'
import { guildChanged, guildsChanged } from '../guild/guild.ts'
import { stale } from '../kit/ask.ts'
import { messageArrived, roomsMissedSomething } from '../message/message.ts'

/** What each system event changes. `guildId` is the event's target. protocol.md §3.4. */
const system: Readonly<Record<string, (guildId: string) => void>> = {
  updated_guild: guildChanged,
  added_role: guildChanged,
  updated_role: guildChanged,
  deleted_role: guildChanged,
  updated_guild_member: guildChanged,
  added_channel: guildChanged,
  updated_channel: guildChanged,
  deleted_channel: guildChanged,
  self_joined_guild: guildsChanged,
  self_exited_guild: guildsChanged,
}

/** One event of the line, handed to the noun it belongs to. Unknown ones are left aside. */
export function applyEvent(frame: EventFrame): void {
  const { d } = frame
  if (d.type === SYSTEM_EVENT) {
    const name = d.extra.type
    if (typeof name === 'string') system[name]?.(d.target_id)
    return
  }
  const message = messageOf(d)
  if (message) messageArrived(message)
}

let hasStood = false

/**
 * A session began that knows nothing of before: whatever is on screen is asked for again, as loading the page anew
 * would do, and stays where it is meanwhile. chat.md §4 "code 100", decision 11.
 */
export function refetchAll(): void {
  guildsChanged()
  roomsMissedSomething()
  // The first session follows the page's own asking who is here.
  if (hasStood) stale(userState)
  hasStood = true
}
