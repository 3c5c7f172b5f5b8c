/** Whether backups are taken, and whether one was restored on trial. */
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import { newestSecurityEvent } from '../../kit/securityLog.ts'
import { type Finding, orFine, warn } from './finding.ts'

/** A backup a week is what docs/operations.md asks for; a day more is no fault. */
const TAKEN_WITHIN_DAYS = 8
const VERIFIED_WITHIN_DAYS = 31

const TAKE =
  'cli backup FILE --passphrase-file FILE, every day or week, and copy the file to another machine. With backups of another kind (pg_basebackup), restore one on trial now and then.'
const VERIFY = 'cli backup verify FILE restores one on trial, beside the database.'

export async function checkBackups(db: Db): Promise<Finding[]> {
  const daysSince = (at: Millis) => Math.floor((clock.now() - at) / DAY_MS)
  const [taken, verified] = [
    await newestSecurityEvent(db, 'backup'),
    await newestSecurityEvent(db, 'backup verify'),
  ]
  if (taken === null) return [warn('backups', 'The security log knows of none in the last 180 days.', TAKE)]
  const found: Finding[] = []
  const age = daysSince(taken)
  if (age > TAKEN_WITHIN_DAYS) found.push(warn('backups', `The last backup is ${age} days old.`, TAKE))
  if (verified === null)
    found.push(warn('backups', 'None was restored on trial in the last 180 days.', VERIFY))
  else if (daysSince(verified) > VERIFIED_WITHIN_DAYS)
    found.push(
      warn(
        'backups',
        `The last backup that was restored on trial is ${daysSince(verified)} days old.`,
        VERIFY,
      ),
    )
  return orFine('backups', `the last is ${age} days old, and one was restored on trial`, found)
}
