/**
 * What services outside answer, as JSON. A proxy in between answers with a page or with nothing, some
 * services begin with a mark of the byte order, and what should be an object may be null: none of that is an
 * answer, and none of it throws here.
 */

/**
 * The service answered, and it cannot be read whether it did what it was asked for. The message has nothing
 * of the answer.
 */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** The value of JSON in UTF-8; null for what is none. */
export function jsonOf(answer: Uint8Array | string): unknown {
  try {
    const text =
      typeof answer === 'string' ? answer : new TextDecoder('utf-8', { fatal: true }).decode(answer)
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

/** The object of JSON in UTF-8; null for what is none. */
export function objectOf(answer: Uint8Array | string): Readonly<Record<string, unknown>> | null {
  const value = jsonOf(answer)
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null
}

/** The members of what should be an object, or a list; none of anything else. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/**
 * The object that a service answers with.
 * @throws Unreadable for an answer with status 200 that is none, Error for another status without one, and
 *   for one from 500
 */
export async function readAnswer(
  service: string,
  answer: Response,
): Promise<Readonly<Record<string, unknown>>> {
  const read = objectOf(await answer.text())
  if (read && answer.status < 500) return read
  const said = `${service} answers with status ${answer.status}`
  throw answer.ok ? new Unreadable(`${said}, and not with JSON`) : new Error(said)
}
