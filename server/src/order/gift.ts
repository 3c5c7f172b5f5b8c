/** Gifts are told to who receives them. */

import { defaultLocale, texts } from '@guildhall/wire/locale.ts'
import { giftReceived } from '@guildhall/wire/order/order.ts'
import { tellFromHouse } from '../chat/chat.ts'
import type { Tx } from '../kit/db.ts'
import type { Emit, Live } from '../kit/events.ts'
import { findUser } from '../user/user.ts'
import * as rows from './sql.ts'

/** What is stored in a message is read on all devices of a person, so it is in the default locale. */
const giftText = texts({
  'zh-CN': {
    gift: (from: string, what: string) => `${from} 送给你「${what}」，已经生效。`,
  },
  en: {
    gift: (from: string, what: string) => `${from} gave you ${what}. You have it now.`,
  },
})

/** Tells the friend for whom an order was granted, in the transaction that grants it: by an event, and by a message of the house. */
export async function tellReceiver(
  live: Pick<Live, 'presence' | 'publicUrl'>,
  tx: Tx,
  emit: Emit,
  order: rows.OrderRow,
): Promise<void> {
  if (order.receiver_id === null) return
  const giver = await findUser(tx, order.user_id)
  if (!giver) return
  const { username, identify_num } = giver
  for (const { name, count } of await rows.linesOf(tx, [order.id])) {
    const what = count > 1 ? `${name} × ${count}` : name
    const words = giftText[defaultLocale].gift(`${username}#${identify_num}`, what)
    await tellFromHouse(live, tx, emit, { to: order.receiver_id, words })
    emit.person(order.receiver_id, giftReceived, { user_id: giver.id, username, name, count })
  }
}
