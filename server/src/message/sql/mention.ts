/** Mentions of stored messages, for the counts of unread mentions. */
import type { ChannelId, MessageId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'

/**
 * The targets of a message's mentions. Role 0 is everyone, for `mention_here` too. chat.md §4 "Mentioned".
 */
export interface MentionTargets {
  readonly mention: readonly string[]
  readonly mention_roles: readonly number[]
  readonly mention_all: boolean
  readonly mention_here: boolean
}

interface Target {
  readonly is_user: boolean
  readonly target_id: string | number
}

export function targetsOf({ mention, mention_roles, mention_all, mention_here }: MentionTargets): Target[] {
  const roles = new Set(mention_all || mention_here ? [0, ...mention_roles] : mention_roles)
  return [
    ...[...roles].map((target_id) => ({ is_user: false, target_id })),
    ...[...new Set(mention)].map((target_id) => ({ is_user: true, target_id })),
  ]
}

/** The part of the statement that stores mentions, for the counts of unread mentions. */
export const storingMentions = sql`, called as (
      insert into mention (channel_id, is_user, target_id, seq, author_id, at)
      select channel_id, (it->>'is_user')::boolean, (it->>'target_id')::bigint, seq, author_id, at
      from numbered, jsonb_array_elements(calls) it
    )`

/** Stores the mentions of a stored message. */
export async function addMentions(tx: Tx, id: MessageId, mentions: MentionTargets): Promise<void> {
  await sql`
    insert into mention (channel_id, is_user, target_id, seq, author_id, at)
    select channel_id, (it->>'is_user')::boolean, (it->>'target_id')::bigint, seq, author_id, create_at
    from message, jsonb_array_elements(${JSON.stringify(targetsOf(mentions))}::jsonb) it
    where id = ${id}`.execute(tx)
}

/** A stored message with its position. */
interface Mentioning extends MentionTargets {
  readonly channel_id: ChannelId
  readonly seq: number
}

export async function deleteMentions(tx: Tx, locked: Mentioning): Promise<void> {
  const targets = targetsOf(locked)
  if (targets.length === 0) return
  await sql`
    delete from mention using jsonb_array_elements(${JSON.stringify(targets)}::jsonb) it
    where channel_id = ${locked.channel_id} and seq = ${locked.seq}
      and is_user = (it->>'is_user')::boolean and target_id = (it->>'target_id')::bigint`.execute(tx)
}
