import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { text as general } from '../../kit/text.ts'
import { Button } from '../../ui/Button.tsx'
import type { Asked } from '../address.ts'
import styles from '../SearchScreen.module.css'
import { RowsSkeleton } from './HitsSkeleton.tsx'
import { hitsText } from './hitsText.ts'
import { Failed, None } from './State.tsx'
import type { Hits } from './useHits.ts'

/** What a list of what was found is given. */
export interface ShownProps {
  asked: Asked
  /** One came back to it: it stands as it was left. */
  isComingBack: boolean
  /** One of what was found is opened. */
  onOpen: () => void
  onWider: () => void
}

/** What stands in place of hits that are not there, and what stands below them. */
export function HitsState(props: ShownProps & { hits: Hits; wait?: ReactNode; children: ReactNode }) {
  const { hits, asked } = props
  const { found, failure } = hits
  if (!found && failure)
    return <Failed failure={failure} asked={asked} onRetry={hits.retry} onWider={props.onWider} />
  if (!found) return <Waiting>{props.wait ?? <RowsSkeleton />}</Waiting>
  if (found.items.length === 0) return <None asked={asked} onWider={props.onWider} />
  return (
    <>
      {props.children}
      <End hits={hits} />
    </>
  )
}

/** After this time, ms, it is said that the search is slow. */
const SLOW_MS = 3_000

function Waiting({ children }: { children: ReactNode }) {
  const t = useText(hitsText)
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <p className={styles.count} role="status">
        {isSlow ? t.slow : t.loading}
      </p>
      {children}
    </>
  )
}

/** Below what is loaded: more is loaded as it comes near; the end is said. */
function End({ hits }: { hits: Hits }) {
  const t = useText(hitsText)
  const tGeneral = useText(general)
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(hits)
  latest.current = hits
  const { found, failure } = hits
  const isWaiting = found?.next != null && !failure
  const count = found?.items.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page it is looked at again
  useEffect(() => {
    if (!isWaiting || !end.current) return
    const observer = new IntersectionObserver(([it]) => it?.isIntersecting && latest.current.loadMore(), {
      rootMargin: '600px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isWaiting, count])
  return (
    <div className={styles.end} ref={end}>
      {failure ? (
        <>
          <p role="alert">{`${t.moreFailed}: ${failure.message}`}</p>
          <Button kind="soft" onPress={hits.retry}>
            {tGeneral.retry}
          </Button>
        </>
      ) : isWaiting ? (
        <p>{t.loadingMore}</p>
      ) : (
        <p>{t.end}</p>
      )}
    </div>
  )
}
