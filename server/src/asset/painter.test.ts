import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { UserId } from '@guildhall/wire/id.ts'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from '../kit/process.ts'
import { openPainter, type Painter, type PainterLimits } from './painter.ts'

let home: string
let small: string
let large: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'painter-'))
  const picture = async (name: string, side: number) => {
    const at = path.join(home, name)
    await sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
      .webp({ effort: 0 })
      .toFile(at)
    return at
  }
  small = await picture('small.webp', 8)
  large = await picture('large.webp', 4_900)
  return () => rm(home, { recursive: true, force: true })
})

let painter: Painter
afterEach(() => painter.close())
const open = (limits: Partial<PainterLimits> = {}) => {
  painter = openPainter(limits)
}
let count = 0
const paint = (who: string, from: string) =>
  painter.paint(who as UserId, { from, to: path.join(home, `out-${count++}`) })

/** The header of a lossless WebP of this size and nothing else, 40 bytes. */
function webpHeader(side: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(32, 4)
  bytes.write('WEBPVP8L', 8)
  bytes.writeUInt32LE(20, 16)
  bytes[20] = 0x2f
  bytes.writeUInt32LE((side - 1) | ((side - 1) << 14), 21)
  return bytes
}

describe('a picture is refused', () => {
  it('when its header of forty bytes promises too many pixels, without decoding it', async () => {
    open({ pixelsPerMinute: 0 })
    const bomb = path.join(home, 'bomb.webp')
    await writeFile(bomb, webpHeader(10_000))
    await expect(paint('anna', bomb)).rejects.toThrow('asset.too_many_pixels')
    await writeFile(bomb, webpHeader(5_001))
    await expect(paint('anna', bomb)).rejects.toThrow('asset.too_many_pixels')
  })

  it('when its sender had too many pixels decoded within a minute; another person’s is not', async () => {
    open({ pixelsPerMinute: 100 })
    expect(await paint('anna', small)).toMatchObject({ width: 8 })
    await expect(paint('anna', small)).rejects.toThrow('too_many')
    expect(await paint('ben', small)).toMatchObject({ width: 8 })
  })

  it('when too many of its sender wait', async () => {
    open({ processes: 1, waiting: 1 })
    const first = paint('anna', small)
    const second = paint('anna', small)
    await expect(paint('anna', small)).rejects.toThrow('too_many')
    expect(await Promise.all([first, second])).toHaveLength(2)
  })

  it('when it takes too long, and the next one is not', async () => {
    open({ processes: 1, pictureMs: 1 })
    await expect(paint('anna', large)).rejects.toThrow('asset.not_image')
    painter.close()
    open({ processes: 1 })
    expect(await paint('anna', small)).toMatchObject({ width: 8 })
  })

  it('when it takes too much memory', async () => {
    open({ memory: 200 * 1024 * 1024 })
    await expect(paint('anna', large)).rejects.toThrow('asset.not_image')
    expect(await paint('anna', small)).toMatchObject({ width: 8 })
  })
})

it('a picture whose process ends before it is decoded is decoded by another one', async () => {
  open({ processes: 1 })
  await paint('anna', small)
  const [pid] = painter.pids()
  process.kill(pid!, 'SIGKILL')
  expect(await paint('anna', small)).toMatchObject({ width: 8 })
  expect(painter.pids()).toHaveLength(1)
  expect(painter.pids()).not.toContain(pid)
})

it('a broken picture is none', async () => {
  open()
  const broken = path.join(home, 'broken.webp')
  await writeFile(broken, webpHeader(100))
  expect(await paint('anna', broken)).toBeNull()
  await writeFile(broken, 'words')
  expect(await paint('anna', broken)).toBeNull()
})

