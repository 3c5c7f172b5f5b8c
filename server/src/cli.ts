/** `npm run -s cli -- COMMAND`: one JSON value on stdout, or one line on stderr and exit code 1. Works beside a running server. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { isName } from '@guildhall/wire/user/user.ts'
import { giveBotToken, readNumber, setPassword, stopBot } from './auth/auth.ts'
import { createChannel, findChannel } from './channel/channel.ts'
import { type Config, readConfig } from './config.ts'
import { seedWorld } from './demo/seed.ts'
import { readWorld } from './demo/world.ts'
import {
  addRole,
  createGuild,
  deleteRole,
  findGuild,
  giveRole,
  isBanned,
  isMember,
  join,
  leave,
  memberRoles,
  rolesOf,
  setWelcomeChannel,
  takeRole,
  updateRole,
} from './guild/guild.ts'
import { createInvite } from './invite/invite.ts'
import { noopBus } from './kit/bus.ts'
import type { Database, Db } from './kit/db.ts'
import { commit, type Live } from './kit/events.ts'
import type { Jobs } from './kit/jobs.ts'
import { openLog } from './kit/log.ts'
import { OperatorError } from './kit/operatorError.ts'
import { emptyPresence } from './kit/presence.ts'
import { openSharedStore } from './kit/store.ts'
import { findUser, register, registerBot } from './user/user.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const USAGE = `Commands:
  world
  guild create --name NAME --owner USER_ID
  guild welcome --guild GUILD_ID [--channel CHANNEL_ID]
  channel create --guild GUILD_ID --name NAME --type text|voice|category [--parent CATEGORY_ID]
  invite create --guild GUILD_ID [--channel CHANNEL_ID] [--expires SECONDS] [--uses N]
  user create --mobile NUMBER --username NAME [--prefix 86] [--password PASSWORD]
  role create --guild GUILD_ID --name NAME [--permissions N]
  role update --guild GUILD_ID --role ROLE_ID [--name NAME] [--permissions N]
  role delete --guild GUILD_ID --role ROLE_ID
  bot create --name NAME --guild GUILD_ID [--permissions N]
  bot join --bot BOT_ID --guild GUILD_ID
  bot leave --bot BOT_ID --guild GUILD_ID
  bot grant --bot BOT_ID --guild GUILD_ID --role ROLE_ID
  bot revoke --bot BOT_ID --guild GUILD_ID --role ROLE_ID
  bot token --bot BOT_ID
  bot stop --bot BOT_ID
  jobs list
  jobs retry --queue NAME --job JOB_ID`

const NAME_MAX = 100
const PASSWORD_LENGTH = { least: 6, most: 128 }
const EXPIRES_MOST_S = 10 * 365 * 24 * 3600
const USES_MOST = 1_000_000
const ROLE_MOST = 2 ** 31 - 1
/** All bits up to the highest there is, 2^30. */
const PERMISSIONS_MOST = 2 ** 31 - 1

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Options = Readonly<Record<string, string>>
type Command = (options: Options, live: Live, config: Config, database: Database) => Promise<unknown>

interface Entry {
  readonly needs: readonly string[]
  readonly may: readonly string[]
  readonly run: Command
}

