/** docs/scale.json keeps what `npm run bench -- scale --keep` measured, docs/scale.md shows it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compared } from './day.ts'
import { type Constants, type Cost, type Habits, type Needs, needsOf, type Prices } from './model.ts'

const FILE = path.join(import.meta.dirname, '../../../docs/scale.json')

/** What one run of the bench measured. */
export interface Kept {
  readonly day: string
  readonly machine: string
  readonly constants: Constants
  readonly compared: readonly Compared[]
  readonly busiest: { readonly measured: number; readonly predicted: number }
  /** People of a killed node: how many there were, and when half and 99 % of them were back, ms. */
  readonly killed: {
    readonly people: number
    readonly half: number
    readonly most: number
    readonly resumed: number
  }
}

export const readKept = (): Kept => JSON.parse(readFileSync(FILE, 'utf8')) as Kept
export const keep = (kept: Kept): void => writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)

const COSTS: readonly (readonly [keyof Constants, string])[] = [
  ['rest', 'a node without people, each second'],
  ['connected', 'somebody who is connected, each second'],
  ['send', 'a message, up to its commit'],
  ['arrival', 'a message that reaches a node'],
  ['delivery', 'a message that reaches somebody'],
  ['crowdDelivery', '… one of thousands on each node'],
  ['visit', 'somebody comes and goes'],
  ['visitElsewhere', '… for each other node'],
  ['read', 'a page of history'],
]

const SIZES: readonly (readonly [keyof Constants, string, string])[] = [
  ['nodeMiB', 'memory of a node without people', 'MiB'],
  ['connectionKiB', 'memory of somebody who is connected', 'KiB'],
  ['elsewhereKiB', '… on each other node', 'KiB'],
  ['messageBytes', 'a message on disk with its indexes', 'bytes'],
  ['eventBytes', '… and for a day', 'bytes'],
  ['redisArrivalBytes', 'through Redis for a message and a node that it reaches', 'bytes'],
  ['redisVisitBytes', '… for somebody who comes and goes, and a node', 'bytes'],
  ['redisRestBytes', '… for a node, each second', 'bytes'],
]

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const shown = (value: number): string => {
  const short = Number(value.toPrecision(3))
  return Math.abs(short) >= 10_000 ? short.toLocaleString('en').replaceAll(',', ' ') : String(short)
}

function constantsTable({ constants }: Kept): string {
  const costs = COSTS.map(([name, says]) => {
    const { nodes, database, redis } = constants[name] as Cost
    return [says, ...[nodes, database, redis].map(shown)]
  })
  const sizes = SIZES.map(([name, says, unit]) => [says, `${shown(constants[name] as number)} ${unit}`])
  return `${table(['µs of a processor', 'nodes', 'database', 'Redis'], costs)}\n\n${table(['', ''], sizes)}`
}

const comparedTable = ({ compared }: Kept): string =>
  table(
    ['', 'measured', 'by the model', 'times'],
    compared.map(({ name, measured, predicted, unit }) => [
      name,
      `${shown(measured)} ${unit}`.trim(),
      `${shown(predicted)} ${unit}`.trim(),
      (predicted / measured).toFixed(2),
    ]),
  )

/** The busiest hour of people who talk a lot. */
export const HABITS: Habits = {
  connectedAtPeak: 0.1,
  messagesAnHour: 3,
  visitsAnHour: 2,
  readsAnHour: 20,
  heardBy: 60,
  hoursADay: 8,
  fullAtMost: 0.6,
}
/** Yuan, near to what large clouds in China ask of who pays for a year. */
export const PRICES: Prices = { coreAMonth: 70, gibAMonth: 20, diskGibAMonth: 0.8 }
const PEOPLE = [10_000, 1_000_000, 10_000_000, 100_000_000]

const NEEDS: readonly (readonly [string, (it: Needs) => string])[] = [
  ['connected in the busiest hour', (it) => shown(it.connected)],
  ['messages a day', (it) => shown(it.messagesADay)],
  ['nodes, a processor each', (it) => shown(it.nodes)],
  ['memory of a node, GiB', (it) => shown(it.nodeGib)],
  ['processors of databases', (it) => shown(it.databaseCores)],
  ['processors of Redis', (it) => shown(it.redisCores)],
  ['traffic of Redis, Mbit/s', (it) => shown(it.redisMbit)],
  ['disk after a year, GiB', (it) => shown(it.diskGibAYear)],
  ['yuan a month', (it) => shown(it.yuanAMonth)],
]

function needsTable({ constants }: Kept): string {
  const all = PEOPLE.map((people) => needsOf(people, constants, HABITS, PRICES))
  return table(
    ['people', ...PEOPLE.map(shown)],
    NEEDS.map(([says, of]) => [says, ...all.map((it) => (it ? of(it) : 'not by nodes alone'))]),
  )
}

function habitsList(): string {
  const { connectedAtPeak, messagesAnHour, visitsAnHour, readsAnHour, heardBy, hoursADay, fullAtMost } =
    HABITS
  const percent = (part: number) => `${shown(part * 100)} %`
  return [
    `- In the busiest hour ${percent(connectedAtPeak)} of all people are connected. Each of them comes and goes ${visitsAnHour} times, opens ${readsAnHour} rooms and writes ${messagesAnHour} messages, which reach ${heardBy} people who are connected, by the mean. A day has ${hoursADay} times the messages of that hour.`,
    `- Processors and memory are ${percent(fullAtMost)} full in it, disks after a year. A node has one processor, because it is one process.`,
    `- Yuan: ${PRICES.coreAMonth} a month for a processor, ${PRICES.gibAMonth} for a GiB of memory and ${PRICES.diskGibAMonth} for one of disk, which is there twice, for a replica. These are round numbers near to what large clouds in China ask of who pays for a year; traffic to people, files, SMS and who is paid to watch over it are not in them.`,
  ].join('\n')
}

function busiestLine({ busiest }: Kept): string {
  const { measured, predicted } = busiest
  return `In the busiest hour all nodes together used ${shown(measured)} of a processor, where the model says ${shown(predicted)}.`
}

function killedLine({ killed }: Kept): string {
  const { people, half, most, resumed } = killed
  const seconds = (ms: number) => (ms / 1_000).toFixed(0)
  return `Of the ${people} people of a killed node half were back after ${seconds(half)} s and 99 % after ${seconds(most)} s; ${resumed} went on with their session.`
}

/** The page with its generated parts filled in: what is between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function withFigures(text: string, kept: Kept): string {
  const parts = {
    constants: constantsTable(kept),
    compared: comparedTable(kept),
    busiest: busiestLine(kept),
    killed: killedLine(kept),
    needs: needsTable(kept),
    habits: habitsList(),
    machine: `${kept.day}, ${kept.machine}.`,
  }
  return Object.entries(parts).reduce(
    (page, [name, part]) =>
      page.replace(
        new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`),
        (_, open: string, close: string) => `${open}${part}${close}`,
      ),
    text,
  )
}
