import { route } from '../route.ts'
import { int, text, z } from '../schema.ts'

/**
 * Where to open the socket. The address holds a short-lived token of its own and already has a `?`, so that
 * resume parameters can be appended; when asked with them, it answers with them. protocol.md §2.1.
 */
export const gatewayIndex = route({
  method: 'GET',
  path: '/api/v3/gateway/index',
  dialect: 'v3',
  who: 'user',
  input: z.object({
    compress: z._default(int(0, 1), 1),
    resume: z.optional(int(0, 1)),
    sn: z.optional(int()),
    session_id: z.optional(text(64)),
  }),
  answer: z.object({ url: z.string() }),
  fails: [],
})
