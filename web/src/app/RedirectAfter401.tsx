import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onSessionEnded } from '../kit/call.ts'
import { pathAfter401 } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'

/** Redirects to the landing page when the login has ended, with the way back. chat.md §8 "HTTP 401". */
export function RedirectAfter401() {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionEnded(() => {
        cache.clear()
        void navigate(pathAfter401(), { replace: true })
      }),
    [navigate],
  )
  return null
}
