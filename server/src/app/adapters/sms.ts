/** Who sends the codes. */
import type { SmsConfig } from '../../config.ts'
import type { Log } from '../../kit/log.ts'
import type { Metrics } from '../../kit/metrics/metrics.ts'
import { openAliyunSms } from '../../outside/sms/aliyun.ts'
import { openSmsFailover, SMS_OUTCOMES } from '../../outside/sms/failover.ts'
import type { Sms } from '../../outside/sms/sms.ts'
import { openTencentSms } from '../../outside/sms/tencent.ts'

/** The providers of the configuration; without one the codes are kept in `devSms`. */
export function openSms(
  { providers, endpoint }: SmsConfig,
  input: { readonly devSms: Sms; readonly metrics: Metrics; readonly log: Log },
): Sms {
  if (providers.length === 0) return input.devSms
  for (const { name } of providers) input.metrics.sms.expect(name, SMS_OUTCOMES)
  return openSmsFailover({
    providers: providers.map((each) =>
      each.name === 'aliyun' ? openAliyunSms(each, endpoint) : openTencentSms(each, endpoint),
    ),
    onOutcome: input.metrics.sms.sent,
    log: input.log,
  })
}
