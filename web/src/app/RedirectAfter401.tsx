import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onSessionEnded } from '../kit/call.ts'
import { cache } from '../kit/routeQuery.ts'

/** Redirects to the landing page when the login has ended, with the way back. chat.md §8 "HTTP 401". */
export function RedirectAfter401() {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionEnded(() => {
        cache.clear()
        const here = location.pathname + location.search
        void navigate(here === '/' ? '/' : `/?redir=${encodeURIComponent(here)}`, { replace: true })
      }),
    [navigate],
  )
  return null
}
