/** Calls who looks elsewhere. It follows the page from its first connection on. Decision 126. */
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { readStored } from '../../kit/browser/storage.ts'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { here } from '../../native/environment.ts'
import { onEvent } from '../events.ts'
import { followCounts } from './badges.ts'
import { isQuiet } from './rules.ts'
import { isLookedAt, onLook, sayLookedAt } from './tabs.ts'

// In a shell the app itself notifies.
if (!here().hasShell) {
  onLook(sayLookedAt)
  sayLookedAt()
  followCounts()
  onEvent((event) => {
    const chosen = readStored('notifications')
    if (event.type === SYSTEM_EVENT || !chosen?.on || isLookedAt() || isQuiet(chosen.quiet, new Date()))
      return
    void loadPart(() => import('./notifications.ts')).then((it) => it.received(event))
  })
}
