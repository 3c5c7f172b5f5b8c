import { lazy, Suspense } from 'react'
import { loadPart } from '../../kit/lazyPart.ts'
import type { FindProps } from './Find.tsx'

const Find = lazy(() => loadPart(() => import('./Find.tsx')))

/** The way to the search in a room. It stands before the others, so that none of them moves when it comes. */
export const FindWay = (props: FindProps) => (
  <Suspense>
    <Find {...props} />
  </Suspense>
)
