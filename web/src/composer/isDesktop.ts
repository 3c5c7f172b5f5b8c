/** Whether there is a keyboard with a mouse. There Enter sends; on a phone it begins a new line. */
export const isDesktop = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches
