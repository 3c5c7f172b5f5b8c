/**
 * The SMS interfaces of Alibaba Cloud and Tencent Cloud on this machine: verifies every request as theirs do,
 * refuses wrong signatures, stale times and repeated nonces, and keeps what it accepted. Written after their
 * documents, not after our code.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { listenHere } from '../listen.ts'

/** The secrets and approvals that the server knows. */
export const smsAccount = {
  aliyun: {
    name: 'aliyun',
    accessKeyId: 'LTAI-test',
    accessKeySecret: 'aliyun-secret-of-the-test',
    signName: '公会厅',
    templateCode: 'SMS_1000',
    templateAbroad: 'SMS_2000',
  },
  tencent: {
    name: 'tencent',
    secretId: 'AKID-test',
    secretKey: 'tencent-secret-of-the-test',
    appId: '1400000000',
    signName: '公会厅',
    templateId: '3000',
    templateAbroad: '4000',
  },
} as const

/** The variables of a server that sends by both companies through a local one at `url`. */
export const smsVariables = (url: string): Readonly<Record<string, string>> => ({
  SMS_PROVIDER: 'aliyun',
  SMS_PROVIDER_2: 'tencent',
  SMS_ENDPOINT: url,
  ALIYUN_ACCESS_KEY_ID: smsAccount.aliyun.accessKeyId,
  ALIYUN_ACCESS_KEY_SECRET: smsAccount.aliyun.accessKeySecret,
  ALIYUN_SMS_SIGN_NAME: smsAccount.aliyun.signName,
  ALIYUN_SMS_TEMPLATE_CODE: smsAccount.aliyun.templateCode,
  TENCENT_SECRET_ID: smsAccount.tencent.secretId,
  TENCENT_SECRET_KEY: smsAccount.tencent.secretKey,
  TENCENT_SMS_APP_ID: smsAccount.tencent.appId,
  TENCENT_SMS_SIGN_NAME: smsAccount.tencent.signName,
  TENCENT_SMS_TEMPLATE_ID: smsAccount.tencent.templateId,
})

/** A message that was accepted. `to` is the number as the provider was given it. */
export interface AcceptedSms {
  readonly provider: 'aliyun' | 'tencent'
  readonly to: string
  readonly code: string
  readonly template: string
  readonly signName: string
}

/**
 * What a provider does instead of answering: refuses with a code, answers with a status, hangs up, or stays
 * silent.
 */
export type FaultMode =
  | { readonly code: string }
  | { readonly status: number; readonly body?: string }
  | 'hang up'
  | 'silent'

export interface SmsServer {
  readonly url: string
  readonly accepted: readonly AcceptedSms[]
  /** Requests with a good signature, refused ones included. */
  readonly asked: readonly ('aliyun' | 'tencent')[]
  /** The Accept headers of all requests. */
  readonly accepts: readonly string[]
  /** The next requests of a provider meet these faults, one each; `always` the last one for ever. */
  faultMode(provider: 'aliyun' | 'tencent', faultModes: readonly FaultMode[], always?: boolean): void
  /** The newest code for a number. */
  codeFor(mobile: string): string
  close(): Promise<void>
}

interface Asked {
  readonly request: IncomingMessage
  readonly url: URL
  readonly body: string
  readonly nonces: Set<string>
}
type Judged = { readonly error: string } | Omit<AcceptedSms, 'provider'>

