/** Codes by Tencent Cloud's SMS: SendSms of version 2021-01-11, requests signed with TC3-HMAC-SHA256. */
import { createHash, createHmac } from 'node:crypto'
import { CHINA } from '@guildhall/wire/auth/mobile.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { TencentSms } from '../config.ts'
import { clock } from '../kit/clock.ts'
import { readAnswer, type SmsProvider, SmsRefused } from './sms.ts'

const ENDPOINT = 'https://sms.tencentcloudapi.com'
const ALGORITHM = 'TC3-HMAC-SHA256'
const REGION = 'ap-guangzhou'

/** Refusals that concern the number; all others concern the account, the template or the load. */
const OF_NUMBER =
  /^(?:FailedOperation\.PhoneNumber\w*|InvalidParameterValue\.IncorrectPhoneNumber|LimitExceeded\.PhoneNumber\w*|UnsupportedOperation\.\w*PhoneNumber\w*)$/
/** The provider's own errors, which pass. */
const PASSING = /^InternalError/

interface Answer {
  readonly Response?: {
    readonly Error?: { readonly Code?: unknown }
    readonly SendStatusSet?: readonly { readonly Code?: unknown }[]
  }
}

/** `endpoint`: another address of the API. */
export function openTencentSms(it: TencentSms, endpoint: string | null): SmsProvider {
  return {
    name: it.name,
    async send({ prefix, mobile, code }, signal) {
      const isAbroad = prefix !== CHINA
      const url = new URL(endpoint ?? ENDPOINT)
      const body = JSON.stringify({
        PhoneNumberSet: [`+${prefix}${mobile}`],
        SmsSdkAppId: it.appId,
        SignName: isAbroad ? '' : it.signName,
        TemplateId: isAbroad ? it.templateAbroad : it.templateId,
        TemplateParamSet: [code],
      })
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-tc-action': 'SendSms',
        'x-tc-region': REGION,
        'x-tc-version': '2021-01-11',
      }
      const signed = signTencent(it, {
        ...{ service: 'sms', host: url.host, body, at: clock.now() },
        contentType: headers['content-type'],
      })
      const answer = (await readAnswer(
        it.name,
        await fetch(url, {
          method: 'POST',
          headers: { ...headers, ...signed },
          body,
          signal,
          redirect: 'error',
        }),
      )) as Answer | null
      const { Error: error, SendStatusSet: states } = answer?.Response ?? {}
      const result = String((error ?? states?.[0])?.Code ?? '')
      if (!error && result === 'Ok') return
      if (PASSING.test(result)) throw new Error(`${it.name} answers ${result}`)
      throw new SmsRefused(OF_NUMBER.test(result) ? 'number' : 'provider', it.name, result)
    },
  }
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
  { secretId, secretKey }: Pick<TencentSms, 'secretId' | 'secretKey'>,
  it: TencentRequest,
): Record<string, string> {
  const seconds = String(Math.floor(it.at / SECOND_MS))
  const date = new Date(it.at).toISOString().slice(0, 10)
  const names = 'content-type;host'
  const lines = `content-type:${it.contentType}\nhost:${it.host}\n`
  const request = ['POST', '/', '', lines, names, sha256(it.body)].join('\n')
  const scope = `${date}/${it.service}/tc3_request`
  const key = [date, it.service, 'tc3_request'].reduce<string | Buffer>(
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
