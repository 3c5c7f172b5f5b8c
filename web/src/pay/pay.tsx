/** Paying on the page, as other nouns use it. */
export { Gift, useGiving } from './Gift.tsx'
export { type NewOrder, PaySheet, type PaySheetProps } from './lazyPaySheet.ts'
export { soldHere } from './soldHere.ts'
export { canBuy, useBuying } from './useBuying.ts'