export async function openSmsServer(): Promise<SmsServer> {
  const accepted: AcceptedSms[] = []
  const asked: ('aliyun' | 'tencent')[] = []
  const accepts: string[] = []
  const nonces = new Set<string>()
  const faultModes = { aliyun: [] as FaultMode[], tencent: [] as FaultMode[] }
  const fixed = new Set<string>()
  const server = createServer((request, reply) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body = Buffer.concat(parts).toString('utf8')
      accepts.push(request.headers.accept ?? '')
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const provider = 'x-tc-action' in request.headers ? 'tencent' : 'aliyun'
      const judge = provider === 'tencent' ? judgeTencent : judgeAliyun
      const judged = judge({ request, url, body, nonces })
      const answer = (status: number, json: unknown) => {
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      }
      const say = { aliyun: sayAliyun, tencent: sayTencent }[provider]
      if ('error' in judged) return answer(provider === 'aliyun' ? 400 : 200, say(judged.error))
      asked.push(provider)
      const faultMode = fixed.has(provider) ? faultModes[provider].at(-1) : faultModes[provider].shift()
      if (faultMode === 'silent') return
      if (faultMode === 'hang up') return void request.socket.destroy()
      if (faultMode && 'status' in faultMode)
        return void reply.writeHead(faultMode.status).end(faultMode.body ?? '<html>not now</html>')
      if (faultMode) return answer(200, say(faultMode.code))
      accepted.push({ provider, ...judged })
      answer(200, say(null))
    })()
  })
  const url = await listenHere(server)
  return {
    url,
    accepted,
    asked,
    accepts,
    faultMode(provider, next, always = false) {
      faultModes[provider] = [...next]
      if (always) fixed.add(provider)
      else fixed.delete(provider)
    },
    codeFor(mobile) {
      const found = accepted.findLast(({ to }) => to.endsWith(mobile))
      if (!found) throw new Error(`no message was sent to ${mobile}`)
      return found.code
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const sayAliyun = (code: string | null) => ({
  Code: code ?? 'OK',
  Message: 'said',
  RequestId: 'R',
  BizId: 'B',
})

const sayTencent = (code: string | null) => ({
  Response:
    code && !/^(?:FailedOperation|LimitExceeded)\./.test(code)
      ? { Error: { Code: code, Message: 'said' }, RequestId: 'R' }
      : {
          SendStatusSet: [{ Code: code ?? 'Ok', Message: 'said', SerialNo: 'S', Fee: code ? 0 : 1 }],
          RequestId: 'R',
        },
})

function judgeAliyun({ request, url, body, nonces }: Asked): Judged {
  const { aliyun } = smsAccount
  const header = (name: string) => String(request.headers[name] ?? '')
  const said = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    header('authorization'),
  )
  if (said?.[1] !== aliyun.accessKeyId) return { error: 'InvalidAccessKeyId.NotFound' }
  const names = said[2]!.split(';')
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-acs-'))].sort()
  if (names.join() !== needed.join()) return { error: 'MissingParameter' }
  if (header('x-acs-content-sha256') !== hex(body)) return { error: 'IncompleteSignature' }
  const pairs = (url.search.slice(1) === '' ? [] : url.search.slice(1).split('&')).sort()
  let canonical = `${request.method}\n${url.pathname}\n${pairs.join('&')}\n`
  for (const name of names) canonical += `${name}:${header(name).trim()}\n`
  canonical += `\n${names.join(';')}\n${hex(body)}`
  const wanted = mac(aliyun.accessKeySecret, `ACS3-HMAC-SHA256\n${hex(canonical)}`).toString('hex')
  if (wanted !== said[3]) return { error: 'SignatureDoesNotMatch' }
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(header('x-acs-date')))
    return { error: 'InvalidTimeStamp.Format' }
  if (Math.abs(Date.parse(header('x-acs-date')) - Date.now()) > 15 * 60_000)
    return { error: 'InvalidTimeStamp.Expired' }
  const nonce = header('x-acs-signature-nonce')
  if (nonce === '' || nonces.has(nonce)) return { error: 'SignatureNonceUsed' }
  nonces.add(nonce)
  if (header('x-acs-action') !== 'SendSms' || header('x-acs-version') !== '2017-05-25')
    return { error: 'InvalidAction.NotFound' }
  const [to, template, signName] = ['PhoneNumbers', 'TemplateCode', 'SignName'].map(
    (name) => url.searchParams.get(name) ?? '',
  ) as [string, string, string]
  const isChinese = /^1\d{10}$/.test(to)
  if (template !== (isChinese ? aliyun.templateCode : aliyun.templateAbroad))
    return { error: 'isv.SMS_TEMPLATE_ILLEGAL' }
  if (signName !== aliyun.signName) return { error: 'isv.SMS_SIGNATURE_ILLEGAL' }
  const { code } = JSON.parse(url.searchParams.get('TemplateParam') ?? '{}') as { code?: string }
  return code ? { to, code, template, signName } : { error: 'isv.TEMPLATE_MISSING_PARAMETERS' }
}

function judgeTencent({ request, body }: Asked): Judged {
  const { tencent } = smsAccount
  const header = (name: string) => String(request.headers[name] ?? '')
  const said =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    )
  if (said?.[1] !== tencent.secretId) return { error: 'AuthFailure.SecretIdNotFound' }
  const [, , date, names, signature] = said as unknown as [string, string, string, string, string]
  const seconds = Number(header('x-tc-timestamp'))
  if (!(Math.abs(seconds * 1000 - Date.now()) <= 5 * 60_000)) return { error: 'AuthFailure.SignatureExpire' }
  if (new Date(seconds * 1000).toISOString().slice(0, 10) !== date)
    return { error: 'AuthFailure.SignatureFailure' }
  let canonical = `${request.method}\n/\n\n`
  for (const name of names.split(';')) canonical += `${name}:${header(name).trim().toLowerCase()}\n`
  canonical += `\n${names}\n${hex(body)}`
  const toSign = `TC3-HMAC-SHA256\n${seconds}\n${date}/sms/tc3_request\n${hex(canonical)}`
  const secretDate = mac(`TC3${tencent.secretKey}`, date)
  const secretSigning = mac(mac(secretDate, 'sms'), 'tc3_request')
  const isSigned = names.includes('content-type') && names.includes('host')
  if (!isSigned || mac(secretSigning, toSign).toString('hex') !== signature)
    return { error: 'AuthFailure.SignatureFailure' }
  if (header('x-tc-action') !== 'SendSms' || header('x-tc-version') !== '2021-01-11')
    return { error: 'InvalidAction' }
  const it = JSON.parse(body) as {
    PhoneNumberSet: string[]
    SmsSdkAppId: string
    SignName: string
    TemplateId: string
    TemplateParamSet: string[]
  }
  const to = it.PhoneNumberSet[0] ?? ''
  const isChinese = to.startsWith('+86')
  if (it.SmsSdkAppId !== tencent.appId) return { error: 'UnauthorizedOperation.SmsSdkAppIdVerifyFail' }
  if (it.TemplateId !== (isChinese ? tencent.templateId : tencent.templateAbroad))
    return { error: 'FailedOperation.TemplateIncorrectOrUnapproved' }
  if (isChinese && it.SignName !== tencent.signName)
    return { error: 'FailedOperation.SignatureIncorrectOrUnapproved' }
  return { to, code: it.TemplateParamSet[0] ?? '', template: it.TemplateId, signName: it.SignName }
}

const hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
