import type { AccountAddress, Address } from '@guildhall/wire/pages.ts'

/**
 * The paths that screens often link by; they do not import each other. Where a page has one link, it is
 * written there: that each leads to a page of the table is tested (`scripts/pages.test.ts`). chat.md §2.
 */
export const paths = {
  home: (): Address => '/',
  discover: (): Address => '/discover',
  login: (redir?: string) => (redir ? `/login?redir=${encodeURIComponent(redir)}` : '/login'),
  /** Verifying the number. `redir`: where it leads afterwards, instead of back. */
  authenticate: (redir?: string) =>
    redir ? `/authenticate?redir=${encodeURIComponent(redir)}` : '/authenticate',
  forgot: (): Address => '/forgot',
  terms: (): Address => '/terms',
  privacy: (): Address => '/privacy',
  licenses: (): Address => '/licenses',
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  /** The page that opens the app at a path of this site. */
  openInApp: (path: string) => `/oia${path}`,
  /** The app's download; `from`: where it leads afterwards. */
  download: (from?: string) => (from ? `/download?from=${encodeURIComponent(from)}` : '/download'),
  account: (): AccountAddress => '/account',
  friends: (): Address => '/friends',
  chats: (): Address => '/chats',
  /** A private conversation by its code. */
  chat: (code: string) => `/chats/${code}`,
  /** Opens the private conversation with a person. */
  chatWith: (userId: string) => `/chats/with/${userId}`,
  channels: () => '/channels/',
  guild: (guildId: string) => `/channels/${guildId}`,
  /** The members of a guild, or those who may view a channel. */
  members: (guildId: string, channelId?: string) =>
    channelId ? `/channels/userlist/${guildId}?c=${channelId}` : `/channels/userlist/${guildId}`,
  /** Opens the room at a message. */
  message: (guildId: string, channelId: string, messageId: string) =>
    `/channels/${guildId}/${channelId}?m=${messageId}`,
  room: (guildId: string, channelId: string) => `/channels/${guildId}/${channelId}`,
}

/**
 * The state of a history entry that follows that of an invite: after joining, Back must not lead to the
 * invite. Logging in there is by password, as the invite says.
 */
export const FROM_INVITE = { invite: true, way: 'password' }

/** The landing page, with the way back to this address. */
export function pathAfter401(): string {
  const here = location.pathname + location.search
  return here === '/' ? '/' : `/?redir=${encodeURIComponent(here)}`
}
