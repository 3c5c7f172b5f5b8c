/** All paths of the page. Screens link by them and do not import each other. chat.md §2. */
export const paths = {
  home: () => '/',
  login: (redir?: string) => (redir ? `/login?redir=${encodeURIComponent(redir)}` : '/login'),
  terms: () => '/terms',
  privacy: () => '/privacy',
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  channels: () => '/channels/',
  guild: (guildId: string) => `/channels/${guildId}`,
  room: (guildId: string, channelId: string) => `/channels/${guildId}/${channelId}`,
}

/**
 * The path that a `redir` value leads to; null when it leaves this site. Full addresses of this origin are allowed
 * (chat.md §4 "full URL or path"). Other origins are refused: a link to the login page could otherwise lead a user who
 * has just logged in to a copy of this site.
 */
export function safeRedir(value: string | null, origin: string = location.origin): string | null {
  if (!value) return null
  let url: URL
  try {
    url = new URL(value, origin)
  } catch {
    return null
  }
  if (url.origin !== origin) return null
  // `/path//evil` stays on this site, `//evil` would not: the parser has already distinguished them.
  return url.pathname + url.search + url.hash
}
