import { lazy, Suspense } from 'react'
import { loadPart } from '../kit/lazyPart.ts'

const OpenAppDialog = lazy(() => loadPart(() => import('../native/OpenAppDialog.tsx')))

/**
 * Videos and voice messages do not play on the page: offers the app, and the file. chat.md §8 "Web video
 * playback in H5".
 */
export const NotPlayable = (props: { href: string; name: string; onClose: () => void }) => (
  <Suspense>
    <OpenAppDialog about="media" path={location.pathname} file={props} onClose={props.onClose} />
  </Suspense>
)
