import { type ComponentProps, lazy, Suspense } from 'react'
import { loadPart } from '../../kit/lazyPart.ts'

const WaysRegister = lazy(() => loadPart(() => import('./WaysRegister.tsx')))

/** A step between: what the forms need is named here, and not where hardly anybody has them. */
const LaterRegister = (props: ComponentProps<typeof WaysRegister>) => (
  <Suspense fallback={null}>
    <WaysRegister {...props} />
  </Suspense>
)
export default LaterRegister
