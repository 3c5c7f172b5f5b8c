/** Accounts without a name: containers may run as a number that /etc/passwd does not have. */
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { DatabaseError } from './databaseError.ts'

/** Has an entry everywhere; in its own namespace the account is it, and files stay those of the account. */
const NOBODY = 65_534
const AS_NOBODY = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/**
 * A command line of one of PostgreSQL's programs that look up the name of their account, which initdb and the
 * single-user mode do, so that they find one.
 * @throws DatabaseError with one sentence, where they cannot
 */
export function withName(file: string, args: readonly string[]): readonly [file: string, args: string[]] {
  if (process.platform !== 'linux' || hasName()) return [file, [...args]]
  if (spawnSync('unshare', [...AS_NOBODY, 'true'], { stdio: 'ignore' }).status === 0)
    return ['unshare', [...AS_NOBODY, file, ...args]]
  throw new DatabaseError(
    `The account that runs this server, ${process.getuid?.()}, has no entry in /etc/passwd, without which PostgreSQL does not make a database. Run it as an account that has one (in the image: 10001), or set DATABASE_URL.`,
  )
}

function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}
