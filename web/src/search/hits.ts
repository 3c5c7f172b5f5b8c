/** What is searched for, and the pages of its results. */
import type { ChannelId, GuildId, MessageId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import type { ChannelHit, ChatHit, searchMessages } from '@guildhall/wire/search/search.ts'

export type Hit = ChannelHit | ChatHit

/** What is searched for, and where. */
export interface Asked {
  readonly q: string
  readonly sort: InputOf<typeof searchMessages>['sort']
  readonly guild_id?: GuildId
  readonly channel_id?: ChannelId
  readonly chat_code?: string
}

/** A page of results; `before`: of those older than this one. */
export interface PageAt {
  readonly page: number
  readonly before?: MessageId
}

const PAGE_SIZE = 25

export const inputOf = (asked: Asked, at: PageAt) => ({ ...asked, ...at, page_size: PAGE_SIZE })

/**
 * The page after one; null: there is none. Pages reach so far, and from there on, by time, it goes by the
 * last one.
 */
export function pageAfter(
  answer: AnswerOf<typeof searchMessages>,
  sort: Asked['sort'],
  at: PageAt,
): PageAt | null {
  const { items, meta } = answer
  if (meta.page < meta.page_total) return { ...at, page: meta.page + 1 }
  const last = items.at(-1)
  return meta.more && sort === 'time' && last ? { page: 1, before: last.message.id } : null
}

/** The pages that were shown of each search, until the page is reloaded: whoever comes back finds them. */
const shown = new Map<string, readonly PageAt[]>()

export const pagesShown = (asked: Asked): readonly PageAt[] =>
  shown.get(JSON.stringify(asked)) ?? [{ page: 1 }]

export const keepPages = (asked: Asked, pages: readonly PageAt[]): void =>
  void shown.set(JSON.stringify(asked), pages)
