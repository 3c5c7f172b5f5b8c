/** The variables of real names. */
import { ConfigError } from './configError.ts'
import { readKey } from './keys.ts'
import type { Read } from './variables.ts'

export interface RealNameConfig {
  /** A user of Tencent Cloud that may ask FaceID; null: none, and outside of production a local service. */
  readonly tencent: { readonly secretId: string; readonly secretKey: string } | null
  /** Another address of the service; null: its own. */
  readonly endpoint: string | null
  /** Whether the local service is asked. */
  readonly isLocal: boolean
  /** 32 bytes; null: the key is in a file of the data directory. */
  readonly key: Buffer | null
}

/** @throws ConfigError naming the variable */
export function readRealName(
  read: Read,
  { production, isCluster }: { readonly production: boolean; readonly isCluster: boolean },
): RealNameConfig {
  const [secretId, secretKey] = [read('REAL_NAME_SECRET_ID'), read('REAL_NAME_SECRET_KEY')]
  if (secretId === null && secretKey !== null) throw lonely('REAL_NAME_SECRET_KEY', 'REAL_NAME_SECRET_ID')
  if (secretId !== null && secretKey === null) throw lonely('REAL_NAME_SECRET_ID', 'REAL_NAME_SECRET_KEY')
  const tencent = secretId !== null && secretKey !== null ? { secretId, secretKey } : null
  const endpoint = readAddress(read('REAL_NAME_ENDPOINT'))
  if (!tencent && endpoint !== null) throw lonely('REAL_NAME_ENDPOINT', 'REAL_NAME_SECRET_ID')
  const key = readKey('REAL_NAME_KEY', read)
  if (tencent && isCluster && !key)
    throw new ConfigError('REAL_NAME_SECRET_ID is set for several nodes, which need one REAL_NAME_KEY.')
  return { tencent, endpoint, key, isLocal: !(tencent || production || (isCluster && !key)) }
}

const lonely = (name: string, missing: string) =>
  new ConfigError(`${name} is set, but ${missing} is missing.`)

function readAddress(value: string | null): string | null {
  if (value === null) return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin
  throw new ConfigError('REAL_NAME_ENDPOINT must be http:// or https:// with a host and no path.')
}
