import { texts } from '@guildhall/wire/locale.ts'

/** The names of the keys of a desk. */
export const keysText = texts({
  'zh-CN': {
    title: '键盘快捷键',
    switcher: '跳转到频道、公会、好友或页面',
    search: '搜索：在频道里搜索该频道的消息，在别处搜索全部',
    rooms: '上一个、下一个频道（输入框为空时）',
    unreadRooms: '上一个、下一个未读频道',
    editLast: '编辑自己的上一条消息（输入框为空时）',
    leave: '关闭最上面的一层、取消回复，或回到最新消息',
    columns: '在各栏之间移动，加 Shift 反向',
    write: '直接打字就写到输入框',
    move: '在频道、成员或消息之间移动',
    open: '打开所在的一项，消息则打开菜单',
    inside: '进入一条消息的链接和按钮，展开或收起分组',
    choose: '选择多条消息',
    list: '显示这个列表',
  },
  en: {
    title: 'Keyboard shortcuts',
    switcher: 'Go to a channel, guild, friend or page',
    search: 'Search: in a channel its messages, elsewhere everything',
    rooms: 'Previous and next channel, while nothing is written',
    unreadRooms: 'Previous and next unread channel',
    editLast: 'Edit your last message, while nothing is written',
    leave: 'Close what is on top, take back the reply, or go to the newest message',
    columns: 'Move between columns, with Shift backwards',
    write: 'Typing anywhere writes',
    move: 'Move among channels, members or messages',
    open: 'Open where you are; of a message its menu',
    inside: 'Go into the links and buttons of a message; open and close a category',
    choose: 'Choose several messages',
    list: 'Show this list',
  },
})
