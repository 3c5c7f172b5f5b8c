/** Gifts are told to who receives them. */

import { defaultLocale, type Locale, texts } from '@guildhall/wire/locale.ts'
import { giftReceived } from '@guildhall/wire/order/order.ts'
import { notifyFromOfficialAccount } from '../chat/chat.ts'
import type { Tx } from '../kit/database/db.ts'
import type { AppContext, Emit } from '../kit/events/events.ts'
import { findUser } from '../user/user.ts'
import * as rows from './sql.ts'

/** What is stored in a message is read on all devices of a person, so it is in the default locale. */
const giftText = texts({
  'zh-CN': {
    gift: (from: string, what: string) => `${from} 送给你「${what}」，已经生效。`,
    takenBack: (from: string, what: string) => `${from} 送给你的「${what}」已退款，礼物随之收回。`,
    to: (person: string) => `赠送给 ${person}`,
  },
  en: {
    gift: (from: string, what: string) => `${from} gave you ${what}. You have it now.`,
    takenBack: (from: string, what: string) =>
      `The ${what} that ${from} gave you was refunded, and is taken back.`,
    to: (person: string) => `A gift to ${person}`,
  },
})

/**
 * Tells the friend for whom an order was granted, in the transaction that grants it: by an event, and by a
 * message of the official account.
 */
export async function notifyReceiver(
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  tx: Tx,
  emit: Emit,
  order: rows.OrderRow,
): Promise<void> {
  const giver = await writeToReceiver(appContext, tx, emit, order, giftText[defaultLocale].gift)
  if (order.receiver_id === null || !giver) return
  for (const { name, count } of await rows.linesOf(tx, [order.id]))
    emit.person(order.receiver_id, giftReceived, { user_id: giver.id, username: giver.username, name, count })
}

/**
 * Tells the friend whose gift is taken back with its payment, in the transaction that takes it: by a message
 * of the official account.
 */
export const notifyGiftRevoked = async (
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  tx: Tx,
  emit: Emit,
  order: rows.OrderRow,
): Promise<void> =>
  void (await writeToReceiver(appContext, tx, emit, order, giftText[defaultLocale].takenBack))

/** What a bill says of whom a gift is for. */
export const giftTo = (person: string, locale: Locale): string => giftText[locale].to(person)

/** A message of the official account for each line of a gift. Who gave it; null: it is no gift. */
async function writeToReceiver(
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  tx: Tx,
  emit: Emit,
  order: rows.OrderRow,
  wordsOf: (from: string, what: string) => string,
) {
  const giver = order.receiver_id === null ? null : await findUser(tx, order.user_id)
  if (order.receiver_id === null || !giver) return null
  for (const { name, count } of await rows.linesOf(tx, [order.id])) {
    const what = count > 1 ? `${name} × ${count}` : name
    const text = wordsOf(`${giver.username}#${giver.identify_num}`, what)
    await notifyFromOfficialAccount(appContext, tx, emit, { to: order.receiver_id, text: text })
  }
  return giver
}
