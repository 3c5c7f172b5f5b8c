/**
 * Components whose code is loaded when they are drawn for the first time. Unlike React's own they never take
 * what is drawn already out of the document: each shows the fallback around it in its own place.
 */
import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react'

const Fallback = createContext<ReactNode>(null)

/** Says what is shown in the place of a lazy component inside of it until its code is there. */
export const Suspense = ({ fallback = null, children }: { fallback?: ReactNode; children?: ReactNode }) => (
  <Fallback value={fallback}>{children}</Fallback>
)

/** The props of a function component; an empty object for one without. */
type PropsOf<C> = C extends (props: infer P) => ReactNode ? (unknown extends P ? object : P) : never

/** A component that `load` imports. An import that fails is thrown where it is drawn. */
export function lazy<C extends (props: never) => ReactNode>(
  load: () => Promise<{ readonly default: C }>,
): (props: PropsOf<C>) => ReactNode {
  let loading: Promise<void> | null = null
  let Loaded: ((props: object) => ReactNode) | null = null
  let failure: { readonly error: unknown } | null = null
  const start = () => {
    loading ??= load().then(
      (module) => {
        Loaded = module.default as unknown as (props: object) => ReactNode
      },
      (error: unknown) => {
        failure = { error }
      },
    )
    return loading
  }
  return function Lazy(props: object) {
    const fallback = use(Fallback)
    const [, setLoaded] = useState(Loaded !== null)
    void start()
    useLayoutEffect(() => {
      if (!Loaded) void start().then(() => setLoaded(true))
    }, [])
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : fallback
  }
}
