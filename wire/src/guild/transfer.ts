/** A guild that its owner hands to a member, who has to accept. Ours. */
import { event } from '../event.ts'
import { guildId, userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, z } from '../schema.ts'
import { DAY_MS } from '../unit.ts'
import { user } from '../user/shown.ts'
import { TRANSFER_PATH } from './transferPath.ts'

/** How long a guild is offered. */
export const GUILD_TRANSFER_DAYS = 7
export const GUILD_TRANSFER_MS = GUILD_TRANSFER_DAYS * DAY_MS

/** Who owns it and who gets it. */
const transfer = z.object({
  owner: user,
  receiver: user,
  /** ms */
  ends_at: z.number(),
})
export type GuildTransfer = Out<typeof transfer>

/** The offer that waits for an answer; null: there is none. Its two people see it. */
export const viewTransfer = route({
  method: 'GET',
  path: TRANSFER_PATH,
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({ transfer: z.nullable(transfer) }),
  fails: ['forbidden'],
})

/** Offers the caller's guild to a member, in place of an earlier offer. */
export const offerGuild = route({
  method: 'POST',
  path: '/api/v3/guild/transfer',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, user_id: userId }),
  answer: z.object({ transfer }),
  fails: ['forbidden', 'guild.not_owner', 'guild.not_member', 'guild.owner', 'user.unknown'],
})

/** The caller owns the guild that they were offered. */
export const acceptTransfer = route({
  method: 'POST',
  path: '/api/v3/guild/transfer-accept',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'guild.no_transfer', 'guild.owns_too_many'],
})

/** The offer ends, by its owner or by the member that it was made to. */
export const cancelTransfer = route({
  method: 'POST',
  path: '/api/v3/guild/transfer-cancel',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'guild.no_transfer'],
})

/** To both: a guild was offered, is the receiver's, or the offer was withdrawn or refused. */
export const guildTransferred = event(
  'guild_transfer',
  'person',
  z.object({
    guild_id: guildId,
    name: z.string(),
    state: z.enum(['offered', 'accepted', 'cancelled']),
    owner_id: userId,
    receiver_id: userId,
  }),
  { access: 'none' },
)
