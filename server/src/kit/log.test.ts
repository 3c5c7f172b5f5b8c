import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { hideUrlSecrets, openLog } from './log.ts'

function logged(style: 'json' | 'quiet', write: (log: ReturnType<typeof openLog>) => void): string {
  const out = new PassThrough()
  write(openLog(style, out))
  return String(out.read() ?? '')
}

it('secrets are hidden at any depth and in any spelling of their key', () => {
  const text = logged('json', (log) =>
    log.info({
      Authorization: 'S1',
      body: { mobile: 'S2', nested: [{ password: 'S3' }], Code: 'S4' },
      headers: { authorization: 'S5', 'set-cookie': 'S6' },
      url: '/gateway?compress=1&token=S7',
      req: { id: 1, method: 'GET', url: '/dev/outbox?mobile=S8', headers: { cookie: 'S9' } },
    }),
  )
  expect(text).not.toMatch(/S\d/)
  expect(JSON.parse(text)).toMatchObject({ level: 'info', url: '/gateway?compress=1&token=[hidden]' })
})

it('a database error is logged without the row it quotes', () => {
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (mobile)=(13800000000)',
  })
  const text = logged('json', (log) => log.error(error))
  expect(text).not.toContain('13800000000')
  expect(JSON.parse(text)).toMatchObject({ level: 'error', err: { message: 'duplicate key', code: '23505' } })
})

it('data without a secret is unchanged', () => {
  const text = logged('json', (log) =>
    log.info({ guild: '1', count: 3, list: [1, 'a'], nothing: null }, 'joined'),
  )
  expect(JSON.parse(text)).toMatchObject({
    msg: 'joined',
    guild: '1',
    count: 3,
    list: [1, 'a'],
    nothing: null,
  })
})

it('the quiet log prints warnings as text and nothing below them', () => {
  const text = logged('quiet', (log) => {
    log.info('started')
    log.warn({ err: new Error('connection refused') }, 'the database went away')
  })
  expect(text).toMatch(/^\d\d:\d\d:\d\d warn the database went away \(connection refused\)\n$/)
})

it('a URL keeps its other parameters, and an encoded name of a secret is recognized', () => {
  expect(hideUrlSecrets('/a?x=1&%74oken=abc#f')).toBe('/a?x=1&%74oken=[hidden]#f')
  expect(hideUrlSecrets('/a?%E0=1')).toBe('/a?%E0=1')
})
