/**
 * A real name service for development and tests, which answers as Tencent Cloud does and checks signatures.
 * Everybody exists and has the name they say, except for the names below.
 */
import { isIdNumber, isRealName } from '@guildhall/wire/realname/realname.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import { signTencent, type TencentAccount } from '../tencentSign.ts'
import { FACE_ID } from './tencent.ts'

/** What the service does for somebody of that name. */
export const LOCAL_NAMES = {
  /** The number is somebody else's. */
  mismatch: '冒名',
  /** There is no such card. */
  unknown: '无此人',
  /** The service is out of order. */
  down: '服务故障',
  /** The service answers after twenty seconds. */
  slow: '响应缓慢',
} as const

const SLOW_MS = 20_000
/** Tencent Cloud refuses requests that are older, or from later. */
const CLOCK_MS = 5 * MINUTE_MS

export function openLocalRealName(account: TencentAccount) {
  return async (url: URL, init: RequestInit): Promise<Response> => {
    const body = String(init.body)
    const headers = new Headers(init.headers)
    const refusal = refusalOf(account, url, headers, body)
    if (refusal) return Response.json({ Response: { Error: { Code: refusal }, RequestId: 'local' } })
    const { Name: name, IdCard: number } = JSON.parse(body) as Record<string, string>
    if (name === LOCAL_NAMES.down) return new Response('Bad Gateway', { status: 502 })
    if (name === LOCAL_NAMES.slow) await slowly(init.signal)
    return Response.json({ Response: { Result: resultOf(name ?? '', number ?? ''), RequestId: 'local' } })
  }
}

function refusalOf(account: TencentAccount, url: URL, headers: Headers, body: string): string | null {
  if (headers.get('x-tc-action') !== FACE_ID.action) return 'InvalidAction'
  if (headers.get('x-tc-version') !== FACE_ID.version) return 'NoSuchVersion'
  const at = Number(headers.get('x-tc-timestamp')) * SECOND_MS
  if (!(Math.abs(clock.now() - at) < CLOCK_MS)) return 'AuthFailure.SignatureExpire'
  const { authorization } = signTencent(account, {
    service: FACE_ID.service,
    host: url.host,
    body,
    at,
    contentType: headers.get('content-type') ?? '',
  })
  return headers.get('authorization') === authorization ? null : 'AuthFailure.SignatureFailure'
}

function resultOf(name: string, number: string): string {
  if (!isIdNumber(number, clock.now())) return '-2'
  if (!isRealName(name)) return '-3'
  if (name === LOCAL_NAMES.mismatch) return '-1'
  return name === LOCAL_NAMES.unknown ? '-5' : '0'
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
