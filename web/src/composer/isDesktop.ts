/** Where Enter sends: at a keyboard with a mouse. On a phone it begins a new line, and the button sends. */
export const isDesktop = (): boolean => matchMedia('(hover: hover) and (pointer: fine)').matches
