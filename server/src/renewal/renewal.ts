/**
 * What renews itself. contract.ts: how contracts are signed and ended; calendar.ts: when a period is
 * announced and charged; drive.ts: what is done then; apple.ts: subscriptions at Apple. commerce.md §2
 * "/renewal/management", §4, §9.
 */
export { takeAppleNotification } from './apple.ts'
export {
  closeRenewal,
  driveRenewalJob,
  endAllRenewals,
  hasRenewal,
  renewalsOf,
  renewingOf,
} from './contract.ts'
export { driveRenewal, driveRenewals } from './drive.ts'
