/** What the open tabs of the product agree on by the browser's locks. Without locks each acts alone. */

const locks = (): LockManager | null => (navigator as { readonly locks?: LockManager }).locks ?? null

const LOOKED_AT = 'looked at'
/** For how long other tabs may be late with the same message, ms. */
const ONCE_MS = 10_000

/** Whether the person has this tab before them. */
export const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Runs `act` when the person may have turned to this tab, or away from it. */
export function onLook(act: () => void): void {
  for (const name of ['focus', 'blur'] as const) addEventListener(name, act)
  document.addEventListener('visibilitychange', act)
}

let release: (() => void) | null = null

/** Tells the other tabs whether this one is looked at now. */
export function sayLookedAt(): void {
  if (!isLookedAt()) {
    release?.()
    release = null
    return
  }
  if (release) return
  const held = new Promise<void>((done) => {
    release = done
  })
  void locks()?.request(LOOKED_AT, { mode: 'shared' }, () => held)
}

/** Whether any tab of the product is looked at. */
export async function isAnyLookedAt(): Promise<boolean> {
  if (isLookedAt()) return true
  const { held } = (await locks()?.query()) ?? {}
  return held?.some(({ name }) => name === LOOKED_AT) ?? false
}

/** Acts in the first tab alone that comes with the message. Resolves when that is decided. */
export function inOneTab(messageId: string, act: () => void): Promise<void> {
  return new Promise((decided) => {
    const all = locks()
    if (!all) {
      act()
      return decided()
    }
    void all.request(`notified ${messageId}`, { ifAvailable: true }, async (lock) => {
      if (lock) act()
      decided()
      if (lock) await new Promise((late) => setTimeout(late, ONCE_MS))
    })
  })
}
