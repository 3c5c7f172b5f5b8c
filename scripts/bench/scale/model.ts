/**
 * What a system of this program takes: from measured costs of one thing each (`constants.ts`) and from the
 * habits of people to processors, memory, disks, traffic and money. Only arithmetic; docs/scale.md shows it.
 */

/** CPU of one thing: of all nodes together, of the database and of Redis, µs. */
export interface Cost {
  readonly nodes: number
  readonly database: number
  readonly redis: number
}

/** What one thing costs. Every member is measured by `npm run bench -- scale`. */
export interface Constants {
  /** A node without people, each second. */
  readonly rest: Cost
  /** Somebody who is connected and does nothing, each second: heartbeats, and whether the login lasts. */
  readonly connected: Cost
  /** A message, up to its commit. */
  readonly send: Cost
  /** A message reaches a node that has somebody of its guild. */
  readonly arrival: Cost
  /** A message reaches somebody who is connected. */
  readonly delivery: Cost
  /** The same in a guild with thousands on each node. */
  readonly crowdDelivery: Cost
  /** Somebody comes and goes, on the node where that happens and in the stores. */
  readonly visit: Cost
  /** The same, on each other node. */
  readonly visitElsewhere: Cost
  /** Somebody opens a room and reads its newest page. */
  readonly read: Cost
  /** Memory of a node without people, MiB. */
  readonly nodeMiB: number
  /** Memory of somebody who is connected, KiB: on their node, and on each other one. */
  readonly connectionKiB: number
  readonly elsewhereKiB: number
  /** What a message takes on disk with its indexes, bytes: as long as it is kept, and for a day. */
  readonly messageBytes: number
  readonly eventBytes: number
  /** What Redis passes on for each node, bytes: of a message that reaches it, a visit, and a second. */
  readonly redisArrivalBytes: number
  readonly redisVisitBytes: number
  readonly redisRestBytes: number
}

/** What happened in a time, or is expected to. */
export interface Load {
  readonly seconds: number
  readonly nodes: number
  /** People, on average. */
  readonly connected: number
  readonly sends: number
  readonly arrivals: number
  readonly deliveries: number
  readonly crowdDeliveries: number
  readonly visits: number
  readonly reads: number
}

/** What a time took, or is expected to. */
export interface Use {
  readonly nodesMs: number
  readonly databaseMs: number
  readonly redisMs: number
  readonly redisBytes: number
}

/** How often each cost is paid. */
const timesOf = (load: Load): readonly (readonly [keyof Constants & CostName, number])[] => [
  ['rest', load.nodes * load.seconds],
  ['connected', load.connected * load.seconds],
  ['send', load.sends],
  ['arrival', load.arrivals],
  ['delivery', load.deliveries],
  ['crowdDelivery', load.crowdDeliveries],
  ['visit', load.visits],
  ['visitElsewhere', load.visits * (load.nodes - 1)],
  ['read', load.reads],
]
type CostName = {
  [Name in keyof Constants]: Constants[Name] extends Cost ? Name : never
}[keyof Constants]

/** What a load takes by the constants. */
export function useOf(constants: Constants, load: Load): Use {
  const times = timesOf(load)
  const sum = (of: keyof Cost) =>
    times.reduce((all, [name, count]) => all + Math.max(0, constants[name][of]) * count, 0) / 1_000
  return {
    nodesMs: sum('nodes'),
    databaseMs: sum('database'),
    redisMs: sum('redis'),
    redisBytes:
      constants.redisArrivalBytes * load.arrivals +
      constants.redisVisitBytes * load.visits * load.nodes +
      constants.redisRestBytes * load.nodes * load.seconds,
  }
}

/** On how many of `nodes` somebody of a guild is, when `people` of it are connected anywhere. */
export const nodesReached = (people: number, nodes: number): number => nodes * (1 - (1 - 1 / nodes) ** people)

/** What people do, and how a system is to be used. */
export interface Habits {
  /** The part of all people who are connected in the busiest hour. */
  readonly connectedAtPeak: number
  /** Of somebody who is connected, in the busiest hour. */
  readonly messagesAnHour: number
  readonly visitsAnHour: number
  readonly readsAnHour: number
  /** How many who are connected get a message, by the mean. */
  readonly heardBy: number
  /** Busiest hours in a day: all messages of a day are so many times those of that hour. */
  readonly hoursADay: number
  /** How full processors, memory and disks may be. */
  readonly fullAtMost: number
}

