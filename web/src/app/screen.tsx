import { type ReactNode, useState } from 'react'
import { lazy } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'

/**
 * A screen whose code is loaded when it is first needed. Preloaded, it renders at once; otherwise its
 * fallback is shown until it is loaded.
 */
export function screen<P extends object, M extends { default: (props: P) => ReactNode }>(
  load: () => Promise<M & { default: (props: P) => ReactNode }>,
) {
  let loaded: ((props: P) => ReactNode) | null = null
  const loadOnce = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(() => loadPart(loadOnce))
  function Screen(props: P) {
    // Chosen once: another component in the same place would start with an empty state.
    const [Chosen] = useState<(props: P) => ReactNode>(() => loaded ?? Lazy)
    return <Chosen {...props} />
  }
  return Object.assign(Screen, { preload: loadOnce })
}
