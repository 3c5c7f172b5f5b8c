/** People and bots as the public protocol writes them: a few fields more than the page reads. protocol.md §5.1. */
import type { User } from './user.ts'

/** What nobody here has, and typed clients ask for. */
const NOTHING_MORE = {
  os: '',
  vip_amp: false,
  banner: '',
  nameplate: [],
  decorations_id_map: null,
  is_sys: false,
} as const

/** Someone as v3 calls and bots' lines tell of them; keeps whatever else is known. */
export const publicUser = <U extends User>(it: U): U & typeof NOTHING_MORE => ({ ...it, ...NOTHING_MORE })
