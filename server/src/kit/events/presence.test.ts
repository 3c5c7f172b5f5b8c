import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Nodes } from './nodes.ts'
import { type LocalPresence, type SharedPresence, sharePresence } from './presence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const { presence } of cluster.splice(0)) presence.close()
  vi.useRealTimers()
})

interface Node {
  readonly id: string
  /** The people connected to this node, with their guilds. */
  readonly people: Map<string, string[]>
  /** Their systems; `iOS` for those without. */
  readonly systems: Map<string, string>
  readonly presence: SharedPresence
  isConnected: boolean
  receive(kind: string, body: unknown, from: string): void
  change(id: string, isHere: boolean): void
}
const cluster: Node[] = []

/** A node whose messages arrive at once at all connected nodes. */
function open(id: string): Node {
  const listeners = new Map<string, (body: unknown, from: string) => void>()
  const watchers: ((id: string, isHere: boolean) => void)[] = []
  const people = new Map<string, string[]>()
  const systems = new Map<string, string>()
  const others = () => cluster.filter((other) => other !== node && other.isConnected)
  const nodes: Nodes = {
    id,
    broadcast(kind, body) {
      if (node.isConnected)
        for (const other of others()) other.receive(kind, JSON.parse(JSON.stringify(body)), id)
    },
    onMessage(kind, listener) {
      listeners.set(kind, listener)
      return () => listeners.delete(kind)
    },
    request: async () => null,
    onRequest: () => () => undefined,
    isConnected: () => node.isConnected,
    others: () => others().map((other) => other.id),
    onChange(listener) {
      watchers.push(listener)
      return () => undefined
    },
    close() {},
  }
  const inGuild = (guildId: string, counts: (userId: UserId) => boolean) =>
    [...people].filter(([userId, guilds]) => guilds.includes(guildId) && counts(userId as UserId)).length
  const here: LocalPresence = {
    isOnline: (userId) => people.has(userId),
    osOf: (userId) => (people.has(userId) ? (systems.get(userId) ?? 'iOS') : ''),
    onlineCount: inGuild,
    onlinePeople: () => new Set([...people.keys()] as UserId[]),
    onlineCounts: (counts) =>
      new Map([...new Set([...people.values()].flat())].map((it) => [it as GuildId, inGuild(it, counts)])),
  }
  const node: Node = {
    id,
    people,
    systems,
    presence: sharePresence(nodes, () => here),
    isConnected: true,
    receive: (kind, body, from) => listeners.get(kind)?.(body, from),
    change: (other, isHere) => {
      for (const watcher of watchers) watcher(other, isHere)
    },
  }
  cluster.push(node)
  return node
}

/** Long enough for every node to have published its changes. */
const soon = () => vi.advanceTimersByTime(10_000)
const hall = 'hall' as GuildId
const counts = () => cluster.map(({ presence }) => presence.onlineCount(hall))
const online = (userId: string) => cluster.map(({ presence }) => presence.isOnline(userId as UserId))

it('a person connected to one node is online at all nodes until they leave', () => {
  const [one] = [open('a'), open('b'), open('c')]
  one.people.set('1', ['hall'])
  soon()
  expect([online('1'), counts()]).toEqual([
    [true, true, true],
    [1, 1, 1],
  ])
  one.people.delete('1')
  soon()
  expect([online('1'), counts()]).toEqual([
    [false, false, false],
    [0, 0, 0],
  ])
})

it('a person connected to two nodes counts once, also after either connection closes', () => {
  const [one, two] = [open('a'), open('b')]
  one.people.set('1', ['hall'])
  two.people.set('1', ['hall'])
  two.people.set('2', ['hall'])
  soon()
  expect(counts()).toEqual([2, 2])
  one.people.delete('1')
  soon()
  expect(counts()).toEqual([2, 2])
})

it('a node that joins later learns of everybody, and one that missed an update asks for all', () => {
  const one = open('a')
  one.people.set('1', ['hall'])
  soon()
  const two = open('b')
  one.change('b', true)
  soon()
  expect(two.presence.isOnline('1' as UserId)).toBe(true)
  two.isConnected = false
  one.people.set('2', ['hall'])
  soon()
  two.isConnected = true
  one.people.set('3', ['hall'])
  soon()
  expect(online('2')).toEqual([true, true])
  expect(counts()).toEqual([3, 3])
})

it('the people of a node that is gone are offline, and a disconnected node answers with what it has', () => {
  const [one, two] = [open('a'), open('b')]
  one.people.set('1', ['hall'])
  two.people.set('2', ['hall'])
  soon()
  one.isConnected = false
  two.change('a', false)
  one.change('b', false)
  soon()
  expect(counts()).toEqual([1, 1])
  expect(online('1')).toEqual([true, false])
})

const systems = (userId: string) => cluster.map(({ presence }) => presence.osOf(userId as UserId))

it('every node shows the same system, a desk before a phone, and none when the person is gone', () => {
  const [one, two] = [open('a'), open('b')]
  one.people.set('1', ['hall'])
  two.people.set('1', ['hall'])
  two.systems.set('1', 'Windows')
  soon()
  expect(systems('1')).toEqual(['Windows', 'Windows'])
  two.people.delete('1')
  soon()
  expect(systems('1')).toEqual(['iOS', 'iOS'])
  expect(one.presence.peopleOn('iOS')).toEqual(['1'])
  one.people.delete('1')
  soon()
  expect(systems('1')).toEqual(['', ''])
})

it('who comes and goes on another node is told, with the people of a node that is gone', () => {
  const [one, two] = [open('a'), open('b')]
  const received: [string[], boolean][] = []
  two.presence.onChange((userIds, isNews) => void received.push([[...userIds], isNews]))
  one.people.set('1', ['hall'])
  soon()
  one.people.set('2', ['hall'])
  soon()
  one.isConnected = false
  two.change('a', false)
  // What was so before this node knew the other one is no news.
  expect(received.at(0)?.[1]).toBe(false)
  expect(received.slice(1)).toEqual([
    [['2'], true],
    [['1', '2'], true],
  ])
})

it('one node of several does what is done once for all', () => {
  const [one, two] = [open('a'), open('b')]
  expect([one, two].map(({ presence }) => presence.isFirstNode())).toEqual([true, false])
  one.isConnected = false
  expect(two.presence.isFirstNode()).toBe(true)
})
