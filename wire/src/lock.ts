/**
 * The contract as data, for its lock: `wire.lock.json` holds it, and `wire.versions.json` one hash of it per
 * version. A contract that changed without a new version fails a test; `node scripts/docs.ts` writes both
 * files.
 */
import { events } from './events.ts'
import { failures } from './failure.ts'
import { clientFrame, eventData, serverFrame } from './gateway/frame.ts'
import { channelMessageEvent, privateMessageEvent } from './message/eventShape.ts'
import { routes } from './routes.ts'
import { type Schema, z } from './schema.ts'
import { WIRE_VERSION } from './version.ts'

const shape = (schema: Schema) =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline', cycles: 'ref' })

/** Every call, event, frame and failure of the contract as JSON text. The version is not part of it. */
export function contractText(): string {
  const contract = {
    routes: Object.fromEntries(
      [...routes].map(([name, it]) => [
        name,
        {
          call: `${it.method} ${it.path}`,
          dialect: it.dialect,
          who: it.who,
          right: it.right,
          input: shape(it.input),
          answer: shape(it.answer),
          fails: it.fails,
        },
      ]),
    ),
    events: Object.fromEntries([...events].map(([name, it]) => [name, { to: it.to, body: shape(it.body) }])),
    messageEvents: { channel: shape(channelMessageEvent), private: shape(privateMessageEvent) },
    frames: { client: shape(clientFrame), server: shape(serverFrame), eventData: shape(eventData) },
    failures: Object.fromEntries(Object.entries(failures).map(([name, it]) => [name, [it.code, it.status]])),
  }
  return `${JSON.stringify(contract, null, 1)}\n`
}

/** By version: the hash of its contract. */
export type VersionHashes = Readonly<Record<string, string>>

/**
 * The hashes with this version's added. Null: this version has another hash already, so the contract changed
 * without a new version.
 */
export function withVersion(hashes: VersionHashes, hash: string): VersionHashes | null {
  const known = hashes[WIRE_VERSION]
  if (known !== undefined && known !== hash) return null
  return { ...hashes, [WIRE_VERSION]: hash }
}
