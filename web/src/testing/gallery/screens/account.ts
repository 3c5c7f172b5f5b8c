/** One's own account: its list, its contracts, and the accounts at third parties that log one in. */

import { listThirdParties } from '@guildhall/wire/auth/linked.ts'
import { secondFactorState } from '@guildhall/wire/auth/secondFactor.ts'
import { LOGINS_COOKIE } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { myInviteCodes } from '@guildhall/wire/invite/referral.ts'
import { listUnpaid } from '@guildhall/wire/order/order.ts'
import { viewRealName } from '@guildhall/wire/realname/realname.ts'
import { listRenewals, type Renewal } from '@guildhall/wire/renewal/renewal.ts'
import type { On } from '../../answers.ts'
import { sessionOf } from '../../fixtures.ts'
import type { Shown } from './screen.ts'

const LINKED = '/account/linked'
const linked = (isLinked: boolean) => (on: On) => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `${LOGINS_COOKIE}=qq.weixin; path=/dev/gallery`
  on(listThirdParties, () => ({
    items: isLinked ? [{ token_type: 'weixin' as const, created_at: 1_772_400_000_000 }] : [],
  }))
  on(userState, () => ({ ...sessionOf(), has_password: true }))
}

const contract: Renewal = {
  code: 'c1',
  expired_time: Date.UTC(2030, 4, 3),
  next_time: Date.UTC(2030, 4, 2),
  product: { name: 'BUFF 月卡' },
  pay_info: { platform: 1, pay_text: '微信支付' },
  fee: 3_000,
  is_failed: false,
}

/** What the list of the account asks for, which a desk shows beside each of its pages. */
export function ofAccount(on: On): void {
  on(viewRealName, () => ({
    offered: true,
    verified: false,
    verified_at: 0,
    name: '',
    number: '',
  }))
  on(secondFactorState, () => ({ on: false, since: 0, recovery_codes: 0 }))
  on(myInviteCodes, () => ({ items: [] }))
  on(listUnpaid, () => ({ items: [] }))
}

export const accountScreens: readonly Shown[] = [
  {
    name: 'account',
    at: '/account',
    me: { is_vip: true, avatar_frame: 'gold' },
  },
  {
    name: 'renewals',
    at: '/renewal/management',
    answer: (on) =>
      on(listRenewals, () => ({ items: [contract, { ...contract, code: 'c2', is_failed: true }] })),
  },
  {
    name: 'third-parties',
    at: LINKED,
    answer: linked(true),
  },
  {
    name: 'third-parties-none-linked',
    at: LINKED,
    answer: linked(false),
  },
  {
    name: 'linking',
    at: {
      pathname: LINKED,
      state: {
        returned: {
          provider: 'qq',
          state: 'qqlogin.n1',
          code: 'c1',
          isError: false,
        },
      },
    },
    answer: linked(true),
  },
]
