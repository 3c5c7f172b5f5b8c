/** Applies the events of private conversations to their rooms and to the list. protocol.md §3.3 and §3.4. */
import {
  listChats,
  privateDeleted,
  privateReacted,
  privateUnreacted,
  privateUpdated,
} from '@guildhall/wire/chat/chat.ts'
import { pageMessageIn } from '@guildhall/wire/chat/pageMessage.ts'
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import type { RoomStore } from '../roomStore/roomStore.ts'

type Change = Parameters<RoomStore['receiveChange']>[1]

/** The list is asked for once for the events of this time, ms. */
const GATHERED_MS = 200
let timer: ReturnType<typeof setTimeout> | null = null

/** The list of conversations is outdated. */
export function chatsChanged(): void {
  if (timer !== null) return
  timer = setTimeout(() => {
    timer = null
    invalidateRoute(listChats)
  }, GATHERED_MS)
}

/** Applies one event of a person's topic; those that concern no conversation are skipped. */
export function receive(d: EventData, rooms: RoomStore): void {
  const message = pageMessageIn(d)
  if (message) {
    rooms.receiveMessage(message)
    return chatsChanged()
  }
  const change = changeIn(d.extra)
  if (!change) return
  rooms.receiveChange(change.body.channel_id, change)
  chatsChanged()
}

/** The change of a private message as the change of a channel's; null for other events, and for invalid ones. */
function changeIn({ type, body }: EventData['extra']): Change | null {
  if (type === privateUpdated.name) {
    const { success, data } = privateUpdated.body.safeParse(body)
    if (!success) return null
    const { chat_code, ...rest } = data
    const mentions = { mention: [], mention_all: false, mention_here: false, mention_roles: [] }
    return changeOf('updated_message', chat_code, { ...rest, ...mentions })
  }
  if (type === privateDeleted.name) {
    const { success, data } = privateDeleted.body.safeParse(body)
    return success ? changeOf('deleted_message', data.chat_code, data) : null
  }
  if (type === privateReacted.name || type === privateUnreacted.name) {
    const { success, data } = privateReacted.body.safeParse(body)
    const name = type === privateReacted.name ? 'added_reaction' : 'deleted_reaction'
    return success ? changeOf(name, data.chat_code, data) : null
  }
  return null
}

/** The rooms need of a body what both kinds of conversation have. */
const changeOf = (name: Change['name'], code: string, body: object): Change =>
  ({ name, body: { ...body, channel_id: code as ChannelId } }) as unknown as Change
