/** Accounts at third parties that log the caller in. Ours. */
import { route } from '../route.ts'
import { int, nothing, text, z } from '../schema.ts'
import { owner, ownerFails, proofFails } from './owner.ts'
import { THIRD_PARTIES } from './thirdPartyNames.ts'

/** The caller's accounts at third parties, one of each at most, and since when, ms. */
export const listThirdParties = route({
  method: 'GET',
  path: '/api/v3/user/third-parties',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({ items: z.array(z.object({ token_type: z.enum(THIRD_PARTIES), created_at: int() })) }),
  fails: ['forbidden'],
})

/**
 * Links the account that a provider's answer is of to the caller, who proves to own theirs: it logs them in
 * from then on. The dialogue begins and ends in one browser, as that of a login does (`beginPath`), and
 * `state` must be the one that it began with; a wrong proof does not use it up. Refused with
 * auth.third_part_taken when the account at the provider is somebody else's, and with auth.bind_other to who
 * has another one there.
 */
export const linkThirdParty = route({
  method: 'POST',
  path: '/api/v3/user/link-third-party',
  dialect: 'v3',
  who: 'person',
  input: z.object({
    token_type: z.enum(THIRD_PARTIES),
    auth_code: text(512, 1),
    state: text(128),
    owner,
  }),
  answer: nothing,
  fails: [
    'auth.third_part_off',
    'auth.third_part_state',
    'auth.third_part_refused',
    'auth.third_part_failed',
    'auth.third_part_taken',
    'auth.bind_other',
    ...ownerFails,
    ...proofFails,
    'forbidden',
  ],
})

/**
 * Unlinks the caller's account at a third party: it logs nobody in any more. Sessions stay. Refused with
 * auth.third_part_last to who has neither a number nor another linked account, because nothing else would log
 * them in.
 */
export const unlinkThirdParty = route({
  method: 'POST',
  path: '/api/v3/user/unlink-third-party',
  dialect: 'v3',
  who: 'person',
  input: z.object({ token_type: z.enum(THIRD_PARTIES), owner }),
  answer: nothing,
  fails: ['auth.third_part_last', ...ownerFails, ...proofFails, 'forbidden'],
})
