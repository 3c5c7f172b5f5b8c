/** The variables of the service that reviews what people write and upload. */
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

export interface ContentReviewConfig {
  /** Null: there is none. */
  readonly service:
    | null
    | { readonly kind: 'local' }
    | {
        readonly kind: 'tencent'
        readonly secretId: string
        readonly secretKey: string
        readonly region: string
        /** Another address of the service; null: its own. */
        readonly endpoint: string | null
        /** Policies of its console; `''`: the standard ones. */
        readonly policies: { readonly text: string; readonly picture: string }
      }
  /** What becomes of what it does not judge in time. */
  readonly whenDown: 'hold' | 'pass'
}

const OF_TENCENT = [
  'CONTENT_REVIEW_SECRET_ID',
  'CONTENT_REVIEW_SECRET_KEY',
  'CONTENT_REVIEW_REGION',
  'CONTENT_REVIEW_TEXT_POLICY',
  'CONTENT_REVIEW_PICTURE_POLICY',
  'CONTENT_REVIEW_ENDPOINT',
] as const

/** @throws ConfigError naming the variable */
export function readContentReview(
  read: Read,
  { production }: { readonly production: boolean },
): ContentReviewConfig {
  const kind = read('CONTENT_REVIEW')
  const whenDown = read('CONTENT_REVIEW_DOWN') ?? 'hold'
  if (whenDown !== 'hold' && whenDown !== 'pass')
    throw new ConfigError(`CONTENT_REVIEW_DOWN must be hold or pass, not "${whenDown}".`)
  if (kind === 'tencent') return { service: readTencent(read), whenDown }
  const alone = OF_TENCENT.find((name) => read(name) !== null)
  if (alone) throw new ConfigError(`${alone} is set, but CONTENT_REVIEW is not tencent.`)
  if (kind === null) return { service: null, whenDown }
  if (kind !== 'local') throw new ConfigError(`CONTENT_REVIEW must be tencent or local, not "${kind}".`)
  if (production)
    throw new ConfigError('CONTENT_REVIEW is local, which is for development: set tencent, or leave it out.')
  return { service: { kind: 'local' }, whenDown }
}

function readTencent(read: Read) {
  const [secretId, secretKey] = [read('CONTENT_REVIEW_SECRET_ID'), read('CONTENT_REVIEW_SECRET_KEY')]
  if (secretId === null) throw missing('CONTENT_REVIEW_SECRET_ID')
  if (secretKey === null) throw missing('CONTENT_REVIEW_SECRET_KEY')
  return {
    kind: 'tencent' as const,
    secretId,
    secretKey,
    region: readName(read, 'CONTENT_REVIEW_REGION') || 'ap-guangzhou',
    endpoint: readAddress(read('CONTENT_REVIEW_ENDPOINT')),
    policies: {
      text: readName(read, 'CONTENT_REVIEW_TEXT_POLICY'),
      picture: readName(read, 'CONTENT_REVIEW_PICTURE_POLICY'),
    },
  }
}

const missing = (name: string) => new ConfigError(`CONTENT_REVIEW is tencent, but ${name} is missing.`)

function readName(read: Read, name: Parameters<Read>[0]): string {
  const value = read(name) ?? ''
  if (/^[\w-]{0,32}$/.test(value)) return value
  throw new ConfigError(`${name} must have at most 32 letters, digits, "_" and "-".`)
}

function readAddress(value: string | null): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin
  throw new ConfigError('CONTENT_REVIEW_ENDPOINT must be http:// or https:// with a host and no path.')
}
