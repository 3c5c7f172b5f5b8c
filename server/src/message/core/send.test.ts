import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { expect, it } from 'vitest'
import type { AppContext } from '../../kit/events/events.ts'
import type { Screening } from '../../kit/screening.ts'
import type { Said } from '../content.ts'
import { type Destination, type Sender, type SendOptions, sendTo, type Typed } from './send.ts'

const ANN = '1' as UserId

/** A conversation that writes down its steps. `sent`: what the nonce has sent before. */
function open(
  typed: Partial<Typed> = {},
  over: Partial<Destination<Sender, null, null, string>> = {},
  sent: () => string | null = () => null,
) {
  const steps: string[] = []
  const step = <T>(name: string, answer: T): T => {
    steps.push(name)
    return answer
  }
  const to: Destination<Sender, null, null, string> = {
    sender: async () =>
      step('sender', { author: { bot: true }, typed: { kind: 'kmarkdown', content: 'hello', ...typed } }),
    sentBefore: async () => step('sent before?', sent()),
    enter: async () => step('enter', null),
    media: async () => step('media', null),
    mentions: async () => step('mentions', null),
    noMentions: () => null,
    heldTarget: () => ({ target: 'private', code: 'c', targetId: ANN }),
    count: async () => step('count', undefined),
    inOrder: (ready) => ready,
    store: async () => step('store', 'new'),
    ...over,
  }
  return { to, steps, step }
}

const send = (
  to: Destination<Sender, null, null, string>,
  options: Partial<SendOptions> = {},
  screening?: Partial<Screening>,
) =>
  sendTo(
    { ...(screening && { screening: { isOn: true, ...screening } }) } as unknown as AppContext,
    ANN,
    to,
    {
      nonce: 'n',
      ...options,
    },
  )

const refusal = (name: 'forbidden' | 'content.refused' | 'content.held') => ({ failure: name })

it('an author who may send nothing is refused before anything is asked', async () => {
  const { to, steps } = open({}, { sender: () => Promise.reject(fail('forbidden')) })
  await expect(send(to)).rejects.toMatchObject(refusal('forbidden'))
  expect(steps).toEqual([])
})

it('a message that is refused stays sent when its nonce was used before, else it is refused', async () => {
  const message = async () => {
    throw fail('content.refused')
  }
  const never = open()
  await expect(send(never.to, {}, { message })).rejects.toMatchObject(refusal('content.refused'))
  expect(never.steps).not.toContain('store')
  expect(await send(open({}, {}, () => 'first').to, {}, { message })).toBe('first')
  // Without a nonce there is nothing to ask for.
  const nameless = open({}, {}, () => 'first')
  await expect(send(nameless.to, { nonce: '' }, { message })).rejects.toMatchObject(
    refusal('content.refused'),
  )
  expect(nameless.steps).not.toContain('sent before?')
})

it('a message is held once, counted before that, and not at all when its nonce was used before', async () => {
  const held: string[] = []
  const message = async () => async () => {
    held.push('held')
  }
  const never = open()
  await expect(send(never.to, {}, { message })).rejects.toMatchObject(refusal('content.held'))
  expect([...never.steps.slice(-2), ...held]).toEqual(['count', 'sent before?', 'held'])
  expect(await send(open({}, {}, () => 'first').to, {}, { message })).toBe('first')
  expect(held).toEqual(['held'])
})

it('a fault of the server is no refusal: nothing is asked about the nonce', async () => {
  const fault = new Error('cut')
  const { to, steps } = open({}, { enter: () => Promise.reject(fault) }, () => 'first')
  await expect(send(to)).rejects.toBe(fault)
  expect(steps).not.toContain('sent before?')
})

it('what is not stored was sent before, or its conversation is gone', async () => {
  const store = async () => null
  expect(await send(open({}, { store }, () => 'first').to)).toBe('first')
  await expect(send(open({}, { store }).to)).rejects.toMatchObject(refusal('forbidden'))
})

it('a text is asked about only when it is not stored; a card first of all', async () => {
  const text = open()
  expect(await send(text.to)).toBe('new')
  expect(text.steps).toEqual(['sender', 'enter', 'media', 'mentions', 'count', 'store'])
  const asked: Said[] = []
  const sentBefore = async (said: Said) => {
    asked.push(said)
    return 'first'
  }
  const card = open({ kind: 'card', content: '[' }, { sentBefore })
  expect(await send(card.to)).toBe('first')
  expect([card.steps, asked]).toEqual([['sender'], [{ kind: 'card', content: '[' }]])
})

it('what staff approved is neither judged nor counted again', async () => {
  const { to, steps } = open()
  const message = () => Promise.reject(new Error('asked'))
  expect(await send(to, { isApproved: true }, { message })).toBe('new')
  expect(steps).not.toContain('count')
})
