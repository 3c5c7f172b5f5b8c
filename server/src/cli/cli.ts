/**
 * `npm run -s cli -- COMMAND`: one JSON value on stdout, or one line on stderr and exit code 1. Works beside
 * a running server.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { Failure } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import { type Config, type Environment, readConfig } from '../config.ts'
import { replaceClock } from '../kit/clock.ts'
import { type Db, sqlState } from '../kit/database/db.ts'
import { MIGRATE, migrateStore, openSharedStore, type StoreOptions } from '../kit/database/store.ts'
import { noopBus } from '../kit/events/bus.ts'
import type { AppContext } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { openLog } from '../kit/log.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import { nameSite, readSiteFace } from '../site/site.ts'
import { botCommands } from './bot.ts'
import { channelCommands } from './channel.ts'
import {
  type Command,
  type CommandContext,
  type Commands,
  describeDatabase,
  linkBase,
  type Options,
} from './command.ts'
import { errorsCommands } from './errors.ts'
import { giftCommands } from './gifts.ts'
import { guildCommands } from './guild.ts'
import { inviteCommands } from './invite.ts'
import { jobsCommands, withJobs } from './jobs.ts'
import { createKeyFile, keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { messageCommands } from './message.ts'
import { numberCommands } from './numbers.ts'
import { orderCommands } from './order.ts'
import { productCommands } from './product.ts'
import { reviewCommands } from './review.ts'
import { roleCommands } from './role.ts'
import { sandboxCommands } from './sandbox.ts'
import { searchCommands } from './search.ts'
import { securityCommands } from './security.ts'
import { staffCommands } from './staff.ts'
import { userCommands } from './user.ts'
import { wordCommands } from './word.ts'
import { worldCommands } from './world.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

const commands: Commands = {
  ...worldCommands,
  ...userCommands,
  ...guildCommands,
  ...reviewCommands,
  ...wordCommands,
  ...channelCommands,
  ...inviteCommands,
  ...roleCommands,
  ...botCommands,
  ...messageCommands,
  ...productCommands,
  ...orderCommands,
  ...numberCommands,
  ...sandboxCommands,
  ...giftCommands,
  ...ledgerCommands,
  ...searchCommands,
  ...staffCommands,
  ...securityCommands,
  ...jobsCommands,
  ...keyCommands,
  ...errorsCommands,
}

/** Names a file of variables, such as the one of a systemd unit. */
const ENV_FILE = '--env-file'

const usageOf = (name: string, { usage, destroys }: Command): string =>
  [name, usage, destroys ? '--yes' : ''].filter(Boolean).join(' ')

/** They open the database themselves, or not at all. */
const OTHER_COMMANDS = [
  'doctor',
  'migrate',
  'keys create',
  'backup FILE --passphrase-file FILE|--plain',
  'backup verify FILE [--passphrase-file FILE]',
  'restore FILE [--passphrase-file FILE] [--yes]',
]

const USAGE = `Commands:\n${Object.entries(commands)
  .map(([name, command]) => `  ${usageOf(name, command)}`)
  .concat(OTHER_COMMANDS.map((usage) => `  ${usage}`))
  .join('\n')}
With each: ${ENV_FILE} FILE, for variables that the environment does not have`

interface Parsed {
  readonly name: string
  readonly command: Command
  readonly options: Options
  readonly isConfirmed: boolean
}

