import { vi } from 'vitest'

/** What a notification says that the page showed. */
export interface Notified {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly icon: string
  readonly silent: boolean
  isClosed: boolean
  onclick: (() => void) | null
}

/**
 * Notifications of a browser: `permission` is what it allows now, `answer` what the person says when they are
 * asked; with `throws` it has the name alone, as Chrome on Android.
 */
export function fakeNotifications(permission: NotificationPermission, answer = permission, throws = false) {
  const shown: Notified[] = []
  let asked = 0
  class FakeNotification {
    static permission = permission
    static requestPermission = async () => {
      asked += 1
      FakeNotification.permission = answer
      return answer
    }
    onclick: (() => void) | null = null
    isClosed = false
    constructor(title: string, options: object = {}) {
      if (throws) throw new TypeError('Illegal constructor')
      Object.assign(this, { title, ...options })
      // Before it is allowed, nothing is shown.
      if (FakeNotification.permission === 'granted') shown.push(this as unknown as Notified)
    }
    close() {
      this.isClosed = true
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('isSecureContext', true)
  return {
    shown,
    /** The titles and texts of those that were shown and not closed. */
    open: () => shown.filter((it) => !it.isClosed).map(({ title, body }) => `${title}: ${body}`),
    asked: () => asked,
    allow: (next: NotificationPermission) => {
      FakeNotification.permission = next
    },
  }
}
