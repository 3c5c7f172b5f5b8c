/**
 * `backup FILE`, `restore FILE`: everything in one file, and back; `backup verify FILE`: back on trial.
 * They open the database in their own way.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openStorage, uploadsDirectory } from '../app/adapters/stores.ts'
import { backup } from '../backup/backup.ts'
import { restore } from '../backup/restore.ts'
import { verify } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { clock } from '../kit/clock.ts'
import { keysOf, markedKeys } from '../kit/crypto/keys.ts'
import { type Connection, type Db, openDatabase } from '../kit/database/db.ts'
import { borrowEmbedded, startEmbedded } from '../kit/database/embedded.ts'
import { readMigrations } from '../kit/database/migrate.ts'
import { MIGRATIONS, openSharedStore } from '../kit/database/store.ts'
import { makePrivateDirectory } from '../kit/files/directory.ts'
import { openLog } from '../kit/log.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import { describeDatabase } from './command.ts'

interface FileOptions {
  readonly file: string
  readonly passphrase: string | null
  readonly isConfirmed: boolean
  /** Written so that whoever has the file reads it. */
  readonly isPlain: boolean
}

/** Runs `backup …` or `restore …`; `say` receives lines for the terminal. @throws OperatorError */
export async function runBackupCommand(
  args: readonly string[],
  config: Config,
  say: (line: string) => void,
): Promise<unknown> {
  const [name, second, ...rest] = args
  if (name === 'backup' && second === 'verify') {
    const options = await readOptions(rest)
    refuseOption('--plain', options.isPlain)
    return runVerify(options, config, say)
  }
  const options = await readOptions(args.slice(1))
  say(describeDatabase(config))
  return name === 'restore' ? runRestore(options, config, say) : runBackup(options, config, say)
}

async function readOptions(args: readonly string[]): Promise<FileOptions> {
  const options = {
    'passphrase-file': { type: 'string' },
    plain: { type: 'boolean' },
    yes: { type: 'boolean' },
  } as const
  const parse = () => parseArgs({ args: [...args], options, allowPositionals: true })
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse()
  } catch (error) {
    throw new OperatorError(`${(error as Error).message.split('.')[0]}.`)
  }
  const [file, ...more] = parsed.positionals
  if (file === undefined || more.length > 0)
    throw new OperatorError('Name one file: backup FILE, backup verify FILE, restore FILE.')
  const { 'passphrase-file': passphraseFile, plain = false, yes = false } = parsed.values
  const passphrase = passphraseFile === undefined ? null : await readPassphrase(passphraseFile)
  return { file: path.resolve(file), passphrase, isConfirmed: yes, isPlain: plain }
}

/** @throws OperatorError for an option that means nothing to the command */
function refuseOption(option: string, isGiven: boolean): void {
  if (isGiven) throw new OperatorError(`${option} is for another command.`)
}

/** A file in clear has everything: messages and numbers. It is written only where it is asked for. */
function refuseUnclear({ passphrase, isPlain }: FileOptions): void {
  if (passphrase !== null && isPlain)
    throw new OperatorError(
      '--plain writes without a passphrase, and --passphrase-file with one: give one of them.',
    )
  if (passphrase === null && !isPlain)
    throw new OperatorError(
      'A backup has every message and number: give --passphrase-file FILE to encrypt it, or --plain to write it in clear.',
    )
}

