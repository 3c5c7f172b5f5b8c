/** All paths of the page. Screens link by them and do not import each other. chat.md §2. */
export const paths = {
  home: () => '/',
  login: (redir?: string) => (redir ? `/login?redir=${encodeURIComponent(redir)}` : '/login'),
  bindMobile: (redir?: string) => (redir ? `/bindmobile?redir=${encodeURIComponent(redir)}` : '/bindmobile'),
  terms: () => '/terms',
  privacy: () => '/privacy',
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  channels: () => '/channels/',
  guild: (guildId: string) => `/channels/${guildId}`,
  room: (guildId: string, channelId: string) => `/channels/${guildId}/${channelId}`,
}

/** The state of a history entry that follows that of an invite: after joining, Back must not lead to the invite. */
export const FROM_INVITE = { invite: true }
