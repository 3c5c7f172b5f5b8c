/** The slots of a Redis Cluster, over which its servers divide keys and channels. */

import { urlOfPeer } from './address.ts'
import type { Client } from './client.ts'

export const SLOTS = 16_384

/** CRC16 of the XMODEM protocol, byte by byte. */
const CRC = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

/** The slot of a key or channel: of the part in its first braces, when there is one. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open < 0 ? -1 : key.indexOf('}', open)
  let crc = 0
  for (const byte of Buffer.from(close > open + 1 ? key.slice(open + 1, close) : key))
    crc = ((crc << 8) & 0xffff) ^ CRC[(crc >> 8) ^ byte]!
  return crc % SLOTS
}

/** Slots `from` to `to`, both included, and the URL of the server that has them. */
export interface SlotRange {
  readonly from: number
  readonly to: number
  readonly url: string
}

/** Who has which slots, as one server of the cluster knows it. */
export interface SlotMap {
  /** The server sees most masters, and all slots served. */
  readonly isOk: boolean
  /** A map of a higher epoch is newer. */
  readonly epoch: number
  readonly ranges: readonly SlotRange[]
}

/** Asks a server of a cluster. @throws when it is away or slow, and when it is no server of a cluster */
export async function readSlotMap(client: Client, url: string): Promise<SlotMap> {
  const [info, slots] = await Promise.all([
    client.call('CLUSTER', 'INFO') as Promise<string>,
    client.call('CLUSTER', 'SLOTS') as Promise<[number, number, [string | null, number]][]>,
  ])
  return {
    isOk: info.includes('cluster_state:ok'),
    epoch: Number(/cluster_current_epoch:(\d+)/.exec(info)?.[1] ?? 0),
    // A server that was told no address of its own names none.
    ranges: slots.map(([from, to, [host, port]]) => ({
      from,
      to,
      url: urlOfPeer(url, host || new URL(url).hostname.replace(/^\[|\]$/g, ''), port),
    })),
  }
}
