/** Sessions as they are written down in the database, as the gateway asks for them. */
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Db } from '../../kit/db.ts'
import { eventLogOf } from '../../kit/events.ts'
import type { KeptPorts } from '../gateway.ts'
import { REPLAY_MS } from '../session.ts'
import * as rows from './sql.ts'

export { trimJournals } from './sql.ts'

/** Journals are needed for as long as a line can come back, and a little longer. */
export const JOURNAL_KEPT_MS = REPLAY_MS + 3 * MINUTE_MS

/** The tables, for the node of that id. */
export function keptIn(db: Db, nodeId: string): Omit<KeptPorts, 'letGo'> {
  const log = eventLogOf(db)
  return {
    nodeId,
    write: (page) => rows.writePage(db, page),
    personSeq: (userId) => rows.personSeq(db, userId),
    kept: (id) => rows.keptSession(db, id),
    claim: (it) => rows.claimSession(db, it),
    passed: (id, no, since, topics) => rows.passedAfter(db, id, no, since, topics),
    heard: (guildId, from, to, limit) => rows.heardBetween(db, guildId, from, to, limit),
    events: log.after,
  }
}
