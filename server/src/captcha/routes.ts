/** The calls of captchas. */
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { type Binding, bind } from '../kit/http/binding.ts'
import type { Captcha } from './captcha.ts'

export const captchaRoutes = (input: Captcha): Binding[] => [
  bind(captcha, ({ network }, { kind }) => input.make(kind, network)),
  bind(checkCaptcha, async ({ network }, { id, captcha: answer, counter, mobile, mobile_prefix }) => ({
    sign: await input.check(id, answer, { number: { prefix: mobile_prefix, mobile }, network }, counter),
  })),
]
