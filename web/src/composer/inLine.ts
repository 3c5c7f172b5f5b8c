/** A name on one line. */
export const inLine = (name: string): string => name.replace(/\s+/g, ' ').trim()
