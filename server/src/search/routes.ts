/** The calls of the search. */
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { ChatContext } from '../chat/chat.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { findFiles, search } from './search.ts'

/** Over all sessions of a person. */
const SEARCHES: RateLimit = { name: 'searches by person', most: 30, windowMs: 10 * SECOND_MS }

export const searchRoutes = (deps: {
  readonly appContext: ChatContext
  readonly limits: Limits
}): Binding[] => [
  bindUser(searchMessages, async ({ caller }, input) => {
    await deps.limits.use(SEARCHES, caller.userId)
    return search(deps.appContext, caller.userId, input)
  }),
  bindUser(searchFiles, async ({ caller }, input) => {
    await deps.limits.use(SEARCHES, caller.userId)
    return findFiles(deps.appContext, caller.userId, input)
  }),
]
