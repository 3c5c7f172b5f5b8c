/** What members see of a guild who have one role and no other. Pure; the rules are the contract's. */
import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import {
  channelPermissions,
  EVERYONE,
  guildPermissions,
  has,
  permission,
  whyCannotSend,
} from '@guildhall/wire/permission/permission.ts'

export interface SeenChannel {
  readonly channel: Channel
  readonly sees: boolean
  /** Of a text channel: may write there; of a voice channel: may join it. */
  readonly acts: boolean
  readonly isInCategory: boolean
}

/** The channels that the reader sees, in their order, as the role does. `role` may be changed already. */
export function seenAs(guild: Pick<Guild, 'roles' | 'channels'>, role: Role): readonly SeenChannel[] {
  const roles = guild.roles.map((it) => (it.role_id === role.role_id ? role : it))
  const viewer = { is_master: false, roles: role.role_id === EVERYONE ? [] : [role.role_id] }
  const inGuild = guildPermissions(viewer, roles)
  const seen = (channel: Channel, isInCategory: boolean): SeenChannel => {
    const permissions = channelPermissions(inGuild, viewer, channel.permission_overwrites, null)
    const sees = has(permissions, permission.view_channel)
    if (channel.type === channelType.voice)
      return { channel, sees, acts: sees && has(permissions, permission.connect_audio), isInCategory }
    const member = { ...channel, permissions, mobile_verified: true, is_master: false, is_team: false }
    return { channel, sees, acts: whyCannotSend(member) === null, isInCategory }
  }
  return guild.channels.flatMap((channel) => {
    if (!channel.is_category) return [seen(channel, false)]
    const inside = channel.channels.map((child) => seen(child, true))
    const own = seen(channel, false)
    // A category shows with any of its channels.
    return [{ ...own, sees: own.sees || inside.some(({ sees }) => sees) }, ...inside]
  })
}
