/**
 * Automatic moderation of a guild by those who manage it: rules that look at messages, and what they do.
 * Decision 118.
 */
import { channelId, guildId, messageId, roleId, userId } from '../id.ts'
import { MUTE_MAX_S } from '../member/moderation.ts'
import { pageOf } from '../page.ts'
import { route } from '../route.ts'
import { flag, int, nothing, type Out, text, z } from '../schema.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../unit.ts'
import { readName, readWords } from '../words.ts'

/** Rules of a guild. */
export const RULES_MAX = 20
/** Characters of a rule's name. */
export const RULE_NAME_MAX = 50
/** Words and patterns of one rule, and of all rules of a guild together. */
export const RULE_WORDS_MAX = 200
export const RULE_PATTERNS_MAX = 20
export const GUILD_WORDS_MAX = 1_000
export const GUILD_PATTERNS_MAX = 50
/** Characters of a word, which for addresses is a host. */
export const RULE_WORD_MAX = 50
/** Characters of a pattern. */
export const PATTERN_MAX = 40
/** Roles, and channels with categories, that a rule leaves alone. */
export const EXEMPT_ROLES_MAX = 50
export const EXEMPT_CHANNELS_MAX = 50
/** Characters of the words that the author of a stopped message reads. */
export const RULE_MESSAGE_MAX = 150
/** Guilds to which invites are allowed or refused. */
export const RULE_GUILDS_MAX = 50
/** The longest time that a restriction may ask an account to be old, or last, minutes. */
export const RESTRICTION_MINUTES_MAX = (365 * DAY_MS) / MINUTE_MS
/** Messages or mentions after which a rule catches. */
export const RULE_COUNT_MAX = 100
/** The longest window of a flood, and the longest time for which one is a newcomer, seconds. */
export const FLOOD_SECONDS_MAX = 600
export const NEWCOMER_SECONDS_MAX = (7 * DAY_MS) / SECOND_MS
/** The longest time for which a raid keeps people from joining, seconds. */
export const PAUSE_SECONDS_MAX = DAY_MS / SECOND_MS
/** The last messages on which a rule is tried, and examples of what it would have caught. */
export const TRIED_MESSAGES = 1_000
export const TRIED_ITEMS = 20

/**
 * `word`: words, and patterns in which `*` is anything within a line and `?` one character. `link`: addresses
 * of others; `words` are hosts that are allowed. `invite`: invites to other guilds. `flood`: more than
 * `count` messages, or more than `repeats` with the same text, in `seconds`. `mention`: more than `count`
 * mentions in a message. `newcomer`: addresses, files and mentions of who joined within the last `seconds`.
 * `raid`: more than `count` people who join within `seconds`. `restriction`: every message of whom all of
 * `conditions` are true of, for `limit_time` minutes after they joined.
 */
export const RULE_KINDS = [
  'word',
  'link',
  'invite',
  'flood',
  'mention',
  'newcomer',
  'restriction',
  'raid',
] as const
export type RuleKind = (typeof RULE_KINDS)[number]

/**
 * `hold`: the message waits for moderators. `delete`: it is refused, and its author is told why. `mute`: its
 * author may not write for `duration` seconds. `notify`: the channel is told. Of raids, for `duration`
 * seconds: `slow` lets one person in at a time, `captcha` whoever solves one, `close` nobody.
 */
export const ACT_TYPES = ['hold', 'delete', 'mute', 'notify', 'slow', 'captcha', 'close'] as const
/** What a raid means for those who join: the first of a rule's. */
export const RAID_LIMITS = ['close', 'slow', 'captcha'] as const satisfies (typeof ACT_TYPES)[number][]
export type RaidLimit = (typeof RAID_LIMITS)[number]

const ruleAct = z.object({
  type: z.enum(ACT_TYPES),
  /** Of `mute`, `slow`, `captcha` and `close`, seconds. */
  duration: z.optional(int(1, MUTE_MAX_S)),
  /** Of `notify`. */
  channel_id: z.optional(channelId),
})
export type RuleAct = Out<typeof ruleAct>

