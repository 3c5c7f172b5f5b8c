import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { openOutsideRouter } from '../../native/outsideRouter.ts'
import DownloadScreen from './DownloadScreen.tsx'
import OpenInAppScreen from './OpenInAppScreen.tsx'

/**
 * The pages that open or download the app, in one file: /oia, /download, and the links that need the app,
 * /app.
 */
export default function AppPages() {
  const { pathname } = useLocation()
  if (pathname.startsWith('/download')) return <DownloadScreen />
  return pathname.startsWith('/oia') ? <OpenInAppScreen /> : <NeedsApp pathname={pathname} />
}

/**
 * Opens the app at once, and shows the page that offers it and the browser. commerce.md §2 "Outside the
 * router".
 */
function NeedsApp({ pathname }: { pathname: string }) {
  const [path, setPath] = useState<string | null>(null)
  useEffect(() => setPath(openOutsideRouter(pathname)), [pathname])
  return path === null ? null : <Navigate to={path} replace />
}
