/** A quoted message as stored in the message that quotes it. protocol.md §5.6. */
import { type KmarkdownPart, namesPartOf } from '@guildhall/wire/message/message.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'

export interface Quoted {
  readonly id: string
  /** The specification's number. */
  readonly type: number
  readonly content: string
  /** ms */
  readonly create_at: number
  readonly author: Author
  readonly kmarkdown: KmarkdownPart
}

export function quoteOf({ id, type, content, create_at, author, kmarkdown }: Quoted) {
  const names = namesPartOf(kmarkdown)
  return {
    id,
    rong_id: id,
    type,
    content,
    create_at,
    author,
    can_jump: true,
    ...(names && { kmarkdown: names }),
  }
}
