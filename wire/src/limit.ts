/** Limits of calls and screens that belong to no noun; a noun's limits are in its folder. */
/** How long the page waits for an answer, ms. chat.md §7. */
export const CALL_TIMEOUT_MS = 5_000
/** How long a toast stays, ms. chat.md §8. */
export const TOAST_MS = 2_000
/** Toasts that are shown at once. commerce.md §9. */
export const TOASTS_MAX = 5
/** The largest JSON body the server reads, bytes. Files go through their own calls. */
export const BODY_MAX_BYTES = 64 * 1024
