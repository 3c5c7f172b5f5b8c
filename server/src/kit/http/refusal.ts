/**
 * Refusals: every error of a request becomes an answer of the failure catalogue. protocol.md §1.3 and §1.4,
 * chat.md §8.
 */
import type { Way } from '@guildhall/wire/auth/ways.ts'
import { Failure, type FailureName, failures, isFrameworkFailure } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import type { Dialect, Route } from '@guildhall/wire/route.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../database/db.ts'
import type { Log } from '../log.ts'
import { bucketOf, type CallRateLimit } from './rateLimit.ts'
import { mediaTypes, sendJson } from './reply.ts'
import { localeOf } from './request.ts'
import { httpText } from './text.ts'

/** Answers a request with the refusal of an error. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  route?: Route,
) => FastifyReply

/**
 * The only place where an error becomes an answer. Bugs and outages are logged. `ways`: by what one registers
 * and logs in, for the words.
 */
export const refuseWith =
  (log: Log, rateLimit: CallRateLimit, ways?: readonly Way[]): Refuse =>
  (request, reply, error, route) => {
    // The client left before it had sent everything: nobody reads the answer, and the error is not the
    // server's.
    const hasLeft = request.raw.destroyed && !request.raw.complete
    const failure = hasLeft ? new Failure('bad_input') : asFailure(error)
    request.failure = failure.failure
    if (failure.failure === 'internal' || failure.failure === 'unavailable') {
      log.error(
        { err: error, request: request.id, method: request.method, route: request.routeOptions.url },
        'failed',
      )
    }
    const dialect = route?.dialect ?? dialectOf(request.url)
    const locale = localeOf(request)
    if (!dialect) {
      const { status } = failures[failure.failure]
      return reply
        .code(status)
        .type(mediaTypes.text)
        .header('cache-control', 'no-store')
        .send(failureText(failure.failure, locale))
    }
    if (dialect === 'v3')
      rateLimit.describe(reply, bucketOf(route?.path ?? request.url.split('?')[0]!), failure)
    return sendJson(
      reply,
      statusOf(failure.failure, dialect),
      refusalBody(failure, dialect, textOf(failure, dialect, locale, ways), locale, route),
    )
  }

function dialectOf(url: string): Dialect | null {
  if (/^\/api\/v2(?:[/?]|$)/.test(url)) return 'v2'
  return /^\/api(?:[/?]|$)/.test(url) ? 'v3' : null
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return new Failure('too_large')
  if (code?.startsWith('FST_') && statusCode === 400) return new Failure('bad_input')
  if (statusCode === 403 || statusCode === 404) return new Failure('not_found')
  return new Failure(isUnavailable(error) ? 'unavailable' : 'internal')
}

const statusOf = (name: FailureName, dialect: Dialect): number =>
  dialect === 'v2' || isFrameworkFailure(name) ? failures[name].status : 200

const statusNames: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/**
 * The words of a refusal. The public protocol has its own for a missing or wrong credential. protocol.md
 * §1.4.
 */
const textOf = (
  { failure, detail }: Failure,
  dialect: Dialect,
  locale: Locale,
  ways: readonly Way[] | undefined,
): string =>
  dialect === 'v3' && failure === 'not_logged_in'
    ? httpText[locale].badCredential
    : failureText(failure, locale, detail, ways)

/**
 * The body of a refusal in a dialect. On auth calls `message` holds the form's errors by field. chat.md §8.
 */
function refusalBody(
  failure: Failure,
  dialect: Dialect,
  text: string,
  locale: Locale,
  route?: Route,
): object {
  const name = failure.failure
  const { code, status, field } = failures[name]
  const { errors: reasons, fields, ...extra } = failure.detail
  // A rule names the fields that do not fit; the text for them is added here.
  const given = Array.isArray(fields)
    ? Object.fromEntries(fields.map((each) => [String(each), httpText[locale].format]))
    : reasons
  const errors = (given ?? (field ? { [field]: text } : undefined)) as Record<string, string> | undefined
  const isForm = errors !== undefined && route !== undefined && /^\/api\/v\d\/auth\//.test(route.path)
  const textWithFields =
    errors && given
      ? `${text}: ${Object.entries(errors)
          .map((each) => each.join(' '))
          .join(', ')}`
      : text
  const data = {
    error: name,
    ...(errors ? { errors } : {}),
    ...(typeof extra.sign === 'string' ? { sign: extra.sign } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
    ...(isFrameworkFailure(name) ? { name: statusNames[status] ?? 'Error', status } : {}),
  }
  const message = isForm ? errors : textWithFields
  return dialect === 'v3' ? { code, message, data } : { ...data, code, message, error: name, data }
}
