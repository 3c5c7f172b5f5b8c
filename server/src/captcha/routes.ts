/** The calls of captchas. */
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { type Binding, bind } from '../kit/http/binding.ts'
import type { Captcha } from './captcha.ts'

export const captchaRoutes = (it: Captcha): Binding[] => [
  bind(captcha, ({ place }, { kind }) => it.make(kind, place)),
  bind(checkCaptcha, async ({ place }, { id, captcha: answer, mobile, mobile_prefix }) => ({
    sign: await it.check(id, answer, { number: { prefix: mobile_prefix, mobile }, place }),
  })),
]
