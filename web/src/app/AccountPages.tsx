import type { GuildId } from '@guildhall/wire/id.ts'
import { type ComponentType, lazy } from 'react'
import { useLocation } from 'react-router'
import AccountScreen from '../account/AccountScreen.tsx'
import { loadPart } from '../kit/laterPart.ts'
import type { AccountPath, ShopPath } from '../kit/paths.ts'
import { PaySheet } from '../pay/pay.tsx'

const BillScreen = lazy(() => loadPart(() => import('../order/BillScreen.tsx')))
const NotFoundScreen = lazy(() => loadPart(() => import('../site/NotFoundScreen.tsx')))

const pages: Readonly<Record<AccountPath | ShopPath, ComponentType>> = {
  '/account': AccountScreen,
  '/account/devices': lazy(() => loadPart(() => import('../account/DevicesScreen.tsx'))),
  '/account/second-factor': lazy(() => loadPart(() => import('../auth/SecondFactorScreen.tsx'))),
  '/account/name': lazy(() => loadPart(() => import('../auth/ChangeNameScreen.tsx'))),
  '/account/authentication': lazy(() => loadPart(() => import('../realname/RealNameScreen.tsx'))),
  '/account/digits': lazy(() => loadPart(() => import('../auth/ChangeDigitsScreen.tsx'))),
  '/account/avatar': lazy(() => loadPart(() => import('../account/AvatarScreen.tsx'))),
  '/account/password': lazy(() => loadPart(() => import('../auth/ChangePasswordScreen.tsx'))),
  '/account/number': lazy(() => loadPart(() => import('../auth/ChangeNumberScreen.tsx'))),
  '/account/linked': lazy(() => loadPart(() => import('../auth/LinkedScreen.tsx'))),
  '/account/delete': lazy(() => loadPart(() => import('../auth/DeleteAccountScreen.tsx'))),
  '/account/order-list': () => <BillScreen PaySheet={PaySheet} />,
  '/account/boost': lazy(() => loadPart(() => import('../boost/BoostScreen.tsx'))),
  '/select-guild': lazy(() => loadPart(() => import('../boost/SelectGuildScreen.tsx'))),
  '/select-friend': lazy(() => loadPart(() => import('../friend/SelectFriendScreen.tsx'))),
  '/account/golive': lazy(() => loadPart(() => import('../golive/GoliveScreen.tsx'))),
  '/renewal/management': lazy(() => loadPart(() => import('../renewal/RenewalScreen.tsx'))),
  '/cdk': lazy(() => loadPart(() => import('../coupon/CouponScreen.tsx'))),
  '/account/buff': lazy(() => loadPart(() => import('../buff/BuffScreen.tsx'))),
}

/** An address of a guild's page without the guild is the last. */
const guildPages = [
  [/^\/guild\/profile\/(\d+)$/, lazy(() => loadPart(() => import('../profile/ProfileScreen.tsx')))],
  [/^\/guild\/boost\/(\d+)$/, lazy(() => loadPart(() => import('../boost/GuildBoostScreen.tsx')))],
  [/^\/guild\/boost-status\/(\d+)$/, lazy(() => loadPart(() => import('../boost/BoostStatusScreen.tsx')))],
  [
    /^\/guild\/(?:profile|boost|boost-status)(?:\/[^/]*)?$/,
    lazy(() => loadPart(() => import('./NoGuildScreen.tsx'))),
  ],
] as const

const byPath: ReadonlyMap<string, ComponentType> = new Map(Object.entries(pages))

/** The pages of one's own account, and those of the shop. */
export default function AccountPages() {
  const path = useLocation().pathname.replace(/\/$/, '')
  for (const [pattern, GuildPage] of guildPages) {
    const found = pattern.exec(path)
    if (found) return <GuildPage guildId={(found[1] ?? '') as GuildId} />
  }
  const Page = byPath.get(path) ?? NotFoundScreen
  return <Page />
}
