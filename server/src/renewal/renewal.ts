/**
 * What renews itself. contract.ts: how contracts are signed and ended; calendar.ts: when a period is
 * announced and charged; drive.ts: what is done then; apple.ts: subscriptions at Apple. commerce.md §2
 * "/renewal/management", §4, §9.
 */

export { advanceRenewal, advanceRenewals } from './advance.ts'
export { acceptAppleNotification } from './apple.ts'
export {
  advanceRenewalJob,
  closeRenewal,
  endAllRenewals,
  hasRenewal,
  renewalsOf,
  renewingOf,
} from './contract.ts'
