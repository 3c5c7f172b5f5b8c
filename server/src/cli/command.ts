/** What every command is made of, and the readers of options that several share. */

import { channelType } from '@guildhall/wire/channel/channel.ts'
import { GRADIENT_COLORS } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { isNameOf, readName as readTypedName } from '@guildhall/wire/words.ts'
import { type Config, defaultPublicUrl } from '../config.ts'
import { findGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Database, Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { recordedAddress } from '../kit/servedAddress.ts'
import type { StaffActor } from '../staff/staff.ts'
import { findUser } from '../user/user.ts'

/** Options by name; one without a value is `''`. */
export type Options = Readonly<Record<string, string>>

export interface CommandContext {
  readonly appContext: AppContext
  readonly config: Config
  readonly database: Database
}

/**
 * One command. Its usage is also its parser: what is in brackets may be left out, and what has no value is a
 * flag.
 */
export interface Command {
  readonly usage: string
  /** One sentence that says what is destroyed: without `--yes` it is said and nothing is done. */
  readonly destroys?: (options: Options, context: CommandContext) => string | Promise<string>
  /** It changes nothing, so the security log does not name it. */
  readonly isReading?: boolean
  /** It writes to the security log itself, in its transaction. */
  readonly recordsItself?: boolean
  readonly run: (options: Options, context: CommandContext) => Promise<unknown>
}

/** Commands by name: a noun and a verb. */
export type Commands = Readonly<Record<string, Command>>

/** The actor of every command. */
export const OPERATOR: StaffActor = { actor: 'operator' }

const NAME_MAX = 100
const ROLE_MOST = 2 ** 31 - 1
/** All bits up to the highest there is, 2^30. */
const PERMISSIONS_MOST = 2 ** 31 - 1
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws OperatorError */
export function id<Id extends string>(option: string, value: string): Id {
  if (/^[1-9]\d{0,15}$/.test(value)) return value as Id
  throw new OperatorError(`--${option} must be an id, a whole number, not "${value}".`)
}

export function count(option: string, value: string, most: number): number {
  if (/^[1-9]\d{0,9}$/.test(value) && Number(value) <= most) return Number(value)
  throw new OperatorError(`--${option} must be a whole number from 1 to ${most}, not "${value}".`)
}

/** @throws OperatorError */
export function uuid<Id extends string>(option: string, value: string): Id {
  if (isUuid(value)) return value.toLowerCase() as Id
  throw new OperatorError(`--${option} must be an id like 01234567-89ab-7def-8123-456789abcdef.`)
}

export const isUuid = (value: string): boolean => UUID.test(value.toLowerCase())

/** Role 0 is everyone's. */
export const readRole = (value: string): number => (value === '0' ? 0 : readGrantedRole(value))

/** A role that members are given. */
export const readGrantedRole = (value: string): number => count('role', value, ROLE_MOST)

export const readPermissions = (value: string): number =>
  value === '0' ? 0 : count('permissions', value, PERMISSIONS_MOST)

/** `none`, a colour as `RRGGBB`, or the two to four of a gradient with commas between them. */
export function readColors(value: string): { readonly color: number; readonly color_list: number[] | null } {
  if (value === 'none') return { color: 0, color_list: null }
  const list = value.split(',').map((it) => (/^[\da-f]{6}$/i.test(it) ? Number.parseInt(it, 16) : 0))
  const [color = 0] = list
  if (list.length <= GRADIENT_COLORS.max && !list.includes(0))
    return { color, color_list: list.length === 1 ? null : list }
  throw new OperatorError(
    `--color must be none, a colour such as 1f66d0, or two to four of them with commas between them, not "${value}".`,
  )
}

export function readName(value: string): string {
  const name = readTypedName(value)
  if (isNameOf(name, 1, NAME_MAX)) return name
  throw new OperatorError(`--name must have 1 to ${NAME_MAX} characters.`)
}

export function readType(value: string): 0 | 1 | 2 {
  for (const [name, type] of Object.entries(channelType))
    if (value === name || value === String(type)) return type
  throw new OperatorError(`--type must be text, voice or category, not "${value}".`)
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** A time, ms: `2026-11-22`, `2026-11-22T08:00Z`, or how long ago: `30m`, `12h`, `7d`. */
export function readSince(value: string): number {
  const [, amount, unit] = /^(\d{1,4})([mhd])$/.exec(value) ?? []
  if (amount && unit) return clock.now() - Number(amount) * (UNITS[unit] ?? 0)
  const time = Date.parse(value)
  if (!Number.isNaN(time)) return time
  throw new OperatorError(`--since must be a time like 2026-11-22T08:00Z, or 30m, 12h, 7d, not "${value}".`)
}

/** @throws OperatorError */
export async function guildFor(db: Db, value: string): Promise<GuildId> {
  const guildId = id<GuildId>('guild', value)
  if (await findGuild(db, guildId)) return guildId
  throw new OperatorError(`There is no guild ${value}.`)
}

/** @throws OperatorError */
export async function userFor(db: Db, value: string, option = 'user'): Promise<UserId> {
  const userId = id<UserId>(option, value)
  const user = await findUser(db, userId)
  if (user && user.deleted_at === null) return userId
  throw new OperatorError(`There is no user ${value}.`)
}

/** @throws OperatorError */
export async function knownBot(db: Db, value: string): Promise<UserId> {
  const botId = id<UserId>('bot', value)
  if ((await findUser(db, botId))?.bot) return botId
  throw new OperatorError(`There is no bot ${value}.`)
}

/** The address in links: PUBLIC_URL, else that of the server which started last on this data directory. */
export const linkBase = async (config: Config): Promise<string> =>
  config.publicUrl !== defaultPublicUrl(config.host, config.port)
    ? config.publicUrl
    : ((await recordedAddress(config.dataDir)) ?? config.publicUrl)

/** Which database a configuration means, without a password. */
export function describeDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return `Database: embedded in ${dataDir}`
  if (!URL.canParse(databaseUrl)) return 'Database: the one of DATABASE_URL'
  const { host, pathname, searchParams } = new URL(databaseUrl)
  return `Database: ${host || searchParams.get('host') || 'this machine'}${decodeURIComponent(pathname)}`
}
