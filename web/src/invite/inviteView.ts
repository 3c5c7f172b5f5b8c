import { type InviteCode, isInviteCode } from '@guildhall/wire/id.ts'
import { type Invite, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { useCallback, useEffect, useState } from 'react'
import { CallFailure, call } from '../kit/call.ts'
import { readServerData } from './serverData.ts'

export type View =
  | { status: 'loading' }
  | { status: 'valid'; code: InviteCode; invite: Invite }
  | { status: 'invalid' }
  | { status: 'network' }

/** Failures that mean that the link itself cannot be used. */
export const isInvalid = (failure: CallFailure) =>
  failure.name.startsWith('invite.') || failure.name === 'bad_input' || failure.name === 'not_found'

export function viewAfter(failure: CallFailure): View {
  return { status: isInvalid(failure) ? 'invalid' : 'network' }
}

/** What the screen shows of an invite, how to load it again, and how to replace it. */
export function useInviteView(code: string) {
  const [view, setView] = useState<View>(() => firstView(code))
  const load = useCallback(
    (signal?: AbortSignal) => {
      if (!isInviteCode(code)) return setView({ status: 'invalid' })
      call(viewInvite, { id: code }, { signal }).then(
        (invite) => setView({ status: 'valid', code, invite }),
        (error: unknown) => {
          if (signal?.aborted) return
          const failure = error instanceof CallFailure ? error : new CallFailure('bad_answer', '')
          // What the server rendered stays readable when only the page's own request fails.
          setView((now) => (now.status === 'valid' && !isInvalid(failure) ? now : viewAfter(failure)))
        },
      )
    },
    [code],
  )
  useEffect(() => {
    const leaving = new AbortController()
    load(leaving.signal)
    return () => leaving.abort()
  }, [load])
  const retry = () => {
    setView({ status: 'loading' })
    load()
  }
  return [view, retry, setView] as const
}

function firstView(code: string): View {
  if (!isInviteCode(code)) return { status: 'invalid' }
  const boot = readServerData(code)
  if (!boot) return { status: 'loading' }
  if ('invite' in boot) return { status: 'valid', code, invite: boot.invite }
  return viewAfter(new CallFailure(boot.failure, ''))
}
