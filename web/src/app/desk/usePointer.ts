import { useLayoutEffect } from 'react'

/**
 * Tells the styles of popovers (`ui/overlay/Sheet.module.css`) where the pointer was pressed last, or where
 * the control is that a key pressed: `--pointer-x` and `--pointer-y`, and in which half of the window.
 */
export function usePointer(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    const set = (x: number, y: number) => {
      root.style.setProperty('--pointer-x', `${Math.round(x)}px`)
      root.style.setProperty('--pointer-y', `${Math.round(y)}px`)
      root.dataset.pointer = y > innerHeight / 2 ? 'lower' : 'upper'
    }
    // What is pressed in a popover must not move it.
    const isInside = (target: EventTarget | null) => (target as Element).closest?.('[aria-modal]')
    const onPress = ({ target, clientX, clientY }: MouseEvent) => {
      if (!isInside(target)) set(clientX, clientY)
    }
    const onKey = ({ key, target }: KeyboardEvent) => {
      if ((key !== 'Enter' && key !== ' ') || isInside(target)) return
      const { left, bottom } = (target as Element).getBoundingClientRect()
      set(left, bottom)
    }
    document.addEventListener('pointerdown', onPress, { capture: true })
    // The key of menus has none before it.
    document.addEventListener('contextmenu', onPress, { capture: true })
    document.addEventListener('keydown', onKey, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', onPress, { capture: true })
      document.removeEventListener('contextmenu', onPress, { capture: true })
      document.removeEventListener('keydown', onKey, { capture: true })
      delete root.dataset.pointer
    }
  }, [])
}
