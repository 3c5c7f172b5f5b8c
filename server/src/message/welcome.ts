/** What a guild's channel says when somebody joined by an invite. protocol.md §3.1, chat.md §3. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { event } from '@guildhall/wire/event.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { z } from '@guildhall/wire/schema.ts'
import { findChannel } from '../channel/channel.ts'
import type { Tx } from '../kit/db.ts'
import type { Emit } from '../kit/events.ts'
import { ids } from '../kit/ids.ts'
import type { Presence } from '../kit/presence.ts'
import { authorOf, findUser } from '../user/user.ts'
import { nothingMentioned, wireOf } from './message.ts'
import * as rows from './sql/message.ts'
import { welcomeWords } from './text.ts'

/** Its event is a message and no system event: the line writes it as one. */
const said = event(
  'message',
  'channel',
  z.custom<{
    readonly message: Message
    readonly channel: { readonly name: string; readonly type: number }
  }>(),
)

/**
 * Says in the newcomer's name that they are here, in the transaction that made them a member and as the last thing in it.
 * A channel that is gone, or no text channel, says nothing.
 */
export async function welcome(
  tx: Tx,
  emit: Emit,
  presence: Presence,
  it: { readonly guildId: GuildId; readonly channelId: ChannelId; readonly userId: UserId },
): Promise<void> {
  const channel = await findChannel(tx, it.channelId)
  const user = await findUser(tx, it.userId)
  if (!user || channel?.guild_id !== it.guildId || channel.type !== channelType.text) return

  const author = authorOf({ ...user, nickname: null, roles: [] }, presence)
  const content = welcomeWords(author.nickname)
  const { seq, at } = await emit.next(it.guildId)
  const row: rows.MessageRow = {
    ...nothingMentioned(content),
    ...{ id: ids.uuid() as MessageId, guild_id: it.guildId, channel_id: it.channelId, author_id: it.userId },
    ...{ seq, nonce: '', kind: 'welcome', content, quote: null, attachments: null, embeds: null },
    ...{ create_at: at, updated_at: 0, revision: 0, is_pinned: false },
  }
  await rows.addNumbered(tx, row)
  const { name, type } = channel
  emit.guild(it.guildId, said, { message: wireOf(row, author, []), channel: { name, type } }, it.channelId)
}
