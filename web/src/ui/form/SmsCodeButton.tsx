import { CODE_RESEND_MS, type CodeType, sendCode } from '@guildhall/wire/auth/auth.ts'
import type { sendMailCode } from '@guildhall/wire/auth/mail.ts'
import { useEffect, useState } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { text } from '../../kit/text.ts'
import { useCall } from '../../kit/useCall.ts'
import { toast } from '../overlay/Toast.tsx'
import styles from './Field.module.css'
import { codeSentAt, isMasked, noteCodeSent, secondsLeft } from './smsCodeCountdown.ts'

/**
 * Requests an SMS code, then counts down 60 seconds until it may request another for this number. `page`:
 * where the number is typed; `check` returns whether the number is valid and shows what is wrong with it.
 * chat.md §4 "Code button".
 */
export function SmsCodeButton(props: {
  page: string
  type: CodeType
  mobile: string
  prefix: string
  /** Sends it by another call, with this address in place of the number, which names the countdown alone. */
  route?: typeof sendMailCode
  address?: string
  check: () => boolean
  onFailure: (failure: CallFailure) => void
}) {
  const t = useText(text)
  const { address, type } = props
  const request = useCall<typeof sendCode | typeof sendMailCode>(props.route ?? sendCode)
  const [, redraw] = useState({})
  const left = secondsLeft(codeSentAt(props), Date.now())
  const isCounting = left > 0

  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => redraw({}), 500)
    return () => clearInterval(timer)
  }, [isCounting])

  const startCountdown = (at: number) => {
    noteCodeSent(props.page, at, { prefix: props.prefix, mobile: props.mobile })
    redraw({})
  }
  const onRefused = (failure: CallFailure) => {
    props.onFailure(failure)
    // The server has its own countdown; the button shows the remaining time it reports.
    const n = failure.extra.n
    if (failure.name === 'auth.code_too_soon' && typeof n === 'number')
      startCountdown(Date.now() - CODE_RESEND_MS + n * 1000)
  }
  const requestCode = async (button: Element) => {
    if (left > 0 || !props.check()) return
    const answer = await request.run(
      // Without a number it is sent to that of the account.
      { address, mobile: isMasked(props) ? '' : props.mobile, mobile_prefix: props.prefix, type },
      onRefused,
    )
    if (!answer) return
    startCountdown(Date.now())
    toast(t.codeSent)
    // The field that the button stands in takes the code.
    button.parentElement?.querySelector('input')?.focus()
  }
  return (
    <button
      type="button"
      className={styles.side}
      disabled={left > 0 || request.status === 'busy'}
      onClick={(event) => void requestCode(event.currentTarget)}
    >
      {left > 0 ? t.resend(left) : t.getCode}
    </button>
  )
}
