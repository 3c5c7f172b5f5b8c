/** WeChat Pay's side of the dialogue: API v3. */
import type { Dialogue, DialogueDeps } from './dialogue.ts'

export function openWechatDialogue(_deps: DialogueDeps): Dialogue {
  return {
    way: 'wechat',
    waits: [],
    isMine: (path) => path.startsWith('/v3/'),
    handle: () => Promise.reject(new Error('not yet')),
    busy: () => ({ status: 500, headers: {}, body: '' }),
    notificationOf: () => Promise.reject(new Error('not yet')),
    wasTaken: (status) => status === 200 || status === 204,
    open: () => null,
  }
}
