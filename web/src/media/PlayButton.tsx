import { type CSSProperties, type ReactNode, useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'

const OpenAppDialog = lazy(() => loadPart(() => import('../native/openApp/OpenAppDialog.tsx')))

/**
 * Videos and voice messages do not play on the page: a tap offers the app, and the file. chat.md §8 "Web
 * video playback in H5".
 */
export function PlayButton(props: {
  address: string
  /** The file's name. */
  name: string
  label: string
  className: string | undefined
  style?: CSSProperties
  children: ReactNode
}) {
  const { address, name } = props
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button type="button" className={props.className} style={props.style} onClick={() => setAsked(true)}>
        <span className="unseen">{props.label}</span>
        {props.children}
      </button>
      {isAsked && (
        <Suspense>
          <OpenAppDialog
            about="media"
            path={location.pathname}
            file={{ href: hrefOf(address), name }}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </>
  )
}
