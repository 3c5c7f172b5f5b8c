/**
 * What is left on the account that pays for codes: QueryAccountBalance of Alibaba Cloud's bssopenapi
 * 2017-12-14, DescribeAccountBalance of Tencent Cloud's billing 2018-07-09.
 */
import type { SmsConfig } from '../../config.ts'
import { clock } from '../../kit/clock.ts'
import { ids } from '../../kit/ids.ts'
import { fieldsIn, readAnswer } from '../answer.ts'
import { signTencent } from '../tencentSign.ts'
import { signAliyun } from './aliyun.ts'

type Account = SmsConfig['providers'][number]

const ALIYUN = 'https://business.aliyuncs.com'
const TENCENT = 'https://billing.tencentcloudapi.com'
const FEN_PER_YUAN = 100

/**
 * The balance of an account, yuan. `endpoint`: another address of the API.
 * @throws Error with the provider's code when it does not tell, such as for a key without that right; and
 *   what `fetch` throws
 */
export const balanceOf = (input: Account, endpoint: string | null, signal: AbortSignal): Promise<number> =>
  input.name === 'aliyun' ? aliyun(input, endpoint, signal) : tencent(input, endpoint, signal)

async function aliyun(
  input: Extract<Account, { name: 'aliyun' }>,
  endpoint: string | null,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(endpoint ?? ALIYUN)
  const headers = signAliyun(input, {
    method: 'POST',
    host: url.host,
    path: url.pathname,
    query: {},
    body: '',
    action: 'QueryAccountBalance',
    version: '2017-12-14',
    nonce: ids.uuid(),
    at: clock.now(),
  })
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    signal,
    redirect: 'error',
  })
  const { Code, Data } = await readAnswer(input.name, answer)
  // With separators: 1,000.00.
  return balance(Code, Number(String(fieldsIn(Data).AvailableAmount).replaceAll(',', '')))
}

async function tencent(
  input: Extract<Account, { name: 'tencent' }>,
  endpoint: string | null,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(endpoint ?? TENCENT)
  const body = '{}'
  const contentType = 'application/json; charset=utf-8'
  const signed = signTencent(input, {
    service: 'billing',
    host: url.host,
    body,
    at: clock.now(),
    contentType,
  })
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'x-tc-action': 'DescribeAccountBalance',
      'x-tc-version': '2018-07-09',
      ...signed,
    },
    body,
    signal,
    redirect: 'error',
  })
  const { Error: error, Balance } = fieldsIn((await readAnswer(input.name, answer)).Response)
  return balance(fieldsIn(error).Code, Number(Balance) / FEN_PER_YUAN)
}

function balance(code: unknown, yuan: number): number {
  if (Number.isFinite(yuan)) return yuan
  throw new Error(typeof code === 'string' ? code : 'no balance in the answer')
}
