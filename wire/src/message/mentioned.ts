interface Mentions {
  readonly mention: readonly string[]
  readonly mention_all: boolean
  readonly mention_here: boolean
  readonly mention_roles: readonly number[]
}

/**
 * Whether a message mentions a user: everyone, those online, by name, or by a role. chat.md §4 "Mentioned".
 */
export const isMentioned = (message: Mentions, userId: string, roles: readonly number[]): boolean =>
  message.mention_all ||
  message.mention_here ||
  message.mention.includes(userId) ||
  message.mention_roles.some((role) => roles.includes(role))
