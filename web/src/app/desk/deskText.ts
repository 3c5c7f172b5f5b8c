import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the columns of a desk. */
export const deskText = texts({
  'zh-CN': {
    channels: '频道栏',
    channelsWidth: '频道栏的宽度',
    membersWidth: '成员栏的宽度',
    noRoom: '还没有可见的文字频道',
    noRoomWhy: '频道建好后会出现在左边',
  },
  en: {
    channels: 'Channel column',
    channelsWidth: 'Width of the channels',
    membersWidth: 'Width of the members',
    noRoom: 'No text channel to see yet',
    noRoomWhy: 'Channels appear on the left once they are made',
  },
})
