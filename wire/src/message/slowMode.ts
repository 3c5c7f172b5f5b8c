import { permission } from '../permission/permission.ts'

const UNHURRIED = permission.manage_channel | permission.manage_message

/** Whether a person with these rights in a channel waits where it has a slow mode. protocol.md §4.5. */
export const waitsInSlowMode = (permissions: number): boolean => (permissions & UNHURRIED) === 0
