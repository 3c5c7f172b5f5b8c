// The bare handler that sends are compared with: one row, one request, one insert, without accounts, rights
// and events.
import { fastify } from 'fastify'
import { sql } from 'kysely'
import type { Db, Pool } from '../../server/src/kit/database/db.ts'
import { ids } from '../../server/src/kit/ids.ts'

let lastSeq = 0
const INSERT_ONE = `
  insert into bench_message (id, guild_id, channel_id, author_id, seq, nonce, kind, content, kmarkdown, create_at)
  values ($1, 1, $2, 1, $3, $4, 'kmarkdown', $5, '{}', $6)`

/** Opens it at the address of the real call. Its table has the columns and indexes of `message`. */
export async function openBareSend(db: Db, pool: Pool): Promise<{ port: number; close(): Promise<void> }> {
  await sql`create table bench_message (like message including all)`.execute(db)
  const app = fastify({ logger: false })
  app.post('/api/v2/channels/:channelId/message', async (request) => {
    const { channelId } = request.params as { channelId: string }
    const { nonce, content } = request.body as Record<string, string>
    const id = ids.uuid()
    const now = Date.now()
    await pool.query(INSERT_ONE, [id, channelId, ++lastSeq, nonce, content, now])
    return { id, create_at: now, nonce }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (typeof address !== 'object' || !address) throw new Error('a TCP server has a port')
  return { port: address.port, close: () => app.close() }
}
