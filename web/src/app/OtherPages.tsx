/** The pages around the product, which few people open: their routes are not in the file that every page loads. */
import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { paths } from '../kit/paths.ts'
import { screen } from './screen.tsx'

const DocumentScreen = screen(() => import('../site/DocumentScreen.tsx'))
const OutsideScreen = screen(() => import('../site/OutsideScreen.tsx'))
const AppPages = screen(() => import('../site/AppPages.tsx'))
const SitePages = screen(() => import('../site/SitePages.tsx'))
const ScanPayScreen = screen(() => import('../pay/ScanPayScreen.tsx'))
const WechatPayScreen = screen(() => import('../pay/WechatPayScreen.tsx'))
const PaidScreen = screen(() => import('../pay/PaidScreen.tsx'))
const ConformanceScreen = screen(() => import('../site/ConformanceScreen.tsx'))
const NotFoundScreen = screen(() => import('../site/NotFoundScreen.tsx'))

/** Only in development. */
const Gallery = import.meta.env.DEV ? lazy(() => import('../testing/gallery/Gallery.tsx')) : null

export default function OtherPages() {
  return (
    <Routes>
      <Route path="/terms" element={<DocumentScreen which="terms" />} />
      <Route path="/privacy" element={<DocumentScreen which="privacy" />} />
      {['/home', '/activity/kook717', '/buff-refund-info'].map((path) => (
        <Route key={path} path={path} element={<SitePages />} />
      ))}
      <Route path="/go-wild" element={<OutsideScreen />} />
      {['/oia/*', '/download', '/app/*'].map((path) => (
        <Route key={path} path={path} element={<AppPages />} />
      ))}
      <Route path="/pay" element={<ScanPayScreen />} />
      <Route path="/payment/wechat" element={<WechatPayScreen />} />
      <Route path="/payment/successful" element={<PaidScreen />} />
      <Route path="/common/jumpapp" element={<ConformanceScreen />} />
      {['/index.html', '/register'].map((path) => (
        <Route key={path} path={path} element={<Navigate to={paths.home()} replace />} />
      ))}
      {Gallery && <Route path="/dev/gallery" element={<Gallery />} />}
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
