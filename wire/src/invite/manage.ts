/** The invites of a guild: list, create, delete. protocol.md §4.12. */
import { channelId, guildId, roleId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** How long an invite is valid, seconds; 0: it does not expire. */
export const INVITE_DURATIONS = [0, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800] as const
export const DEFAULT_DURATION = 604_800
/** How many people may join by an invite; -1: any number. */
export const INVITE_USES = [-1, 1, 5, 10, 25, 50, 100] as const
export const UNLIMITED_USES = -1
/** Invites of a guild that are valid at the same time. */
export const GUILD_INVITES_MAX = 1_000

/** An invite as those see it who manage it. Times are ms, `duration` is s. */
export const listedInvite = z.object({
  id: z.number(),
  guild_id: guildId,
  guild_name: z.string(),
  /** Where it leads; `"0"`: to the guild. */
  channel_id: z.string(),
  channel_name: z.string(),
  /** The channel's type; 0 without a channel. */
  type: z.number(),
  /** What those who join by it get, if who made it may still give it; 0 and empty: nothing. */
  role_id: roleId,
  role_name: z.string(),
  url_code: z.string(),
  /** What people open. */
  url: z.string(),
  /** Who created it. */
  user,
  created_at: z.number(),
  /** 0: it does not expire. */
  expire_time: z.number(),
  /** Seconds from its creation to its end; 0: it does not expire. */
  duration: z.number(),
  /** -1: any number. */
  remaining_times: z.number(),
  using_times: z.number(),
  invitees_count: z.number(),
})
export type ListedInvite = Out<typeof listedInvite>

/** One of them is required. */
const location = { guild_id: z.optional(guildId), channel_id: z.optional(channelId) }

/**
 * The valid invites of a guild or a channel, the newest first: all with the right to manage invites, else the
 * caller's own.
 */
export const listInvites = route({
  method: 'GET',
  path: '/api/v3/invite/list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ ...location, ...pageInput }),
  answer: pageOf(listedInvite),
  fails: ['bad_input', 'forbidden'],
})

/** The same for pages, without paging: the first fifty. Ours, chat.md §7 leaves the shape open. */
export const listInvitesV2 = route({
  method: 'GET',
  path: '/api/v2/invites',
  dialect: 'v2',
  who: 'user',
  input: z.object(location),
  answer: z.array(listedInvite),
  fails: listInvites.fails,
})

/**
 * Creates an invite, with the right to create invites there. `duration` and `setting_times` are of the lists
 * above. Those who join by it get `role_id`, which the caller has to be able to grant, also then.
 */
export const createInvite = route({
  method: 'POST',
  path: '/api/v3/invite/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    ...location,
    duration: z._default(int(0), DEFAULT_DURATION),
    setting_times: z._default(int(UNLIMITED_USES), UNLIMITED_USES),
    role_id: z.optional(roleId),
  }),
  answer: z.object({
    /** `https://HOST/CODE`. */
    url: z.string(),
    /** Ours: the code alone. */
    url_code: z.string(),
  }),
  fails: [
    'bad_input',
    'forbidden',
    'invite.no_right',
    'invite.too_many',
    'role.above',
    'role.bits',
    'role.everyone',
    'role.unknown',
  ],
})

/** Ends an invite, by its code or its whole address: one's own, or with the right to manage invites any. */
export const deleteInvite = route({
  method: 'POST',
  path: '/api/v3/invite/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ url_code: text(300, 1), ...location }),
  answer: nothing,
  fails: ['forbidden', 'invite.invalid', 'invite.no_right'],
})
