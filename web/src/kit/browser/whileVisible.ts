type Subscribe = (listener: () => void) => () => void

/**
 * Subscribes without drawing what nobody sees: what changed while the page was hidden is said when it is
 * shown.
 */
export const whileVisible =
  (subscribe: Subscribe): Subscribe =>
  (listener) => {
    const notify = () => {
      if (!document.hidden) listener()
    }
    const unsubscribe = subscribe(notify)
    document.addEventListener('visibilitychange', notify)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', notify)
    }
  }
