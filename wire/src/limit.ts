/** Limits that the server and the page share and that belong to no single noun. chat.md §5 and §9. */
export const PAGE_SIZE = 50
/** How long the page waits for an answer, ms. chat.md §7. */
export const CALL_TIMEOUT_MS = 5_000
/** How long a toast stays, ms. chat.md §8. */
export const TOAST_MS = 2_000
/** The largest JSON body the server reads, bytes. Files go through their own calls. */
export const BODY_MAX_BYTES = 64 * 1024
