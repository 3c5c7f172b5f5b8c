import type { giftReceived as received } from '@guildhall/wire/order/order.ts'
import type { Out } from '@guildhall/wire/schema.ts'
import { tellUser } from '../kit/call.ts'
import { currentText } from '../kit/i18n.ts'
import { text } from './text.ts'

/** Says that a friend gave the person something. */
export function giftReceived({ username, name, count }: Out<(typeof received)['body']>): void {
  tellUser(currentText(text).gift(username, count > 1 ? `${name} × ${count}` : name))
}
