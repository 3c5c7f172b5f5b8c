import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the shell about the connection. */
export const text = texts({
  'zh-CN': {
    connecting: '正在连接…',
    reconnecting: '正在重新连接…',
    offline: '网络已断开，恢复后会自动重连',
    failed: '连接失败',
  },
  en: {
    connecting: 'Connecting…',
    reconnecting: 'Reconnecting…',
    offline: 'You are offline. The line comes back by itself.',
    failed: 'Could not connect',
  },
})
