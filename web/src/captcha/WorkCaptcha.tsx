import { useEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/state/Spinner.tsx'
import styles from './CaptchaDialog.module.css'
import type { KindProps } from './kindProps.ts'
import { type Started, startWork } from './startWork.ts'
import { text } from './text.ts'

/** A proof of work: needs neither eyes nor hands, only time. */
export function WorkCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [state, setState] = useState<'idle' | 'working' | 'failed'>('idle')
  const started = useRef<Started | null>(null)
  useEffect(() => () => started.current?.stop(), [])

  const start = async () => {
    if (!challenge.work || state === 'working' || isBusy) return
    setState('working')
    started.current = startWork(challenge.work)
    const counter = await started.current.counter
    if (counter !== null) onAnswer(counter)
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
