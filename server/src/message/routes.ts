import { history as historyRoute, sendToChannel } from '@guildhall/wire/message/message.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindUser } from '../kit/http.ts'
import type { Presence } from '../kit/presence.ts'
import { type Desk, history, send } from './message.ts'

export const messageRoutes = ({
  live,
  presence,
  desk,
}: {
  live: Live
  presence: Presence
  desk: Desk
}): Binding[] => [
  bindUser(historyRoute, ({ caller }, { id, msgid, page_size }) =>
    history(live.db, presence, caller.userId, { channelId: id, before: msgid, limit: page_size }),
  ),
  bindUser(sendToChannel, async ({ caller, origin }, { id, content, objectName, nonce }) => {
    const message = await send(
      live,
      presence,
      caller.userId,
      { channelId: id, content, objectName, nonce, origin },
      desk,
    )
    return { msgId: message.id, msgTimestamp: message.create_at, nonce: message.nonce, message }
  }),
]
