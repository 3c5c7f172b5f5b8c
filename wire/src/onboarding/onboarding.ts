/**
 * What newcomers of a guild are shown: rules that they accept before they write, and roles that members
 * choose themselves. All of it is ours.
 */
import { channelId, guildId, roleId } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, type Out, text, z } from '../schema.ts'
import { readName, readWords } from '../words.ts'

/** Rules of one guild. */
export const RULES_MAX = 16
/** Characters of a rule's title, and of the words below it. */
export const RULE_TITLE_MAX = 60
export const RULE_WORDS_MAX = 500

/** Questions of one guild, and roles of one question. */
export const QUESTIONS_MAX = 5
export const ANSWERS_MAX = 20
/** Characters of a question. */
export const QUESTION_MAX = 60

const rule = z.object({ title: z.string(), words: z.string() })
export type Rule = Out<typeof rule>

const question = z.object({
  title: z.string(),
  /** Whether somebody may have several of its roles; else one takes the place of the other. */
  several: z.boolean(),
  role_ids: z.array(roleId),
})
export type Question = Out<typeof question>

const onboarding = z.object({
  /** Whether those who join have to accept the rules. */
  rules_on: z.boolean(),
  rules: z.array(rule),
  /** What members choose roles by; roles that nobody may choose any more are left out. */
  questions: z.array(question),
})
export type Onboarding = Out<typeof onboarding>

/** For members; also those who accepted the rules, or need not. */
export const viewOnboarding = route({
  method: 'GET',
  path: '/api/v3/guild-onboarding/view',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: onboarding,
  fails: ['forbidden'],
})

/**
 * Changes what is given. Needs bit 1. Rules that are switched on are for those who join from then on. A role
 * that was not offered before has to be one that the caller could grant, without rights over others.
 */
export const updateOnboarding = route({
  method: 'POST',
  path: '/api/v3/guild-onboarding/update',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    guild_id: guildId,
    rules_on: z.optional(flag()),
    rules: z.optional(
      z
        .array(
          z.object({
            title: text(RULE_TITLE_MAX, 1, readName),
            words: z._default(text(RULE_WORDS_MAX, 0, readWords), ''),
          }),
        )
        .check(z.maxLength(RULES_MAX)),
    ),
    questions: z.optional(
      z
        .array(
          z.object({
            title: text(QUESTION_MAX, 1, readName),
            several: z._default(flag(), false),
            role_ids: z.array(roleId).check(z.minLength(1), z.maxLength(ANSWERS_MAX)),
          }),
        )
        .check(z.maxLength(QUESTIONS_MAX)),
    ),
  }),
  answer: onboarding,
  fails: [
    'bad_input',
    'content.refused',
    'content.reserved',
    'forbidden',
    'member.no_right',
    'onboarding.no_rules',
    'onboarding.role_over_others',
    'role.above',
    'role.bits',
    'role.everyone',
    'role.unknown',
  ],
})

/** The caller accepts the rules, once for as long as they are a member. */
export const acceptRules = route({
  method: 'POST',
  path: '/api/v3/guild-onboarding/accept',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden'],
})

/**
 * The caller takes a role that the guild offers, or gives it back. Where a question has one answer, they lose
 * its other roles.
 */
export const chooseRole = route({
  method: 'POST',
  path: '/api/v3/guild-onboarding/choose',
  dialect: 'v3',
  who: 'person',
  input: z.object({ guild_id: guildId, role_id: roleId, chosen: flag() }),
  answer: z.object({ roles: z.array(roleId) }),
  fails: ['forbidden', 'onboarding.not_offered', 'onboarding.rules_needed', 'too_many'],
})

/**
 * The official account posts a card in a text channel, from which members open the roles that they may
 * choose; it has no copy of them. Needs bit 1, and the right to write there.
 */
export const postRoles = route({
  method: 'POST',
  path: '/api/v3/guild-onboarding/post',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, channel_id: channelId }),
  answer: nothing,
  fails: [
    'forbidden',
    'member.no_right',
    'message.not_allowed',
    'message.muted',
    'message.muted_endlessly',
    'onboarding.rules_needed',
    'onboarding.no_questions',
    'too_many',
  ],
})

/** The owner is not shown any more what their new guild still needs. */
export const closeChecklist = route({
  method: 'POST',
  path: '/api/v3/guild-onboarding/close-checklist',
  dialect: 'v3',
  who: 'person',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'guild.not_owner'],
})
