/** What a member is notified of, in a guild and its channels. chat.md §4 "do-not-disturb". */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { type NotifySetting, notifyType, notifyTypeUpdated } from '@guildhall/wire/message/notify.ts'
import { requireView } from '../channel/channel.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { isMember } from '../member/member.ts'
import * as rows from './sql/notify.ts'

const GUILD = '0'

/**
 * Sets it, and tells the person's other devices. `usual` removes the setting.
 * @throws Failure forbidden (no member, or a channel that may not be viewed or is of another guild)
 */
export async function setNotify(
  appContext: AppContext,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly channelId: ChannelId | undefined; readonly type: number },
): Promise<NotifySetting> {
  const { guildId, channelId = GUILD, type } = input
  if (input.channelId !== undefined) {
    const { channel } = await requireView(appContext.db, userId, input.channelId)
    if (channel.guild_id !== guildId) throw fail('forbidden')
  }
  const setting = { guild_id: guildId, channel_id: channelId, notify_type: type }
  await commit(appContext, async (tx, emit) => {
    if (!(await isMember(tx, guildId, userId))) throw fail('forbidden')
    const isChanged =
      type === notifyType.usual
        ? await rows.remove(tx, { userId, guildId, channelId })
        : await rows.set(tx, { userId, guildId, channelId, type })
    if (isChanged) emit.person(userId, notifyTypeUpdated, setting)
  })
  return setting
}