/** How a rule limits joining; undefined: it does not. */
export const raidLimitOf = (acts: readonly RuleAct[]) => {
  const of = (limit: RaidLimit) => acts.find(({ type }) => type === limit)
  const type = RAID_LIMITS.find(of)
  return type && { type, duration: of(type)?.duration ?? 0 }
}

/**
 * What a restriction asks of a person, all of it true. `reg`: the account is younger than `duration` minutes.
 * `overseas`: its number is of elsewhere than mainland China; without a number it is not. `banned`: within
 * `PUNISHED_DAYS` staff suspended it, or it was muted, removed or banned in this guild. `real_auth`: its real
 * name is not verified.
 */
export const CONDITION_TYPES = ['reg', 'overseas', 'banned', 'real_auth'] as const
export const PUNISHED_DAYS = 30

const condition = z.object({
  type: z.enum(CONDITION_TYPES),
  /** Of `reg`, minutes. */
  duration: z.optional(z.nullable(int(1, RESTRICTION_MINUTES_MAX))),
})
export type Condition = Out<typeof condition>

/**
 * What a restriction stops: 1 messages, 3 messages and voice. 2, voice alone, is refused: nobody talks
 * through this server, and the rule would stop nobody.
 */
const action = int(1, 3)
export const restrictedAction = { messages: 1, voice: 2, both: 3 } as const

/** What a list of guilds is to a rule against invites: `refused`, and all others are allowed. */
export const GUILDS_ARE = ['allowed', 'refused'] as const

const looksFor = {
  words: z.optional(z.array(text(RULE_WORD_MAX)).check(z.maxLength(RULE_WORDS_MAX))),
  patterns: z.optional(z.array(text(PATTERN_MAX)).check(z.maxLength(RULE_PATTERNS_MAX))),
  /** 0: it does not matter. */
  count: z.optional(int(0, RULE_COUNT_MAX)),
  repeats: z.optional(int(0, RULE_COUNT_MAX)),
  seconds: z.optional(int(1, NEWCOMER_SECONDS_MAX)),
  /** Ids, or invites to them, which are stored as ids. */
  guilds: z.optional(z.array(text(200)).check(z.maxLength(RULE_GUILDS_MAX))),
  guilds_are: z.optional(z.enum(GUILDS_ARE)),
  action: z.optional(action),
  conditions: z.optional(z.array(condition).check(z.maxLength(CONDITION_TYPES.length))),
  /** Minutes after joining; 0: for as long as the conditions are true. */
  limit_time: z.optional(int(0, RESTRICTION_MINUTES_MAX)),
}
/** Whom a rule leaves alone. A category counts for its channels. */
const exempt = {
  exempt_roles: z.optional(z.array(roleId).check(z.maxLength(EXEMPT_ROLES_MAX))),
  exempt_channels: z.optional(z.array(channelId).check(z.maxLength(EXEMPT_CHANNELS_MAX))),
}
/** What the author of a stopped message reads instead of the general words; empty: those. */
const message = text(RULE_MESSAGE_MAX, 0, readWords)
const acts = z.array(ruleAct).check(z.minLength(1), z.maxLength(ACT_TYPES.length))
const name = text(RULE_NAME_MAX, 1, readName)

export const guildRule = z.object({
  id: z.string(),
  guild_id: guildId,
  name: z.string(),
  kind: z.enum(RULE_KINDS),
  ...looksFor,
  /** Of rules that restrict nobody: 1, none and 0. */
  action: z.number(),
  conditions: z.array(condition),
  limit_time: z.number(),
  acts: z.array(ruleAct),
  exempt_roles: z.array(z.number()),
  exempt_channels: z.array(channelId),
  message: z.string(),
  switch: z.boolean(),
  /** What it caught in the last seven days. */
  caught: z.number(),
  /** Of a raid: until when it keeps people from joining, ms; 0: it does not. */
  paused_until: z.number(),
  /** Who made it. */
  user_id: userId,
  /** ms */
  created_at: z.number(),
  updated_at: z.number(),
})
export type GuildRule = Out<typeof guildRule>

export const ruleId = int(1, Number.MAX_SAFE_INTEGER)

