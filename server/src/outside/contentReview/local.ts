/**
 * A review service for development and tests, which answers as Tencent Cloud does and checks signatures.
 * Everything passes but for the words and colours below.
 */
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import { signTencent, type TencentAccount } from '../tencentSign.ts'
import { MODERATION_VERSION, PICTURES, TEXTS } from './tencent.ts'

/** What the service does with a text that has the word. */
export const LOCAL_REVIEW_WORDS = {
  block: '违规示例',
  review: '可疑示例',
  /** The service is out of order. */
  down: '审核故障',
  /** The service answers after twenty seconds. */
  slow: '审核缓慢',
} as const

/** What it says of a picture that is of one colour: red, green and blue, of which each is `high` or not. */
export const LOCAL_REVIEW_COLOURS = { block: '#ff0000', review: '#ffff00' } as const

const SLOW_MS = 20_000
/** Tencent Cloud refuses requests that are older, or from later. */
const CLOCK_MS = 5 * MINUTE_MS
const LABELS = { Pass: 'Normal', Review: 'Ad', Block: 'Porn' } as const
type Suggestion = keyof typeof LABELS

export function openLocalReview(account: TencentAccount) {
  return async (url: URL, init: RequestInit): Promise<Response> => {
    const body = String(init.body)
    const headers = new Headers(init.headers)
    const isText = headers.get('x-tc-action') === TEXTS.action
    const refusal = refusalOf(account, url, headers, body, isText ? TEXTS : PICTURES)
    if (refusal) return Response.json({ Response: { Error: { Code: refusal }, RequestId: 'local' } })
    const { Content = '', FileContent = '' } = JSON.parse(body) as Record<string, string>
    const text = Buffer.from(Content, 'base64').toString('utf8')
    if (text.includes(LOCAL_REVIEW_WORDS.down)) return new Response('Bad Gateway', { status: 502 })
    if (text.includes(LOCAL_REVIEW_WORDS.slow)) await slowly(init.signal)
    const suggestion = isText ? ofText(text) : await ofPicture(Buffer.from(FileContent, 'base64'))
    return Response.json({
      Response: { Suggestion: suggestion, Label: LABELS[suggestion], Score: 99, RequestId: 'local' },
    })
  }
}

function refusalOf(
  account: TencentAccount,
  url: URL,
  headers: Headers,
  body: string,
  { service, action }: typeof TEXTS | typeof PICTURES,
): string | null {
  if (headers.get('x-tc-action') !== action) return 'InvalidAction'
  if (headers.get('x-tc-version') !== MODERATION_VERSION) return 'NoSuchVersion'
  if (!headers.get('x-tc-region')) return 'MissingParameter'
  const at = Number(headers.get('x-tc-timestamp')) * SECOND_MS
  if (!(Math.abs(clock.now() - at) < CLOCK_MS)) return 'AuthFailure.SignatureExpire'
  const { authorization } = signTencent(account, {
    service,
    host: url.host,
    body,
    at,
    contentType: headers.get('content-type') ?? '',
  })
  return headers.get('authorization') === authorization ? null : 'AuthFailure.SignatureFailure'
}

function ofText(text: string): Suggestion {
  if (text.includes(LOCAL_REVIEW_WORDS.block)) return 'Block'
  return text.includes(LOCAL_REVIEW_WORDS.review) ? 'Review' : 'Pass'
}

const HIGH = 200
const LOW = 55

async function ofPicture(bytes: Buffer): Promise<Suggestion> {
  // Loaded in development alone: a server decodes pictures in processes of their own.
  const { default: sharp } = await import('sharp')
  const { channels } = await sharp(bytes).removeAlpha().toColourspace('srgb').stats()
  const [red, green, blue] = channels.map(({ mean }) => mean)
  if (!(red! > HIGH && blue! < LOW)) return 'Pass'
  if (green! < LOW) return 'Block'
  return green! > HIGH ? 'Review' : 'Pass'
}

/** @throws the signal's reason */
const slowly = (signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(resolve, SLOW_MS)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
