/** The session of the staff console, which ends with its tab. */
import { isToken } from '../kit/browser/storage.ts'
import type { TokenStore } from '../kit/call.ts'

const KEY = 'staff_authorization'

/** Where the browser refuses storage. */
let inMemory: string | null = null

export const consoleToken: TokenStore & { write(token: string): void } = {
  read() {
    try {
      const stored = sessionStorage.getItem(KEY)
      return stored !== null && isToken(stored) ? stored : inMemory
    } catch {
      return inMemory
    }
  },
  write(token) {
    inMemory = token
    try {
      sessionStorage.setItem(KEY, token)
    } catch {
      // Kept in memory until the page is loaded again.
    }
  },
  clear() {
    inMemory = null
    try {
      sessionStorage.removeItem(KEY)
    } catch {
      // There is nothing in it.
    }
  },
}
