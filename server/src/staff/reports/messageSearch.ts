/**
 * What staff search in what was reported. They are no readers of it: where they may look is decided by what
 * was reported alone. Decision 81.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { EvidenceMessage } from '@guildhall/wire/report/evidence.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { STAFF_HITS_MAX, type searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import type { FileAddresses } from '../../asset/asset.ts'
import { findChannel, type NamedChannel, textChannelsOfGuild } from '../../channel/channel.ts'
import type { Db } from '../../kit/database/db.ts'
import type { Readers } from '../../kit/database/replica.ts'
import { messagesByIds } from '../../message/message.ts'
import {
  evidenceMessageOf,
  isChannelReported,
  isGuildReported,
  keptOfChat,
  signedMessage,
} from '../../report/report.ts'
import { findAmong, findWithin } from '../../search/search.ts'

type Input = InputOf<typeof searchReported>
type Answer = AnswerOf<typeof searchReported>

/** @throws Failure bad_input, report.unknown */
export async function searchIn(
  { addresses, ...readers }: Readers & { readonly addresses: FileAddresses },
  staffId: UserId,
  { q, chat_code, ...where }: Input,
): Promise<Answer> {
  const given = [chat_code, where.guild_id, where.channel_id].filter((it) => it !== undefined)
  if (given.length !== 1) throw fail('bad_input')
  const found =
    chat_code === undefined
      ? await inChannels(readers, staffId, q, where)
      : await inChat(readers.db, chat_code, q)
  return {
    ...found,
    items: found.items.map((it) => ({ ...it, message: signedMessage(addresses, it.message) })),
  }
}

async function inChannels(
  readers: Readers,
  staffId: UserId,
  q: string,
  where: Pick<Input, 'guild_id' | 'channel_id'>,
): Promise<Answer> {
  const { db } = readers
  const channels = await reportedChannels(db, where)
  if (channels.length === 0) throw fail('report.unknown')
  const { hits, isAll } = await findWithin(readers, channels, q, STAFF_HITS_MAX)
  const rows = await messagesByIds(
    db,
    staffId,
    hits.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return {
    items: hits.flatMap(({ id, updated_at, marks }) => {
      const row = byId.get(id)
      const name = row && names.get(row.channel_id)
      // What was edited since it was found may have other words.
      if (!row || name === undefined || row.updated_at !== updated_at) return []
      return [{ message: evidenceMessageOf(row), channel: { id: row.channel_id, name }, marks: [...marks] }]
    }),
    has_more: !isAll,
  }
}

/** A report of a message opens its channel, and not the guild. */
async function reportedChannels(
  db: Db,
  { guild_id, channel_id }: Pick<Input, 'guild_id' | 'channel_id'>,
): Promise<readonly NamedChannel[]> {
  if (guild_id !== undefined)
    return (await isGuildReported(db, guild_id)) ? textChannelsOfGuild(db, guild_id) : []
  const channel = channel_id === undefined ? null : await findChannel(db, channel_id)
  return channel && (await isChannelReported(db, channel)) ? [channel] : []
}

/** Only what reports have kept of a conversation: the rest of it is nobody's but of the two. */
async function inChat(db: Db, code: string, q: string): Promise<Answer> {
  const kept = new Map<MessageId, EvidenceMessage>()
  // What was kept later is how it was then.
  for (const { before, message, after } of await keptOfChat(db, code))
    for (const each of [...before, message, ...after]) kept.set(each.id as MessageId, each)
  if (kept.size === 0) throw fail('report.unknown')
  const { hits, isAll } = await findAmong(
    [...kept].map(([id, { create_at, words }]) => ({ id, create_at, words })),
    q,
    STAFF_HITS_MAX,
  )
  return {
    items: hits.flatMap(({ id, marks }) => {
      const message = kept.get(id)
      return message ? [{ message, channel: null, marks: [...marks] }] : []
    }),
    has_more: !isAll,
  }
}
