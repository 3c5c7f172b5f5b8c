import { cardsOf } from '../cards.ts'
import { messageState } from './kmarkdown.tsx'
import type { Section } from './section.ts'

const logo = `${location.origin}/logo.svg`
const urls = {
  picture: logo,
  tall: logo,
  file: logo,
  audio: logo,
  video: logo,
  code: 'nobody2',
  now: Date.now(),
}
const [first] = Object.values(cardsOf(urls))

/** Ephemeral messages; the reader is user 7. */
export const ephemeral: Section = {
  id: 'quiet',
  title: 'For one person alone',
  states: [
    messageState('ephemeral message', '你的验证码是 **4721**，别告诉别人', {}, '7'),
    messageState(
      'ephemeral message that call on the reader',
      '(met)7(met) 你被选中了',
      { mention: ['7'] as never },
      '7',
    ),
    messageState('ephemeral message to somebody else', '只告诉你：今晚有奖励', {}, '8'),
    messageState('quiet card', JSON.stringify(first), { type: 10 }, '7'),
    messageState('other words of a message', '你已经报名了 ✅', { is_pinned: true }, '7'),
  ],
}
