import type { CodeBatch } from '@guildhall/wire/staff/codes.ts'
import { useText } from '../../kit/i18n.ts'
import { Tag } from '../parts/Section.tsx'
import { codesText } from './codesText.ts'

/** Whether codes of a batch can be redeemed. */
export function BatchTag({ of: { paused_at, expires_at } }: { of: CodeBatch }) {
  const t = useText(codesText)
  if (expires_at > 0 && expires_at <= Date.now()) return <Tag>{t.over}</Tag>
  return paused_at > 0 ? <Tag kind="bad">{t.paused}</Tag> : <Tag kind="good">{t.on}</Tag>
}
