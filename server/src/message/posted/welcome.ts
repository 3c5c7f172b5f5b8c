/**
 * Welcome messages: sent to a guild's channel when a person joins by an invite. protocol.md §3.1, chat.md §3.
 */

import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { findChannel } from '../../channel/channel.ts'
import { settingsOf } from '../../guild/guild.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/database/db.ts'
import type { AppContext, Emit } from '../../kit/events/events.ts'
import { consumeAttempt, type RateLimit } from '../../kit/limits/rateLimitDatabase.ts'
import { authorOf, findUser } from '../../user/user.ts'
import { deleteLocked } from '../channelConversation.ts'
import { newestOf } from '../sql/message.ts'
import { messageText } from '../text.ts'
import { post } from './post.ts'

/** Welcome messages of one person in one guild. */
const WELCOMES: RateLimit = { name: 'welcomes by person and guild', most: 1, windowMs: DAY_MS }

/**
 * Sends the welcome message in the newcomer's name, in the transaction that made them a member and as the
 * last thing in it. Without a text channel nothing is sent, nor to somebody who was welcomed within a day. An
 * earlier one for the same person makes room when nobody has said anything since.
 */
export async function welcome(
  tx: Tx,
  emit: Emit,
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  input: { readonly guildId: GuildId; readonly channelId: ChannelId; readonly userId: UserId },
): Promise<void> {
  const channel = await findChannel(tx, input.channelId)
  const user = await findUser(tx, input.userId)
  if (!user || channel?.guild_id !== input.guildId || channel.type !== channelType.text) return
  if (!(await consumeAttempt(tx, WELCOMES, `${input.guildId} ${input.userId}`))) return

  const newest = await newestOf(tx, input.channelId)
  if (newest?.kind === 'welcome' && newest.author_id === input.userId)
    await deleteLocked(tx, emit, { row: newest, channelType: channel.type, now: clock.now() })

  const author = authorOf({ ...user, nickname: null, roles: [] }, appContext)
  const line = messageText[defaultLocale].welcome(author.nickname)
  const { welcome_words } = await settingsOf(tx, input.guildId)
  const content = welcome_words === '' ? line : `${line}\n${welcome_words}`
  await post(tx, emit, { channel, author, kind: 'welcome', content })
}
