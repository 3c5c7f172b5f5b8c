/** Whether the other companies that the configuration names can be reached from here. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { openContentReview } from '../../app/adapters/contentReview.ts'
import type { Config } from '../../config.ts'
import { ReviewRefused } from '../../outside/contentReview/contentReview.ts'
import { PICTURES, TEXTS } from '../../outside/contentReview/tencent.ts'
import { greetSmtp } from '../../outside/mail/smtp.ts'
import { balanceOf } from '../../outside/sms/balance.ts'
import { SmsRefused } from '../../outside/sms/sms.ts'
import { bad, type Finding, ok, warn } from './finding.ts'

const ANSWER_WITHIN_MS = 5 * SECOND_MS

/** Another company's address, and what does not work without it. */
export interface Reached {
  readonly name: string
  readonly url: string
  readonly without: string
}

/** The addresses of everything that is configured; stand-ins of this machine are not asked. */
export function addressesOf({ sms, pay, realName, s3, thirdParties, contentReview }: Config): Reached[] {
  const found: Reached[] = []
  const add = (name: string, url: string, without: string) => found.push({ name, url, without })
  for (const { name } of sms.providers)
    add(`SMS by ${name}`, sms.endpoint ?? SMS_HOSTS[name], 'nobody gets a code')
  if (pay.wechat)
    add('WeChat Pay', pay.wechat.endpoint ?? 'https://api.mch.weixin.qq.com', 'nobody pays by WeChat')
  if (pay.alipay) add('Alipay', pay.alipay.endpoint ?? 'https://openapi.alipay.com', 'nobody pays by Alipay')
  if (pay.apple) add('Apple', 'https://api.storekit.itunes.apple.com', 'subscriptions at Apple are not shown')
  if (realName.tencent)
    add(
      'real names',
      realName.endpoint ?? 'https://faceid.tencentcloudapi.com',
      'nobody verifies a real name',
    )
  const { service, whenDown } = contentReview
  if (service?.kind === 'tencent') {
    const waits = whenDown === 'hold'
    const text = waits ? 'every message waits for staff, and names are refused' : 'texts pass unjudged'
    const picture = waits ? 'messages with new pictures wait for staff' : 'pictures pass unjudged'
    add('the review of texts', service.endpoint ?? `https://${TEXTS.service}.tencentcloudapi.com`, text)
    add(
      'the review of pictures',
      service.endpoint ?? `https://${PICTURES.service}.tencentcloudapi.com`,
      picture,
    )
  }
  if (thirdParties.qq) add('login by QQ', 'https://graph.qq.com', 'nobody logs in by QQ')
  if (thirdParties.weixin) add('login by WeChat', 'https://api.weixin.qq.com', 'nobody logs in by WeChat')
  if (s3)
    add('the bucket of uploads', s3.endpoint.replace('{bucket}', s3.bucket), 'nothing is uploaded or shown')
  return found
}

const SMS_HOSTS = {
  aliyun: 'https://dysmsapi.aliyuncs.com',
  tencent: 'https://sms.tencentcloudapi.com',
} as const

/** Any answer counts, also a refusal: the question is only whether the way there works. */
export async function checkReach({ name, url, without }: Reached): Promise<Finding> {
  const { host } = new URL(url)
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal })
    return ok('providers', `${name} answers at ${host}`)
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    return bad(
      'providers',
      `${name} does not answer at ${host} (${code ?? (error as Error).message}): ${without}.`,
      'Look at DNS, the firewall and the proxy of this machine, then at the provider’s own status page.',
    )
  }
}

/**
 * Has the review service judge a word, as only that shows whether it takes the keys. Nothing when it does not
 * answer, which `checkReach` says; a stand-in of this machine is not asked.
 */
export async function checkReviewKeys(config: Pick<Config, 'contentReview'>): Promise<Finding[]> {
  const service = config.contentReview.service?.kind === 'tencent' ? openContentReview(config) : null
  if (!service) return []
  try {
    await service.text(HARMLESS, AbortSignal.timeout(ANSWER_WITHIN_MS))
    return [ok('providers', 'the review of texts takes the keys')]
  } catch (error) {
    if (!(error instanceof ReviewRefused)) return []
    return [
      bad(
        'providers',
        `The review service refuses to judge a word: ${error.message}.`,
        'Look at CONTENT_REVIEW_SECRET_ID, CONTENT_REVIEW_SECRET_KEY and the policies, and at the rights, the quota and the bill of that account in its console.',
      ),
    ]
  }
}
const HARMLESS = '你好'

/** Below this much money on the account of who sends codes, yuan. */
const LOW_YUAN = 100

/** What is left on the accounts that pay for codes: nobody logs in by code once it is used up. */
export const checkBalances = ({ sms }: Pick<Config, 'sms'>): Promise<Finding[]> =>
  Promise.all(
    sms.providers.map(async (it) => {
      const name = `SMS by ${it.name}`
      try {
        const yuan = await balanceOf(it, sms.endpoint, AbortSignal.timeout(ANSWER_WITHIN_MS))
        const says = `${name}: ${yuan.toFixed(2)} yuan are left`
        const what = 'Pay into that account: nobody gets a code once it is empty.'
        if (yuan <= 0) return bad('balance', `${says}.`, what)
        return yuan < LOW_YUAN ? warn('balance', `${says}.`, what) : ok('balance', says)
      } catch (error) {
        return warn(
          'balance',
          `${name}: what is left on its account is not known: ${(error as Error).message}.`,
          'Give the key the right to read the balance of its account, or set an alarm for it in the provider’s console.',
        )
      }
    }),
  )

/**
 * Whether the mail server takes our account. It is greeted, and nothing is sent. `withinMs`: how long it may
 * say nothing.
 */
export async function checkMail(
  { registration: { ways, smtp } }: Pick<Config, 'registration'>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Finding[]> {
  if (!smtp || !ways.includes('email')) return []
  const { host } = new URL(smtp.url)
  try {
    await greetSmtp(smtp.url, withinMs)
    return [ok('mail', `${host} answers, and takes the account of SMTP_URL`)]
  } catch (error) {
    const { message } = error as Error
    if (error instanceof SmsRefused)
      return [
        bad(
          'mail',
          `${host} refuses us: ${message}: nobody gets a code.`,
          'Look at the user and the password in SMTP_URL (what is no letter or digit in them is written as %XX), and at that account at the provider.',
        ),
      ]
    return [
      bad(
        'mail',
        `${host} was asked: ${message}: nobody gets a code.`,
        'Look at the host and the port in SMTP_URL (smtps://…:465 or smtp://…:587; many networks close 25), at DNS, and at the firewall of this machine.',
      ),
    ]
  }
}

export async function checkProviders(config: Config): Promise<Finding[]> {
  const all = addressesOf(config)
  const mail = checkMail(config)
  if (all.length === 0 && (await mail).length === 0) return [ok('providers', 'none is configured')]
  const keyed = [checkReviewKeys(config), checkBalances(config), mail]
  return (await Promise.all([...all.map(checkReach), ...keyed])).flat()
}
