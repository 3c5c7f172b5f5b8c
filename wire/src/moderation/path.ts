/** Where the rules of a guild are listed, for what only marks them as outdated. */
export const RULES_PATH = '/api/v3/guild-security'
