/** What newcomers of a guild are shown: rules that they accept before they write. All of it is ours. */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { flag, nothing, type Out, text, z } from '../schema.ts'
import { readName, readWords } from '../words.ts'
import { ONBOARDING_PATH } from './onboardingPath.ts'

/** Rules of one guild. */
export const RULES_MAX = 16
/** Characters of a rule's title, and of the words below it. */
export const RULE_TITLE_MAX = 60
export const RULE_WORDS_MAX = 500

const rule = z.object({ title: z.string(), words: z.string() })
export type Rule = Out<typeof rule>

const onboarding = z.object({
  /** Whether those who join have to accept the rules. */
  rules_on: z.boolean(),
  rules: z.array(rule),
})
export type Onboarding = Out<typeof onboarding>

/** For members; also those who accepted the rules, or need not. */
export const viewOnboarding = route({
  method: 'GET',
  path: ONBOARDING_PATH,
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: onboarding,
  fails: ['forbidden'],
})

/** Changes what is given. Needs bit 1. Rules that are switched on are for those who join from then on. */
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
  }),
  answer: onboarding,
  fails: ['content.refused', 'content.reserved', 'forbidden', 'member.no_right', 'onboarding.no_rules'],
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
