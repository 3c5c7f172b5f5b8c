import { loadPart } from '../../kit/lazy/lazyPart.ts'

/** What own messages that wait for staff need. It is loaded with the first of them. */
export const lazyHeldCalls = () => loadPart(() => import('./heldCalls.ts'))