/** The options of a usage, `--name VALUE [--flag]`. */
const optionsOf = (usage: string) =>
  [...usage.matchAll(/(\[)?--([\w-]+)( [^\s[\]]+)?/g)].map(([, bracket, name = '', value]) => ({
    name,
    isNeeded: bracket === undefined,
    type: value === undefined ? ('boolean' as const) : ('string' as const),
  }))

/** The command and its options. @throws OperatorError for an unknown or missing argument */
function readCommand(args: readonly string[]): Parsed {
  const nameWords = args.slice(0, args.findIndex((each) => each.startsWith('-')) >>> 0)
  const name = nameWords.join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new OperatorError(name === '' ? USAGE : `There is no command "${name}". ${USAGE}`)
  const known = optionsOf(command.usage)
  const all = command.destroys ? [...known, { name: 'yes', type: 'boolean' as const }] : known
  let values: Record<string, string | boolean | undefined>
  try {
    values = parseArgs({
      args: args.slice(nameWords.length),
      options: Object.fromEntries(all.map((each) => [each.name, { type: each.type }])),
    }).values
  } catch (error) {
    throw new OperatorError(`${name}: ${(error as Error).message.split('.')[0]}.`)
  }
  const missing = known.filter((each) => each.isNeeded && values[each.name] === undefined)
  if (missing.length > 0) {
    throw new OperatorError(`${name} needs ${missing.map((each) => `--${each.name}`).join(' and ')}.`)
  }
  const { yes, ...given } = values
  const options = Object.fromEntries(
    Object.entries(given).flatMap(([option, value]) =>
      value === undefined || value === false ? [] : [[option, value === true ? '' : value] as const],
    ),
  )
  return { name, command, options, isConfirmed: yes === true }
}

/**
 * Runs one command on the database of a configuration and returns its result. Uses the embedded database of
 * a running server, or starts it for the command; connected clients receive the events of what it changes.
 * It never makes a demo world; only `migrate` and `restore` make a database or change its tables. On older
 * tables only what reads is run. `say` receives lines for the person at the terminal.
 * @throws OperatorError, Failure
 */
export async function runCommand(
  args: readonly string[],
  config: Config,
  say: (line: string) => void = () => undefined,
): Promise<unknown> {
  if (args[0] === 'backup' || args[0] === 'restore') {
    // Loaded for these commands alone: it knows the storage of uploads.
    const { runBackupCommand } = await import('./backup.ts')
    return runBackupCommand(args, config, say)
  }
  if (args.length === 1 && args[0] === 'doctor') {
    say(describeDatabase(config))
    // It opens the database itself, because it goes on without one.
    const { diagnose } = await import('./doctor.ts')
    const diagnosis = await diagnose(config, say)
    if (!diagnosis.ok) process.exitCode = 1
    return diagnosis
  }
  if (args.length === 1 && args[0] === 'migrate') {
    say(describeDatabase(config))
    return migrateDatabase(config, say)
  }
  if (args.join(' ') === 'keys create') return createKeyFile(config)
  const { name, command, options, isConfirmed } = readCommand(args)
  say(describeDatabase(config))
  nameSite((await readSiteFace(config.siteDir)).names)
  const publicUrl = await linkBase(config)
  const home = await openSharedStore(storeOf(config, say))
  const older = home.waiting.length > 0 ? `The tables are older than this program: ${MIGRATE}` : null
  try {
    if (older && !command.isReading) throw new OperatorError(`${older}, then this command.`)
    if (older) say(`${older} brings them up to date. Read as they are.`)
    const { db } = home.database
    const appContext: AppContext = {
      db,
      bus: noopBus,
      presence: emptyPresence,
      publicUrl,
      ways: config.registration.ways,
      announces: true,
    }
    const context: CommandContext = { appContext, config: { ...config, publicUrl }, database: home.database }
    if (command.destroys && !isConfirmed)
      throw new OperatorError(`${await command.destroys(options, context)} Add --yes to do it.`)
    const answer = await command.run(options, context)
    if (!command.isReading && !command.recordsItself) await recordCommand(db, name, options)
    return answer
  } catch (error) {
    if (older === null || sqlState(error) === null) throw error
    throw new OperatorError(`${older}, then this command, which needs what they lack.`, { cause: error })
  } finally {
    await home.close()
  }
}

const storeOf = ({ dataDir, databaseUrl }: Config, onProgress: (line: string) => void): StoreOptions => ({
  dataDir,
  databaseUrl,
  onProgress,
  log: openLog('quiet', process.stderr),
})

/** Makes the database and its tables, or brings them up to date, beside a running server too. */
async function migrateDatabase(config: Config, say: (line: string) => void): Promise<unknown> {
  const store = await migrateStore(storeOf(config, say))
  try {
    await withJobs(store.database, async () => undefined, true)
    if (store.applied.length > 0) await recordCommand(store.database.db, 'migrate', {})
    else say('The tables are up to date.')
    return { migrated: store.applied }
  } finally {
    await store.close()
  }
}

/** The options that are ids; others may hold names, numbers or passwords. */
const RECORDED = ['guild', 'channel', 'bot', 'role', 'owner', 'queue', 'job', 'id', 'order']

const recordCommand = (db: Db, name: string, options: Options): Promise<void> =>
  recordSecurity(db, {
    kind: name,
    actor: 'operator',
    target: RECORDED.flatMap((each) => (options[each] ? `${each} ${options[each]}` : [])).join(', '),
  })

/**
 * The arguments without `--env-file FILE`, and the environment with what that file sets and the environment
 * does not.
 * @throws OperatorError for a file that cannot be read
 */
export function environmentOf(
  args: readonly string[],
  env: Environment,
): { readonly args: readonly string[]; readonly env: Environment } {
  const at = args.findIndex((each) => each === ENV_FILE || each.startsWith(`${ENV_FILE}=`))
  const given = args[at]
  if (given === undefined) return { args, env }
  const isApart = given === ENV_FILE
  const file = isApart ? args[at + 1] : given.slice(ENV_FILE.length + 1)
  if (!file) throw new OperatorError(`${ENV_FILE} needs a file.`)
  return { args: args.toSpliced(at, isApart ? 2 : 1), env: { ...readEnvironmentFile(file), ...env } }
}

function readEnvironmentFile(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, {
      cause: error,
    })
  }
}

if (import.meta.main) {
  try {
    const { args, env } = environmentOf(process.argv.slice(2), process.env)
    const config = readConfig(env, ROOT)
    if (config.clockOffsetMs !== 0) replaceClock(() => Date.now() + config.clockOffsetMs)
    const answer = await runCommand(args, config, (line) => console.error(line))
    console.log(JSON.stringify(answer, null, 2))
  } catch (error) {
    if (error instanceof OperatorError) console.error(error.message)
    else if (error instanceof Failure) {
      console.error(`${error.failure}: ${failureText(error.failure, 'en', error.detail)}.`)
    } else console.error(error)
    process.exitCode = 1
  }
}
