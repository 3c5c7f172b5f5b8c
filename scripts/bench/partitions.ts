/**
 * The tables that grow, as they are beside partitioned ones in the same database: sends, reads, searches, the
 * removal of old events, vacuum and size. EVENTS, MESSAGES, STAFF_ROWS: other numbers of rows.
 */

import type { Store } from '../../server/src/kit/database/store.ts'
import { makeMissing } from '../../server/src/search/search.ts'
import { withStore } from './members.ts'
import { actsOf, interleaved } from './partitions/acts.ts'
import {
  type Candidate,
  HOUR_MS,
  LOG_HOURS,
  MONTH_MS,
  makePartitioned,
  openCandidates,
  STAFF_MONTHS,
} from './partitions/candidates.ts'
import { draftOf, fillEvents, fillMessages, fillStaffLog } from './partitions/fill.ts'
import { remove } from './partitions/removal.ts'
import { sizes, vacuum } from './partitions/size.ts'
import { Corpus } from './search/corpus.ts'
import { fillGuilds } from './search.ts'

/** Four minutes. */
export const run = (): Promise<void> => withStore(measure)

async function measure({ connection, database }: Store): Promise<void> {
  const corpus = await Corpus.open()
  const now = Date.now()
  const eventsFrom = now - LOG_HOURS * HOUR_MS
  const staffFrom = now - STAFF_MONTHS * MONTH_MS
  await database.alone(fillGuilds)
  const draft = await draftOf(database, corpus)
  await database.alone(async (query) => {
    await query(`set maintenance_work_mem = '512MB'; drop index message_search`)
    await fillMessages(query, corpus, now)
    await fillEvents(query, draft, corpus, eventsFrom)
    await fillStaffLog(query, staffFrom)
    await makeMissing(query)
    await makePartitioned(query, eventsFrom, staffFrom)
    // It would begin in the middle of a round.
    await query('alter system set autovacuum = off')
    await query('select pg_reload_conf()')
    await query('vacuum analyze')
  })
  const candidates = openCandidates(connection)
  try {
    await sizes(database, 'at first')
    for (const act of actsOf({ draft, corpus, now })) await interleaved(act, candidates)
    await remove(candidates, { draft, corpus, eventsFrom })
    await vacuum(database)
    await sizes(database, 'after the removal')
  } finally {
    await Promise.all(candidates.map((it: Candidate) => it.database.close()))
  }
}
