import { createListeners } from '../kit/listeners.ts'

const lists = createListeners()

/** Calls when the lists on screen are to be loaded again. Returns the unsubscribe function. */
export const onMembersChanged = lists.subscribe

/** The reader changed a member: the lists on screen show it at once. */
export const refreshMembers = (): void => lists.notify()
