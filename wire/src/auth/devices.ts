/** Where somebody is logged in: the sessions of one's own account. Ours: chat.md names no call for them. */
import { uuid } from '../id.ts'
import { route } from '../route.ts'
import { nothing, type Out, z } from '../schema.ts'

/** One login on one device. What is not known is empty. */
export const device = z.object({
  id: z.string(),
  /** `iOS`, `Android`, `Windows`, … */
  os: z.string(),
  /** The browser, such as `WeChat` or `Chrome`. */
  app: z.string(),
  /** The network it logged in from, in part: `203.0.113.*`, or an IPv6 /48. */
  network: z.string(),
  created_at: z.int(),
  /** When it was last used, to an hour. */
  seen_at: z.int(),
  /** It made this call. */
  current: z.boolean(),
})
export type Device = Out<typeof device>

/** The devices of the caller, this one first, then the one used last. At most 100. */
export const listDevices = route({
  method: 'GET',
  path: '/api/v3/user/devices',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({ items: z.array(device) }),
  fails: [],
})

/**
 * Signs one device of the caller out: its token is no longer valid and its socket closes. One that is signed
 * out already is no failure.
 */
export const signOutDevice = route({
  method: 'POST',
  path: '/api/v3/user/sign-out-device',
  dialect: 'v3',
  who: 'person',
  input: z.object({ id: uuid }),
  answer: nothing,
  fails: [],
})

/** Signs out all devices of the caller but this one. */
export const signOutOthers = route({
  method: 'POST',
  path: '/api/v3/user/sign-out-others',
  dialect: 'v3',
  who: 'person',
  input: z.object({}),
  answer: z.object({ count: z.int() }),
  fails: [],
})
