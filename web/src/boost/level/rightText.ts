import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { CUSTOM_ID_MAX, customIdMin } from '@guildhall/wire/guild/customId.ts'
import type { text } from '../text.ts'

type Words = (typeof text)['zh-CN']
type Right = GuildRightsView['rights'][number]

const TEN_THOUSAND = 10_000

/**
 * What a right is worth, in its unit; what is only there or not is that. commerce.md §9 "Guild right
 * displays".
 */
export function rightValue({ key, value }: Right, level: number, t: Words): string {
  if (key === 'custom_id') return `${customIdMin(level)}-${CUSTOM_ID_MAX}`
  if (typeof value === 'boolean') return value ? t.yes : ''
  if (key === 'max_members' && value > TEN_THOUSAND) return t.tenThousand(value / TEN_THOUSAND)
  if (key === 'max_upload_size') return `${value} MB`
  if (key === 'max_voice_quality') return `${value} kbps`
  return String(value)
}