const commands: Readonly<Record<string, Entry>> = {
  world: {
    needs: [],
    may: [],
    async run(_options, { db }, config) {
      const world = await readWorld(db)
      const url = (code: string) => `${config.publicUrl}/invite/${code}`
      return { ...world, invites: world.invites.map((each) => ({ ...each, url: url(each.code) })) }
    },
  },

  'guild create': {
    needs: ['name', 'owner'],
    may: [],
    async run({ name = '', owner = '' }, live) {
      const ownerId = id<UserId>('owner', owner)
      if (!(await findUser(live.db, ownerId))) throw new OperatorError(`There is no user ${owner}.`)
      const given = readName(name)
      const guildId = await commit(live, (tx, emit) => createGuild(tx, emit, { name: given, ownerId }))
      return { id: guildId, name: given, user_id: ownerId }
    },
  },

  'guild welcome': {
    needs: ['guild'],
    may: ['channel'],
    async run({ guild = '', channel }, live) {
      const guildId = await guildFor(live.db, guild)
      const channelId = channel === undefined ? null : id<ChannelId>('channel', channel)
      const found = channelId === null ? null : await findChannel(live.db, channelId)
      if (channelId !== null && (found?.guild_id !== guildId || found.type !== channelType.text)) {
        throw new OperatorError(`Guild ${guild} has no text channel ${channel}.`)
      }
      await commit(live, (tx, emit) => setWelcomeChannel(tx, emit, guildId, channelId))
      return { id: guildId, welcome_channel_id: channelId ?? '0' }
    },
  },

  'channel create': {
    needs: ['guild', 'name', 'type'],
    may: ['parent'],
    async run({ guild = '', name = '', type = '', parent }, live) {
      const guildId = id<GuildId>('guild', guild)
      const parentId = parent === undefined ? null : id<ChannelId>('parent', parent)
      const kind = readType(type)
      const given = readName(name)
      const channelId = await commit(live, (tx, emit) =>
        createChannel(tx, emit, { guildId, name: given, type: kind, parentId }),
      )
      return { id: channelId, guild_id: guildId, name: given, type: kind, parent_id: parentId ?? '' }
    },
  },

  'invite create': {
    needs: ['guild'],
    may: ['channel', 'expires', 'uses'],
    async run({ guild = '', channel, expires, uses }, live, config) {
      const guildId = id<GuildId>('guild', guild)
      const found = await findGuild(live.db, guildId)
      if (!found) throw new OperatorError(`There is no guild ${guild}.`)
      const channelId = channel === undefined ? null : id<ChannelId>('channel', channel)
      if (channelId !== null && (await findChannel(live.db, channelId))?.guild_id !== guildId) {
        throw new OperatorError(`Guild ${guild} has no channel ${channel}.`)
      }
      const seconds = expires === undefined ? null : count('expires', expires, EXPIRES_MOST_S)
      const usesMax = uses === undefined ? null : count('uses', uses, USES_MOST)
      const { code, expires_at } = await commit(live, (tx) =>
        createInvite(tx, {
          guildId,
          channelId,
          userId: found.user_id,
          expiresInMs: seconds === null ? null : seconds * SECOND_MS,
          uses: usesMax,
        }),
      )
      const url = `${config.publicUrl}/invite/${code}`
      return { code, url, guild_id: guildId, channel_id: channelId, expires_at, uses_max: usesMax }
    },
  },

  'user create': {
    needs: ['mobile', 'username'],
    may: ['prefix', 'password'],
    async run({ mobile = '', username = '', prefix = '86', password }, live) {
      const number = readNumber({ prefix, mobile })
      if (!isName(username))
        throw new OperatorError('--username must be 1 to 30 characters without white space.')
      if (password !== undefined && !fits(password)) {
        const { least, most } = PASSWORD_LENGTH
        throw new OperatorError(`--password must have ${least} to ${most} characters.`)
      }
      const user = await commit(live, async (tx) => {
        const made = await register(tx, { ...number, verified: true, makeName: () => username })
        if (!made.isNew)
          throw new OperatorError(`The number +${number.prefix} ${number.mobile} has an account already.`)
        if (password !== undefined) await setPassword(tx, made.user.id, password)
        return made.user
      })
      const { id, identify_num } = user
      return {
        id,
        username,
        identify_num,
        prefix: number.prefix,
        mobile: number.mobile,
        password: password ?? null,
      }
    },
  },

  'bot create': {
    needs: ['name', 'guild'],
    may: ['permissions'],
    async run({ name = '', guild = '', permissions }, live) {
      const guildId = await guildFor(live.db, guild)
      if (!isName(name)) throw new OperatorError('--name must be 1 to 30 characters without white space.')
      const bits = permissions === undefined ? null : count('permissions', permissions, PERMISSIONS_MOST)
      return commit(live, async (tx, emit) => {
        const bot = await registerBot(tx, name)
        await join(tx, emit, guildId, bot.id)
        const token = await giveBotToken(tx, emit, bot.id)
        if (bits === null) return { id: bot.id, token }
        const role = { name, color: 0, hoist: 0, mentionable: 0, permissions: bits }
        const { role_id } = await addRole(tx, guildId, role, emit)
        await giveRole(tx, emit, guildId, bot.id, role_id)
        return { id: bot.id, token, role_id }
      })
    },
  },

  'bot join': {
    needs: ['bot', 'guild'],
    may: [],
    async run({ bot = '', guild = '' }, live) {
      const guildId = await guildFor(live.db, guild)
      const botId = await knownBot(live.db, bot)
      if (await isBanned(live.db, guildId, botId)) throw new Failure('guild.banned')
      await commit(live, (tx, emit) => join(tx, emit, guildId, botId))
      return { id: botId, guild_id: guildId }
    },
  },

  'bot leave': {
    needs: ['bot', 'guild'],
    may: [],
    async run({ bot = '', guild = '' }, live) {
      const guildId = await guildFor(live.db, guild)
      const botId = await knownBot(live.db, bot)
      await commit(live, (tx, emit) => leave(tx, emit, guildId, botId))
      return { id: botId, guild_id: guildId }
    },
  },

  'role create': {
    needs: ['guild', 'name'],
    may: ['permissions'],
    async run({ guild = '', name = '', permissions = '0' }, live) {
      const guildId = await guildFor(live.db, guild)
      const it = { ...newRole, name: readName(name), permissions: readPermissions(permissions) }
      return commit(live, (tx, emit) => addRole(tx, guildId, it, emit))
    },
  },

  'role update': {
    needs: ['guild', 'role'],
    may: ['name', 'permissions'],
    async run({ guild = '', role = '', name, permissions }, live) {
      const guildId = await guildFor(live.db, guild)
      if (name === undefined && permissions === undefined)
        throw new OperatorError('role update needs --name or --permissions.')
      const change = {
        ...(name !== undefined && { name: readName(name) }),
        ...(permissions !== undefined && { permissions: readPermissions(permissions) }),
      }
      const updated = await commit(live, (tx, emit) => updateRole(tx, emit, guildId, readRole(role), change))
      return updated ?? noRole(guild, role)
    },
  },

  'role delete': {
    needs: ['guild', 'role'],
    may: [],
    async run({ guild = '', role = '' }, live) {
      const guildId = await guildFor(live.db, guild)
      return (
        (await commit(live, (tx, emit) => deleteRole(tx, emit, guildId, readRole(role)))) ??
        noRole(guild, role)
      )
    },
  },

  'bot grant': {
    needs: ['bot', 'guild', 'role'],
    may: [],
    run: (options, live) => changeRole(options, live, giveRole),
  },

  'bot revoke': {
    needs: ['bot', 'guild', 'role'],
    may: [],
    run: (options, live) => changeRole(options, live, takeRole),
  },

  'bot token': {
    needs: ['bot'],
    may: [],
    async run({ bot = '' }, live) {
      const botId = await knownBot(live.db, bot)
      return { id: botId, token: await commit(live, (tx, emit) => giveBotToken(tx, emit, botId)) }
    },
  },

  'bot stop': {
    needs: ['bot'],
    may: [],
    async run({ bot = '' }, live) {
      const botId = await knownBot(live.db, bot)
      await commit(live, (tx, emit) => stopBot(tx, emit, botId))
      return { id: botId }
    },
  },
  'jobs list': {
    needs: [],
    may: [],
    run: (_options, _live, _config, database) =>
      withJobs(database, async (jobs) => ({ queues: await jobs.states(), failed: await jobs.failures() })),
  },
  'jobs retry': {
    needs: ['queue', 'job'],
    may: [],
    async run({ queue = '', job = '' }, _live, _config, database) {
      const isQueued = UUID.test(job) && (await withJobs(database, (jobs) => jobs.retry(queue, job)))
      if (!isQueued) throw new OperatorError(`Queue "${queue}" has no failed job ${job}.`)
      return { queue, job, queued: true }
    },
  },
}

