import { type ComponentType, lazy, useState } from 'react'
import { loadPart } from '../kit/lazyPart.ts'

/**
 * A screen whose code is loaded when it is first needed. Preloaded, it renders at once; otherwise it suspends
 * until it is loaded.
 */
export function screen<P extends object, M extends { default: ComponentType<P> }>(
  load: () => Promise<M & { default: ComponentType<P> }>,
) {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Lazy = lazy(() => loadPart(loadOnce))
  function Screen(props: P) {
    // Chosen once: another component in the same place would start with an empty state.
    const [Chosen] = useState<ComponentType<P>>(() => loaded ?? Lazy)
    return <Chosen {...props} />
  }
  return Object.assign(Screen, { preload: loadOnce })
}