/** The rules of a guild, the oldest first; one page has them all. Needs bit 1, as the calls below. */
export const listRules = route({
  method: 'GET',
  path: '/api/v3/guild-security',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: pageOf(guildRule),
  fails: ['forbidden', 'member.no_right'],
})

export const createRule = route({
  method: 'POST',
  path: '/api/v3/guild-security/create',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    name,
    /** Absent: a restriction, as the public protocol makes it; its `acts` are then to delete. */
    kind: z.optional(z.enum(RULE_KINDS)),
    ...looksFor,
    acts: z.optional(acts),
    ...exempt,
    message: z.optional(message),
    switch: flag(),
  }),
  answer: guildRule,
  fails: [
    'forbidden',
    'member.no_right',
    'bad_input',
    'moderation.full',
    'moderation.words_full',
    'moderation.word_wrong',
    'moderation.guild_wrong',
    'realname.off',
    'channel.unknown',
    'role.unknown',
    'content.refused',
  ],
})

/** Changes what is given; the kind stays. */
export const updateRule = route({
  method: 'POST',
  path: '/api/v3/guild-security/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    id: ruleId,
    name: z.optional(name),
    ...looksFor,
    acts: z.optional(acts),
    ...exempt,
    message: z.optional(message),
    switch: z.optional(flag()),
  }),
  answer: guildRule,
  fails: [
    'forbidden',
    'member.no_right',
    'bad_input',
    'moderation.unknown',
    'moderation.words_full',
    'moderation.word_wrong',
    'moderation.guild_wrong',
    'realname.off',
    'channel.unknown',
    'role.unknown',
    'content.refused',
  ],
})

export const deleteRule = route({
  method: 'POST',
  path: '/api/v3/guild-security/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, id: ruleId }),
  answer: nothing,
  fails: ['forbidden', 'member.no_right', 'moderation.unknown'],
})

/** Lets people join again before a pause is over; none is no failure. */
export const liftPause = route({
  method: 'POST',
  path: '/api/v3/guild-security/lift',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'member.no_right'],
})

/**
 * What a rule would have caught of the last `TRIED_MESSAGES` messages in channels that the caller may view,
 * the newest first. Nothing is changed. Raids are not tried, and restrictions name nobody: no `items`.
 */
export const tryRule = route({
  method: 'POST',
  path: '/api/v3/guild-security/try',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    kind: z.enum(RULE_KINDS),
    ...looksFor,
    ...exempt,
  }),
  answer: z.object({
    tried: z.number(),
    caught: z.number(),
    items: z.array(
      z.object({
        msg_id: messageId,
        channel_id: channelId,
        channel_name: z.string(),
        user_id: userId,
        username: z.string(),
        /** What people read of it. */
        content: z.string(),
        /** ms */
        create_at: z.number(),
      }),
    ),
  }),
  fails: [
    'forbidden',
    'member.no_right',
    'bad_input',
    'moderation.word_wrong',
    'moderation.guild_wrong',
    'realname.off',
    'channel.unknown',
    'role.unknown',
    'too_many',
  ],
})

const heldMessage = z.object({
  id: z.string(),
  channel_id: channelId,
  channel_name: z.string(),
  user_id: userId,
  username: z.string(),
  /** What people read of it, or the name of its file. */
  content: z.string(),
  /** The rule's name; empty when it is gone. */
  rule: z.string(),
  /** ms */
  created_at: z.number(),
})
export type GuildHeld = Out<typeof heldMessage>

/** Messages that wait for moderators, the oldest first, of channels in which the caller manages messages. */
export const listGuildHeld = route({
  method: 'GET',
  path: '/api/v3/guild-security/held',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: z.object({ items: z.array(heldMessage) }),
  fails: ['forbidden'],
})

/** Sends a held message, or never; `reason` is for its author. Once. */
export const decideGuildHeld = route({
  method: 'POST',
  path: '/api/v3/guild-security/decide',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    id: ruleId,
    pass: flag(),
    reason: z._default(text(200, 0, readWords), ''),
  }),
  answer: nothing,
  fails: ['forbidden', 'moderation.held_unknown', 'moderation.held_decided', 'content.author_cannot'],
})
