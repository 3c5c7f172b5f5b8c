/** The calls of staff on guilds. */
import * as guilds from '@guildhall/wire/staff/guilds.ts'
import * as wire from '@guildhall/wire/staff/staff.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { type ApprovalDeps, doOrAsk } from '../approvals/approvals.ts'
import { staffActorOf } from '../staffActor.ts'
import * as rules from './guilds.ts'

export const guildRoutes = (deps: ApprovalDeps): Binding[] => {
  const { appContext } = deps
  return [
    bindStaff(guilds.findGuilds, (_context, input) => rules.searchGuilds(appContext, input)),
    bindStaff(guilds.staffViewGuild, (_context, { guild_id }) => rules.viewGuild(appContext, guild_id)),
    bindStaff(guilds.findGuildMembers, (_context, input) => rules.searchGuildMembers(appContext, input)),
    bindStaff(guilds.changeGuildOwner, async (context, { guild_id, user_id, reason }) => {
      const wanted = { guildId: guild_id, userId: user_id, reason }
      const { approvalId } = await doOrAsk(deps, staffActorOf(context), 'guild', wanted)
      return { approval_id: approvalId }
    }),
    bindStaff(guilds.recommendGuild, async (context, { guild_id, on, reason }) => {
      await rules.recommendBy(appContext, staffActorOf(context), { guildId: guild_id, isOn: on, reason })
      return {}
    }),
    bindStaff(wire.closeGuild, async (context, { guild_id, reason }) => {
      await rules.shutGuild(appContext, staffActorOf(context), guild_id, reason)
      return {}
    }),
    bindStaff(wire.restoreGuild, async (context, { guild_id, reason }) => {
      await rules.reopenGuild(appContext, staffActorOf(context), guild_id, reason)
      return {}
    }),
  ]
}
