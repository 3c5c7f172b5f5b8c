/**
 * The pictures of people that are stored within a message: of those it mentions, and of the author of its
 * quote. Where they were stored before everybody had one, it is the one that the server draws. Whoever has
 * all of them costs a look, and no copy.
 */
import type { KmarkdownPart } from '@guildhall/wire/message/message.ts'
import type { User } from '@guildhall/wire/user/shown.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { pictureOf } from '../../user/user.ts'

type Origin = Pick<AppContext, 'publicUrl'>
/** A deleted message names nobody. */
type Names = Partial<Pick<KmarkdownPart, 'mention_part'>>

/** The names of a message, each person with a picture. */
export const withPictures = <N extends Names>(names: N, appContext: Origin): N =>
  names.mention_part?.some(({ avatar }) => avatar === '')
    ? {
        ...names,
        mention_part: names.mention_part.map((it) => ({ ...it, avatar: pictureOf(it, appContext) })),
      }
    : names

/** A stored quote, its author and the people in it with a picture; null without one. */
export function quoteWithPictures(quote: unknown, appContext: Origin): unknown {
  if (!quote) return null
  const { author, kmarkdown } = quote as { readonly author?: User; readonly kmarkdown?: Names }
  const isWithout = author?.avatar === ''
  const names = kmarkdown && withPictures(kmarkdown, appContext)
  if (!isWithout && names === kmarkdown) return quote
  const avatar = author && pictureOf(author, appContext)
  return {
    ...quote,
    ...(isWithout && { author: { ...author, avatar, vip_avatar: author.vip_avatar || avatar } }),
    ...(names && { kmarkdown: names }),
  }
}
