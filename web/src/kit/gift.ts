/** What a friend is picked for: the call of the native app that gives it to them. commerce.md §2. */
export const GIFT_ACTIONS = ['buy_produce_vip', 'present_pop', 'present_golive'] as const
export type GiftAction = (typeof GIFT_ACTIONS)[number]

/**
 * The page that picks a friend who is given a product; in a browser `from` gets them as
 * `?user_id=&produce_id=`. Apart from the other paths: the first screens do not load it. commerce.md §2.
 */
export const selectFriendPath = (from: string, action: GiftAction, productId: number): string =>
  `/select-friend?from=${encodeURIComponent(from)}&action=${action}&produce_id=${productId}`
