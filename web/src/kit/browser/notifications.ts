/** Notifications of the browser on this device: whether there can be any, and whether they are on. */
import { readStored } from './storage.ts'

/** `ask`: the browser was not asked yet; `refused`: only its own settings can change that. */
export type NotificationState = 'unsupported' | 'ask' | 'on' | 'off' | 'refused'

/** The constructor threw although the browser had allowed notifications. */
let isBroken = false

/**
 * Whether a page can show a notification. Chrome on Android has the constructor and throws: it wants a
 * service worker, and there is none here. Before the browser allows notifications, making one shows nothing.
 */
function isSupported(): boolean {
  if (!window.isSecureContext || !('Notification' in window) || isBroken) return false
  if (Notification.permission !== 'default') return true
  try {
    new Notification('')
    return true
  } catch {
    return false
  }
}

/** What the browser allows and the person chose. */
export function notificationState(): NotificationState {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'default') return 'ask'
  if (Notification.permission === 'denied') return 'refused'
  return readStored('notifications')?.on ? 'on' : 'off'
}

/**
 * Shows a notification; a later one of the same `tag` takes its place. It makes no sound of the system's.
 * Null where the browser cannot show it.
 */
export function showNotification(
  title: string,
  options: { readonly body: string; readonly tag: string; readonly icon?: string },
): Notification | null {
  try {
    // `renotify`: what takes the place of another one is seen, too.
    const all = { ...options, silent: true, renotify: true }
    return new Notification(title, all)
  } catch {
    isBroken = true
    return null
  }
}
