import { type Channel, type Guild, viewChannel, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { type WhyCannotSend, whyCannotSend } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useMe } from '../auth/auth.ts'
import { useMutedUntil } from '../guild/guild.ts'
import type { CallFailure } from '../kit/call.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import type { Rights } from '../message/rights.ts'

/** The guild and the channel of a room, as far as they are loaded, and whether the server refuses them. */
export function useRoomChannel(guildId: GuildId, channelId: ChannelId) {
  const { answer: guild, failure } = useRouteQuery(viewGuild, { id: guildId })
  const inGuild = guild && channelIn(guild, channelId)
  // The guild usually contains the channel, so it is not requested as well.
  const asked = useRouteQuery(viewChannel, { id: channelId }, guild !== null && inGuild === null)
  return {
    guild,
    channel: inGuild ?? asked.answer,
    guildFailure: failure,
    // A refusal from before the channel was shown again is outdated.
    isChannelRefused: isRefusal(failure) || (!inGuild && isRefusal(asked.failure)),
  }
}

/** Whether the server said that there is no such room for this person. */
export const isRefusal = (failure: CallFailure | null): boolean =>
  failure?.name === 'forbidden' || failure?.name === 'bad_input'

/** A channel of a guild, wherever in its tree it is. */
export function channelIn(guild: Guild, channelId: string): Channel | null {
  const all = flat(guild.channels)
  return all.find((channel) => channel.id === channelId) ?? null
}

/**
 * True once the channel was shown: a refusal then means that it was deleted, or hidden from this person.
 */
export function useWasOpen(channel: Channel | null, isRefused: boolean): boolean {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (channel && !isRefused) wasOpen.current = true
  }, [channel, isRefused])
  return wasOpen.current
}

/**
 * Why the user cannot send in the channel (null: they can, or it is not loaded), and what else they may do.
 */
export function useRights(
  guild: Guild | null,
  channel: Channel | null,
): { why: WhyCannotSend | null; mutedUntil: number | null; rights: Rights } {
  const me = useMe()
  const mutedUntil = useMutedUntil(guild)
  const why =
    channel && guild
      ? whyCannotSend({
          mobile_verified: me.mobile_verified,
          is_master: guild.is_master,
          is_team: guild.team_members.includes(me.id),
          is_readonly: channel.is_readonly,
          is_muted: mutedUntil !== null,
          owes_rules: guild.user_config.owes_rules ?? false,
          permissions: channel.permissions,
        })
      : null
  const rights = useMemo(
    () => ({
      meId: me.id,
      mobile_verified: me.mobile_verified,
      permissions: channel?.permissions ?? 0,
      canSend: channel !== null && why === null,
    }),
    [me, channel, why],
  )
  return { why, mutedUntil, rights }
}
