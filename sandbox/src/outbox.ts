/** What is told of trades and of contracts, and where it is kept what is still to be told. */
import type { Contract, ContractDelivery, ContractStore } from './contractStore.ts'
import type { Outbox } from './notifier.ts'
import type { Refund, Trade, TradeDelivery, TradeStore } from './tradeStore.ts'

export function outboxOfTrades(store: TradeStore): Outbox<Trade, Pick<TradeDelivery, 'refundNo'>> {
  const refundOf = ({ refunds }: Trade, { refundNo }: Pick<TradeDelivery, 'refundNo'>): Refund | null =>
    refunds.find((it) => it.refundNo === refundNo) ?? null
  return {
    together: 8,
    find(key, id) {
      const subject = store.find(key)
      const delivery = subject?.deliveries.find((it) => it.id === id)
      return subject && delivery ? { subject, delivery } : null
    },
    keep: (key, delivery) => store.deliver(key, delivery),
    pending: () => store.pending().map(({ trade, delivery }) => ({ subject: trade, delivery })),
    urlOf: (trade, delivery) => refundOf(trade, delivery)?.notifyUrl || trade.notifyUrl,
    write: (dialogue, trade, { id, tamper, ...delivery }) =>
      dialogue.notificationOf({ id, trade, tamper, refund: refundOf(trade, delivery) }),
  }
}

/** The payment, as empty, and the refunds of a trade that have no message: a kill may have come between. */
export function untold(trade: Trade): string[] {
  const has = (refundNo: string) => trade.deliveries.some((it) => it.refundNo === refundNo)
  const refunds = trade.refunds.filter((it) => it.state !== 'waiting' && it.notifyUrl !== '')
  return [...(trade.state === 'paid' ? [''] : []), ...refunds.map(({ refundNo }) => refundNo)].filter(
    (it) => !has(it),
  )
}

export const outboxOfContracts = (
  store: ContractStore,
): Outbox<Contract, Pick<ContractDelivery, 'says'>> => ({
  together: 1,
  find({ way, contractNo }, id) {
    const subject = store.find(way, contractNo)
    const delivery = subject?.deliveries.find((it) => it.id === id)
    return subject && delivery ? { subject, delivery } : null
  },
  keep(key, delivery) {
    const contract = store.find(key.way, key.contractNo) ?? key
    const rest = contract.deliveries.filter(({ id }) => id !== delivery.id)
    store.write({ ...contract, deliveries: [...rest, delivery] })
  },
  pending: () =>
    store
      .all()
      .flatMap((subject) =>
        subject.deliveries.filter(({ nextAt }) => nextAt !== null).map((delivery) => ({ subject, delivery })),
      ),
  urlOf: ({ notifyUrl }) => notifyUrl,
  write: (dialogue, contract, { id, says, tamper }) =>
    dialogue.contractMessageOf({ id, contract, says, tamper }),
})
