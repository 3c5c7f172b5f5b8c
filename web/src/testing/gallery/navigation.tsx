import type { Unread } from '@guildhall/wire/message/readMark.ts'
import { ConnectionText } from '../../app/connection/ConnectionText.tsx'
import { Leaf } from '../../channel/Leaf.tsx'
import { channelOf } from '../fixtures.ts'
import { longName } from './kinds.tsx'
import type { Section, State } from './section.ts'

const channel = (
  name: string,
  more: Parameters<typeof channelOf>[2] = {},
  waits?: Partial<Unread>,
  called = '闲聊',
): State => ({
  name,
  draw: () => (
    <ul>
      <Leaf
        channel={channelOf('20', called, more)}
        waits={waits && ({ channel_id: '20', unread_count: 0, mention_count: 0, ...waits } as Unread)}
        hasDraft={name.includes('draft')}
        LastWords={() => '小满：好，一会儿见'}
      />
    </ul>
  ),
})
const text = (state: 'offline' | 'reconnecting' | 'connecting'): State => ({
  name: state,
  draw: () => <ConnectionText state={state} onRetry={() => undefined} />,
})

export const navigation: Section = {
  id: 'navigation',
  title: 'Navigation',
  states: [
    channel('channel'),
    channel('channel with unread messages', {}, { unread_count: 120 }),
    channel('channel with mentions and a draft', {}, { unread_count: 3, mention_count: 2 }),
    channel(
      'channel with a long name',
      { is_readonly: true, is_private: true },
      { unread_count: 1 },
      longName.username,
    ),
    channel('channel of voices, which cannot be entered', { type: 2 }),
    text('connecting'),
    text('reconnecting'),
    text('offline'),
  ],
}
