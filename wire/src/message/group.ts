import { MINUTE_MS } from '../unit.ts'
import { kindNumber } from './kind.ts'

/** chat.md §9. */
export const GROUP_WINDOW_MS = 10 * MINUTE_MS

interface Grouped {
  readonly author: { readonly id: string }
  readonly create_at: number
  readonly type: number
}

const WELCOME = kindNumber('welcome', 'specification')

/**
 * Whether a message is grouped with the one before it, without a header: same author, less than ten minutes
 * later, and neither is a welcome. chat.md §4 "Message grouping".
 */
export const joinsGroup = (before: Grouped | undefined, message: Grouped): boolean =>
  before !== undefined &&
  before.author.id === message.author.id &&
  message.create_at - before.create_at < GROUP_WINDOW_MS &&
  before.type !== WELCOME &&
  message.type !== WELCOME
