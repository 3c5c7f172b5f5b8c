/** What a channel is told of a message that a rule caught. */
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { raidLimitOf } from '@guildhall/wire/moderation/moderation.ts'
import { findChannel } from '../channel/channel.ts'
import type { Tx } from '../kit/database/db.ts'
import type { ModeratedMessage } from '../kit/moderation.ts'
import { findUser, numberOf } from '../user/user.ts'
import type { RuleRow } from './sql.ts'
import { noticeText } from './text.ts'

const DONE = ['delete', 'hold'] as const

/** It says who and where, and not what: the channel may be read by more people than the other one. */
export async function noticeOf(tx: Tx, rule: RuleRow, message: ModeratedMessage): Promise<string> {
  const author = await findUser(tx, message.authorId)
  const channel = await findChannel(tx, message.channelId)
  const what = DONE.find((type) => rule.acts.some((act) => act.type === type)) ?? 'passes'
  const who = author ? `${author.username} (${numberOf(author)})` : ''
  return noticeText[defaultLocale][what](rule.name, who, channel?.name ?? '')
}

/** What a channel is told of a raid. */
export function raidNotice(rule: RuleRow): string {
  return noticeText[defaultLocale][raidLimitOf(rule.acts)?.type ?? 'raid'](rule.name)
}
