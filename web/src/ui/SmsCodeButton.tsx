import { CODE_RESEND_MS, sendCode } from '@guildhall/wire/auth/auth.ts'
import { useEffect, useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { useCall } from '../kit/useCall.ts'
import { codeSentAt, noteCodeSent, secondsLeft } from './countdown.ts'
import styles from './Field.module.css'
import { toast } from './Toast.tsx'

/**
 * Asks for a code, then counts 60 seconds before it may ask again. `page` names whose countdown it is; `check`
 * answers whether the number may be tried and shows what is wrong with it. chat.md §4 "Code button".
 */
export function SmsCodeButton(props: {
  page: string
  type: 'invite-h5' | 'login'
  mobile: string
  prefix: string
  check: () => boolean
  onFailure: (failure: CallFailure) => void
}) {
  const t = useText(text)
  const asking = useCall(sendCode)
  const [sentAt, setSentAt] = useState(() => codeSentAt(props.page))
  const [now, setNow] = useState(Date.now)
  const left = secondsLeft(sentAt, now)

  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [left])

  const count = (at: number) => {
    noteCodeSent(props.page, at)
    setSentAt(at)
    setNow(Date.now())
  }
  const refused = (failure: CallFailure) => {
    props.onFailure(failure)
    // The server counts as well: what it says is left is what the button shows.
    const n = failure.extra.n
    if (failure.name === 'auth.code_too_soon' && typeof n === 'number')
      count(Date.now() - CODE_RESEND_MS + n * 1000)
  }
  const ask = async () => {
    if (left > 0 || !props.check()) return
    const answer = await asking.run(
      { mobile: props.mobile, mobile_prefix: props.prefix, type: props.type },
      refused,
    )
    if (!answer) return
    count(Date.now())
    toast(t.codeSent)
  }
  return (
    <button
      type="button"
      className={styles.side}
      disabled={left > 0 || asking.status === 'busy'}
      onClick={() => void ask()}
    >
      {left > 0 ? t.resend(left) : t.getCode}
    </button>
  )
}