async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read: ${error.code}.`, { cause: error })
  })
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length >= 8) return passphrase
  throw new OperatorError(`${file} must hold a passphrase of at least 8 characters.`)
}

async function runBackup(
  options: FileOptions,
  config: Config,
  say: (line: string) => void,
): Promise<unknown> {
  refuseUnclear(options)
  const { file, passphrase } = options
  const { dataDir, databaseUrl } = config
  const log = openLog('quiet', process.stderr)
  const store = await openSharedStore({ dataDir, databaseUrl, log, onProgress: say })
  try {
    const source = { connection: store.connection, storage: openStorage(config), now: clock.now() }
    const contents = await backup(source, file, passphrase).catch(explained)
    await recordSecurity(store.database.db, { kind: 'backup', actor: 'operator', target: '' }).catch(
      (error) => {
        // Taken before older tables are migrated, it must not fail for what they lack.
        if (store.waiting.length === 0) throw error
        say('The tables are older than this program: the backup is taken, and not in the security log.')
      },
    )
    sayMissing(contents.missingFiles.length, say)
    return {
      file,
      files: contents.files,
      missing_files: contents.missingFiles,
      encrypted: passphrase !== null,
    }
  } finally {
    await store.close()
  }
}

async function runVerify(
  { file, passphrase }: FileOptions,
  config: Config,
  say: (line: string) => void,
): Promise<unknown> {
  say('Restoring it on trial, into a database that is thrown away …')
  const found = await verify(file, passphrase, await readMigrations(MIGRATIONS)).catch(explained)
  say('The keys that seal second factors are in no backup: whoever restores it needs those of its time.')
  sayMissing(found.missingFiles.length, say)
  await recordVerified(config).catch(() => say('There is no database here in which this can be noted.'))
  return {
    file,
    taken_at: found.createdAt,
    people: found.people,
    files: found.files,
    missing_files: found.missingFiles,
    migrated: found.migrated,
  }
}

/** `doctor` asks when a backup was restored on trial last. */
async function recordVerified({ dataDir, databaseUrl }: Config): Promise<void> {
  const store = await openSharedStore({ dataDir, databaseUrl, log: openLog('quiet', process.stderr) })
  try {
    await recordSecurity(store.database.db, { kind: 'backup verify', actor: 'operator', target: '' })
  } finally {
    await store.close()
  }
}

/** A backup without some of its files is good for all else, and ends with 1. */
function sayMissing(missing: number, say: (line: string) => void): void {
  if (missing === 0) return
  const what = missing === 1 ? '1 file of the database is' : `${missing} files of the database are`
  say(`${what} missing in the backup: see docs/operations.md "Backup and restore".`)
  process.exitCode = 1
}

async function runRestore(
  { file, passphrase, isConfirmed, isPlain }: FileOptions,
  config: Config,
  say: (line: string) => void,
): Promise<unknown> {
  refuseOption('--plain', isPlain)
  const { connection, close } = await openAlone(config, say)
  try {
    await makePrivateDirectory(uploadsDirectory(config))
    const target = {
      connection,
      storage: openStorage(config),
      incoming: path.join(uploadsDirectory(config), 'incoming'),
      migrations: await readMigrations(MIGRATIONS),
      replaces: isConfirmed,
      onProgress: say,
    }
    const restored = await restore(target, file, passphrase).catch(explained)
    const database = openDatabase({ connection, name: 'guildhall-setup' })
    await recordSecurity(database.db, { kind: 'restore', actor: 'operator', target: '' })
    say(await whetherKeysFit(database.db, config))
    await database.close()
    return { file, taken_at: restored.createdAt, files: restored.files, migrated: restored.migrated }
  } finally {
    await close()
  }
}

/** Whether the keys here are those of a restored database. One of an earlier version has its own in it. */
const whetherKeysFit = (db: Db, config: Config): Promise<string> =>
  markedKeys(db, keysOf(config.keys)).then(
    () => 'The keys here fit what was restored.',
    (error: Error) => `The backup does not have its keys. ${error.message}`,
  )

/** The database without its server. @throws OperatorError when a server uses it */
async function openAlone(
  { dataDir, databaseUrl }: Config,
  onProgress: (line: string) => void,
): Promise<{ readonly connection: Connection; close(): Promise<void> }> {
  if (databaseUrl !== null) return { connection: { url: databaseUrl }, close: async () => undefined }
  if (await borrowEmbedded(dataDir))
    throw new OperatorError(`A server uses ${dataDir}. Stop it, then restore.`)
  const { connection, stop } = await startEmbedded({ dataDir, onProgress })
  return { connection, close: stop }
}

/** Errors of the disk in one line. */
function explained(error: unknown): never {
  const { code, path: filePath, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') throw new OperatorError(`The disk is full: ${message}.`, { cause: error })
  if (code && /^E[A-Z]+$/.test(code) && filePath)
    throw new OperatorError(`${filePath} cannot be used: ${code}.`, { cause: error })
  throw error
}
