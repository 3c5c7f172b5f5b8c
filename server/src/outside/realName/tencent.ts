/** Real names by Tencent Cloud's FaceID: IdCardVerification of version 2018-03-01. */
import { clock } from '../../kit/clock.ts'
import { fieldsIn, readAnswer, Unreadable } from '../answer.ts'
import { signTencent, type TencentAccount } from '../tencentSign.ts'
import type { RealNameService } from './realName.ts'

export const FACE_ID = { service: 'faceid', action: 'IdCardVerification', version: '2018-03-01' } as const
const ENDPOINT = 'https://faceid.tencentcloudapi.com'

/**
 * `-2` and `-3`: number or name cannot be one; `-5`: no such card. All other numbers are the service's own
 * problems.
 */
const MISMATCH = new Set(['-1', '-2', '-3', '-5'])
const CODE = /^-?[1-9]\d{0,5}$/
const SERVICE = 'the real name service'

/** `endpoint`: another address of the API. `send`: makes a request; by default over the network. */
export function openTencentRealName(
  account: TencentAccount,
  endpoint: string | null,
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
): RealNameService {
  return {
    async check(name, number, signal) {
      const url = new URL(endpoint ?? ENDPOINT)
      const body = JSON.stringify({ IdCard: number, Name: name })
      const contentType = 'application/json; charset=utf-8'
      const headers = {
        'content-type': contentType,
        'x-tc-action': FACE_ID.action,
        'x-tc-version': FACE_ID.version,
        ...signTencent(account, {
          service: FACE_ID.service,
          host: url.host,
          contentType,
          body,
          at: clock.now(),
        }),
      }
      const answer = await send(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      if (!answer.ok) throw new Error(`${SERVICE} answers with status ${answer.status}`)
      const { Error: error, Result } = fieldsIn((await readAnswer(SERVICE, answer)).Response)
      if (error) throw new Error(`${SERVICE} answers ${String(fieldsIn(error).Code).slice(0, 80)}`)
      const result = typeof Result === 'number' ? String(Result) : Result
      if (result === '0') return 'match'
      if (typeof result !== 'string' || !CODE.test(result))
        throw new Unreadable(`${SERVICE} answers without a result`)
      if (MISMATCH.has(result)) return 'mismatch'
      throw new Error(`${SERVICE} answers ${result}`)
    },
  }
}
