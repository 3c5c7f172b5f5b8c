import { use, useEffect } from 'react'
import { UNSAFE_NavigationContext, useLocation, useNavigate } from 'react-router'

/**
 * Leads on by itself, where what was loaded says so. Not when the person has gone elsewhere meanwhile:
 * until the code of that page is there, this one is still drawn.
 */
export function LeadOn({ to }: { to: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // The history, which is ahead of what is drawn.
  const history = use(UNSAFE_NavigationContext).navigator as unknown as { readonly location: Location }
  useEffect(() => {
    if (history.location.pathname === pathname) void navigate(to, { replace: true })
  }, [history, navigate, pathname, to])
  return null
}
