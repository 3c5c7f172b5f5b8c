import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'

/** The system event `type` of guild 10, as its connection receives it. */
export const systemEvent = (type: string, body: object): EventFrame => ({
  s: 0,
  sn: 1,
  d: {
    channel_type: 'GROUP',
    type: 255,
    target_id: '10',
    author_id: '1',
    content: '',
    msg_id: 'm',
    msg_timestamp: 0,
    nonce: '',
    extra: { type, body },
  },
})
