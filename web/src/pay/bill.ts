/** The page with what one paid for, and can still pay. */
export const BILL = '/account/order-list'
