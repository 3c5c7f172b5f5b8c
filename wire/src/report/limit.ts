/** Limits of reports. */
/** Messages before a reported one, and after it, that staff see with it. */
export const REPORT_AROUND = 3
