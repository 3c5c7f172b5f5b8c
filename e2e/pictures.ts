// npm run bench -- pictures: how long a 12-megapixel photograph takes to be seen in an open room, and how
// many bytes, at 1.44 Mbit/s.

import openDatabases from '../server/src/testing/cluster.ts'
import { openTestServer } from '../server/src/testing/server.ts'
import { openBrowser, openPhone } from './phone.ts'
import { photograph } from './photograph.ts'

const RUNS = 5
/** Bytes a second, and ms a round trip. */
const SPEED = 1_440_000 / 8
const LATENCY = 150

export async function run(): Promise<void> {
  const closeDatabases = await openDatabases()
  const server = await openTestServer()
  const browser = await openBrowser('whole')
  const photo = await photograph()
  const sender = server.as('owner')
  const channel = server.channel('闲聊')
  const seen: { ms: number; kb: number }[] = []
  for (let n = 0; n < RUNS; n += 1) {
    const phone = await openPhone(browser, server.url)
    const token = await server.login('member')
    await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
    await phone.page.goto(`/channels/${server.guildId}/${channel}`)
    await phone.page.locator('[data-part=composer-input]').waitFor()
    const cdp = await phone.context.newCDPSession(phone.page)
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY,
      downloadThroughput: SPEED,
      uploadThroughput: SPEED,
    })
    let bytes = 0
    cdp.on('Network.dataReceived', (it) => {
      bytes += it.encodedDataLength
    })
    const began = performance.now()
    const { url, size } = await sender.upload(photo, `photo-${n}.jpg`)
    if (n === 0)
      console.log(
        `stored in ${Math.round(performance.now() - began)} ms, ${Math.round(size / 1000)} kB as re-encoded`,
      )
    await sender.say(channel, url, { type: 2 })
    const image = phone.page.getByRole('button', { name: `图片 photo-${n}.jpg` }).locator('img')
    await image.waitFor({ state: 'attached' })
    const from = performance.now()
    await image.evaluate(
      (it: HTMLImageElement) =>
        it.complete || new Promise((resolve) => it.addEventListener('load', resolve, { once: true })),
    )
    seen.push({ ms: performance.now() - from, kb: bytes / 1000 })
    await phone.close()
  }
  await browser.close()
  await server.close()
  await closeDatabases()
  const sorted = (pick: (it: (typeof seen)[number]) => number) => seen.map(pick).sort((a, b) => a - b)
  const [ms, kb] = [sorted((it) => it.ms), sorted((it) => it.kb)]
  const median = (all: number[]) => Math.round(all[Math.floor(all.length / 2)]!)
  console.log(
    `seen after ${median(ms)} ms (worst ${Math.round(ms.at(-1)!)}), ${median(kb)} kB received (${RUNS} runs, median)`,
  )
}
if (import.meta.main) await run()
