/**
 * SQL that channels and private chats share: pages of a conversation around an anchor, and single messages.
 */
import type { UserId } from '@guildhall/wire/id.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'

/** Reads the messages of one table. Rows carry what `readerId` sees of them, such as their own reactions. */
export interface MessageTable<Row> {
  /** At most `limit` messages before number `before` (the newest without), oldest first. */
  page(db: Db, readerId: UserId, conversationId: string, before: number | null, limit: number): Promise<Row[]>
  /** At most `limit` messages after number `after`, oldest first. */
  pageAfter(db: Db, readerId: UserId, conversationId: string, after: number, limit: number): Promise<Row[]>
  /** A message that is not deleted; null when the conversation has none of this id. */
  byId(db: Db, readerId: UserId, conversationId: string, id: string): Promise<Row | null>
  /** The number of a message, also of a deleted one; null when it never was in this conversation. */
  seqOf(db: Db, conversationId: string, id: string): Promise<number | null>
  revisionOf(db: Db, id: string): Promise<number>
}

/** `select`: the statement up to its `where`, with the table under its own name. */
export function messageTable<Row>(input: {
  readonly name: string
  /** The column of the conversation. */
  readonly conversation: string
  readonly select: (readerId: UserId) => RawBuilder<unknown>
}): MessageTable<Row> {
  const { select } = input
  const table = sql.table(input.name)
  const column = (name: string) => sql.ref(`${input.name}.${name}`)
  const inConversation = (id: string) => sql`${column(input.conversation)} = ${id}`
  const isThere = sql`${column('deleted_at')} is null`
  return {
    async page(db, readerId, conversationId, before, limit) {
      const { rows } = await sql<Row>`
        ${select(readerId)}
        where ${inConversation(conversationId)} and ${isThere}
          and ${column('seq')} < coalesce(${before}::bigint, 9223372036854775807)
        order by ${column('seq')} desc limit ${limit}`.execute(db)
      return rows.reverse()
    },
    async pageAfter(db, readerId, conversationId, after, limit) {
      const { rows } = await sql<Row>`
        ${select(readerId)}
        where ${inConversation(conversationId)} and ${isThere} and ${column('seq')} > ${after}
        order by ${column('seq')} limit ${limit}`.execute(db)
      return rows
    },
    async byId(db, readerId, conversationId, id) {
      const { rows } = await sql<Row>`
        ${select(readerId)}
        where ${column('id')} = ${id} and ${inConversation(conversationId)} and ${isThere}`.execute(db)
      return rows[0] ?? null
    },
    async seqOf(db, conversationId, id) {
      const { rows } = await sql<{ seq: number }>`
        select seq::float8 as seq from ${table} where id = ${id} and ${inConversation(conversationId)}`.execute(
        db,
      )
      return rows[0]?.seq ?? null
    },
    async revisionOf(db, id) {
      const { rows } = await sql<{ revision: number }>`
        select revision from ${table} where id = ${id}`.execute(db)
      return rows[0]!.revision
    },
  }
}
