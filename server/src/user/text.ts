/** What stands beside a bot's name. */
export const botTag = '机器人'
