/** How much calls the person, in the tab's title, on its picture and on the icon of the installed page. */
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { listWaiting } from '@guildhall/wire/message/readMark.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { QueryObserver } from '@tanstack/react-query'
import { isLoggedIn } from '../../auth/auth.ts'
import { cache, queryKeyOf, queryOf } from '../../kit/routeQuery.ts'
import { drawTabIcon } from './tabIcon.ts'
import { isLookedAt, onLook } from './tabs.ts'

/** `calls`: mentions and private messages; `isUnread`: a guild has unread messages. */
interface Counts {
  readonly calls: number
  readonly isUnread: boolean
}

const ROUTES = [listWaiting, unreadChats] as const
const PATHS: readonly unknown[] = ROUTES.map(({ path }) => path)

function countsNow(): Counts {
  const waiting = cache.getQueryData<AnswerOf<typeof listWaiting>>(queryKeyOf(listWaiting, {})) ?? []
  const chats = cache.getQueryData<AnswerOf<typeof unreadChats>>(queryKeyOf(unreadChats, {}))?.count ?? 0
  return {
    calls: waiting.reduce((sum, it) => sum + it.mention_count, chats),
    isUnread: waiting.some((it) => it.is_unread),
  }
}

/** Follows the cache. The rail and the conversations keep it up to date, and this where nobody looks. */
export function followCounts(): void {
  let last = ''
  const update = () => {
    const { calls, isUnread } = countsNow()
    nameTab(calls)
    const now = `${calls} ${isUnread}`
    if (now === last) return
    last = now
    drawTabIcon(calls, isUnread)
    markApp(calls, isUnread)
  }
  cache.getQueryCache().subscribe(({ query }) => {
    if (PATHS.includes(query.queryKey[1])) update()
  })
  const title = document.querySelector('title')
  if (title)
    new MutationObserver(() => nameTab(countsNow().calls)).observe(title, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  onLook(followUnseen)
  followUnseen()
  update()
}

let stops: readonly (() => void)[] = []

/** While nobody looks, no screen need show the counts: they are asked for all the same. */
function followUnseen(): void {
  for (const stop of stops) stop()
  const isWanted = !isLookedAt() && isLoggedIn()
  stops = isWanted
    ? [
        new QueryObserver(cache, queryOf(listWaiting, {})).subscribe(() => undefined),
        new QueryObserver(cache, queryOf(unreadChats, {})).subscribe(() => undefined),
      ]
    : []
}

/** A page with unread messages of its own says so itself. */
const HAS_COUNT = /^\(\d+\+?\) /
/** The title as the page wrote it, and with the count in front. */
let written = ''
let counted = ''

function nameTab(calls: number): void {
  if (document.title !== counted) written = document.title
  const isAsWritten = calls === 0 || HAS_COUNT.test(written)
  counted = isAsWritten ? written : `(${calls > 99 ? '99+' : calls}) ${written}`
  if (document.title !== counted) document.title = counted
}

interface Badged {
  setAppBadge?(count?: number): Promise<void>
  clearAppBadge?(): Promise<void>
}

function markApp(calls: number, isUnread: boolean): void {
  const app: Badged = navigator as Badged
  // Without a number it is a dot.
  const done = calls > 0 ? app.setAppBadge?.(calls) : isUnread ? app.setAppBadge?.() : app.clearAppBadge?.()
  void done?.catch(() => undefined)
}
