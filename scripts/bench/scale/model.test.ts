import { describe, expect, test } from 'vitest'
import { type Constants, type Cost, type Habits, needsOf, nodesReached, useOf } from './model.ts'

const cost = (nodes: number, database = 0, redis = 0): Cost => ({ nodes, database, redis })
const FREE = cost(0)

const constants: Constants = {
  rest: FREE,
  connected: FREE,
  send: cost(1_000, 500, 10),
  arrival: cost(100, 0, 20),
  delivery: cost(10),
  crowdDelivery: cost(5),
  visit: cost(2_000, 300),
  visitElsewhere: cost(50),
  read: cost(400, 600),
  nodeMiB: 100,
  connectionKiB: 10,
  elsewhereKiB: 0.1,
  messageBytes: 1_000,
  eventBytes: 500,
  redisArrivalBytes: 800,
  redisVisitBytes: 100,
  redisRestBytes: 0,
}
const NOTHING = {
  seconds: 1,
  nodes: 4,
  connected: 0,
  sends: 0,
  arrivals: 0,
  deliveries: 0,
  crowdDeliveries: 0,
  visits: 0,
  reads: 0,
}
const habits: Habits = {
  connectedAtPeak: 0.1,
  messagesAnHour: 36,
  visitsAnHour: 0,
  readsAnHour: 0,
  heardBy: 20,
  hoursADay: 10,
  fullAtMost: 0.5,
}
const prices = { coreAMonth: 100, gibAMonth: 0, diskGibAMonth: 0 }

describe('what a load takes', () => {
  test('nothing takes nothing', () => {
    expect(useOf(constants, NOTHING)).toEqual({ nodesMs: 0, databaseMs: 0, redisMs: 0, redisBytes: 0 })
  })

  test('a message takes its commit, its arrival at each node and its delivery to each person', () => {
    const load = { ...NOTHING, sends: 1, arrivals: 4, deliveries: 200 }
    expect(useOf(constants, load)).toEqual({
      nodesMs: 1 + 0.4 + 2,
      databaseMs: 0.5,
      redisMs: 0.01 + 0.08,
      redisBytes: 3_200,
    })
  })

  test('somebody who comes is told to all other nodes', () => {
    expect(useOf(constants, { ...NOTHING, visits: 1 }).nodesMs).toBe(2 + 3 * 0.05)
    expect(useOf(constants, { ...NOTHING, visits: 1, nodes: 101 }).nodesMs).toBe(2 + 100 * 0.05)
  })

  test('a cost that was measured below nothing gives nothing back', () => {
    const noisy = { ...constants, read: cost(-3, 600) }
    expect(useOf(noisy, { ...NOTHING, reads: 10 })).toMatchObject({ nodesMs: 0, databaseMs: 6 })
  })
})

describe('how many nodes a message reaches', () => {
  test('one person is on one of them, and a crowd is on all', () => {
    expect(nodesReached(1, 8)).toBeCloseTo(1)
    expect(nodesReached(10_000, 8)).toBeCloseTo(8)
  })

  test('two people are on two of many', () => {
    expect(nodesReached(2, 1_000)).toBeCloseTo(1.999)
  })
})

describe('what so many people need', () => {
  test('one node bears few people', () => {
    expect(needsOf(1_000, constants, habits, prices)).toMatchObject({ nodes: 1, connected: 100 })
  })

  test('nodes are as full as they may be, and one less would be too full', () => {
    const needs = needsOf(1_000_000, constants, habits, prices)!
    const sends = (needs.connected * habits.messagesAnHour) / 3_600
    const processors = (nodes: number) => (sends * (1_000 + 100 * nodesReached(20, nodes) + 10 * 20)) / 1e6
    expect(processors(needs.nodes)).toBeLessThanOrEqual(needs.nodes * habits.fullAtMost)
    expect(processors(needs.nodes - 1)).toBeGreaterThan((needs.nodes - 1) * habits.fullAtMost)
  })

  test('a year of messages, and a day of events, lie on disk', () => {
    const { messagesADay, diskGibAYear } = needsOf(1_000_000, constants, habits, prices)!
    expect(messagesADay).toBe(100_000 * 36 * 10)
    expect(diskGibAYear).toBeCloseTo((messagesADay * (365 * 1_000 + 500)) / 2 ** 30)
  })

  test('nothing is said where each new node has more to tell to the others than it takes over', () => {
    const restless = { ...habits, visitsAnHour: 3_600 }
    expect(needsOf(100_000_000, constants, restless, prices)).toBeNull()
  })
})
