/** Calls of the site itself. */
import { route } from '../route.ts'
import { text, z } from '../schema.ts'

/**
 * The newest app for a platform: its address in the store and its version, both empty where the operator set none. chat.md §7
 * and §9 "Platform store links".
 */
export const latestVersion = route({
  method: 'GET',
  path: '/api/v2/updates/latest-version',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ platform: text(20, 1) }),
  answer: z.object({ url: z.string(), version: z.string() }),
  fails: [],
})
