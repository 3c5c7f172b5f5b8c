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
  '/account/avatar': lazy(() => loadPart(() => import('../account/AvatarScreen.tsx'))),
  '/account/password': lazy(() => loadPart(() => import('../auth/ChangePasswordScreen.tsx'))),
  '/account/number': lazy(() => loadPart(() => import('../auth/ChangeNumberScreen.tsx'))),
  '/account/linked': lazy(() => loadPart(() => import('../auth/LinkedScreen.tsx'))),
  '/account/delete': lazy(() => loadPart(() => import('../auth/DeleteAccountScreen.tsx'))),
  '/account/order-list': () => <BillScreen PaySheet={PaySheet} />,
  '/cdk': lazy(() => loadPart(() => import('../coupon/CouponScreen.tsx'))),
  '/account/buff': lazy(() => loadPart(() => import('../buff/BuffScreen.tsx'))),
}

const byPath: ReadonlyMap<string, ComponentType> = new Map(Object.entries(pages))

/** The pages of one's own account. */
export default function AccountPages() {
  const path = useLocation().pathname.replace(/\/$/, '')
  const Page = byPath.get(path) ?? NotFoundScreen
  return <Page />
}