/** Runs `use` on the job queue, which is loaded only for its commands. */
async function withJobs<T>({ pool }: Database, use: (jobs: Jobs) => Promise<T>): Promise<T> {
  const { openJobs } = await import('./kit/jobs.ts')
  const jobs = await openJobs({ pool, log: openLog('quiet', process.stderr), isWorker: false })
  try {
    return await use(jobs)
  } finally {
    await jobs.close()
  }
}

/** Returns the roles that the bot has afterwards. */
async function changeRole(
  { bot = '', guild = '', role = '' }: Options,
  live: Live,
  change: typeof giveRole,
): Promise<unknown> {
  const guildId = await guildFor(live.db, guild)
  const botId = await knownBot(live.db, bot)
  const roleId = count('role', role, ROLE_MOST)
  if (!(await isMember(live.db, guildId, botId)))
    throw new OperatorError(`Bot ${bot} is not in guild ${guild}.`)
  const roles = await rolesOf(live.db, guildId)
  if (!roles.some((each) => each.role_id === roleId))
    throw new OperatorError(`Guild ${guild} has no role ${role}.`)
  await commit(live, (tx, emit) => change(tx, emit, guildId, botId, roleId))
  return { id: botId, guild_id: guildId, roles: await memberRoles(live.db, guildId, botId) }
}

