/** Every address of the page, in one place. Screens link by these, never by importing one another. chat.md §2. */
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
 * Where a `redir` value may lead: a path of this very site, or null. Full addresses of this origin are allowed
 * (chat.md §4 "full URL or path"); any other origin is refused, so a link to the login page cannot send a person
 * who has just logged in to a stranger's copy of it.
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
  // `/path//evil` stays here, `//evil` would not: the parser has already told them apart.
  return url.pathname + url.search + url.hash
}
