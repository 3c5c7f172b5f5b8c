/** The log, without secrets. */
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

export type Log = Logger

const SECRET_KEYS = new Set(
  ['authorization', 'cookie', 'password', 'password_hash', 'code', 'token', 'mobile', 'phone'].flatMap(
    (key) => [key, `set-${key}`, `x-${key}`],
  ),
)
const HIDDEN = '[hidden]'
const DEEPEST = 8

/**
 * The server's log. `json`: one JSON object a line on stdout, from level info. `quiet`: only warnings and
 * errors, for a person at a terminal. Values of secret keys (authorization, password, code, token, mobile …)
 * are hidden at any depth and in the parameters of URLs.
 */
export function openLog(style: 'json' | 'quiet', out: NodeJS.WritableStream = process.stdout): Log {
  return pino(
    {
      level: style === 'json' ? 'info' : 'warn',
      base: null,
      timestamp: () => `,"at":${Date.now()}`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (entry) => hideSecrets(entry) as Record<string, unknown>,
      },
      serializers: { err: describeError, error: describeError, req: describeRequest, res: describeReply },
    },
    style === 'json' ? out : readable(out),
  )
}

/**
 * A copy of plain data with every secret replaced. Errors and other class instances are left to their
 * serializer.
 */
export function hideSecrets(value: unknown, depth = 0): unknown {
  if (Array.isArray(value))
    return depth < DEEPEST ? value.map((each) => hideSecrets(each, depth + 1)) : HIDDEN
  if (!isPlain(value)) return value
  if (depth >= DEEPEST) return HIDDEN
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (SECRET_KEYS.has(key.toLowerCase())) return [key, inner === undefined ? undefined : HIDDEN]
      if (key === 'url' && typeof inner === 'string') return [key, hideUrlSecrets(inner)]
      return [key, hideSecrets(inner, depth + 1)]
    }),
  )
}

/** The same URL with the values of secret parameters replaced. */
export function hideUrlSecrets(url: string): string {
  return url.replace(/([?&;]([^=&;#]+)=)([^&;#]*)/g, (whole, before: string, name: string) => {
    const key = URL.canParse(`x:?${name}`) ? decodeName(name) : name
    return SECRET_KEYS.has(key.toLowerCase()) ? before + HIDDEN : whole
  })
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// Only the fields that locate the bug: a database error's `detail` quotes the row, which may contain a phone
// number.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return hideSecrets(error)
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: name, message, code, stack, cause }
}

function describeRequest(request: unknown): unknown {
  const { id, method, url } = request as { id?: unknown; method?: unknown; url?: unknown }
  return { id, method, url: typeof url === 'string' ? hideUrlSecrets(url) : undefined }
}

function describeReply(reply: unknown): unknown {
  return { status: (reply as { statusCode?: unknown }).statusCode }
}

/** Turns JSON lines into `12:30:59 warn message (why)`. */
function readable(out: NodeJS.WritableStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      out.write(readableLine(String(line)), () => done())
    },
  })
}

function readableLine(line: string): string {
  const { at, level, msg, err } = JSON.parse(line) as {
    at: number
    level: string
    msg?: string
    err?: { message?: string; stack?: string }
  }
  const time = new Date(at).toTimeString().slice(0, 8)
  const why = err?.message && err.message !== msg ? ` (${err.message})` : ''
  const where =
    level === 'error' || level === 'fatal' ? (err?.stack?.split('\n').slice(1, 4).join('\n') ?? '') : ''
  return `${time} ${level} ${msg ?? ''}${why}\n${where && `${where}\n`}`
}
