import { texts } from '@guildhall/wire/locale.ts'

/** The names of the keys of a desk. */
export const keysText = texts({
  'zh-CN': {
    title: '键盘快捷键',
    switcher: '跳转到频道、公会、好友或页面',
    rooms: '上一个、下一个频道（输入框为空时）',
    unreadRooms: '上一个、下一个未读频道',
    editLast: '编辑自己的上一条消息（输入框为空时）',
    leave: '关闭最上面的一层、取消回复，或回到最新消息',
    columns: '在各栏之间移动，加 Shift 反向',
    write: '直接打字就写到输入框',
    scroll: '滚动消息',
    list: '显示这个列表',
  },
  en: {
    title: 'Keyboard shortcuts',
    switcher: 'Go to a channel, guild, friend or page',
    rooms: 'Previous and next channel, while nothing is written',
    unreadRooms: 'Previous and next unread channel',
    editLast: 'Edit your last message, while nothing is written',
    leave: 'Close what is on top, take back the reply, or go to the newest message',
    columns: 'Move between columns, with Shift backwards',
    write: 'Typing anywhere writes',
    scroll: 'Scroll the messages',
    list: 'Show this list',
  },
})
