/**
 * The input of a JSON call: path, query and body merged, parsed with the route's schema. protocol.md §1.1.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { Route } from '@guildhall/wire/route.ts'
import type { FastifyRequest } from 'fastify'
import { httpText } from './text.ts'

/**
 * Parses the input of a call. Path parameters precede the query, the query precedes the body; unknown keys
 * are dropped.
 * @throws Failure bad_input (detail.errors by field)
 */
export function readInput(
  route: Route,
  request: FastifyRequest,
  body: Readonly<Record<string, unknown>>,
  locale: Locale,
): unknown {
  const merged: Record<string, unknown> = {
    ...body,
    ...(request.query as Record<string, unknown>),
    ...(request.params as Record<string, unknown>),
  }
  for (const [key, value] of Object.entries(merged)) if (typeof value === 'string') merged[key] = clean(value)
  const parsed = route.input.safeParse(merged)
  if (parsed.success) return parsed.data
  const errors: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '')
    errors[field] ??= reasonOf(issue, merged[field] === undefined, locale)
  }
  throw fail('bad_input', { errors })
}

/** The path and query parameters that are strings, cleaned. */
export function readParams(request: FastifyRequest): Readonly<Record<string, string>> {
  const query = request.query as Record<string, unknown>
  return Object.fromEntries(
    Object.entries({ ...query, ...(request.params as Record<string, unknown>) })
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([key, value]) => [key, clean(value)]),
  )
}

/**
 * The JSON object of a body; an empty body is an empty object.
 * @throws Failure bad_json, bad_input
 */
export function parseBody(body: unknown, locale: Locale): Record<string, unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) return {}
  const text = body.toString('utf8').trim()
  if (text === '') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw fail('bad_json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw fail('bad_input', { errors: { body: httpText[locale].notObject } })
  }
  return parsed as Record<string, unknown>
}

/** Removes what cannot be stored: PostgreSQL has no NUL in text, UTF-8 no lone surrogates. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

interface Issue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly origin?: unknown
  readonly maximum?: unknown
  readonly minimum?: unknown
  readonly values?: unknown
}

function reasonOf(issue: Issue, isMissing: boolean, locale: Locale): string {
  const text = httpText[locale]
  if (isMissing) return text.missing
  if (issue.code === 'invalid_type') return text.wrongType(String(issue.expected))
  if (issue.code === 'too_big') {
    return issue.origin === 'string'
      ? text.tooLong(Number(issue.maximum))
      : text.tooBig(Number(issue.maximum))
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? text.tooShort(Number(issue.minimum))
      : text.tooSmall(Number(issue.minimum))
  }
  if (issue.code === 'invalid_value' && Array.isArray(issue.values))
    return text.choices(issue.values.join(' / '))
  return text.format
}
