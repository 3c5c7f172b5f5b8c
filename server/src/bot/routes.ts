/** The calls of bots that people make. */
import * as calls from '@guildhall/wire/bot/bot.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import {
  addBot,
  type BotDeps,
  createBot,
  deleteBot,
  listBots,
  removeBot,
  renewToken,
  updateBot,
} from './bot.ts'

export const botRoutes = (deps: BotDeps): Binding[] => [
  bindUser(calls.listBots, ({ caller }, { guild_id }) => listBots(deps.appContext, caller.userId, guild_id)),
  bindUser(calls.createBot, ({ caller }, { guild_id, name, icon }) =>
    createBot(deps, caller.userId, { guildId: guild_id, name, icon }),
  ),
  bindUser(calls.renewBotToken, async ({ caller }, { bot_id }) => ({
    token: await renewToken(deps.appContext, caller.userId, bot_id),
  })),
  bindUser(calls.updateBot, async ({ caller }, { bot_id, name, icon }) => {
    await updateBot(deps, caller.userId, { botId: bot_id, name, icon })
    return {}
  }),
  bindUser(calls.addBot, async ({ caller }, { bot_id, guild_id }) => {
    await addBot(deps.appContext, caller.userId, { botId: bot_id, guildId: guild_id })
    return {}
  }),
  bindUser(calls.removeBot, async ({ caller }, { bot_id, guild_id }) => {
    await removeBot(deps.appContext, caller.userId, { botId: bot_id, guildId: guild_id })
    return {}
  }),
  bindUser(calls.deleteBot, async ({ caller }, { bot_id }) => {
    await deleteBot(deps.appContext, caller.userId, bot_id)
    return {}
  }),
]
