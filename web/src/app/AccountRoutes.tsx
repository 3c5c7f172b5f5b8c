import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import AccountScreen from '../account/AccountScreen.tsx'
import DevicesScreen from '../account/DevicesScreen.tsx'
import { loadPart } from '../kit/laterPart.ts'
import NotFoundScreen from '../site/NotFoundScreen.tsx'

const SecondFactorScreen = lazy(() => loadPart(() => import('../auth/SecondFactorScreen.tsx')))

/** The pages of one's own account, apart from the other routes, which need not load the names of their files. */
export default function AccountRoutes() {
  return (
    <Routes>
      <Route index element={<AccountScreen />} />
      <Route path="devices" element={<DevicesScreen />} />
      <Route path="second-factor" element={<SecondFactorScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
