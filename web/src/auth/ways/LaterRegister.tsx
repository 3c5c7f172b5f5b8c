import type { ComponentProps } from 'react'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'

const WaysRegister = lazy(() => loadPart(() => import('./WaysRegister.tsx')))

/** A step between: what the forms need is named here, and not where hardly anybody has them. */
const LaterRegister = (props: ComponentProps<typeof WaysRegister>) => (
  <Suspense fallback={null}>
    <WaysRegister {...props} />
  </Suspense>
)
export default LaterRegister
