import type { UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import type { Pin } from '@guildhall/wire/message/pin.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import { ReplyBar } from '../../composer/ReplyBar.tsx'
import { CallFailure } from '../../kit/call.ts'
import type { RouteQuery } from '../../kit/routeQuery.ts'
import { Pins } from '../../message/menu/PinsSheet.tsx'
import { messageLike } from '../messages.ts'
import styles from './Gallery.module.css'
import { longName, quoteOf } from './kinds.tsx'
import { context } from './kmarkdown.tsx'
import type { Section, State } from './section.ts'

const logo = `${location.origin}/logo.svg`
const gone = `${location.origin}/no-such-picture.png`
const [IMAGE, FILE, VIDEO, VOICE, CARD] = [2, 3, 4, 8, 10]
const refetch = () => undefined
const AT = 1_790_000_000_000

const { author } = messageLike(1)
let seq = 900
const pinOf = (more: Partial<Message>, by: string | null = '小橙'): Pin => {
  seq += 1
  const pinned_by = by === null ? null : { id: '4' as UserId, name: by }
  return { message: messageLike(seq, more), pinned_at: AT, pinned_by }
}
const raw = (raw_content: string) => ({ ...messageLike(1).kmarkdown, raw_content })
const all: Pin[] = [
  pinOf({ content: '周六 **开荒**，(spl)别告诉别人(spl)' }),
  pinOf({ content: '晚上见', author: { ...author, avatar: logo, is_vip: true, avatar_frame: 'jade' } }),
  pinOf({ content: '很长的一段公告，'.repeat(30) }, longName.username),
  pinOf({ type: IMAGE, content: logo }),
  pinOf({ type: IMAGE, content: gone }),
  pinOf({ type: FILE, content: logo, attachments: { type: 'file', name: '攻略.pdf', url: logo } }),
  pinOf({ type: VIDEO, content: logo, attachments: { type: 'video', name: '首杀.mp4', url: logo } }),
  pinOf({ type: VOICE, content: logo }),
  pinOf({ type: CARD, content: '[]', kmarkdown: raw('周六名单\n先到先得') }),
  pinOf({ type: CARD, content: '[]', kmarkdown: raw('') }, null),
]
const state = (name: string, pins: RouteQuery<Pin[]>, mayUnpin = false): State => ({
  name,
  draw: () => (
    <div className={styles.sheet}>
      <Pins pins={pins} context={context} onJump={refetch} onUnpin={mayUnpin ? refetch : null} />
    </div>
  ),
})
const done = (answer: Pin[]): RouteQuery<Pin[]> => ({ status: 'done', answer, failure: null, refetch })
const bar = (name: string, quote: Quote): State => ({
  name,
  draw: () => <ReplyBar quote={quote} context={context} onClose={refetch} />,
})
const failure = new CallFailure('network', '网络连接失败')

export const pins: Section = {
  id: 'pins',
  title: 'Pins and answers',
  states: [
    state('pins', done(all)),
    state('pins that may be taken down', done(all.slice(0, 3)), true),
    state('no pins', done([])),
    state('pins loading', { status: 'loading', answer: null, failure: null, refetch }),
    state('pins that did not load', { status: 'failed', answer: null, failure, refetch }),
    bar('bar above the composer', quoteOf()),
    bar('bar with a long name', quoteOf({ author: longName, content: '很长的一段话，'.repeat(20) })),
    bar('bar for a picture', quoteOf({ type: IMAGE, content: logo })),
  ],
}
