/** What codes are good for. */
import type { CodeType } from '@guildhall/wire/auth/auth.ts'

/** What somebody does with a code. */
export type Purpose = 'login' | 'verify' | 'forgot' | 'confirm'

/**
 * The types of codes that are good for a purpose: who is talked out of a code for one thing does not give
 * away another. Who has a code to log in could log in, so it confirms too, and proves a number: chat.md §7
 * knows no type of its own for that.
 */
export const TYPES_FOR: Readonly<Record<Purpose, readonly CodeType[]>> = {
  login: ['login', 'register', 'invite-h5'],
  verify: ['verify', 'login', 'register', 'invite-h5'],
  forgot: ['forgot'],
  confirm: ['confirm', 'login'],
}
