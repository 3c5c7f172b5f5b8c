import type { Session } from '@guildhall/wire/auth/auth.ts'
import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { writeStored } from '../kit/browser/storage.ts'
import type { CallFailure } from '../kit/call.ts'
import { paths } from '../kit/paths.ts'
import { cache } from '../kit/routeQuery.ts'
import { goBack } from '../ui/overlay/layers.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { afterLogin } from './afterLogin.ts'
import { saveSession } from './auth.ts'

/** Joins the guild of an invite that was accepted before logging in. */
export type AcceptInvite = (input: { code: InviteCode }) => Promise<{ readonly guild_id: string }>

/**
 * What follows a login: the page that was asked for, or the guild of a pending invite, which is joined first.
 */
export function useProceed(acceptInvite: AcceptInvite) {
  const navigate = useNavigate()
  const isAfterInvite = useLocation().state?.invite === true
  const [proceeding, setProceeding] = useState(false)
  const proceed = async (session: Session) => {
    saveSession(session)
    cache.clear()
    const next = afterLogin(location.search)
    if ('path' in next) return void navigate(next.path, { replace: true })
    setProceeding(true)
    writeStored('pending_join', null)
    const { code: invite } = next.join
    const joined = isInviteCode(invite)
      ? await acceptInvite({ code: invite }).catch((failure: CallFailure) => {
          toast(failure.message)
          return null
        })
      : null
    if (!joined) return void navigate(paths.channels(), { replace: true })
    if (isAfterInvite) await goBack(1)
    void navigate(paths.guild(joined.guild_id), { replace: true })
  }
  return { proceed, proceeding }
}
