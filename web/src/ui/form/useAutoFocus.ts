import { type RefObject, useLayoutEffect } from 'react'

/** Gives a field the focus when it is drawn for the first time. */
export function useAutoFocus(field: RefObject<HTMLElement | null>, isWanted = true): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later takes no focus from elsewhere
  useLayoutEffect(() => {
    if (isWanted) field.current?.focus()
  }, [])
}
