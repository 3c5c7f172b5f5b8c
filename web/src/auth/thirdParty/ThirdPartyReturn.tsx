import type { Session } from '@guildhall/wire/auth/auth.ts'
import { bindNeeded, thirdPartLogin } from '@guildhall/wire/auth/thirdParty.ts'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { CallFailure, call } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { safeRedir } from '../../kit/redir.ts'
import { Page } from '../../ui/page/Page.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { isLoggedIn } from '../auth.ts'
import { LINKED, type ThirdPartyAnswer } from './thirdPartyReturn.ts'
import { thirdPartyText } from './thirdPartyText.ts'

/**
 * Logs in by itself with what a third party sent back, and leads on: to where the login began for, to
 * /bindmobile (41005), or back to the form with a message. What somebody who is logged in began on the page
 * of linked accounts goes back there. chat.md §4 "Third-party login".
 */
export default function ThirdPartyReturn(props: {
  returned: ThirdPartyAnswer
  proceed: (session: Session) => Promise<void>
  onProblem: (message: string) => void
}) {
  const t = useText(thirdPartyText)
  const navigate = useNavigate()
  const { provider, code, state, isError } = props.returned
  const name = t[provider]

  const run = async () => {
    const redir = safeRedir(readStored('login_redir')) ?? undefined
    writeStored('login_redir', null)
    if (redir === LINKED && isLoggedIn())
      return navigate(LINKED, { replace: true, state: { returned: props.returned } })
    // The code must not stay in the history, nor be sent again by a reload.
    await navigate(paths.login(redir), { replace: true })
    if (isError || code === '') return props.onProblem(isError ? t.failed(name) : t.cancelled(name))
    try {
      const session = await call(thirdPartLogin, {
        token_type: provider,
        auth_code: code,
        state,
        remember: true,
        type: 'h5',
      })
      await props.proceed(session)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      const needed = error.name === 'auth.bind_needed' ? bindNeeded.safeParse(error.extra).data : undefined
      if (!needed) return props.onProblem(error.message)
      writeStored('bind_info', needed)
      await navigate(`/bindmobile${redir ? `?redir=${encodeURIComponent(redir)}` : ''}`, { replace: true })
    }
  }

  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void run()
  })

  return (
    <Page>
      <LoadingState page message={t.loggingIn(name)} />
    </Page>
  )
}
