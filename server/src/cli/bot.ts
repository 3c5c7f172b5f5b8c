/** `bot …`: bots, their guilds, roles and tokens. */
import { Failure } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { isName } from '@guildhall/wire/user/name.ts'
import { BY_OPERATOR, memberTarget, writeAudit } from '../audit/audit.ts'
import { giveBotToken, stopBot } from '../auth/auth.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { everyBot, isBanned, isMember, join, leave } from '../member/member.ts'
import { addRole, auditGrant, giveRole, memberRoles, rolesOf, roleTarget, takeRole } from '../role/role.ts'
import { registerBot } from '../user/user.ts'
import {
  type Commands,
  guildFor,
  knownBot,
  type Options,
  readGrantedRole,
  readPermissions,
} from './command.ts'

export const botCommands: Commands = {
  'bot create': {
    usage: '--name NAME --guild GUILD_ID [--permissions N]',
    async run({ name = '', guild = '', permissions }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      if (!isName(name)) throw new OperatorError('--name must be 1 to 30 characters without white space.')
      const bits = permissions === undefined ? null : readPermissions(permissions)
      return commit(appContext, async (tx, emit) => {
        const bot = await registerBot(tx, name)
        await join(tx, emit, guildId, bot.id)
        await auditBot(tx, guildId, bot.id, 'bot_added')
        const token = await giveBotToken(tx, emit, bot.id)
        if (bits === null) return { id: bot.id, token }
        const role = { name, color: 0, hoist: 0, mentionable: 0, permissions: bits, made_for: bot.id }
        const made = await addRole(tx, guildId, role, emit)
        await writeAudit(tx, { guildId, by: BY_OPERATOR, type: 'role_created', target: roleTarget(made) })
        await giveRole(tx, emit, guildId, bot.id, made.role_id)
        await auditGrant(tx, { guildId, by: BY_OPERATOR, role: made, userId: bot.id, isGranted: true })
        return { id: bot.id, token, role_id: made.role_id }
      })
    },
  },

  'bot list': { usage: '', isReading: true, run: (_options, { appContext }) => everyBot(appContext.db) },

  'bot join': {
    usage: '--bot BOT_ID --guild GUILD_ID',
    async run({ bot = '', guild = '' }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const botId = await knownBot(appContext.db, bot)
      if (await isBanned(appContext.db, guildId, botId)) throw new Failure('guild.banned')
      await commit(appContext, async (tx, emit) => {
        if (await join(tx, emit, guildId, botId)) await auditBot(tx, guildId, botId, 'bot_added')
      })
      return { id: botId, guild_id: guildId }
    },
  },

  'bot leave': {
    usage: '--bot BOT_ID --guild GUILD_ID',
    async run({ bot = '', guild = '' }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const botId = await knownBot(appContext.db, bot)
      await commit(appContext, async (tx, emit) => {
        if (await leave(tx, emit, guildId, botId, BY_OPERATOR))
          await auditBot(tx, guildId, botId, 'bot_removed')
      })
      return { id: botId, guild_id: guildId }
    },
  },

  'bot grant': {
    usage: '--bot BOT_ID --guild GUILD_ID --role ROLE_ID',
    run: (options, { appContext }) => changeRole(options, appContext, giveRole),
  },

  'bot revoke': {
    usage: '--bot BOT_ID --guild GUILD_ID --role ROLE_ID',
    run: (options, { appContext }) => changeRole(options, appContext, takeRole),
  },

  'bot token': {
    usage: '--bot BOT_ID',
    async run({ bot = '' }, { appContext }) {
      const botId = await knownBot(appContext.db, bot)
      return { id: botId, token: await commit(appContext, (tx, emit) => giveBotToken(tx, emit, botId)) }
    },
  },

  'bot stop': {
    usage: '--bot BOT_ID',
    async run({ bot = '' }, { appContext }) {
      const botId = await knownBot(appContext.db, bot)
      await commit(appContext, (tx, emit) => stopBot(tx, emit, botId))
      return { id: botId }
    },
  },
}

const auditBot = (tx: Tx, guildId: GuildId, botId: UserId, type: 'bot_added' | 'bot_removed') =>
  writeAudit(tx, { guildId, by: BY_OPERATOR, type, target: memberTarget(botId) })

/** Returns the roles that the bot has afterwards. */
async function changeRole(
  { bot = '', guild = '', role = '' }: Options,
  appContext: AppContext,
  change: typeof giveRole,
): Promise<unknown> {
  const guildId = await guildFor(appContext.db, guild)
  const botId = await knownBot(appContext.db, bot)
  const roleId = readGrantedRole(role)
  if (!(await isMember(appContext.db, guildId, botId)))
    throw new OperatorError(`Bot ${bot} is not in guild ${guild}.`)
  const roles = await rolesOf(appContext.db, guildId)
  const named = roles.find((each) => each.role_id === roleId)
  if (!named) throw new OperatorError(`Guild ${guild} has no role ${role}.`)
  await commit(appContext, async (tx, emit) => {
    const isGranted = change === giveRole
    const held = (await memberRoles(tx, guildId, botId))?.includes(roleId)
    await change(tx, emit, guildId, botId, roleId)
    if (held !== isGranted)
      await auditGrant(tx, { guildId, by: BY_OPERATOR, role: named, userId: botId, isGranted })
  })
  return { id: botId, guild_id: guildId, roles: await memberRoles(appContext.db, guildId, botId) }
}
