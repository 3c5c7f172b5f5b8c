/** Codes by Tencent Cloud's SMS: SendSms of version 2021-01-11, requests signed with TC3-HMAC-SHA256. */
import { CHINA } from '@guildhall/wire/auth/mobile.ts'
import type { TencentSms } from '../../config.ts'
import { clock } from '../../kit/clock.ts'
import { fieldsIn, readAnswer } from '../answer.ts'
import { signTencent } from '../tencentSign.ts'
import { judgeCode, type SmsProvider } from './sms.ts'

const ENDPOINT = 'https://sms.tencentcloudapi.com'
const REGION = 'ap-guangzhou'

/** Refusals that concern the number; all others concern the account, the template or the load. */
const OF_NUMBER =
  /^(?:FailedOperation\.PhoneNumber\w*|InvalidParameterValue\.IncorrectPhoneNumber|LimitExceeded\.PhoneNumber\w*|UnsupportedOperation\.\w*PhoneNumber\w*)$/
/** The provider's own errors, which pass. */
const PASSING = /^InternalError/

/** `endpoint`: another address of the API. */
export function openTencentSms(input: TencentSms, endpoint: string | null): SmsProvider {
  return {
    name: input.name,
    async send({ prefix, mobile, code }, signal) {
      const isAbroad = prefix !== CHINA
      const url = new URL(endpoint ?? ENDPOINT)
      const body = JSON.stringify({
        PhoneNumberSet: [`+${prefix}${mobile}`],
        SmsSdkAppId: input.appId,
        SignName: isAbroad ? '' : input.signName,
        TemplateId: isAbroad ? input.templateAbroad : input.templateId,
        TemplateParamSet: [code],
      })
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-tc-action': 'SendSms',
        'x-tc-region': REGION,
        'x-tc-version': '2021-01-11',
      }
      const signed = signTencent(input, {
        service: 'sms',
        host: url.host,
        body,
        at: clock.now(),
        contentType: headers['content-type'],
      })
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, ...signed },
        body,
        signal,
        redirect: 'error',
      })
      const { Error: error, SendStatusSet: states } = fieldsIn(
        (await readAnswer(input.name, answer)).Response,
      )
      // One number was asked for, and one state is answered.
      const { Code } = fieldsIn(error ?? fieldsIn(states)[0])
      judgeCode(Code, { name: input.name, ofNumber: OF_NUMBER, passing: PASSING })
    },
  }
}
