/**
 * Paying, for other parts: beginning a payment at a provider, settling what arrives, granting, giving back.
 * commerce.md §4, §8.
 */
export { subjectOf } from './attempt.ts'
export { chargeOrder } from './contract.ts'
export { faultsOf } from './faults/faults.ts'
export { grantOrder } from './grant.ts'
export { notifyEndpoint, notifyPath } from './notifyEndpoint.ts'
export {
  type FoundOrder,
  findOrders,
  leftOf,
  needsAttentionOf,
} from './orderSearch/orderSearch.ts'
export type { PayDeps, Renewing, Signing } from './payContext.ts'
export { askAboutOrder } from './query.ts'
export { comparedBills, foundDifferences } from './reconcile/providerBillSql.ts'
export { refundOrder, retryRefunds } from './refund/refund.ts'
export { refundPayment } from './refund/refundSettle.ts'
export { retryOrder } from './retry.ts'
export { acceptNotification } from './settle.ts'
export type { PaymentRow, RefundRow } from './sql.ts'
export { mismatchesBefore, mismatchesOf, ofOrder as paymentsOf, refundsOf } from './sql.ts'
export { startPayment } from './start.ts'
export { orderOf } from './wireForm.ts'
