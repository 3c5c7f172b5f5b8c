/** `1,234`: as both languages write it. */
export const wholeNumber = (value: number): string => value.toLocaleString('en-US')
