import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the shell about the connection. */
export const text = texts({
  'zh-CN': {
    connecting: '正在连接…',
    connectingWhy: '马上就好',
    reconnecting: '正在重新连接…',
    offline: '网络已断开，恢复后会自动重连',
    offlineTitle: '网络已断开',
    offlineWhy: '请检查网络连接，恢复后会自动重连',
    failed: '连接失败',
  },
  en: {
    connecting: 'Connecting…',
    connectingWhy: 'Just a moment',
    reconnecting: 'Reconnecting…',
    offline: 'You are offline. The line comes back by itself.',
    offlineTitle: 'You are offline',
    offlineWhy: 'Check your connection. The line comes back by itself.',
    failed: 'Could not connect',
  },
})
