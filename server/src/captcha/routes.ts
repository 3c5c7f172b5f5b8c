/** The calls of captchas. */
import { readAccount } from '@guildhall/wire/auth/address.ts'
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { type Binding, bind } from '../kit/http/binding.ts'
import type { Captcha } from './captcha.ts'

export const captchaRoutes = (input: Captcha): Binding[] => [
  bind(captcha, ({ network }, { kind }) => input.make(kind, network)),
  bind(
    checkCaptcha,
    async ({ network }, { id, captcha: answer, counter, mobile, mobile_prefix, account }) => ({
      sign: await input.check(
        id,
        answer,
        {
          number: account === undefined ? { prefix: mobile_prefix, mobile } : readAccount(account),
          network,
        },
        counter,
      ),
    }),
  ),
]
