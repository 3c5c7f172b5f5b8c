import { useEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import styles from './CaptchaDialog.module.css'
import type { KindProps } from './CaptchaDialog.tsx'
import { text } from './text.ts'

/** A proof of work: needs neither eyes nor hands, only time. */
export function WorkCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [state, setState] = useState<'idle' | 'working' | 'failed'>('idle')
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])

  const start = async () => {
    if (!challenge.work || state === 'working' || isBusy) return
    setState('working')
    const { signal } = leaving.current
    const [{ solveChallenge }, { deriveKey }] = await Promise.all([
      import('altcha-lib'),
      import('altcha-lib/algorithms/web/pbkdf2'),
    ])
    const work = { challenge: { parameters: challenge.work }, deriveKey, controller: leaving.current }
    // Browsers compute only on pages that came over TLS.
    const solution = await solveChallenge(work).catch(() => null)
    if (signal.aborted) return
    if (solution) onAnswer(String(solution.counter))
    else setState('failed')
  }
  const isWorking = state === 'working' || isBusy
  return (
    <div className={styles.form}>
      <p className={styles.why}>{t.workWhy}</p>
      <p className={styles.working} role="status">
        {isWorking && <Spinner size={18} />}
        {isWorking ? t.working : ''}
      </p>
      <p className={styles.problem} role="alert">
        {state === 'failed' ? t.workFailed : isWorking ? '' : problem}
      </p>
      <Button block busy={isWorking} onPress={() => void start()} data-first>
        {t.workStart}
      </Button>
    </div>
  )
}
