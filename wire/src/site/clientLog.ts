import { userId } from '../id.ts'
import { BODY_MAX_BYTES } from '../limit.ts'
import { route } from '../route.ts'
import { int, nothing, type Out, text, z } from '../schema.ts'

const words = text(BODY_MAX_BYTES)

/** An error of a page. chat.md §7. */
export const clientError = z.object({
  /** Who the page thinks is logged in; both empty for guests. The server believes the session alone. */
  user: z.object({ id: words, username: words }),
  /** The path, and the names of its parameters without their values. */
  location: words,
  errorEvent: z.object({
    filename: words,
    error: z.object({ name: words, message: words, stack: words }),
  }),
})
export type ClientError = Out<typeof clientError>

/** Reports an error of the page, scrubbed as `scrub.ts` does. Some are only counted. chat.md §7 and §8. */
export const logClientError = route({
  method: 'POST',
  path: '/api/v2/users/log',
  dialect: 'v2',
  who: 'anyone',
  input: clientError,
  answer: nothing,
  fails: [],
})

/** Errors of one page of the list. */
export const CLIENT_ERRORS_PAGE = 50

/** The errors that pages reported, the newest first; `before`: those older than this id. */
export const listClientErrors = route({
  method: 'GET',
  path: '/api/v3/staff/client-error-list',
  dialect: 'v3',
  who: 'staff',
  right: 'errors',
  input: z.object({ before: z.optional(int(1)), name: z.optional(text(60)) }),
  answer: z.object({
    items: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        user_id: z.nullable(userId),
        /** The same for equal errors. */
        signature: z.string(),
        location: z.string(),
        filename: z.string(),
        name: z.string(),
        message: z.string(),
        stack: z.string(),
      }),
    ),
  }),
  fails: [],
})
