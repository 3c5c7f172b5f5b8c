import type { KeyboardEvent } from 'react'
import { useLater } from '../kit/useLater.ts'

/** Whether there is a keyboard with a mouse. There Enter sends; on a phone it begins a new line. */
export const isDesktop = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches

/** Whether the tools of a room are due: at a desk at once, for its keys; else after the first screen. */
export function useToolsDue(): boolean {
  const isLater = useLater()
  return isLater || isDesktop()
}

/** Whether a key sends: Enter on a desk, unless an input method composes, where it picks a candidate. */
export const isSendKey = ({ key, shiftKey, nativeEvent, keyCode }: KeyboardEvent): boolean =>
  // Safari signals composition only by key code 229.
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229 && isDesktop()
