/** Messages that the server itself puts into a channel, in a transaction and as the last thing in it. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { event } from '@guildhall/wire/event.ts'
import type { ChannelId, GuildId, MessageId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { z } from '@guildhall/wire/schema.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { findChannel } from '../../channel/channel.ts'
import type { Tx } from '../../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../../kit/events/events.ts'
import { ids } from '../../kit/ids.ts'
import { authorOf, officialAccount } from '../../user/user.ts'
import { noMentions } from '../mention/mentions.ts'
import { shownText } from '../screenedTexts.ts'
import type { MessageRow } from '../sql/message.ts'
import { addNumbered } from '../sql/send.ts'
import { toMessage } from '../wireForm.ts'

/** Its event is a message, not a system event: the gateway writes it as one. */
const posted = event(
  'message',
  'channel',
  z.custom<{
    readonly message: Message
    readonly channel: { readonly name: string; readonly type: number }
  }>(),
  { access: 'none' },
)

export async function post(
  tx: Tx,
  emit: Emit,
  {
    channel,
    author,
    kind,
    content,
  }: {
    readonly channel: NonNullable<Awaited<ReturnType<typeof findChannel>>>
    readonly author: Author
    readonly kind: 'welcome' | 'text' | 'card'
    readonly content: string
  },
): Promise<void> {
  const { guild_id, name, type } = channel
  const { seq, at } = await emit.next(guild_id)
  const row: MessageRow = {
    ...noMentions(shownText(kind, content)),
    id: ids.uuid() as MessageId,
    guild_id,
    channel_id: channel.id,
    author_id: author.id,
    seq,
    nonce: '',
    kind,
    content,
    quote: null,
    attachments: null,
    embeds: null,
    create_at: at,
    updated_at: 0,
    revision: 0,
    is_pinned: false,
  }
  await addNumbered(tx, row)
  emit.guild(guild_id, posted, { message: toMessage(row, author, []), channel: { name, type } }, channel.id)
}

/** The official account as the author of a message. */
export const official = async (tx: Tx, appContext: AppContext): Promise<Author> =>
  authorOf({ ...(await officialAccount(tx)), nickname: null, roles: [] }, appContext)

/** The official account says something in a text channel of a guild; nothing happens when it is gone. */
export const notifyChannel = (
  appContext: AppContext,
  to: { readonly guildId: GuildId; readonly channelId: ChannelId },
  wordsOf: (tx: Tx) => Promise<string>,
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const channel = await findChannel(tx, to.channelId)
    if (channel?.guild_id !== to.guildId || channel.type !== channelType.text) return
    const author = await official(tx, appContext)
    await post(tx, emit, { channel, author, kind: 'text', content: await wordsOf(tx) })
  })
