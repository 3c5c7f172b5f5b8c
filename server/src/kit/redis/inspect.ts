/** What Redis says of itself, for the operator's doctor. */
import { hostsOf, type RedisAddress } from './address.ts'
import { askOnce, type Client } from './client.ts'
import { readSlotMap, SLOTS } from './slots.ts'

export interface RedisReport {
  /** Whether the server that was asked is one of a cluster. */
  readonly isCluster: boolean
  /** The servers that were asked: of a cluster all masters. */
  readonly servers: readonly {
    readonly host: string
    /** Such as `7.0.15`; null: it cannot be reached from here. */
    readonly version: string | null
  }[]
  /** Slots of a cluster without a server. */
  readonly slotsMissing: number
}

/** Asks the servers of an address. @throws when none answers */
export async function inspectRedis(address: RedisAddress): Promise<RedisReport> {
  const { url, version, isCluster, ranges } = await Promise.any(
    address.urls.map((at) => askOnce(at, (client) => askServer(client, at))),
  )
  if (!isCluster) return { isCluster, servers: [{ host: hostOf(url), version }], slotsMissing: 0 }
  const masters = [...new Set(ranges.map((range) => range.url))]
  const servers = masters.map(async (master) => ({
    host: hostOf(master),
    version: await askOnce(master, readVersion).catch(() => null),
  }))
  const served = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  return { isCluster, servers: await Promise.all(servers), slotsMissing: SLOTS - served }
}

async function askServer(client: Client, url: string) {
  const info = await client.info('server')
  const isCluster = /^redis_mode:cluster/m.test(info)
  const { ranges } = isCluster ? await readSlotMap(client, url) : { ranges: [] }
  return { url, version: versionIn(info), isCluster, ranges }
}

const hostOf = (url: string): string => hostsOf({ isCluster: false, urls: [url] })

const readVersion = async (client: Client): Promise<string> => versionIn(await client.info('server'))

const versionIn = (info: string): string => /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0'
