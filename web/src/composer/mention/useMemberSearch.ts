/** Member search while typing: cached members are shown at once, the server's answer follows. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { type Callable, findCallable } from '@guildhall/wire/message/mention.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { useEffect, useState } from 'react'
import { readStored } from '../../kit/browser/storage.ts'
import { CallFailure, call } from '../../kit/call.ts'
import { stillMatching } from './mentionOptions.ts'

/** Debounce: pause in typing before a search is sent, ms. */
const DEBOUNCE_MS = 80
/** How long an answer is cached, ms. */
const KEPT_MS = 30_000
const CACHE_MAX = 100
/** Members per answer; fewer mean that there are no more. */
const PAGE = 20

interface Answer {
  readonly at: number
  readonly members: readonly Callable[]
}
const answers = new Map<string, Answer>()
/** Answers belong to a login: the key contains its token. */
const keyOf = (channelId: string, search: string) => `${readStored('authorization')} ${channelId} ${search}`

function known(channelId: string, search: string): readonly Callable[] | null {
  const fresh = (of: string) => {
    const answer = answers.get(keyOf(channelId, of))
    return answer && Date.now() - answer.at < KEPT_MS ? answer.members : null
  }
  const exact = fresh(search)
  if (exact) return exact
  // A complete answer to a shorter search contains every match of a longer one.
  for (let length = search.length - 1; length > 0; length -= 1) {
    const wider = fresh(search.slice(0, length))
    if (wider && wider.length < PAGE) return stillMatching(wider, search)
  }
  return null
}

export type MemberSearch =
  | { readonly status: 'loading' | 'done'; readonly members: readonly Callable[] }
  | { readonly status: 'failed'; readonly members: readonly Callable[]; readonly again: () => void }

/**
 * The members that match a search; null: no search. Until the answer arrives, members of the last answer that
 * still match are kept. Answers to outdated searches are dropped.
 */
export function useMemberSearch(guildId: GuildId, channelId: ChannelId, typed: string | null): MemberSearch {
  const search = typed === null ? null : folded(typed)
  const [last, setLast] = useState<readonly Callable[]>([])
  const [failed, setFailed] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const cached = search === null ? [] : known(channelId, search)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` repeats the request
  useEffect(() => {
    if (search === null) return
    const before = known(channelId, search)
    if (before) {
      setLast(before)
      return
    }
    setFailed(null)
    const stop = new AbortController()
    const load = async () => {
      try {
        const input = { guild_id: guildId, channel_id: channelId, search, page_size: PAGE }
        const { items } = await call(findCallable, input, { signal: stop.signal })
        if (answers.size >= CACHE_MAX) answers.clear()
        answers.set(keyOf(channelId, search), { at: Date.now(), members: items })
        if (!stop.signal.aborted) setLast(items)
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        if (!stop.signal.aborted) setFailed(search)
      }
    }
    const timer = setTimeout(() => void load(), search === '' ? 0 : DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [guildId, channelId, search, tries])

  if (search === null) return { status: 'done', members: [] }
  if (cached) return { status: 'done', members: cached }
  const members = stillMatching(last, search)
  if (failed === search) return { status: 'failed', members, again: () => setTries((n) => n + 1) }
  return { status: 'loading', members }
}
