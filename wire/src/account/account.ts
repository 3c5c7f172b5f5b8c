/** A person's account as a whole: deleting it, and taking one's data along. */
import { channelId, guildId, messageId, userId } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, type Out, text, z } from '../schema.ts'

/** Messages, or files, in one page of an export. */
export const EXPORT_PAGE = 200

/**
 * Deletes the caller's account for good. Confirmed by the password, or by a code of type `confirm` or `login`
 * sent to the account's number (`sendCode`). With `words` the account's messages in channels and private
 * conversations are deleted too, within minutes; without it they stay under the name of a deleted user. All
 * sessions end.
 */
export const deleteAccount = route({
  method: 'POST',
  path: '/api/v3/user/delete',
  dialect: 'v3',
  who: 'person',
  input: z.object({
    password: z._default(text(128), ''),
    code: z._default(text(12), ''),
    words: z._default(flag(), false),
  }),
  answer: nothing,
  fails: [
    'user.owns_guilds',
    'auth.password_required',
    'auth.password_wrong',
    'auth.code_required',
    'auth.code_wrong',
    'auth.code_expired',
    'auth.too_many_tries',
  ],
})

const exportedMessage = z.object({
  id: messageId,
  /** Absent in a private conversation. */
  guild_id: z.optional(guildId),
  channel_id: z.optional(channelId),
  /** Of a private conversation, with the other person. */
  chat_code: z.optional(z.string()),
  target_id: z.optional(userId),
  kind: z.string(),
  content: z.string(),
  attachments: z.unknown(),
  create_at: z.number(),
  updated_at: z.number(),
})
export type ExportedMessage = Out<typeof exportedMessage>

const exportedProfile = z.object({
  id: userId,
  username: z.string(),
  identify_num: z.string(),
  avatar: z.string(),
  mobile_prefix: z.string(),
  /** In full: it is the caller's own. */
  mobile: z.string(),
  /** Of an account with an address instead of a number, in full. */
  address: z.optional(z.string()),
  mobile_verified: z.boolean(),
  created_at: z.number(),
})

/** How the account came to be, and whom it brought. */
const exportedReferral = z.object({
  /** The code of the caller's personal invite; empty: never asked for. */
  code: z.string(),
  /** How many people registered by it. */
  invited: z.number(),
  /** Who brought the caller; empty: nobody, or not known any more. */
  inviter_id: z.string(),
  /** By whose invite: `user`, `guild`, or empty. */
  via: z.string(),
  /** What the client said of where the user comes from, 0 to 6; null: nothing. */
  source: z.nullable(z.number()),
})
export type ExportedReferral = Out<typeof exportedReferral>

/** A message that waits for staff, or that they decided on within the last month. Times are ms. */
const exportedHeld = z.object({
  /** Absent in a private conversation. */
  guild_id: z.optional(guildId),
  channel_id: z.optional(channelId),
  /** Of a private conversation: to whom. */
  target_id: z.optional(userId),
  kind: z.string(),
  content: z.string(),
  /** The name of its file; empty: it has none. */
  file_name: z.string(),
  /** `held`, `passed` or `rejected`. */
  state: z.string(),
  /** Why it was rejected. */
  reason: z.string(),
  created_at: z.number(),
  /** 0: it waits. */
  decided_at: z.number(),
})
export type ExportedHeld = Out<typeof exportedHeld>

/** A report that the caller made, until thirty days after its decision. Times are ms. */
const exportedReport = z.object({
  /** `message`, `user` or `guild`, and its id. */
  kind: z.string(),
  target_id: z.string(),
  category: z.string(),
  words: z.string(),
  /** `open`, `dismissed` or `acted`. */
  state: z.string(),
  created_at: z.number(),
})
export type ExportedReport = Out<typeof exportedReport>

/**
 * The caller's data, in pages: the first has the profile, memberships, sessions, third parties, second factor
 * and referral, each one messages, files, messages that wait for staff, or reports that the caller made.
 * Request the next with `cursor: next` until `next` is empty.
 */
export const exportAccount = route({
  method: 'GET',
  path: '/api/v3/user/export',
  dialect: 'v3',
  who: 'person',
  input: z.object({ cursor: z._default(text(200), '') }),
  answer: z.object({
    profile: z.optional(exportedProfile),
    memberships: z.optional(
      z.array(z.object({ guild_id: guildId, name: z.string(), nickname: z.string(), joined_at: z.number() })),
    ),
    sessions: z.optional(
      z.array(
        z.object({
          created_at: z.number(),
          seen_at: z.number(),
          os: z.string(),
          app: z.string(),
          network: z.string(),
        }),
      ),
    ),
    third_parties: z.optional(
      z.array(z.object({ provider: z.string(), openid: z.string(), created_at: z.number() })),
    ),
    /** `since` in ms, 0 while it is off. */
    second_factor: z.optional(z.object({ on: z.boolean(), since: z.number(), recovery_codes: z.number() })),
    /** Friends, requests and blocked people; `own`: the person asked, or blocks. */
    friends: z.optional(
      z.array(z.object({ type: z.string(), own: z.boolean(), created_at: z.number(), name: z.string() })),
    ),
    /** What the person noted of others, for themselves. */
    person_notes: z.optional(
      z.array(z.object({ name: z.string(), note: z.string(), updated_at: z.number() })),
    ),
    referral: z.optional(exportedReferral),
    /**
     * Since when the real name is verified, ms; 0: it is not. Name and number are sealed and leave the server
     * no more.
     */
    real_name: z.optional(z.object({ verified_at: z.number() })),
    messages: z.array(exportedMessage),
    files: z.array(
      z.object({
        url: z.string(),
        name: z.string(),
        file_type: z.string(),
        size: z.number(),
        created_at: z.number(),
      }),
    ),
    held: z.array(exportedHeld),
    reports: z.array(exportedReport),
    next: z.string(),
  }),
  fails: [],
})
export type AccountExport = Out<(typeof exportAccount)['answer']>
