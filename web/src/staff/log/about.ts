/** What a row of the staff log is about, read from its name, its object and its fields. */

import type { StaffLogRow } from '@guildhall/wire/staff/log.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'

/** `of` names its words in `aboutText`. */
export interface About {
  readonly of:
    | 'guild'
    | 'order'
    | 'product'
    | 'codes'
    | 'report'
    | 'reviewOfGuild'
    | 'heldMessage'
    | 'approval'
    | 'words'
    | 'message'
    | 'right'
    | 'role'
  readonly id: string
}

/** Where it is looked at, and the right for it; null: nowhere. A list where one has no page of its own. */
export function pageOf({ of, id }: About): { readonly path: string; readonly right: StaffRight } | null {
  switch (of) {
    case 'guild':
      return { path: `/staff/guilds/${id}`, right: 'guild' }
    case 'order':
      return { path: `/staff/orders/${id}`, right: 'order' }
    case 'product':
      return { path: `/staff/products/${id}`, right: 'price' }
    case 'codes':
      return { path: `/staff/codes/${id}`, right: 'code' }
    case 'report':
      return { path: `/staff/reports/${id}`, right: 'report' }
    case 'reviewOfGuild':
      return { path: `/staff/reviews/guild/${id}`, right: 'review' }
    case 'heldMessage':
      return { path: `/staff/reviews/message/${id}`, right: 'review' }
    case 'words':
      return { path: '/staff/words', right: 'word' }
    default:
      return null
  }
}

/** What the object of an act is; of acts that are not here it is nothing that people know. */
const OBJECTS: Readonly<Record<string, About['of']>> = {
  'guild close': 'guild',
  'guild restore': 'guild',
  'guild owner': 'guild',
  'guild recommend': 'guild',
  'guild unrecommend': 'guild',
  'member remove': 'guild',
  'invite revoke': 'guild',
  'review decide': 'guild',
  'message delete': 'message',
  'held pass': 'heldMessage',
  'held reject': 'heldMessage',
  'approval ask': 'approval',
  'approval approve': 'approval',
  'approval reject': 'approval',
  'approval withdraw': 'approval',
  'order refund': 'order',
  'order retry': 'order',
  'coupon create': 'codes',
  'coupon pause': 'codes',
  'coupon resume': 'codes',
  'product change': 'product',
  'product withdraw': 'product',
  'word add': 'words',
  'word update': 'words',
  'word remove': 'words',
  'staff role': 'role',
  'staff grant': 'right',
  'staff revoke': 'right',
}

/** What a field of an act or a call names. */
const FIELDS: Readonly<Record<string, About['of']>> = {
  guild_id: 'guild',
  order_id: 'order',
  product_id: 'product',
  batch_id: 'codes',
  msg_id: 'message',
  case: 'report',
  review: 'reviewOfGuild',
}

/** What the field `id` of a call names. */
function ofId({ name, detail }: Pick<StaffLogRow, 'name' | 'detail'>): About['of'] | null {
  if (name === 'report-view' || name === 'report-decide') return 'report'
  if (name === 'review-view' || name === 'review-decide')
    return detail.kind === 'message' ? 'heldMessage' : 'reviewOfGuild'
  if (name === 'approval-decide' || name === 'approval-withdraw') return 'approval'
  return name === 'word-update' || name === 'word-remove' ? 'words' : null
}

/** All that a row names, each once. */
export function aboutsOf(row: Pick<StaffLogRow, 'kind' | 'name' | 'target' | 'detail'>): readonly About[] {
  const { name, target, detail } = row
  const isId = (id: unknown) => (typeof id === 'string' && id !== '') || typeof id === 'number'
  const object = row.kind === 'act' && target !== '' ? OBJECTS[name] : undefined
  const id = row.kind === 'act' || !isId(detail.id) ? null : ofId(row)
  const found: About[] = [
    ...(object ? [{ of: object, id: target }] : []),
    ...(id ? [{ of: id, id: String(detail.id) }] : []),
    ...Object.entries(FIELDS).flatMap(([field, of]) =>
      isId(detail[field]) ? [{ of, id: String(detail[field]) }] : [],
    ),
  ]
  return found.filter(
    (one, n) => found.findIndex((other) => other.of === one.of && other.id === one.id) === n,
  )
}
