/** The state of a room's address that opened its search: Back closes it. */
export const finding = (state: unknown) => ({ ...(state as object | null), isFinding: true })