/** What an hour of a month of something costs, yuan. */
export interface Prices {
  readonly coreAMonth: number
  readonly gibAMonth: number
  readonly diskGibAMonth: number
}

/** What a system of so many people needs. */
export interface Needs {
  readonly people: number
  readonly connected: number
  readonly messagesADay: number
  /** Processes, each with one processor. */
  readonly nodes: number
  readonly nodeGib: number
  readonly databaseCores: number
  readonly redisCores: number
  readonly redisMbit: number
  readonly diskGibAYear: number
  /** After a year, with disks twice: a replica has them too. */
  readonly yuanAMonth: number
}

/** A process has no more memory than this, so that it starts and ends in seconds. */
const NODE_GIB_MAX = 4
const SECONDS_AN_HOUR = 3_600
const DAYS_A_YEAR = 365

/** The busiest hour of a system with so many nodes, by the second. */
function peakOf(people: number, nodes: number, habits: Habits): Load {
  const connected = people * habits.connectedAtPeak
  const perSecond = (anHour: number) => (connected * anHour) / SECONDS_AN_HOUR
  const sends = perSecond(habits.messagesAnHour)
  return {
    seconds: 1,
    nodes,
    connected,
    sends,
    arrivals: sends * nodesReached(habits.heardBy, nodes),
    deliveries: sends * habits.heardBy,
    crowdDeliveries: 0,
    visits: perSecond(habits.visitsAnHour),
    reads: perSecond(habits.readsAnHour),
  }
}

const memoryOf = (constants: Constants, connected: number, nodes: number): number =>
  constants.nodeMiB / 1_024 +
  (constants.connectionKiB * (connected / nodes) + constants.elsewhereKiB * connected * (1 - 1 / nodes)) /
    1_024 ** 2

/**
 * The smallest number of nodes that bears the busiest hour, and everything beside it. A node more is also
 * more work, so it is looked for; null when no number of nodes bears it.
 */
export function needsOf(people: number, constants: Constants, habits: Habits, prices: Prices): Needs | null {
  const connected = people * habits.connectedAtPeak
  const bears = (nodes: number) =>
    useOf(constants, peakOf(people, nodes, habits)).nodesMs <= 1_000 * nodes * habits.fullAtMost &&
    memoryOf(constants, connected, nodes) <= NODE_GIB_MAX * habits.fullAtMost
  const nodes = firstThatBears(bears)
  if (nodes === null) return null
  const use = useOf(constants, peakOf(people, nodes, habits))
  const messagesADay = connected * habits.messagesAnHour * habits.hoursADay
  const diskGibAYear =
    (messagesADay * (constants.messageBytes * DAYS_A_YEAR + constants.eventBytes)) / 1_024 ** 3
  const nodeGib = memoryOf(constants, connected, nodes)
  const databaseCores = use.databaseMs / 1_000 / habits.fullAtMost
  const redisCores = use.redisMs / 1_000 / habits.fullAtMost
  return {
    people,
    connected,
    messagesADay,
    nodes,
    nodeGib,
    databaseCores,
    redisCores,
    redisMbit: (use.redisBytes * 8) / 1e6,
    diskGibAYear,
    yuanAMonth:
      (nodes + Math.ceil(databaseCores) + Math.ceil(redisCores)) * prices.coreAMonth +
      ((nodes * nodeGib) / habits.fullAtMost) * prices.gibAMonth +
      2 * (diskGibAYear / habits.fullAtMost) * prices.diskGibAMonth,
  }
}

const NODES_MAX = 1_000_000

/** By doubling, then by halves: from some number on more nodes bear it, until their own work is too much. */
function firstThatBears(bears: (nodes: number) => boolean): number | null {
  let high = 1
  while (!bears(high)) {
    high *= 2
    if (high > NODES_MAX) return null
  }
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (bears(middle)) high = middle
    else low = middle
  }
  return high
}
