/** Members that are being searched while somebody types: what is known is drawn at once, what is asked for follows. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { type Callable, findCallable } from '@guildhall/wire/message/mention.ts'
import { folded } from '@guildhall/wire/user/spelling.ts'
import { useEffect, useState } from 'react'
import { CallFailure, call } from '../kit/call.ts'
import { recall } from '../kit/storage.ts'
import { stillMatching } from './mentionOptions.ts'

/** Between two keys of somebody who types, ms. */
const REST_MS = 80
/** An answer is used again for so long, ms. */
const KEPT_MS = 30_000
const KEPT_MAX = 100
/** Members per answer. Fewer came: there are no more of them. */
const PAGE = 20

interface Answer {
  readonly at: number
  readonly members: readonly Callable[]
}
const answers = new Map<string, Answer>()
/** What was answered belongs to a login: the next one does not find it. */
const keyOf = (channelId: string, search: string) => `${recall('authorization')} ${channelId} ${search}`

function known(channelId: string, search: string): readonly Callable[] | null {
  const fresh = (of: string) => {
    const answer = answers.get(keyOf(channelId, of))
    return answer && Date.now() - answer.at < KEPT_MS ? answer.members : null
  }
  const exact = fresh(search)
  if (exact) return exact
  // All that a shorter search found, if that was all there is, holds all that a longer one would.
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
 * The members a search finds; null searches nothing. While an answer is on its way, those of the last one stay whom the
 * search still fits. An answer to what is no longer searched is dropped.
 */
export function useMemberSearch(guildId: GuildId, channelId: ChannelId, typed: string | null): MemberSearch {
  const search = typed === null ? null : folded(typed)
  const [last, setLast] = useState<readonly Callable[]>([])
  const [failed, setFailed] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const here = search === null ? [] : known(channelId, search)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    if (search === null) return
    const before = known(channelId, search)
    if (before) {
      setLast(before)
      return
    }
    setFailed(null)
    const stop = new AbortController()
    const ask = async () => {
      try {
        const input = { guild_id: guildId, channel_id: channelId, search, page_size: PAGE }
        const { items } = await call(findCallable, input, { signal: stop.signal })
        if (answers.size >= KEPT_MAX) answers.clear()
        answers.set(keyOf(channelId, search), { at: Date.now(), members: items })
        if (!stop.signal.aborted) setLast(items)
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        if (!stop.signal.aborted) setFailed(search)
      }
    }
    const timer = setTimeout(() => void ask(), search === '' ? 0 : REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [guildId, channelId, search, tries])

  if (search === null) return { status: 'done', members: [] }
  if (here) return { status: 'done', members: here }
  const members = stillMatching(last, search)
  if (failed === search) return { status: 'failed', members, again: () => setTries((n) => n + 1) }
  return { status: 'loading', members }
}
