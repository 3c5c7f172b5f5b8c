import { useLayoutEffect } from 'react'
import { readStored } from '../../../kit/browser/storage.ts'
import { beforeTab, onFocus, onPress, pressedInList, refreshLists, restoreLists } from './roving.ts'

const areOff = (): boolean => readStored('keys') === 'off'

/** Makes channels, members and messages one stop of Tab each, unless the keys are switched off. */
export function useRoving(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, altKey, ctrlKey, metaKey } = event
      if (event.defaultPrevented || event.isComposing || altKey || ctrlKey || metaKey || areOff()) return
      if (event.key === 'Tab') beforeTab(target)
      if (!(target instanceof Element) || target.matches('input,textarea,select,[role=separator]')) return
      if (pressedInList(event)) event.preventDefault()
    }
    const refresh = () => (areOff() ? restoreLists() : refreshLists())
    const focused = (event: FocusEvent) => !areOff() && onFocus(event)
    const observer = new MutationObserver(refresh)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('keydown', onKey, { capture: true })
    document.addEventListener('focusin', focused)
    document.addEventListener('pointerdown', onPress, { capture: true })
    refresh()
    return () => {
      observer.disconnect()
      document.removeEventListener('keydown', onKey, { capture: true })
      document.removeEventListener('focusin', focused)
      document.removeEventListener('pointerdown', onPress, { capture: true })
      restoreLists()
    }
  }, [])
}
