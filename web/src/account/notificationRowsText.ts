import { texts } from '@guildhall/wire/locale.ts'

/** Notifications of the browser, in the settings. The names of states say what each means. */
export const text = texts({
  'zh-CN': {
    ofBrowser: '浏览器通知',
    ask: '页面开着但你没在看时，新消息会提醒你。打开时浏览器会询问是否允许',
    on: '页面开着但你没在看时，新消息会提醒你。提醒哪些消息，按公会和频道的消息通知设置',
    off: '已允许，但在这台设备上关闭',
    refused: '浏览器拒绝了通知。点按地址栏左侧的图标，在网站设置中允许通知，再回到这里打开',
    unsupported: '这个浏览器不能显示网页的通知',
    isOn: '通知已打开',
    words: '显示发送者和内容',
    sound: '轻声提示音',
    quiet: '安静时段',
    from: '从',
    to: '到',
  },
  en: {
    ofBrowser: 'Browser notifications',
    ask: 'Tells you of new messages while you look elsewhere. The browser asks whether you allow it',
    on: 'You are told of new messages while the page is open and you look elsewhere. Which ones, each guild and channel says',
    off: 'Allowed, and off on this device',
    refused:
      'The browser refuses notifications. Press the icon left of the address, allow them for this site, then turn them on here',
    unsupported: 'This browser shows no notifications of pages',
    isOn: 'Notifications are on',
    words: 'Show who writes and what',
    sound: 'A quiet sound',
    quiet: 'Quiet hours',
    from: 'From',
    to: 'To',
  },
})