async function guildFor(db: Db, value: string): Promise<GuildId> {
  const guildId = id<GuildId>('guild', value)
  if (await findGuild(db, guildId)) return guildId
  throw new OperatorError(`There is no guild ${value}.`)
}

async function knownBot(db: Db, value: string): Promise<UserId> {
  const botId = id<UserId>('bot', value)
  if ((await findUser(db, botId))?.bot) return botId
  throw new OperatorError(`There is no bot ${value}.`)
}

const fits = (password: string): boolean =>
  password.length >= PASSWORD_LENGTH.least && password.length <= PASSWORD_LENGTH.most

function id<Id extends string>(option: string, value: string): Id {
  if (/^[1-9]\d{0,15}$/.test(value)) return value as Id
  throw new OperatorError(`--${option} must be an id, a whole number, not "${value}".`)
}

function count(option: string, value: string, most: number): number {
  if (/^[1-9]\d{0,9}$/.test(value) && Number(value) <= most) return Number(value)
  throw new OperatorError(`--${option} must be a whole number from 1 to ${most}, not "${value}".`)
}

const newRole = { color: 0, hoist: 0, mentionable: 0 } as const

/** Role 0 is everyone's. */
const readRole = (value: string): number => (value === '0' ? 0 : count('role', value, ROLE_MOST))

const readPermissions = (value: string): number =>
  value === '0' ? 0 : count('permissions', value, PERMISSIONS_MOST)

function noRole(guild: string, role: string): never {
  throw new OperatorError(`Guild ${guild} has no role ${role} that this can be done to.`)
}

function readName(value: string): string {
  const name = value.trim()
  if (name !== '' && [...name].length <= NAME_MAX && !name.includes('\0')) return name
  throw new OperatorError(`--name must have 1 to ${NAME_MAX} characters.`)
}

function readType(value: string): 0 | 1 | 2 {
  for (const [name, type] of Object.entries(channelType))
    if (value === name || value === String(type)) return type
  throw new OperatorError(`--type must be text, voice or category, not "${value}".`)
}

/** The command and its options. @throws OperatorError for an unknown or missing argument */
function readCommand(args: readonly string[]): { entry: Entry; options: Options } {
  const nameWords = args.slice(0, args.findIndex((each) => each.startsWith('-')) >>> 0)
  const name = nameWords.join(' ')
  const entry = commands[name]
  if (!entry) throw new OperatorError(name === '' ? USAGE : `There is no command "${name}". ${USAGE}`)
  const known = [...entry.needs, ...entry.may]
  let values: Record<string, string | undefined>
  try {
    values = parseArgs({
      args: args.slice(nameWords.length),
      options: Object.fromEntries(known.map((each) => [each, { type: 'string' as const }])),
    }).values
  } catch (error) {
    throw new OperatorError(`${name}: ${(error as Error).message.split('.')[0]}.`)
  }
  const missing = entry.needs.filter((each) => values[each] === undefined)
  if (missing.length > 0) {
    throw new OperatorError(`${name} needs ${missing.map((each) => `--${each}`).join(' and ')}.`)
  }
  const given = Object.entries(values).filter((each): each is [string, string] => each[1] !== undefined)
  return { entry, options: Object.fromEntries(given) }
}

/**
 * Runs one command on the database of a configuration and returns its result. Uses the embedded database of a running
 * server, or starts it for the command; connected clients receive the events of what it changes.
 * @throws OperatorError, Failure
 */
export async function runCommand(args: readonly string[], config: Config): Promise<unknown> {
  const { entry, options } = readCommand(args)
  const home = await openSharedStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    log: openLog('quiet', process.stderr),
  })
  try {
    const { db } = home.database
    // Assets are loaded only for the first command on an empty database.
    const stores = async () => (await import('./app/stores.ts')).openStores(config, db)
    if (config.demo) await seedWorld(db, stores)
    const live: Live = { db, bus: noopBus, presence: emptyPresence, announces: true }
    return await entry.run(options, live, config, home.database)
  } finally {
    await home.close()
  }
}

if (import.meta.main) {
  try {
    const answer = await runCommand(process.argv.slice(2), readConfig(process.env, ROOT))
    console.log(JSON.stringify(answer, null, 2))
  } catch (error) {
    if (error instanceof OperatorError) console.error(error.message)
    else if (error instanceof Failure) {
      console.error(`${error.failure}: ${failureText(error.failure, 'en', error.detail)}.`)
    } else console.error(error)
    process.exitCode = 1
  }
}
