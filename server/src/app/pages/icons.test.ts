import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const WEB = path.join(import.meta.dirname, '../../../../web')
const bytesOf = (name: string) => readFileSync(path.join(WEB, 'public', name))
const PNG = '89504e470d0a1a0a'

test('the icon that phones put on their home screen is a PNG without transparent corners', () => {
  const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
  const name = /<link rel="apple-touch-icon" href="\/([\w.-]+)"/.exec(html)?.[1]
  const icon = bytesOf(name ?? '')
  expect(icon.subarray(0, 8).toString('hex')).toBe(PNG)
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([180, 180])
  expect(icon.includes('tRNS')).toBe(false)
})

test('there is an icon where browsers look for one without being told', () => {
  expect(bytesOf('favicon.ico').subarray(0, 4).toString('hex')).toBe('00000100')
})
