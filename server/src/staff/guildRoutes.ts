/** The calls of staff on guilds. */
import * as guilds from '@guildhall/wire/staff/guilds.ts'
import * as wire from '@guildhall/wire/staff/staff.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindStaff } from '../kit/http/binding.ts'
import * as rules from './guilds.ts'
import { staffActorOf } from './staffActor.ts'

export const guildRoutes = (live: Live): Binding[] => [
  bindStaff(guilds.findGuilds, (_context, input) => rules.searchGuilds(live, input)),
  bindStaff(guilds.staffViewGuild, (_context, { guild_id }) => rules.viewGuild(live, guild_id)),
  bindStaff(guilds.findGuildMembers, (_context, input) => rules.searchGuildMembers(live, input)),
  bindStaff(guilds.changeGuildOwner, async (context, { guild_id, user_id, reason }) => {
    await rules.giveGuildTo(live, staffActorOf(context), { guildId: guild_id, userId: user_id, reason })
    return {}
  }),
  bindStaff(guilds.recommendGuild, async (context, { guild_id, on, reason }) => {
    await rules.recommendBy(live, staffActorOf(context), { guildId: guild_id, isOn: on, reason })
    return {}
  }),
  bindStaff(wire.closeGuild, async (context, { guild_id, reason }) => {
    await rules.shutGuild(live, staffActorOf(context), guild_id, reason)
    return {}
  }),
  bindStaff(wire.restoreGuild, async (context, { guild_id, reason }) => {
    await rules.reopenGuild(live, staffActorOf(context), guild_id, reason)
    return {}
  }),
]
