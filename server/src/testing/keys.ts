/** The key of servers in tests: a variable, so that none of them makes or shares a file. */
import { keysOf } from '../kit/crypto/keys.ts'

const KEY = Buffer.alloc(32, 7)

export const KEYS_SECRET = KEY.toString('base64')
export const testKeys = keysOf({ secret: KEY, former: null, file: '' })
