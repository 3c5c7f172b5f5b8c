/**
 * The one captcha of the page: opened by a refused call, above whatever is open. chat.md §8 "Response code
 * 1002".
 */
import { captchaKindOf } from '@guildhall/wire/captcha/captcha.ts'
import { createRoot } from 'react-dom/client'
import type { AskCaptcha } from '../kit/call.ts'
import { CaptchaDialog } from './CaptchaDialog.tsx'
import type { PhoneNumber } from './useChallenge.ts'

/** Calls that were refused while it was open. */
let waiting: ((sign: string | null) => void)[] | null = null

/**
 * Opens the captcha that a refusal asks for. Calls that are refused meanwhile wait: they are worth another
 * try once it is solved, and have failed when it is closed.
 */
export const askCaptcha: AskCaptcha = ({ extra }, input) =>
  new Promise((resolve) => {
    if (waiting) return void waiting.push(resolve)
    waiting = []
    const container = document.body.appendChild(document.createElement('div'))
    const root = createRoot(container)
    const end = (sign: string | null) => {
      const others = waiting ?? []
      waiting = null
      root.unmount()
      container.remove()
      resolve(sign)
      for (const each of others) each(sign && '')
    }
    root.render(<CaptchaDialog kind={captchaKindOf(extra.sign)} number={numberIn(input)} onEnd={end} />)
  })

interface NumberInput {
  readonly mobile?: string
  readonly mobile_prefix?: string
  /** In place of a number. */
  readonly address?: string
  readonly name?: string
  readonly username?: string
}

/**
 * The number, address or name that a call is about: in its input, or in the `mobile` of it, as
 * `PATCH v2/users` has it.
 */
function numberIn(input: object): PhoneNumber {
  const given = input as NumberInput | { readonly mobile: NumberInput }
  const it = (typeof given.mobile === 'object' ? given.mobile : given) as NumberInput
  const { mobile, mobile_prefix } = it
  const account = it.address || it.name || it.username
  return { ...(mobile && { mobile }), ...(mobile_prefix && { mobile_prefix }), ...(account && { account }) }
}
