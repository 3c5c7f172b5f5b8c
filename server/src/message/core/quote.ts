/** A quoted message as stored in the message that quotes it. protocol.md §5.6. */
import type { Author } from '@guildhall/wire/user/user.ts'

export interface Quoted {
  readonly id: string
  /** The specification's number. */
  readonly type: number
  readonly content: string
  /** ms */
  readonly create_at: number
  readonly author: Author
}

export const quoteOf = ({ id, type, content, create_at, author }: Quoted) => ({
  ...{ id, rong_id: id, type, content, create_at, author },
  can_jump: true,
})
