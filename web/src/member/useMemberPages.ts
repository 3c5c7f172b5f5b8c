import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { listMembers, MEMBER_PAGE } from '@guildhall/wire/member/member.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onConnected, whenConnected } from '../gateway/whenConnected.ts'
import { CallFailure, call } from '../kit/call.ts'
import { cache } from '../kit/routeQuery.ts'
import { isWhole, type MemberPages, noPages, withPage } from './memberPages.ts'
import { onMembersChanged } from './refreshMembers.ts'

/** Between two looks at who came and went, ms: pages get no event for it. */
const REFRESH_MS = 5 * SECOND_MS
/** How long the first load waits for the reader to be online, ms. */
const FIRST_WAIT_MS = 1.5 * SECOND_MS

export interface LoadedMembers {
  readonly state: MemberPages
  /** Why the last load of a further page failed; null: it did not. */
  readonly failure: CallFailure | null
  /** Loads the next page, if there is one and none is under way. */
  readonly loadMore: () => void
}

const keyOf = (guildId: GuildId, channelId: ChannelId | null) => ['members', guildId, channelId]

/** The first page is shown at once when the list is opened again. */
function keep(guildId: GuildId, channelId: ChannelId | null, { groups, pages }: MemberPages): void {
  cache.setQueryData<MemberPages>(keyOf(guildId, channelId), { groups, pages: pages.slice(0, 1) })
}

function pageOf(guildId: GuildId, channelId: ChannelId | null, at: number, signal: AbortSignal) {
  const page = { id: guildId, offset: at * MEMBER_PAGE, perPage: MEMBER_PAGE }
  return call(listMembers, { ...page, ...(channelId && { c: channelId }) }, { signal })
}

/**
 * The members of a guild, or of who may view a channel, loaded page by page; the pages on screen are kept
 * current.
 */
export function useMemberPages(
  guildId: GuildId,
  channelId: ChannelId | null,
  visiblePages: () => readonly number[],
): LoadedMembers {
  const { state, failure, setFailure, latest, load, start } = useLoading(guildId, channelId)
  const visible = useRef(visiblePages)
  visible.current = visiblePages
  const isNetworkLost = useRef(false)
  isNetworkLost.current = failure?.name === 'network'

  const loadMore = useCallback(() => {
    if (isWhole(latest.current)) return
    void load([latest.current.pages.length]).then((failed) => failed && setFailure(failed))
  }, [load, latest, setFailure])

  const refresh = useCallback(() => {
    // The first load is under way, or was refused; one that the network lost is tried again.
    if (document.hidden || (latest.current.groups === null && !isNetworkLost.current)) return
    const wanted = visible.current()
    // A refused or failed refresh leaves the list as it is.
    void load(wanted.length > 0 ? wanted : [0]).then((failed) => {
      if (failed?.name === 'forbidden') setFailure(failed)
    })
  }, [load, latest, setFailure])
  useEffect(() => {
    const { signal, end } = start()
    void whenConnected(FIRST_WAIT_MS)
      .then(() => (signal.aborted ? null : load([0])))
      .then((failed) => failed && setFailure(failed))
    const unsubscribe = onWorthLooking(refresh)
    return () => {
      unsubscribe()
      end()
    }
  }, [load, start, setFailure, refresh])

  return { state, failure, loadMore }
}

/** The pages as they are loaded, one load at a time. `start` allows loads until its `end`. */
function useLoading(guildId: GuildId, channelId: ChannelId | null) {
  // What was seen last is shown at once.
  const [state, setState] = useState<MemberPages>(
    () => cache.getQueryData<MemberPages>(keyOf(guildId, channelId)) ?? noPages,
  )
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const latest = useRef(state)
  const isBusy = useRef(false)
  const stop = useRef(new AbortController())

  const load = useCallback(
    async (pages: readonly number[]): Promise<CallFailure | null> => {
      if (isBusy.current) return null
      isBusy.current = true
      const { signal } = stop.current
      try {
        for (const at of pages) {
          const answer = await pageOf(guildId, channelId, at, signal)
          latest.current = withPage(latest.current, at, answer)
          setState(latest.current)
        }
        setFailure(null)
        keep(guildId, channelId, latest.current)
        return null
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        return signal.aborted ? null : error
      } finally {
        isBusy.current = false
      }
    },
    [guildId, channelId],
  )
  const start = useCallback(() => {
    const controller = new AbortController()
    stop.current = controller
    const end = () => {
      controller.abort()
      isBusy.current = false
    }
    return { signal: controller.signal, end }
  }, [])
  return { state, failure, setFailure, latest, load, start }
}

/** Calls when members may have changed. Returns a function that ends this. */
function onWorthLooking(look: () => void): () => void {
  const timer = setInterval(look, REFRESH_MS)
  const unsubscribes = [onMembersChanged(look), onConnected(look)]
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribes) unsubscribe()
    document.removeEventListener('visibilitychange', look)
    removeEventListener('online', look)
  }
}
