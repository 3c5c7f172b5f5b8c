/** The frames of the gateway. protocol.md §2.3. */
import { int, type Out, z } from '../schema.ts'

export const signal = {
  event: 0,
  hello: 1,
  ping: 2,
  pong: 3,
  resume: 4,
  reconnect: 5,
  resumeAck: 6,
  /** An extension, from a page: the guild it shows. Events of other guilds may be up to a second late. */
  focus: 7,
} as const

/** Codes of a refused hello and of a demand to reconnect. protocol.md §1.4. */
export const gatewayCode = {
  ok: 0,
  missingArgument: 40100,
  badToken: 40101,
  tokenCheckFailed: 40102,
  tokenExpired: 40103,
  missingResumeArgument: 40106,
  sessionExpired: 40107,
  badSn: 40108,
} as const

/** `d` of an event. `extra` depends on the type. protocol.md §3.1. */
export const eventData = z.looseObject({
  channel_type: z.string(),
  type: z.number(),
  target_id: z.string(),
  author_id: z.string(),
  content: z.string(),
  msg_id: z.string(),
  msg_timestamp: z.number(),
  nonce: z.string(),
  /** Always 1. Of the public protocol, which does not say what it means. */
  from_type: z.optional(z.number()),
  extra: z.looseObject({}),
})
export type EventData = Out<typeof eventData>

const session_id = z.optional(z.string())
/**
 * What the server sends, the most frequent first. Both spellings of the session id, for people. protocol.md
 * §9.4. A plain union: every page would load half a kilobyte more for a discriminated one.
 */
export const serverFrame = z.union([
  z.object({ s: z.literal(0), sn: int(1), d: eventData }),
  z.object({ s: z.literal(1), d: z.object({ code: z.number(), session_id, sessionId: session_id }) }),
  z.object({ s: z.literal(3) }),
  z.object({ s: z.literal(5), d: z.object({ code: z.number(), err: z.optional(z.string()) }) }),
  /** With a session id it ends a replay; without one it requests a ping. */
  z.object({ s: z.literal(6), d: z.optional(z.object({ session_id, sessionId: session_id })) }),
])
export type ServerFrame = Out<typeof serverFrame>
export type EventFrame = Extract<ServerFrame, { s: 0 }>

/** What a client sends; other signals are ignored. */
export const clientFrame = z.object({
  s: z.number(),
  sn: z.optional(int()),
  /** Of `focus`: null when the page shows no guild. */
  d: z.optional(z.looseObject({ guild_id: z.optional(z.nullable(z.string())) })),
})
export type ClientFrame = Out<typeof clientFrame>

/** The type number of system events. protocol.md §3.1. */
export const SYSTEM_EVENT = 255

/** The gateway address with the parameters of a resume. protocol.md §2.2. */
export const resumeUrl = (url: string, sn: number, sessionId: string): string =>
  `${url}&resume=1&sn=${sn}&session_id=${encodeURIComponent(sessionId)}&sessionId=${encodeURIComponent(sessionId)}`
