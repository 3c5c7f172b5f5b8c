/** Words and patterns as people and the public protocol write them, in one list. Pure. */

/** Whether what was written is a pattern: `*` is anything within a line, `?` one character. */
export const isPattern = (written: string): boolean => /[*?]/.test(written)
