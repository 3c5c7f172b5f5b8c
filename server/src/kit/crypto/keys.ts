/**
 * The keys that seal what a stolen database must not show. They are in a variable or in a file outside of the
 * database. Which of them seals now is marked in the database, so that nodes agree. Decision 106.
 */
import { hkdfSync, randomBytes } from 'node:crypto'
import { chown, open, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { KeysConfig } from '../../config/keys.ts'
import type { Db, Tx } from '../database/db.ts'
import { PRIVATE_FILE } from '../files/directory.ts'
import { ids } from '../ids.ts'
import { OperatorError } from '../operatorError.ts'
import { decodeKey, KEY_BYTES, readIfThere, writeOnce } from './keyFile.ts'
import { seal, unseal } from './seal.ts'
import { findSecret } from './secrets.ts'

export interface Keys {
  /** Where they are, for sentences to the operator. */
  readonly source: string
  /**
   * The newest first. A file is read each time, so that a node knows at once what a rotation put there.
   * @throws OperatorError when there are none
   */
  all(): Promise<readonly Buffer[]>
}

/** The commands for sentences to the operator. */
export const CREATE_KEYS = 'cli keys create (npm run -s cli -- keys create)'
const SAME_KEYS =
  'Put the keys of this database there (several nodes share one KEYS_FILE or KEYS_SECRET; a restored backup needs those of its time). If they are lost: cli keys forget.'

export const keysOf = ({ secret, former, file }: KeysConfig): Keys =>
  secret
    ? { source: 'KEYS_SECRET', all: async () => (former ? [secret, former] : [secret]) }
    : { source: file, all: () => readFileOfKeys(file) }

/**
 * The keys of a server that starts: outside of production a missing file is made.
 * @throws OperatorError in production without keys, and for a file that cannot be used
 */
export async function prepareKeys(config: KeysConfig, production: boolean): Promise<Keys> {
  const keys = keysOf(config)
  if (!config.secret && !production) await createKeys(config.file)
  await keys.all()
  return keys
}

/** Makes the file with a new key; false when there is one, which stays. @throws OperatorError */
export const createKeys = (file: string): Promise<boolean> =>
  writeOnce(file, textOf([randomBytes(KEY_BYTES)])).catch((error: unknown) => {
    throw unusable(file, error)
  })

const textOf = (keys: readonly Buffer[]): string =>
  `# The keys that seal data in the database of Guildhall, the newest first. Keep a copy, apart from its backups.\n${keys.map((key) => `${key.toString('base64')}\n`).join('')}`

async function readFileOfKeys(file: string): Promise<readonly Buffer[]> {
  const content = await readIfThere(file).catch((error: unknown) => {
    throw unusable(file, error)
  })
  if (!content)
    throw new OperatorError(
      `There are no keys: ${file} is missing. Make it once by ${CREATE_KEYS}, or put the one of this database back, or set KEYS_SECRET.`,
    )
  const lines = content.toString('utf8').split(/\r?\n/)
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#')).map(decodeKey)
  if (keys.length === 0 || keys.includes(null))
    throw new OperatorError(`${file} has no keys of ${KEY_BYTES} bytes in base64. Put the right one back.`)
  return keys as Buffer[]
}

const unusable = (file: string, error: unknown) =>
  new OperatorError(
    `${file} cannot be used: ${(error as NodeJS.ErrnoException).code}. Set KEYS_FILE to another place.`,
    { cause: error },
  )

/** Replaces the file at once: a kill leaves the one before. */
async function writeKeys(file: string, keys: readonly Buffer[]): Promise<void> {
  const made = `${file}.${ids.uuid()}`
  const { uid, gid } = await stat(file)
  await writeFile(made, textOf(keys), { mode: PRIVATE_FILE, flush: true })
  // Root rotates for the account of the server, which must go on reading it.
  if (process.getuid?.() === 0) await chown(made, uid, gid)
  await rename(made, file)
  // What was sealed with a new key must not outlive its line in the file.
  const directory = await open(path.dirname(file), 'r')
  await directory.sync().finally(() => directory.close())
}

/** Keys for one use, derived from those there are: no key seals two kinds of things. */
export class Seals {
  readonly #derived: readonly Buffer[]

  /** The first one seals, and all open. */
  constructor(keys: readonly Buffer[], use: string) {
    this.#derived = keys.map((key) => derive(key, use))
  }

  /** As `seal` of `seal.ts`. */
  seal(purpose: string, value: unknown): string {
    return seal(this.#derived[0]!, purpose, value)
  }

  /** As `unseal` of `seal.ts`, by whichever key. */
  unseal(purpose: string, sealed: string): unknown {
    for (const key of this.#derived) {
      const value = unseal(key, purpose, sealed)
      if (value !== null) return value
    }
    return null
  }

  /** Sealed by the first key, unchanged when it is already; null when no key opens it. */
  reseal(purpose: string, sealed: string): string | null {
    if (unseal(this.#derived[0]!, purpose, sealed) !== null) return sealed
    const value = this.unseal(purpose, sealed)
    return value === null ? null : this.seal(purpose, value)
  }
}

const derive = (key: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `guildhall ${use}`, KEY_BYTES))

/** What the database has of the key that seals: it tells the key from others, and opens nothing. */
const markOf = (key: Buffer): Buffer => derive(key, 'mark')

/** The row of `secret` with the mark. */
const MARK = 'mark of the key'
const LOCK = sql`hashtextextended('keys', 0)`

/**
 * The keys, the marked one first. Until the transaction ends no rotation throws away one that it has read or
 * sealed with.
 * @throws OperatorError when the keys here are others than those of the database
 */
export async function keysIn(tx: Tx, keys: Keys): Promise<readonly Buffer[]> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(tx)
  return markedKeys(tx, keys)
}

/** Nobody seals, or opens, until the transaction ends. */
export const lockKeys = (tx: Tx) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)

/**
 * The keys, the marked one first.
 * @throws OperatorError when the keys here are others than those of the database
 */
export async function markedKeys(db: Db, keys: Keys): Promise<readonly Buffer[]> {
  // A rotation writes its file before it moves the mark.
  const mark = await markIn(db)
  const all = await keys.all()
  const marked = mark ? all.find((key) => markOf(key).equals(mark)) : all[0]
  if (marked) return [marked, ...all.filter((key) => key !== marked)]
  throw new OperatorError(
    `The keys of ${keys.source} are not those that sealed what the database has. ${SAME_KEYS}`,
  )
}

const markIn = (db: Db): Promise<Buffer | null> => findSecret(db, MARK)

/**
 * The keys by which everything may be sealed now; a database without a mark gets that of the newest. Under
 * `lockKeys`.
 * @throws OperatorError when the keys here are others than those of the database
 */
export async function settleMark(tx: Tx, keys: Keys): Promise<readonly Buffer[]> {
  const marked = await markedKeys(tx, keys)
  if (!(await markIn(tx))) await mark(tx, marked[0]!)
  return marked
}

/** From now on the newest key seals. Under `lockKeys`. */
export async function markNewest(tx: Tx, keys: Keys): Promise<readonly Buffer[]> {
  const all = await keys.all()
  await mark(tx, all[0]!)
  return all
}

async function mark(tx: Tx, key: Buffer): Promise<void> {
  const value = markOf(key)
  await tx
    .insertInto('secret')
    .values({ name: MARK, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * Puts a new key before those of the file; a rotation that was killed goes on with the one it had made. Under
 * `lockKeys`.
 * @throws OperatorError
 */
export async function addKey(file: string): Promise<void> {
  const all = await readFileOfKeys(file)
  if (all.length === 1) await writeKeys(file, [randomBytes(KEY_BYTES), ...all])
}

/** Leaves the newest key in the file alone. Under `lockKeys`, when nothing is sealed by another. */
export async function dropFormerKeys(file: string): Promise<void> {
  const [newest] = await readFileOfKeys(file)
  if (newest) await writeKeys(file, [newest])
}
