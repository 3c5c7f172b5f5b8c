/** Codes by Alibaba Cloud's SMS: SendSms of dysmsapi 2017-05-25, requests signed with ACS3-HMAC-SHA256. */
import { createHash, createHmac } from 'node:crypto'
import { CHINA } from '@guildhall/wire/auth/mobile.ts'
import type { AliyunSms } from '../../config.ts'
import { clock } from '../../kit/clock.ts'
import { ids } from '../../kit/ids.ts'
import { readAnswer } from '../answer.ts'
import { judgeCode, type SmsProvider } from './sms.ts'

const ENDPOINT = 'https://dysmsapi.aliyuncs.com'
const ALGORITHM = 'ACS3-HMAC-SHA256'

/** Refusals that concern the number; all others concern the account, the template or the load. */
const OF_NUMBER =
  /^isv\.(?:MOBILE_NUMBER_ILLEGAL|MOBILE_COUNT_OVER_LIMIT|BUSINESS_LIMIT_CONTROL|BLACK_KEY_CONTROL_LIMIT|DAY_LIMIT_CONTROL)$/
/** The provider's own errors, which pass. */
const PASSING = /^(?:isp\.SYSTEM_ERROR|InternalError|ServiceUnavailable)/

/** `endpoint`: another address of the API. */
export function openAliyunSms(input: AliyunSms, endpoint: string | null): SmsProvider {
  return {
    name: input.name,
    async send({ prefix, mobile, code }, signal) {
      const isAbroad = prefix !== CHINA
      const url = new URL(endpoint ?? ENDPOINT)
      const query = {
        PhoneNumbers: isAbroad ? prefix + mobile : mobile,
        SignName: input.signName,
        TemplateCode: isAbroad ? input.templateAbroad : input.templateCode,
        TemplateParam: JSON.stringify({ code }),
      }
      const headers = signAliyun(input, {
        method: 'POST',
        host: url.host,
        path: url.pathname,
        query,
        body: '',
        action: 'SendSms',
        version: '2017-05-25',
        nonce: ids.uuid(),
        at: clock.now(),
      })
      url.search = encodeQuery(query)
      const answer = await fetch(url, {
        method: 'POST',
        // Its older interface answers in XML to who does not ask for JSON.
        headers: { ...headers, accept: 'application/json' },
        signal,
        redirect: 'error',
      })
      const { Code } = await readAnswer(input.name, answer)
      judgeCode(Code, { name: input.name, ofNumber: OF_NUMBER, passing: PASSING })
    },
  }
}

/** A request to be signed. */
export interface AliyunRequest {
  readonly method: string
  /** With the port, where it is not the scheme's. */
  readonly host: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: string
  readonly action: string
  readonly version: string
  readonly nonce: string
  /** ms */
  readonly at: number
}

/** The headers of a signed request, beside `host`. Alibaba Cloud: "V3 request structure and signature". */
export function signAliyun(
  { accessKeyId, accessKeySecret }: Pick<AliyunSms, 'accessKeyId' | 'accessKeySecret'>,
  input: AliyunRequest,
): Record<string, string> {
  const bodyHash = sha256(input.body)
  const headers: Record<string, string> = {
    'x-acs-action': input.action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': new Date(input.at).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': input.nonce,
    'x-acs-version': input.version,
  }
  const signed = Object.entries({ host: input.host, ...headers }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const request = [input.method, input.path, encodeQuery(input.query), lines, names, bodyHash].join('\n')
  const signature = createHmac('sha256', accessKeySecret)
    .update(`${ALGORITHM}\n${sha256(request)}`)
    .digest('hex')
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${accessKeyId},SignedHeaders=${names},Signature=${signature}`,
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .sort(byName)
    .map((pair) => pair.map(encode).join('='))
    .join('&')

/** Percent-encoding by RFC 3986, which leaves fewer characters than the language's own. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : a > b ? 1 : 0
