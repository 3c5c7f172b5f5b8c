/** Who reviews what people write and upload, beside the word rules. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { ContentReview } from '../../outside/contentReview/contentReview.ts'
import { openLocalReview } from '../../outside/contentReview/local.ts'
import { openTencentReview } from '../../outside/contentReview/tencent.ts'

/** The service of the configuration; null: there is none. */
export function openContentReview({ contentReview }: Pick<Config, 'contentReview'>): ContentReview | null {
  const { service } = contentReview
  if (!service) return null
  if (service.kind === 'tencent') return openTencentReview({ ...service, account: service })
  const account = { secretId: 'local', secretKey: randomBytes(16).toString('hex') }
  const policies = { text: '', picture: '' }
  return openTencentReview({ account, region: 'local', endpoint: null, policies }, openLocalReview(account))
}
