import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf } from './duration.ts'
import { fileTypeOf } from './fileType.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'length-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function durationIn(mime: string, content: Buffer): Promise<number | null> {
  const file = path.join(folder, 'file')
  await writeFile(file, content)
  return lengthOf(file, mime)
}
const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}
const le32 = (n: number) => Buffer.from(u32(n)).reverse()
const zeros = (n: number) => Buffer.alloc(n)
const box = (name: string, ...inside: Buffer[]) => {
  const body = Buffer.concat(inside)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name), body])
}
const mvhd = (perSecond: number, ticks: number) =>
  box('mvhd', zeros(12), u32(perSecond), u32(ticks), zeros(80))
const mp4 = (perSecond: number, ticks: number) =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('mdat', zeros(70_000)),
    box('moov', box('trak'), mvhd(perSecond, ticks)),
  ])
const wav = (data: number) =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVEfmt '),
    le32(16),
    zeros(8),
    le32(16_000),
    zeros(4),
    Buffer.from('LIST'),
    le32(3),
    zeros(4),
    Buffer.from('data'),
    le32(data),
    zeros(24_000),
  ])
const ogg = (head: Buffer, position: bigint) => {
  const last = Buffer.alloc(40)
  last.write('OggS')
  last.writeBigUInt64LE(position, 6)
  return Buffer.concat([Buffer.from('OggS'), zeros(24), head, zeros(100_000), last])
}
const opus = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0x38, 0x01]), zeros(40)])
const vorbis = Buffer.concat([Buffer.from('\x01vorbis'), zeros(5), le32(44_100), zeros(20)])
/** 128 kbit/s, 44 100 Hz, stereo. */
const frame = Buffer.from([0xff, 0xfb, 0x90, 0x00])
const xing = Buffer.concat([frame, zeros(32), Buffer.from('Xing'), u32(1), u32(1000), zeros(400)])
const flac = Buffer.concat([
  Buffer.from('fLaC'),
  zeros(4),
  zeros(10),
  Buffer.from([0x0a, 0xc4, 0x42, 0xf0]),
  u32(441_000),
  zeros(40),
])

test('a file whose duration is missing, implausible or cut off has none', async () => {
  expect(await durationIn('video/mp4', mp4(0, 5))).toBeNull()
  expect(await durationIn('video/mp4', mp4(1, 0xffffffff))).toBeNull()
  expect(await durationIn('video/mp4', mp4(1, 90_000_000))).toBeNull()
  expect(await durationIn('video/mp4', mp4(1000, 5_000).subarray(0, -90))).toBeNull()
  expect(await durationIn('video/mp4', Buffer.concat([box('ftyp'), u32(3), zeros(50)]))).toBeNull()
  expect(await durationIn('audio/wav', wav(24_000).subarray(0, 40))).toBeNull()
  expect(await durationIn('audio/ogg', ogg(zeros(60), 48_000n))).toBeNull()
  expect(await durationIn('audio/mpeg', zeros(100))).toBeNull()
  expect(await durationIn('audio/amr', Buffer.from('#!AMR\n'))).toBeNull()
})

test.each([
  ['a video with its head at the end', 'video/mp4', mp4(600, 7_500), 12_500],
  ['a sound of 16 000 bytes a second', 'audio/wav', wav(24_000), 1_500],
  ['one whose recorder never wrote its size', 'audio/wav', wav(0xffffffff), 1_500],
  ['Opus, less what its decoder skips', 'audio/ogg', ogg(opus, 96_312n), 2_000],
  ['Vorbis', 'audio/ogg', ogg(vorbis, 88_200n), 2_000],
  ['MP3 that counts its frames', 'audio/mpeg', xing, Math.round((1000 * 1152) / 44.1)],
  ['MP3 at one rate', 'audio/mpeg', Buffer.concat([frame, zeros(31_996)]), 2_000],
  [
    'MP3 behind an ID3 tag',
    'audio/mpeg',
    Buffer.concat([Buffer.from('ID3\0\0\0\0\0\x01\x01'), zeros(129), frame, zeros(31_996)]),
    2_000,
  ],
  ['FLAC', 'audio/flac', flac, 10_000],
])('%s', async (_, mime, content, ms) => {
  expect(await durationIn(mime, content)).toBe(ms)
})

test('terminates without an error for any bytes', async () => {
  const good: [string, Buffer][] = [
    ['video/mp4', mp4(600, 7_500)],
    ['audio/wav', wav(24_000)],
    ['audio/ogg', ogg(opus, 96_312n)],
    ['audio/mpeg', xing],
    ['audio/flac', flac],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...good),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 12 }),
      fc.nat(),
      async ([mime, content], marks, end) => {
        const broken = Buffer.from(content.subarray(0, end % (content.length + 1)))
        for (const [at, byte] of marks)
          if (broken.length > 0) broken[at % Math.min(broken.length, 120)] = byte
        const ms = await durationIn(mime, broken)
        expect(ms === null || (Number.isInteger(ms) && ms > 0)).toBe(true)
      },
    ),
    { seed: 4, numRuns: 400 },
  )
})

test('a sound of Chromium’s recorder is a sound, and its duration is that of its fragments', async () => {
  const file = path.join(import.meta.dirname, 'fixtures/recorder.m4a')
  expect(await fileTypeOf(file)).toEqual({ kind: 'audio', mime: 'audio/mp4', ending: 'm4a' })
  expect(await lengthOf(file, 'audio/mp4')).toBeGreaterThan(500)
  expect(await lengthOf(file, 'audio/mp4')).toBeLessThan(900)
  const content = await readFile(file)
  for (let cut = 0; cut < content.length; cut += 7)
    expect(await durationIn('audio/mp4', content.subarray(0, cut))).not.toBe(0)
  await fc.assert(
    fc.asyncProperty(fc.nat(content.length - 1), fc.nat(255), async (at, byte) => {
      const changed = Buffer.from(content)
      changed[at] = byte
      const ms = await durationIn('audio/mp4', changed)
      expect(ms === null || ms > 0).toBe(true)
      expect((await fileTypeOf(path.join(folder, 'file'))).kind).toMatch(/^(?:audio|video|file)$/)
    }),
    { seed: 44, numRuns: 300 },
  )
})
