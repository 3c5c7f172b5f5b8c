/** The calls of registering and logging in without a number. */
import { MAIL, NAME } from '@guildhall/wire/auth/address.ts'
import {
  forgotByMail,
  mailLogin,
  sendMailCode,
  thirdPartBindMail,
  verifyMail,
} from '@guildhall/wire/auth/mail.ts'
import { nameLogin, registerName } from '@guildhall/wire/auth/name.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { type Binding, bind, bindUser } from '../../kit/http/binding.ts'
import type { Auth } from '../auth.ts'
import { describeSelf, forgotPassword, verifyMobile } from '../owner/owner.ts'

const mailTo = (address: string) => ({ prefix: MAIL, mobile: address })

export const wayRoutes = (auth: Auth, appContext: AppContext): Binding[] => [
  bind(sendMailCode, async ({ caller, network }, { address, type, sign }) => {
    await auth.sendCode(caller, { asked: mailTo(address), type, sign, network })
    return {}
  }),
  bind(mailLogin, async (context, { address, code, password, invite_code, second_factor, ...it }) => {
    auth.requireWay('email')
    const input = { ...it, ...mailTo(address), secondFactor: second_factor }
    return password === ''
      ? auth.loginByCode({ ...input, code, inviteCode: invite_code }, context)
      : auth.loginByPassword({ ...input, password }, context)
  }),
  bindUser(verifyMail, async ({ caller, network }, { address, ...it }) => {
    auth.requireWay('email')
    await verifyMobile(appContext, auth, caller, { ...it, ...mailTo(address) }, network)
    return describeSelf(appContext, caller.userId)
  }),
  bind(forgotByMail, async ({ network }, { address, ...it }) => {
    auth.requireWay('email')
    await forgotPassword(appContext, auth, { ...it, ...mailTo(address) }, network)
    return {}
  }),
  bind(thirdPartBindMail, async (context, { bind_info, address, second_factor, ...it }) => {
    auth.requireWay('email')
    const input = { ...it, ...mailTo(address), bindInfo: bind_info, secondFactor: second_factor }
    return auth.bindThirdParty(input, context)
  }),
  bind(registerName, async (context, { invite_code, ...it }) => {
    auth.requireWay('invite')
    return auth.registerByName({ ...it, inviteCode: invite_code }, context)
  }),
  bind(nameLogin, async (context, { name, second_factor, ...it }) => {
    auth.requireWay('invite')
    const input = { ...it, prefix: NAME, mobile: name, secondFactor: second_factor }
    return auth.loginByPassword(input, context)
  }),
]
