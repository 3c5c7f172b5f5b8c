/** Held messages as staff read them in the queue of reviews. */
import type { UserId } from '@guildhall/wire/id.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { HELD_STATES } from '@guildhall/wire/screening/screening.ts'
import type { MessageReview } from '@guildhall/wire/staff/reviews.ts'
import { promisedBy } from '@guildhall/wire/staff/workingTime.ts'
import { addressOf, findAssets } from '../asset/asset.ts'
import { findChannel } from '../channel/channel.ts'
import type { ChatContext } from '../chat/chat.ts'
import { findGuild } from '../guild/guild.ts'
import { shownText } from '../message/message.ts'
import { identitiesOf } from '../user/user.ts'
import { heldInput } from './held.ts'
import type { HeldRow } from './sql.ts'

const STATES = { held: 'waiting', passed: 'passed', rejected: 'rejected' } as const

/** What staff read of some held messages, in their order. */
export async function heldReviewsOf(
  appContext: Pick<ChatContext, 'db' | 'publicUrl' | 'addresses'>,
  found: readonly HeldRow[],
): Promise<MessageReview[]> {
  const { db } = appContext
  const people = found.flatMap(({ author_id, target_id, decided_by }) => [
    author_id,
    ...(target_id ? [target_id] : []),
    ...(decided_by !== null && /^\d+$/.test(decided_by) ? [decided_by as UserId] : []),
  ])
  const identities = await identitiesOf(db, people)
  const guilds = await each(found, 'guild_id', (id) => findGuild(db, id))
  const channels = await each(found, 'channel_id', (id) => findChannel(db, id))
  const nameOf = (id: string | null) => (id && identities.get(id as UserId)?.username) || ''
  return Promise.all(
    found.map(
      async (row): Promise<MessageReview> => ({
        kind: 'message',
        id: row.id,
        user_id: row.author_id,
        user_name: nameOf(row.author_id),
        created_at: row.created_at,
        promised_by: promisedBy(row.created_at),
        state: STATES[HELD_STATES[row.status] ?? 'held'],
        reason: row.reason,
        decided_at: row.decided_at,
        decided_by: row.decided_by ?? '',
        decided_by_name: nameOf(row.decided_by),
        guild_id: row.guild_id,
        guild_name: (row.guild_id && guilds.get(row.guild_id)?.name) || '',
        channel_id: row.channel_id,
        channel_name: (row.channel_id && channels.get(row.channel_id)?.name) || '',
        target_id: row.target_id,
        target_name: nameOf(row.target_id),
        ...(await contentOf(appContext, row)),
        why: [...row.why],
        msg_id: row.message_id,
      }),
    ),
  )
}

/** What it would say, and addresses that open its files. */
async function contentOf(
  { db, publicUrl, addresses }: Pick<ChatContext, 'db' | 'publicUrl' | 'addresses'>,
  row: HeldRow,
): Promise<Pick<MessageReview, 'type' | 'content' | 'words' | 'file' | 'pictures'>> {
  const { kind, content, files } = heldInput.parse(row.input)
  const found = await findAssets(
    db,
    files.map((key) => addressOf(key, publicUrl)),
  )
  const signed = (isPicture: boolean) =>
    [...found].flatMap(([address, it]) =>
      (it.kind === 'image') === isPicture ? addresses.signed(address) : [],
    )
  return {
    type: kindNumber(kind, 'specification'),
    content,
    words: heldWords(row),
    file: signed(false)[0] ?? '',
    pictures: signed(true),
  }
}

/** What people would read of it, or the name of its file. */
export function heldWords({ input }: Pick<HeldRow, 'input'>): string {
  const { kind, content, file_name } = heldInput.parse(input)
  return file_name || shownText(kind, content)
}

/** Looks up each id of a column once. */
async function each<Field extends 'guild_id' | 'channel_id', Found>(
  all: readonly HeldRow[],
  field: Field,
  find: (id: NonNullable<HeldRow[Field]>) => Promise<Found | null>,
): Promise<ReadonlyMap<string, Found>> {
  const ids = new Set(all.flatMap((row) => row[field] ?? []))
  const found = [...ids].map(async (id) => {
    const it = await find(id as NonNullable<HeldRow[Field]>)
    return it ? [[id as string, it] as const] : []
  })
  return new Map((await Promise.all(found)).flat())
}
