/** Accepting an invite: joins its guild and leads there. chat.md §4 "Invite page". */
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { type CallFailure, type CallInput, call } from '../kit/call.ts'
import { paths } from '../kit/paths.ts'
import { useCall } from '../kit/useCall.ts'

/**
 * Joins the guild of an invite. @throws CallFailure invite.invalid, invite.expired, invite.full,
 * guild.banned, guild.full
 */
export const acceptInvite = (input: CallInput<typeof joinGuild>) => call(joinGuild, input)

/**
 * The state of accepting one invite: `accept` joins its guild and passes the path of the location to
 * `onAccepted`; one that fails leaves its failure in `failure` and passes it to `onFailure`.
 */
export function useAcceptInvite(onAccepted: (path: string) => void) {
  const { status, failure, run } = useCall(joinGuild)
  const accept = async (input: CallInput<typeof joinGuild>, onFailure?: (failure: CallFailure) => void) => {
    const joined = await run(input, onFailure)
    if (joined) onAccepted(pathInGuild(joined.guild_id, joined.channel_id))
  }
  return { isBusy: status === 'busy', failure, accept }
}

/** The path of a channel, or of its guild when there is no channel to show (`''` or `'0'`). */
export const pathInGuild = (guildId: string, channelId: string): string =>
  channelId === '' || channelId === '0' ? paths.guild(guildId) : paths.room(guildId, channelId)
