/** Paths of pages that no first screen leads to; the others are in paths.ts. */
import type { AccountPath } from './paths.ts'

export const laterPaths = {
  devices: (): AccountPath => '/account/devices',
  secondFactor: (): AccountPath => '/account/second-factor',
  /** Picks a guild; `action` is what for, and `from` gets it as `?guild_id=`. commerce.md §2. */
  selectGuild: (from: string, action: string) =>
    `/select-guild?from=${encodeURIComponent(from)}&action=${action}`,
  guildBoost: (guildId: string) => `/guild/boost/${guildId}`,
  /** What renews itself, and closing it. */
  renewals: (type: 'buff' | 'other') => `/renewal/management?type=${type}`,
  boostStatus: (guildId: string) => `/guild/boost-status/${guildId}`,
}
