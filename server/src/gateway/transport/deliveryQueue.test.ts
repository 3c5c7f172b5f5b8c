import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Session } from '../session.ts'
import { Deliveries } from './deliveryQueue.ts'
import { SharedEvent } from './frames.ts'

const A = '10' as GuildId
const B = '20' as GuildId

const event = (content: string) =>
  new SharedEvent({
    ...{ channel_type: 'GROUP', type: 9, target_id: '1', author_id: '1', msg_id: '', msg_timestamp: 0 },
    ...{ nonce: '', extra: {}, content },
  })
const telling = (content: string) => ({ in: () => event(content) })

let deliveries: Deliveries
let woken: number
let failures: unknown[]

beforeEach(() => {
  woken = 0
  failures = []
  deliveries = new Deliveries(
    () => {
      woken += 1
    },
    (error) => failures.push(error),
  )
})

/** A line, and what its socket was given: the number of each event and its words. */
function openLine(dialect: NumberDialect = 'specification') {
  const session = new Session({
    ...{ id: 's', userId: '1' as UserId, loginId: 'l', compress: false, dialect, now: 0 },
    ...{ deflate: Buffer.from, held: deliveries.held, settle: deliveries.settle },
  })
  const heard: string[] = []
  const wire = {
    send(frame: string | Buffer) {
      const { sn, d, s } = JSON.parse(String(frame))
      if (s === 0) heard.push(`${sn}:${d.content}`)
    },
    close() {},
  }
  return { session, heard, wire }
}

function openLines(count: number) {
  const lines = Array.from({ length: count }, () => openLine())
  for (const { session, wire } of lines) session.open(wire, 0)
  return { lines, sessions: lines.map(({ session }) => session) }
}

describe('events on their way to lines', () => {
  it.each([
    ['the first', 0],
    ['the last', 1],
  ])('that cannot be written for %s are heard by the others, and are told of', (_, place) => {
    const bot = openLine('public')
    const person = openLine()
    for (const { session, wire } of [bot, person]) session.open(wire, 0)
    const broken = {
      in(dialect: NumberDialect) {
        if (dialect === 'public') throw new Error('no')
        return event('a')
      },
    }
    const sessions = [person.session]
    sessions.splice(place, 0, bot.session)
    deliveries.add(sessions, broken, 0, A)
    deliveries.add(sessions, telling('b'), 0, A)
    deliveries.settle()
    expect(person.heard).toEqual(['1:a', '2:b'])
    expect(bot.heard).toEqual(['1:b'])
    expect(failures).toEqual([new Error('no')])
  })

  it('wait for each other, and wake whoever writes once', () => {
    const { lines, sessions } = openLines(2)
    for (const word of ['a', 'b']) deliveries.add(sessions, telling(word), 0, A)
    expect(woken).toBe(1)
    expect(lines[0]!.heard).toEqual([])
    deliveries.settle()
    for (const { heard } of lines) expect(heard).toEqual(['1:a', '2:b'])
  })

  it('do not wait when they are many or big', () => {
    const { lines, sessions } = openLines(1)
    for (let n = 0; n < 256; n += 1) deliveries.add(sessions, telling('a'), 0, A)
    expect(lines[0]!.heard).toHaveLength(256)
    deliveries.add(sessions, telling('x'.repeat(70_000)), 0, A)
    expect(lines[0]!.heard).toHaveLength(257)
  })

  it('are not heard by those who came after them', () => {
    const { lines, sessions } = openLines(1)
    deliveries.add(sessions, telling('before'), 0, A)
    const late = openLine()
    late.session.open(late.wire, 0)
    sessions.push(late.session)
    deliveries.add(sessions, telling('after'), 0, A)
    deliveries.settle()
    expect(lines[0]!.heard).toEqual(['1:before', '2:after'])
    expect(late.heard).toEqual(['1:after'])
  })

  it('are there before a line is asked anything', () => {
    const { lines, sessions } = openLines(1)
    const [{ session, heard, wire }] = lines as [(typeof lines)[0]]
    const say = (word: string) => deliveries.add(sessions, telling(word), 0, A)
    say('a')
    expect(session.sn).toBe(1)
    say('b')
    session.hear('{"s":2,"sn":1}', 0)
    expect(heard).toEqual(['1:a', '2:b'])
    say('c')
    session.deliver(event('own'), 0)
    expect(heard).toEqual(['1:a', '2:b', '3:c', '4:own'])
    say('d')
    expect(session.resume(wire, 4, 0)).toBe(0)
    expect(heard.slice(4)).toEqual(['5:d', '5:d'])
  })

  it('mean nothing to a line that ended, and nobody holds them then', () => {
    const { lines, sessions } = openLines(2)
    deliveries.add(sessions, telling('a'), 0, A)
    deliveries.settle()
    deliveries.add(sessions, telling('b'), 0, A)
    lines[0]!.session.end()
    deliveries.settle()
    expect(lines.map(({ heard }) => heard)).toEqual([['1:a'], ['1:a', '2:b']])
    expect(deliveries.held.count).toBe(2)
    lines[1]!.session.end()
    expect(deliveries.held.count).toBe(0)
  })

  it('come to each line in the order in which they were handed in, whoever else hears them', () => {
    const act = fc.oneof(
      { weight: 8, arbitrary: fc.record({ guild: fc.constantFrom(A, B), grow: fc.boolean() }) },
      { weight: 2, arbitrary: fc.constant('settle' as const) },
      { weight: 1, arbitrary: fc.record({ own: fc.nat(2) }) },
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { lines } = openLines(3)
        // The middle one hears both.
        const [a, b, c] = lines.map(({ session }) => session) as [Session, Session, Session]
        const lists = { [A]: [a, b], [B]: [b, c] } as Record<GuildId, Session[]>
        const all = [...lines]
        const expected = new Map(all.map(({ session }) => [session, [] as string[]]))
        acts.forEach((it, n) => {
          const note = (session: Session) => {
            const words = expected.get(session)!
            words.push(`${words.length + 1}:${n}`)
          }
          if (it === 'settle') deliveries.settle()
          else if ('own' in it) {
            lines[it.own]!.session.deliver(event(String(n)), 0)
            note(lines[it.own]!.session)
          } else {
            deliveries.add(lists[it.guild]!, telling(String(n)), 0, it.guild)
            for (const session of lists[it.guild]!) note(session)
            if (!it.grow) return
            const late = openLine()
            late.session.open(late.wire, 0)
            expected.set(late.session, [])
            all.push(late)
            lists[it.guild]!.push(late.session)
          }
        })
        deliveries.settle()
        for (const { session, heard } of all) expect(heard).toEqual(expected.get(session))
        for (const { session } of all) session.end()
        expect(deliveries.held.count).toBe(0)
      }),
      { numRuns: 300, seed: 12 },
    )
  })
})
