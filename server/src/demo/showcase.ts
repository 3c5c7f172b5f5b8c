/**
 * What the demo world has besides people and words, so that the whole product is seen after one command: an
 * app, lines of an operator, uploaded pictures, and a bot that is online. Development only.
 */
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Failure } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { keepAvatar, keepPicture } from '../asset/asset.ts'
import type { Config } from '../config.ts'
import { setProfile } from '../guild/guild.ts'
import type { Db } from '../kit/database/db.ts'
import { noopBus } from '../kit/events/bus.ts'
import { commit } from '../kit/events/events.ts'
import { join } from '../member/member.ts'
import { registerBot, setAvatar } from '../user/user.ts'
import { drawPictures, type PictureName } from './picture.ts'
import type { Stores } from './seed.ts'
import { greeter, operator } from './text.ts'
import { readWorld } from './world.ts'

/** The paths of the pages that stand for the app's pages in the stores. */
export const STORE_PATHS = { ios: '/dev/store/ios', android: '/dev/store/android' } as const

const DEMO_APP = { scheme: 'guildhall-demo', version: '1.42.0' } as const

/**
 * The configuration with an app and the lines of an operator, where it has neither and is to show the demo
 * app.
 */
export function withShowcase(config: Config): Config {
  if (!config.hasDemoApp) return config
  const { version } = DEMO_APP
  const iosUrl = config.publicUrl + STORE_PATHS.ios
  const androidUrl = config.publicUrl + STORE_PATHS.android
  const { contact, copyright, records } = config.site
  const isSilent = contact === '' && copyright === '' && records.length === 0
  return {
    ...config,
    app: { ...config.app, ...DEMO_APP, iosUrl, androidUrl },
    apps: {
      ios: { url: iosUrl, version },
      android: { url: androidUrl, version },
    },
    site: isSilent ? { ...config.site, ...operator } : config.site,
  }
}

/**
 * Gives the people and guilds of a new demo world their pictures, and the demo guild its bot. What has no
 * room on the disk is left out.
 */
export async function dressWorld(db: Db, { assets, spool }: Stores, publicUrl: string): Promise<void> {
  const [{ people, guilds }, pictures] = await Promise.all([readWorld(db), drawPictures()])
  const appContext = { db, bus: noopBus }

  /** Uploads a picture in somebody's name; null without room. */
  const upload = async (userId: UserId, name: PictureName): Promise<string | null> => {
    const png = pictures[name]
    try {
      const file = await spool.receive(Readable.from([png]), `${name}.png`, png.length)
      if (!file) throw new Error(`the picture ${name} is longer than it is`)
      try {
        return (await assets.store(userId, file, 'image', publicUrl)).url
      } finally {
        await rm(file.path, { force: true })
      }
    } catch (error) {
      if (error instanceof Failure && error.failure === 'asset.no_space') return null
      throw error
    }
  }
  const giveIdentity = async (userId: UserId, name: PictureName): Promise<void> => {
    const avatar = await upload(userId, name)
    if (avatar === null) return
    await commit(appContext, async (tx) => {
      await keepAvatar(tx, {}, userId, avatar)
      await setAvatar(tx, userId, { avatar, moving: '' })
    })
  }
  const dress = async (
    guildId: GuildId,
    ownerId: UserId,
    names: { icon: PictureName; banner?: PictureName },
  ) => {
    const icon = await upload(ownerId, names.icon)
    const banner = names.banner ? await upload(ownerId, names.banner) : null
    await commit(appContext, async (tx, emit) => {
      for (const picture of [icon, banner]) if (picture !== null) await keepPicture(tx, {}, ownerId, picture)
      await setProfile(tx, emit, guildId, {
        ...(icon !== null && { icon }),
        ...(banner !== null && { banner }),
      })
    })
  }

  for (const name of ['owner', 'admin', 'member', 'muted'] as const)
    if (people[name]) await giveIdentity(people[name].id, name)
  // The second guild keeps its letters, as people without a picture do.
  const [demo, , grand] = guilds
  if (demo) {
    await dress(demo.id, demo.user_id, { icon: 'radio', banner: 'night' })
    const bot = await commit(appContext, async (tx, emit) => {
      const made = await registerBot(tx, greeter.name)
      await join(tx, emit, demo.id, made.id)
      return made.id
    })
    await giveIdentity(bot, 'lamp')
  }
  if (grand) await dress(grand.id, grand.user_id, { icon: 'pixels', banner: 'window' })
}