describe('several large pictures of one person', () => {
  it('are decoded one at a time, beside those of others', async () => {
    open({ processes: 2 })
    const order: string[] = []
    const many = Array.from({ length: 4 }, (_, n) => paint('anna', large).then(() => order.push(`anna ${n}`)))
    await paint('ben', small)
    // Ben's was started with Anna's first one and is done long before her second.
    expect(order.length).toBeLessThan(2)
    await Promise.all(many)
    expect(order).toEqual(['anna 0', 'anna 1', 'anna 2', 'anna 3'])
  })

  it('take turns with those of others where there is one process', async () => {
    open({ processes: 1 })
    const order: string[] = []
    const one = (who: string, n: number) => paint(who, small).then(() => order.push(`${who} ${n}`))
    const all = [...[1, 2, 3, 4].map((n) => one('anna', n)), one('ben', 1), one('ben', 2), one('cleo', 1)]
    await Promise.all(all)
    expect(order).toEqual(['anna 1', 'ben 1', 'cleo 1', 'anna 2', 'ben 2', 'anna 3', 'anna 4'])
  })
})

it.skipIf(process.platform === 'win32')(
  'a re-encoded picture is readable to this account alone',
  async () => {
    open()
    const to = path.join(home, 'private')
    await painter.paint('anna' as UserId, { from: small, to })
    expect((await stat(to)).mode & 0o077).toBe(0)
  },
)

it('an idle process ends by itself', async () => {
  open({ idleMs: 1 })
  await paint('anna', small)
  await expect.poll(() => painter.pids()).toEqual([])
})

it('no process stays behind when the server is killed', async () => {
  open()
  const script = `
    import { openPainter } from ${JSON.stringify(path.join(import.meta.dirname, 'painter.ts'))}
    const painter = openPainter()
    await painter.paint('anna', { from: ${JSON.stringify(small)}, to: ${JSON.stringify(path.join(home, 'killed'))} })
    console.log(painter.pids()[0])
    setInterval(() => undefined, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = await once(parent.stdout, 'data')
  expect(isAlive(Number(pid))).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
})

describe('a picture that lacks its end, as an interrupted phone makes it', () => {
  const SIDE = 120
  const noise = { type: 'gaussian' as const, mean: 120, sigma: 40 }
  const still = () => sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: 'red', noise } })
  const frames = async () =>
    sharp(
      await still()
        .resize(SIDE, SIDE * 3, { fit: 'fill' })
        .raw()
        .toBuffer(),
      {
        raw: { width: SIDE, height: SIDE * 3, channels: 3, pageHeight: SIDE },
      },
    )
  it.each([
    ['JPEG', 'image/jpeg', () => still().jpeg()],
    ['progressive JPEG', 'image/jpeg', () => still().jpeg({ progressive: true })],
    ['PNG', 'image/png', () => still().png()],
    ['GIF', 'image/gif', () => still().gif()],
    ['WebP', 'image/webp', () => still().webp()],
    ['WebP without loss', 'image/webp', () => still().webp({ lossless: true })],
    ['GIF that moves', 'image/gif', async () => (await frames()).gif()],
    ['WebP that moves', 'image/webp', async () => (await frames()).webp()],
  ])('is a %s all the same', async (_name, mime, made) => {
    open()
    const whole = await (await made()).toBuffer()
    const at = path.join(home, 'cut')
    for (const part of [0.75, 1]) {
      const length = part === 1 ? whole.length - 2 : Math.floor(whole.length * part)
      await writeFile(at, whole.subarray(0, length))
      expect(await paint('anna', at)).toMatchObject({ mime, width: SIDE, height: SIDE })
    }
  })

  it('is a WebP of many, whatever its last bytes were', async () => {
    open()
    const at = path.join(home, 'cut')
    for (let each = 0; each < 30; each += 1) {
      const whole = await still().webp().toBuffer()
      await writeFile(at, whole.subarray(0, whole.length - 3 - (each % 6)))
      expect(await paint('anna', at)).toMatchObject({ mime: 'image/webp', width: SIDE, height: SIDE })
    }
  })

  it('is none when a WebP promises far more than it has', async () => {
    open()
    const at = path.join(home, 'promise')
    const whole = await still().webp().toBuffer()
    whole.writeUInt32LE(2_000_000_000, 4)
    await writeFile(at, whole.subarray(0, 100))
    expect(await paint('anna', at)).toBeNull()
    expect((await stat(at)).size).toBe(100)
  })
})
