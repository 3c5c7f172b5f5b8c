import { STAFF_IDLE_MS, type StaffSelf, staffMe } from '@guildhall/wire/staff/session.ts'
import { useEffect, useState } from 'react'
import { onSessionEnded } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { cache, useRouteQuery } from '../kit/routeQuery.ts'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { Frame } from './Frame.tsx'
import { LoginPart } from './LoginPart.tsx'
import { consoleToken } from './staff.ts'
import { text } from './text.ts'

/** Why nobody is logged in. */
type Left = 'at first' | 'over' | 'idle'

/** /staff: the console. Without a session it asks to log in, at whatever path it was opened. */
export default function ConsoleScreen() {
  const t = useText(text)
  const [left, setLeft] = useState<Left | null>(() => (consoleToken.read() === null ? 'at first' : null))
  usePageTitle(t.title)
  useEffect(
    () =>
      onSessionEnded(() => {
        cache.clear()
        setLeft('over')
      }),
    [],
  )
  const leave = (why: Left) => {
    consoleToken.clear()
    // Nothing of other people stays behind.
    cache.clear()
    setLeft(why)
  }
  if (left === null) return <Inside onLeave={leave} />
  return (
    <LoginPart
      notice={left === 'at first' ? '' : left === 'idle' ? t.idle : t.over}
      onEnter={(token) => {
        consoleToken.write(token)
        setLeft(null)
      }}
    />
  )
}

function Inside({ onLeave }: { onLeave: (why: Left) => void }) {
  const t = useText(text)
  const me = useRouteQuery(staffMe, {})
  useLeaveWhenIdle(() => onLeave('idle'))
  if (me.status === 'failed')
    return <ErrorState page title={t.failed} message={me.failure.message} onRetry={me.refetch} />
  if (!me.answer) return <LoadingState page />
  return <Frame self={me.answer as StaffSelf} onLeave={() => onLeave('at first')} />
}

const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * What is on the screen is not for whoever passes by: without a hand on it, the console closes when its
 * session does.
 */
function useLeaveWhenIdle(leave: () => void): void {
  useEffect(() => {
    let timer = setTimeout(leave, STAFF_IDLE_MS)
    const restart = () => {
      clearTimeout(timer)
      timer = setTimeout(leave, STAFF_IDLE_MS)
    }
    for (const sign of SIGNS) addEventListener(sign, restart, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) removeEventListener(sign, restart)
    }
  })
}
