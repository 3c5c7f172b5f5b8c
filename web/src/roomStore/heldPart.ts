import { loadPart } from '../kit/laterPart.ts'

/** What own messages that wait for staff need. It is loaded with the first of them. */
export const heldPart = () => loadPart(() => import('./heldCalls.ts'))
