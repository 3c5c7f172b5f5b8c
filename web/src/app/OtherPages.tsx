/**
 * The pages around the product, which few people open: their routes are not in the file that every page
 * loads.
 */

import pages from 'virtual:other-pages'
import { type RouteObject, useRoutes } from 'react-router'
import { lazy } from '../kit/lazy/lazy.tsx'
import { screen } from './screen.tsx'
import ToLanding from './ToLanding.tsx'

const NotFoundScreen = screen(() => import('../site/NotFoundScreen.tsx'))

/** Only in development. */
const Gallery = import.meta.env.DEV ? lazy(() => import('../testing/gallery/Gallery.tsx')) : null
const GalleryScreen = import.meta.env.DEV
  ? lazy(() => import('../testing/gallery/screens/ScreenPage.tsx'))
  : null

export const routes: RouteObject[] = [
  ...pages.map(([path, Screen]) => ({ path, element: <Screen /> })),
  { path: '/index.html', element: <ToLanding /> },
  ...(Gallery ? [{ path: '/dev/gallery', element: <Gallery /> }] : []),
  ...(GalleryScreen ? [{ path: '/dev/gallery/:name', element: <GalleryScreen /> }] : []),
  { path: '*', element: <NotFoundScreen /> },
]

export default function OtherPages() {
  return useRoutes(routes)
}
