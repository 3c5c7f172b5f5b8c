/**
 * Texts by Tencent Cloud's TMS (TextModeration) and pictures by its IMS (ImageModeration), both of version
 * 2020-12-29.
 */
import { clock } from '../../kit/clock.ts'
import { fieldsIn, readAnswer } from '../answer.ts'
import { signTencent, type TencentAccount } from '../tencentSign.ts'
import { type ContentReview, type Reviewed, ReviewRefused, type ReviewSuggestion } from './contentReview.ts'

export const TEXTS = { service: 'tms', action: 'TextModeration' } as const
export const PICTURES = { service: 'ims', action: 'ImageModeration' } as const
export const MODERATION_VERSION = '2020-12-29'

export interface TencentReviewOptions {
  readonly account: TencentAccount
  readonly region: string
  /** Another address of both APIs; null: their own. */
  readonly endpoint: string | null
  /** The numbers of the policies in their console; `''`: the standard ones. */
  readonly policies: { readonly text: string; readonly picture: string }
}

type Send = (url: URL, init: RequestInit) => Promise<Response>

const SUGGESTIONS: ReadonlyMap<unknown, ReviewSuggestion> = new Map([
  ['Pass', 'pass'],
  ['Review', 'review'],
  ['Block', 'block'],
])

/** `send`: makes a request; by default over the network. */
export function openTencentReview(options: TencentReviewOptions, send: Send = fetch): ContentReview {
  const { policies } = options
  const policy = (BizType: string) => (BizType === '' ? {} : { BizType })
  return {
    text: (text, signal) =>
      ask(
        options,
        send,
        TEXTS,
        { Content: Buffer.from(text).toString('base64'), ...policy(policies.text) },
        signal,
      ),
    picture: (bytes, signal) =>
      ask(
        options,
        send,
        PICTURES,
        { FileContent: bytes.toString('base64'), ...policy(policies.picture) },
        signal,
      ),
  }
}

async function ask(
  { account, region, endpoint }: TencentReviewOptions,
  send: Send,
  { service, action }: typeof TEXTS | typeof PICTURES,
  input: object,
  signal: AbortSignal,
): Promise<Reviewed> {
  const url = new URL(endpoint ?? `https://${service}.tencentcloudapi.com`)
  const body = JSON.stringify(input)
  const contentType = 'application/json; charset=utf-8'
  const headers = {
    'content-type': contentType,
    'x-tc-action': action,
    'x-tc-version': MODERATION_VERSION,
    'x-tc-region': region,
    ...signTencent(account, { service, host: url.host, contentType, body, at: clock.now() }),
  }
  const answer = await send(url, { method: 'POST', headers, body, signal, redirect: 'error' })
  if (!answer.ok) throw new ReviewRefused(`the review service answers with status ${answer.status}`)
  const { Response: response } = await readAnswer('the review service', answer)
  const { Error: error, Suggestion, Label } = fieldsIn(response)
  if (error)
    throw new ReviewRefused(`the review service answers ${String(fieldsIn(error).Code).slice(0, 80)}`)
  const suggestion = SUGGESTIONS.get(Suggestion)
  if (!suggestion) throw new ReviewRefused(`the review service suggests ${String(Suggestion).slice(0, 20)}`)
  return { suggestion, label: typeof Label === 'string' ? Label.slice(0, 80) : '' }
}
