/** How requests to Tencent Cloud's API 3.0 are signed: TC3-HMAC-SHA256. */
import { createHash, createHmac } from 'node:crypto'
import { SECOND_MS } from '@guildhall/wire/unit.ts'

const ALGORITHM = 'TC3-HMAC-SHA256'

/** A user of Tencent Cloud. */
export interface TencentAccount {
  readonly secretId: string
  readonly secretKey: string
}

/** A POST request of `/` to be signed. */
export interface TencentRequest {
  readonly service: string
  /** With the port, where it is not the scheme's. */
  readonly host: string
  readonly contentType: string
  readonly body: string
  /** ms */
  readonly at: number
}

/** The headers `x-tc-timestamp` and `authorization`. Tencent Cloud: "Signature method v3". */
export function signTencent(
  { secretId, secretKey }: TencentAccount,
  input: TencentRequest,
): Record<string, string> {
  const seconds = String(Math.floor(input.at / SECOND_MS))
  const date = new Date(input.at).toISOString().slice(0, 10)
  const names = 'content-type;host'
  const lines = `content-type:${input.contentType}\nhost:${input.host}\n`
  const request = ['POST', '/', '', lines, names, sha256(input.body)].join('\n')
  const scope = `${date}/${input.service}/tc3_request`
  const key = [date, input.service, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `TC3${secretKey}`,
  )
  const signature = createHmac('sha256', key)
    .update([ALGORITHM, seconds, scope, sha256(request)].join('\n'))
    .digest('hex')
  return {
    'x-tc-timestamp': seconds,
    authorization: `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
