import { cardsOf } from '../cards.ts'
import { messageState } from './kmarkdown.tsx'
import type { Section } from './section.ts'

const CARD = 10
const logo = `${location.origin}/logo.svg`
const kinds = Object.entries(
  cardsOf({
    picture: logo,
    tall: logo,
    file: logo,
    audio: logo,
    video: logo,
    code: 'nobody2',
    now: Date.now(),
  }),
)

export const cards: Section = {
  id: 'cards',
  title: 'Cards',
  states: [
    ...kinds.map(([name, it]) => messageState(`card: ${name}`, JSON.stringify(it), { type: CARD })),
    messageState('card: nothing in it', JSON.stringify([{ type: 'card', modules: [] }]), { type: CARD }),
  ],
}
