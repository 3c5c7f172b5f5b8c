import { expect, it } from 'vitest'
import { events } from './events.ts'
import { failures } from './failure.ts'
import { routes } from './routes.ts'
import { type Schema, z } from './schema.ts'
import { WIRE_VERSION } from './version.ts'

const shape = (schema: Schema, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' })

it('the wire changes only on purpose: version.ts says a line and the lock is written anew', async () => {
  const lock = {
    version: WIRE_VERSION,
    routes: Object.fromEntries(
      [...routes].map(([name, it]) => [
        name,
        {
          call: `${it.method} ${it.path}`,
          dialect: it.dialect,
          who: it.who,
          right: it.right,
          input: shape(it.input, 'output'),
          answer: shape(it.answer, 'output'),
          fails: it.fails,
        },
      ]),
    ),
    events: Object.fromEntries(
      [...events].map(([name, it]) => [name, { to: it.to, body: shape(it.body, 'output') }]),
    ),
    failures: Object.fromEntries(Object.entries(failures).map(([name, it]) => [name, [it.code, it.status]])),
  }
  await expect(`${JSON.stringify(lock, null, 1)}\n`).toMatchFileSnapshot('wire.lock.json')
})

it('no two calls share a method and a path', () => {
  const calls = [...routes.values()].map((it) => `${it.method} ${it.path.replace(/:\w+/g, ':')}`)
  expect(new Set(calls).size).toBe(calls.length)
})
