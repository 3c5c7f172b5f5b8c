/**
 * The word filters of the public protocol: views of the rules against words (type 1) and invites (type 2).
 * protocol.md §4; decision 122.
 */
import { channelId, guildId } from '../id.ts'
import { pageInput, pageOf } from '../page.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { readName, readWords } from '../words.ts'
import {
  createRule,
  deleteRule,
  listRules,
  RULE_MESSAGE_MAX,
  RULE_NAME_MAX,
  ruleId,
  updateRule,
} from './moderation.ts'

export const filterType = { word: 1, invite: 2 } as const
/** `intercept` refuses a message, `log` tells a channel of it. */
export const handlerType = { intercept: 1, log: 2 } as const
export const exemptionType = { channel: 1, category: 2, role: 3 } as const

/** Characters of the words of a filter, with `|` between them. */
const WORDS_MAX = 12_000
const EXEMPTIONS_MAX = 100

const MODES = ['whitelist', 'blacklist'] as const
/** Of words: `a|b`, where `*` and `?` make a pattern. Of invites: guilds, each as its id or as an object. */
const list = z.union([text(WORDS_MAX), z.array(z.union([guildId, z.object({ id: guildId })]))])
const targets = z.object({
  /** Words are a blacklist. Guilds are those to which invites are allowed, or those to which they are not. */
  enabled: z.enum(MODES),
  whitelist: z.optional(list),
  blacklist: z.optional(list),
})
export type FilterTargets = Out<typeof targets>

const handlers = z.array(
  z.object({
    type: int(handlerType.intercept, handlerType.log),
    enable: flag(),
    /** Of `intercept`: what the author reads; empty: the general words. */
    custom_error_msg: z.optional(z.nullable(text(RULE_MESSAGE_MAX, 0, readWords))),
    /** Of `log`. */
    alert_channel_id: z.optional(z.union([channelId, z.literal(''), z.null()])),
  }),
)
export type FilterHandlers = Out<typeof handlers>

const digits = z.pipe(text(16), z.string().check(z.regex(/^\d+$/)))
const exemptions = z
  .array(z.object({ type: int(exemptionType.channel, exemptionType.role), id: digits }))
  .check(z.maxLength(EXEMPTIONS_MAX))
export type FilterExemptions = Out<typeof exemptions>

const filter = z.object({
  id: z.string(),
  name: z.string(),
  type: z.number(),
  targets: z.object({
    enabled: z.enum(MODES),
    /** The one that is enabled: text of words, ids of guilds. */
    whitelist: z.optional(z.union([z.string(), z.array(z.string())])),
    blacklist: z.optional(z.union([z.string(), z.array(z.string())])),
  }),
  /** One of each type, also those that do nothing. */
  handlers: z.array(
    z.object({
      type: z.number(),
      enable: z.boolean(),
      name: z.string(),
      custom_error_msg: z.optional(z.string()),
      alert_channel_id: z.optional(channelId),
    }),
  ),
  exemption_list: z.array(z.object({ type: z.string(), id: z.string() })),
  switch: z.boolean(),
  /** ms */
  created_at: z.number(),
  updated_at: z.number(),
})
export type Filter = Out<typeof filter>

const name = z.optional(text(RULE_NAME_MAX, 1, readName))

/** The rules against words and invites, the oldest first, by whichever calls they were made. */
export const listFilters = route({
  method: 'GET',
  path: '/api/v3/guild-security/word-filter-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, ...pageInput }),
  answer: pageOf(filter),
  fails: listRules.fails,
})

/** Makes a rule. Without a name it is called by its type. */
export const createFilter = route({
  method: 'POST',
  path: '/api/v3/guild-security/word-filter-create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    name,
    type: int(filterType.word, filterType.invite),
    targets,
    handlers,
    exemption_list: z._default(exemptions, []),
    switch: flag(),
  }),
  answer: filter,
  fails: createRule.fails,
})

/** Changes what is given. What the rule does beside, and filters do not say, stays: to hold, to mute. */
export const updateFilter = route({
  method: 'POST',
  path: '/api/v3/guild-security/word-filter-update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    id: ruleId,
    name,
    targets: z.optional(targets),
    handlers: z.optional(handlers),
    exemption_list: z.optional(exemptions),
    switch: z.optional(flag()),
  }),
  answer: filter,
  fails: updateRule.fails,
})

/** Deletes the rule. */
export const deleteFilter = route({
  method: 'POST',
  path: '/api/v3/guild-security/word-filter-delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, id: ruleId }),
  answer: nothing,
  fails: deleteRule.fails,
})
