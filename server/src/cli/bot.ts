/** `bot …`: bots, their guilds, roles and tokens. */
import { Failure } from '@guildhall/wire/failure.ts'
import { isName } from '@guildhall/wire/user/name.ts'
import { giveBotToken, stopBot } from '../auth/auth.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { everyBot, isBanned, isMember, join, leave } from '../member/member.ts'
import { addRole, giveRole, memberRoles, rolesOf, takeRole } from '../role/role.ts'
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
        const token = await giveBotToken(tx, emit, bot.id)
        if (bits === null) return { id: bot.id, token }
        const role = { name, color: 0, hoist: 0, mentionable: 0, permissions: bits }
        const { role_id } = await addRole(tx, guildId, role, emit)
        await giveRole(tx, emit, guildId, bot.id, role_id)
        return { id: bot.id, token, role_id }
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
      await commit(appContext, (tx, emit) => join(tx, emit, guildId, botId))
      return { id: botId, guild_id: guildId }
    },
  },

  'bot leave': {
    usage: '--bot BOT_ID --guild GUILD_ID',
    async run({ bot = '', guild = '' }, { appContext }) {
      const guildId = await guildFor(appContext.db, guild)
      const botId = await knownBot(appContext.db, bot)
      await commit(appContext, (tx, emit) => leave(tx, emit, guildId, botId))
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
  if (!roles.some((each) => each.role_id === roleId))
    throw new OperatorError(`Guild ${guild} has no role ${role}.`)
  await commit(appContext, (tx, emit) => change(tx, emit, guildId, botId, roleId))
  return { id: botId, guild_id: guildId, roles: await memberRoles(appContext.db, guildId, botId) }
}
