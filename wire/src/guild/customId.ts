/** Custom ids of guilds: the short address `/g/CUSTOM_ID`. commerce.md §9 "custom ID". */

export const CUSTOM_ID_MAX = 32
const SHORT_FROM_LEVEL = 6

/** How short the custom id of a guild of this level may be. */
export const customIdMin = (level: number): number => (level >= SHORT_FROM_LEVEL ? 4 : 6)

/** Whether a guild of this level may have this custom id: letters, digits and hyphens between them. */
export const isCustomId = (id: string, level: number): boolean =>
  id.length >= customIdMin(level) && id.length <= CUSTOM_ID_MAX && /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(id)

/** Names that nobody takes: those of pages, of the operator, and those that would mislead. */
const RESERVED = new Set([
  'about',
  'account',
  'admin',
  'administrator',
  'announcement',
  'assets',
  'authenticate',
  'buff',
  'channels',
  'chats',
  'discover',
  'download',
  'forgot',
  'friends',
  'guild',
  'guildhall',
  'guilds',
  'help',
  'home',
  'invite',
  'login',
  'moderator',
  'null',
  'official',
  'order',
  'payment',
  'privacy',
  'register',
  'root',
  'security',
  'service',
  'settings',
  'staff',
  'static',
  'support',
  'system',
  'terms',
  'undefined',
  'user',
])
export const isReservedId = (id: string): boolean => RESERVED.has(id.toLowerCase())

/** The path of a guild's short address. */
export const shortAddress = (customId: string): string => `/g/${customId}`
