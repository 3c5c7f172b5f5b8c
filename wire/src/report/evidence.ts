/** What a report was about, as it was when it was made. Only staff read it. */
import { guildProfile } from '../profile/profile.ts'
import { type Out, z } from '../schema.ts'

/** A person, by the name and number of that time. */
export const evidencePerson = z.object({
  id: z.string(),
  username: z.string(),
  identify_num: z.string(),
  /** Outside of a guild, and without one: empty. */
  nickname: z.string(),
  bot: z.boolean(),
})
export type EvidencePerson = Out<typeof evidencePerson>

export const evidenceMessage = z.object({
  id: z.string(),
  /** The name of its kind. */
  kind: z.string(),
  /** As it was typed; of a file its address. */
  content: z.string(),
  /** As it was read: with names in place of mentions. */
  words: z.string(),
  author: evidencePerson,
  /** ms */
  create_at: z.number(),
  /** ms; 0: not edited until then. */
  updated_at: z.number(),
  /** The message that it answers; null: none. */
  quote: z.nullable(z.object({ author: z.string(), content: z.string() })),
  attachments: z.nullable(z.unknown()),
})
export type EvidenceMessage = Out<typeof evidenceMessage>

export const evidenceIdentity = z.object({
  ...evidencePerson.shape,
  avatar: z.string(),
  /** The one that moves; empty: none. */
  vip_avatar: z.string(),
})
export type EvidenceIdentity = Out<typeof evidenceIdentity>

export const evidenceGuild = z.object({
  id: z.string(),
  owner_id: z.string(),
  custom_id: z.string(),
  ...guildProfile.shape,
})
export type EvidenceGuild = Out<typeof evidenceGuild>

const location = z.nullable(z.object({ id: z.string(), name: z.string() }))

export const evidence = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    message: evidenceMessage,
    /** Null: a private conversation. */
    guild: location,
    channel: location,
    /** Empty: a channel. */
    chat_code: z.string(),
    before: z.array(evidenceMessage),
    after: z.array(evidenceMessage),
  }),
  z.object({ kind: z.literal('user'), person: evidenceIdentity }),
  z.object({ kind: z.literal('guild'), guild: evidenceGuild }),
])
export type Evidence = Out<typeof evidence>
