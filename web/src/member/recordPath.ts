/** Where moderators find what they know of a person, a member of the guild or not. */
export const recordPath = (guildId: string, userId: string): string =>
  `/guild/settings/${guildId}/members?member=${userId}`
