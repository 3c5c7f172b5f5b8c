/** The session store: sessions and journals in the database, from where any node can take a session over. */
import type { UserId } from '@guildhall/wire/id.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { Db } from '../../kit/database/db.ts'
import { eventLogOf } from '../../kit/events/events.ts'
import { REPLAY_MS } from '../transport/transport.ts'
import type { JournalStore } from './journal.ts'
import type { RebuildStore } from './rebuild.ts'
import * as rows from './sql.ts'

export { trimJournals } from './sql.ts'

/** How long journals are stored: a little longer than a client can resume, ms. */
export const JOURNAL_STORED_MS = REPLAY_MS + 3 * MINUTE_MS

export interface SessionStore extends JournalStore, RebuildStore {
  readonly nodeId: string
  /** The number of a person's last personal event; 0 before the first. */
  personSeq(userId: UserId): Promise<number>
  /**
   * Asks the node that holds a session to store and release it. Resolves when it has, or does not answer in
   * time.
   */
  requestRelease(sessionId: string, node: string): Promise<void>
}

/** The store of the node with that id, without the part that asks other nodes. */
export function openSessionStore(db: Db, nodeId: string): Omit<SessionStore, 'requestRelease'> {
  const log = eventLogOf(db)
  return {
    nodeId,
    write: (page) => rows.writePage(db, page),
    personSeq: (userId) => rows.personSeq(db, userId),
    session: (id) => rows.storedSession(db, id),
    claim: (it) => rows.moveSession(db, it),
    journal: (query) => rows.readJournal(db, query),
    facts: (guildId, from, to, limit) => rows.eventFacts(db, guildId, from, to, limit),
    events: log.after,
  }
}
