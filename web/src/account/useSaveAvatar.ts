import { userState } from '@guildhall/wire/auth/login.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { useEffect, useRef, useState } from 'react'
import { upload } from '../asset/asset.ts'
import { CallFailure, call } from '../kit/call.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

type Progress =
  | { readonly is: 'idle' }
  /** `sent`: the part of the file that is sent, 0 to 1. */
  | { readonly is: 'busy'; readonly sent: number }
  | { readonly is: 'failed'; readonly message: string }

const IDLE: Progress = { is: 'idle' }

/**
 * Uploads a picture and makes it the user's; a file that was uploaded is not sent again by a second try. Ends
 * with the page.
 */
export function useSaveAvatar(onSaved: () => void) {
  const [progress, setProgress] = useState(IDLE)
  const leaving = useRef<AbortController | null>(null)
  const stored = useRef<{ readonly file: File; readonly url: string } | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const send = async (file: File, signal: AbortSignal): Promise<void> => {
    if (stored.current?.file !== file) {
      const onProgress = (sent: number) => setProgress({ is: 'busy', sent })
      stored.current = { file, url: (await upload(file, { onProgress, signal })).url }
    }
    await call(updateSelf, { avatar: stored.current.url }, { signal })
    invalidateRoute(userState)
  }
  const run = async (file: File): Promise<void> => {
    if (progress.is === 'busy') return
    const end = new AbortController()
    const { signal } = end
    leaving.current = end
    setProgress({ is: 'busy', sent: 0 })
    try {
      await send(file, signal)
      if (!signal.aborted) onSaved()
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      // The file may be gone by now.
      if (error.name === 'asset.unknown') stored.current = null
      if (!signal.aborted) setProgress({ is: 'failed', message: error.message })
    }
  }
  const cancel = () => {
    leaving.current?.abort()
    setProgress(IDLE)
  }
  return { progress, run, cancel }
}
