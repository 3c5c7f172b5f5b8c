import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sidesOf } from './videoSize.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sides-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function sizeIn(content: Buffer, mime = 'video/mp4') {
  const file = path.join(folder, 'file')
  await writeFile(file, content)
  return sidesOf(file, mime)
}
const u32 = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length)
  numbers.forEach((n, index) => {
    bytes.writeUInt32BE(n, 4 * index)
  })
  return bytes
}
const box = (name: string, ...inside: Buffer[]) => {
  const body = Buffer.concat(inside)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name), body])
}
const ONE = 65_536
const UPRIGHT = [ONE, 0, 0, 0, ONE, 0, 0, 0, 0x40000000]
const TURNED = [0, ONE, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000]
const track = (width: number, height: number, matrix = UPRIGHT, version = 0) =>
  box(
    'trak',
    box(
      'tkhd',
      Buffer.from([version, 0, 0, 3]),
      Buffer.alloc(version === 1 ? 48 : 36),
      u32(...matrix, width * ONE, height * ONE),
    ),
  )
const film = (...tracks: Buffer[]) =>
  Buffer.concat([box('ftyp', Buffer.from('isom')), box('mdat', Buffer.alloc(9_000)), box('moov', ...tracks)])

test('a file whose size is missing, implausible or cut off, or that is of another kind, has none', async () => {
  expect(await sizeIn(film())).toBeNull()
  expect(await sizeIn(film(track(0, 0)))).toBeNull()
  expect(await sizeIn(film(track(640, 0)))).toBeNull()
  expect(await sizeIn(film(track(60_000, 480)))).toBeNull()
  expect(await sizeIn(film(track(640, 480)).subarray(0, -20))).toBeNull()
  expect(await sizeIn(film(track(640, 480)), 'video/webm')).toBeNull()
})

test.each([
  ['a video', film(track(1280, 720)), { width: 1280, height: 720 }],
  ['one with its sound first', film(track(0, 0), track(640, 480)), { width: 640, height: 480 }],
  ['one taken upright', film(track(1920, 1080, TURNED)), { width: 1080, height: 1920 }],
  ['one with 64-bit times', film(track(320, 240, UPRIGHT, 1)), { width: 320, height: 240 }],
])('%s', async (_, content, sides) => {
  expect(await sizeIn(content)).toEqual(sides)
})

test('terminates without an error for any bytes', async () => {
  const whole = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', track(0, 0), track(1280, 720))])
  expect(await sizeIn(whole)).not.toBeNull()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 12 }),
      fc.nat(),
      async (marks, end) => {
        const broken = Buffer.from(whole.subarray(0, end % (whole.length + 1)))
        for (const [at, byte] of marks) if (broken.length > 0) broken[at % broken.length] = byte
        const sides = await sizeIn(broken)
        expect(sides === null || (sides.width > 0 && sides.height > 0)).toBe(true)
      },
    ),
    { seed: 5, numRuns: 400 },
  )
})
