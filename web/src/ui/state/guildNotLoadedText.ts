import { texts } from '@guildhall/wire/locale.ts'

/** Texts of pages of a guild that are not shown. */
export const text = texts({
  'zh-CN': {
    noGuild: '没有服务器 ID',
    notMember: '你不在这个公会里',
    toGuilds: '回到我的公会',
  },
  en: {
    noGuild: 'No server ID',
    notMember: 'You are not in this guild',
    toGuilds: 'Back to my guilds',
  },
})
