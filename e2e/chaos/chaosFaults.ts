/** The faults of chaos: what is broken, which alarms have to ring, and what goes on meanwhile. */
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { FaultMode } from '../../server/src/testing/outside/smsServer.ts'
import type { Clients } from './chaosClients.ts'
import type { Nodes } from './chaosNodes.ts'

export interface Fault {
  readonly name: string
  /** Alerts of `deploy/prometheus/alerts.yaml` that have to fire while it lasts. */
  readonly rings: readonly string[]
  strike(): Promise<void>
  /** Resolves when people have met what they should while it lasts; by default, when messages go on. */
  met?(): Promise<void>
  recover(): Promise<void>
}

/** Far beyond what the providers of SMS accept in a signature. */
const CLOCK_JUMP_S = 2 * 3_600
const MOODS: readonly FaultMode[] = ['silent', 'hang up', { status: 503 }]

/** `random` returns a number from 0 to below 1. */
export function faultsOf(nodes: Nodes, clients: Clients, random: () => number): Fault[] {
  return [
    ...databaseFaults(nodes, clients),
    {
      name: 'Redis away',
      rings: ['GuildhallRedisAway'],
      strike: () => nodes.redis.kill(),
      recover: () => nodes.redis.start(),
    },
    nodeKilled(nodes, random),
    ...(nodes.hasSmallDisk ? [diskFull(nodes, clients)] : []),
    ...clockFaults(nodes, clients),
    ...smsFaults(nodes, clients, random),
  ]
}

const databaseFaults = ({ postgres }: Nodes, clients: Clients): Fault[] =>
  [undefined, 'crash' as const].map((how) => ({
    name: how ? 'database crashed' : 'database stopped',
    rings: ['GuildhallDatabaseAway', 'GuildhallNotListening'],
    strike: () => postgres.stop(how),
    // Nothing can be stored, and it is said so in a way that lets people try again.
    met: () => clients.nextCode('unavailable'),
    recover: () => postgres.start(),
  }))

function nodeKilled(nodes: Nodes, random: () => number): Fault {
  let node = 0
  return {
    name: 'node killed',
    rings: ['GuildhallDown'],
    async strike() {
      node = Math.floor(random() * nodes.servers.length)
      await nodes.servers[node]!.kill(false)
    },
    recover: () => nodes.restart(node),
  }
}

function diskFull(nodes: Nodes, clients: Clients): Fault {
  const filler = path.join(nodes.locations[0]!.dataDir, 'filler')
  return {
    name: 'disk full',
    rings: nodes.tellsDisk ? ['GuildhallDiskFull'] : [],
    strike: () => fill(filler),
    async met() {
      await clients.nextRefusedUpload(0)
      await clients.nextMessages()
    },
    recover: () => rm(filler, { force: true }),
  }
}

/** Writes until the disk is full. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    for (const block of [Buffer.alloc(1024 * 1024), Buffer.alloc(4_096)]) {
      let isFull = false
      while (!isFull) {
        const { bytesWritten } = await handle.write(block).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error
          return { bytesWritten: 0 }
        })
        isFull = bytesWritten < block.length
      }
    }
  } finally {
    await handle.close()
  }
}

const clockFaults = (nodes: Nodes, clients: Clients): Fault[] =>
  [CLOCK_JUMP_S, -CLOCK_JUMP_S].map((seconds) => ({
    name: seconds > 0 ? 'clock ahead' : 'clock behind',
    // The providers refuse what is signed with a wrong time.
    rings: ['GuildhallClockWrong', 'GuildhallSmsFails'],
    strike: () => nodes.clock.jump(seconds),
    met: () => clients.nextMessages(),
    recover: () => nodes.clock.jump(0),
  }))

function smsFaults({ sms }: Nodes, clients: Clients, random: () => number): Fault[] {
  const faultMode = () => MOODS[Math.floor(random() * MOODS.length)]!
  return [
    {
      name: 'first SMS provider away',
      rings: ['GuildhallSmsFails'],
      strike: async () => sms.faultMode('aliyun', [faultMode()], true),
      // The second one sends.
      met: () => clients.nextCode('accepted'),
      recover: async () => sms.faultMode('aliyun', []),
    },
    {
      name: 'SMS providers away',
      rings: ['GuildhallSmsFails', 'GuildhallSmsDown'],
      async strike() {
        sms.faultMode('aliyun', [faultMode()], true)
        sms.faultMode('tencent', [faultMode()], true)
      },
      met: () => clients.nextCode('auth.sms_failed'),
      async recover() {
        sms.faultMode('aliyun', [])
        sms.faultMode('tencent', [])
      },
    },
  ]
}
