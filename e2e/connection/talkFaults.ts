/** What happens to devices and server during the long talk. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import type { Device } from './talkDevice.ts'

export interface Disturbance {
  readonly name: string
  /** How many devices it concerns; 0: all, because it is the server. */
  readonly victims: number
  /** Strikes, lets the people go on for a while, and ends. */
  run(victims: readonly Device[]): Promise<void>
}

/** What disturbances need of the talk. */
export interface Talk {
  /** It can end in two ways, and starts again at the same address. */
  readonly server: {
    stop(): Promise<void>
    kill(): Promise<void>
    start(): Promise<void>
  }
  /** All devices that are open, second tabs too. */
  readonly devices: () => readonly Device[]
  /** How long a disturbance lasts, ms; new for each. */
  readonly lastsMs: () => number
  /** The same for one that nothing tells the page of. */
  readonly silentMs: () => number
  readonly random: () => number
  /** Adds a tab to those that are checked. */
  readonly addTab: (tab: Device) => void
  readonly closeTab: (tab: Device) => Promise<void>
}

export const disturbances = (talk: Talk): readonly Disturbance[] => [
  sleep(talk),
  tunnel(talk),
  lift(talk),
  otherWifi(talk),
  restart(talk, 'server restart', () => talk.server.stop()),
  restart(talk, 'server killed', () => talk.server.kill()),
  reload(talk),
  secondTab(talk),
]

const half = (ms: number) => pause(ms / 2)
const all = (victims: readonly Device[], step: (each: Device) => unknown) => Promise.all(victims.map(step))

/** Everybody concerned writes something that they do not send. */
const writeDrafts = (victims: readonly Device[]) => all(victims, (each) => each.alone(() => writeDraft(each)))

async function writeDraft(device: Device): Promise<void> {
  if (device.draft === null && !device.hasPicture) await device.write()
}

const cut = ({ network, line }: Device) => {
  network.cut()
  line.cut('told')
}
const mend = ({ network, line }: Device) => {
  network.mend()
  line.mend()
}

/** Pages stand still. The radio of the first is switched off meanwhile, and nobody closes its connections. */
const sleep = (talk: Talk): Disturbance => ({
  name: 'sleep',
  victims: 2,
  async run(victims) {
    const first = victims[0]!
    await all(victims, (each) => each.alone(() => writeDraft(each).then(() => each.sleep())))
    first.line.cut(null)
    first.network.swallow()
    await pause(talk.lastsMs())
    mend(first)
    first.line.kill('woken')
    for (const each of victims)
      expect(await each.wake(), `tenths of a second ${each.name} lived through`).toBeLessThan(10)
  },
})

/** A black hole. */
const tunnel = (talk: Talk): Disturbance => ({
  name: 'tunnel',
  victims: 1,
  async run(victims) {
    const lastsMs = talk.silentMs()
    await all(victims, ({ network, line }) => {
      network.swallow()
      line.cut('silent')
    })
    await half(lastsMs)
    await writeDrafts(victims)
    await half(lastsMs)
    await all(victims, mend)
  },
})

/** The browser says that it is offline. */
const lift = (talk: Talk): Disturbance => ({
  name: 'lift',
  victims: 2,
  async run(victims) {
    const lastsMs = talk.lastsMs()
    await all(victims, async ({ context, line }) => {
      await context.setOffline(true)
      line.cut('told')
    })
    await half(lastsMs)
    await writeDrafts(victims)
    await half(lastsMs)
    await all(victims, async ({ context, line }) => {
      await context.setOffline(false)
      line.mend()
    })
  },
})

/** Connections break at once, and new ones work soon. */
const otherWifi = (talk: Talk): Disturbance => ({
  name: 'another Wi-Fi',
  victims: 2,
  async run(victims) {
    for (let n = 0; n < 2; n += 1) {
      await all(victims, cut)
      await pause(talk.random() * 1_000)
      await all(victims, mend)
      await half(talk.lastsMs())
    }
    await writeDrafts(victims)
  },
})

const restart = (talk: Talk, name: string, end: () => Promise<void>): Disturbance => ({
  name,
  victims: 0,
  async run() {
    const lastsMs = talk.lastsMs()
    for (const { line } of talk.devices()) line.cut(null)
    await end()
    for (const { line } of talk.devices()) if (!line.dead) line.kill('told')
    await half(lastsMs)
    await writeDrafts(talk.devices().filter((each) => !each.isListing))
    await half(lastsMs)
    await talk.server.start()
    for (const { line } of talk.devices()) line.mend()
  },
})

/** Right after two messages were sent and a third was written. */
const reload = (talk: Talk): Disturbance => ({
  name: 'reload while sending',
  victims: 2,
  async run(victims) {
    await all(victims, (each) =>
      each.alone(async () => {
        if (each.draft !== null || each.hasPicture) return each.reload()
        await each.say()
        await each.say()
        await writeDraft(each)
        await each.reload()
      }),
    )
    await half(talk.lastsMs())
    await all(victims, (each) => each.alone(() => each.reload()))
  },
})

/**
 * Another tab talks too, the network breaks, and the tab is closed sooner or later than the network is back.
 */
const secondTab = (talk: Talk): Disturbance => ({
  name: 'second tab',
  victims: 1,
  async run(victims) {
    const first = victims[0]!
    const tab = await first.alone(() => first.openTab())
    talk.addTab(tab)
    await half(talk.lastsMs())
    cut(first)
    tab.line.cut('told')
    await all([first, tab], (each) => each.alone(() => sayIfFree(each)))
    await half(talk.lastsMs())
    const isSooner = talk.random() < 0.5
    if (isSooner) await talk.closeTab(tab)
    mend(first)
    tab.line.mend()
    if (isSooner) return
    await half(talk.lastsMs())
    await talk.closeTab(tab)
  },
})

async function sayIfFree(device: Device): Promise<void> {
  if (device.draft === null && !device.hasPicture) await device.say()
}
