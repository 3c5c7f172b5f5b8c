/**
 * Parts of messages in the form of the public protocol, for v3 calls and bots' connections. protocol.md §3.2,
 * §5.6.
 */

import { SECOND_MS } from '../unit.ts'
import { publicUser } from '../user/public.ts'
import type { User } from '../user/shown.ts'
import { kindNumber, kindOf } from './kind.ts'

/** A specification's type number in the public protocol; an unknown one is kept. protocol.md §9.3. */
export function publicType(type: number): number {
  const kind = kindOf(type, 'specification')
  return kind ? kindNumber(kind, 'public') : type
}

/** A stored quote, or null: its type and its author are rewritten. */
export function publicQuote(quote: unknown): unknown {
  if (typeof quote !== 'object' || quote === null) return null
  const { type, author, ...rest } = quote as { type?: unknown; author?: unknown }
  return {
    ...rest,
    type: typeof type === 'number' ? publicType(type) : type,
    author: typeof author === 'object' && author !== null ? publicUser(author as User) : author,
  }
}

/** The attachments of a message, or null: `fileUrl` exists in v2 only, and durations are in seconds. */
export function publicAttachments(attachments: unknown): unknown {
  if (typeof attachments !== 'object' || attachments === null) return null
  const { fileUrl: _, duration, ...rest } = attachments as Record<string, unknown>
  return typeof duration === 'number' ? { ...rest, duration: duration / SECOND_MS } : rest
}

/**
 * The body of a system event: those of edited messages contain a quote and attachments; all others are
 * unchanged.
 */
export function publicBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { quote, attachments } = body as { quote?: unknown; attachments?: unknown }
  return {
    ...body,
    ...(quote !== undefined && { quote: publicQuote(quote) }),
    ...(attachments !== undefined && { attachments: publicAttachments(attachments) }),
  }
}
