/**
 * Seeds the demo world: the same people and guilds for `npm start`, for tests and for journeys in a browser.
 */
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { isPassword } from '@guildhall/wire/auth/password.ts'
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { market } from '@guildhall/wire/product/product.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Assets } from '../asset/asset.ts'
import { enrolSecondFactor, setPassword } from '../auth/auth.ts'
import { boostByOperator, givePacks } from '../boost/boost.ts'
import { giveBuff } from '../buff/buff.ts'
import { createChannel, HIDDEN_FROM_EVERYONE, setRule } from '../channel/channel.ts'
import { storeEmoji } from '../emoji/emoji.ts'
import { giveGolive } from '../golive/golive.ts'
import { setRecommended, setSettings, setWelcomeChannel } from '../guild/guild.ts'
import { createInvite } from '../invite/invite.ts'
import { clock } from '../kit/clock.ts'
import type { Keys } from '../kit/crypto/keys.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { noopBus } from '../kit/events/bus.ts'
import { commit, type Emit } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import type { Spool } from '../kit/files/spool.ts'
import { ids } from '../kit/ids.ts'
import { createGuild, join } from '../member/member.ts'
import { send } from '../message/message.ts'
import { putProduct } from '../product/product.ts'
import { addRole, giveRole } from '../role/role.ts'
import { register, setStaffRole } from '../user/user.ts'
import { drawEmoji } from './emoji.ts'
import {
  announcement,
  backstage,
  boosts,
  conversation,
  court,
  demoGuilds,
  gallery,
  people,
  products,
  roles,
} from './text.ts'
import { type PersonName, personNames } from './world.ts'

const CHINA = '86'
/** A gradient, which the level of its guild brings. */
const SUNSET = [0xd9480f, 0xc2255c, 0x5f3dc4]
const PASSWORD_LENGTH = 12
// Two servers that start on one empty database seed it once.
const LOCK = 7_146_202_112

/** Where the pictures of the demo world are stored. */
export interface Stores {
  readonly assets: Assets
  readonly spool: Spool
}

/** Without room on the disk the demo world has no pictures. */
function nullWithoutRoom(error: unknown): null {
  if (error instanceof Failure && error.failure === 'asset.no_space') return null
  throw error
}

/**
 * Fills an empty database with the demo world, in one transaction: a kill in the middle leaves it empty.
 * Returns false without an effect when there is an account already. `keys` seal second factors. `stores` is
 * called only when the world is seeded; without it the world has no pictures.
 */
export async function seedWorld(db: Db, keys: Keys, stores?: () => Promise<Stores>): Promise<boolean> {
  if (!(await isEmpty(db))) return false
  // Drawn while people and guilds are created.
  const drawn = stores && Promise.all([stores(), drawEmoji()])
  drawn?.catch(() => undefined)
  return commit({ db, bus: noopBus }, async (tx, emit) => {
    // On a slow machine it is idle for long, while passwords are hashed and pictures are drawn.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    if (!(await isEmpty(tx))) return false
    const people = {} as Record<PersonName, UserId>
    for (const name of personNames) people[name] = await addPerson(tx, keys, name)
    await new Seeding(tx, emit, people).run(drawn ?? null)
    return true
  })
}

const isEmpty = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined

type DemoPeople = Readonly<Record<PersonName, UserId>>
type Drawn = readonly [Stores, Awaited<ReturnType<typeof drawEmoji>>]

/** The channels of the large guild that people talk in. */
interface Rooms {
  readonly main: ChannelId
  readonly side: ChannelId
  readonly rules: ChannelId
  readonly backstage: ChannelId
}

/** A guild with one channel. */
interface SmallGuild {
  readonly id: GuildId
  readonly main: ChannelId
}

/** The world as its people make it, by the rules of the nouns. */
class Seeding {
  readonly #tx: Tx
  readonly #emit: Emit
  readonly #people: DemoPeople

  constructor(tx: Tx, emit: Emit, people: DemoPeople) {
    this.#tx = tx
    this.#emit = emit
    this.#people = people
  }

  /** `drawn`: its pictures, and where they go; null: it has none. */
  async run(drawn: Promise<Drawn> | null): Promise<void> {
    const [tx, emit] = [this.#tx, this.#emit]
    const demo = await this.#makeDemo()
    const muted = await this.#giveRoles(demo)
    const rooms = await this.#makeRooms(demo)
    await setWelcomeChannel(tx, emit, demo, rooms.main)
    if (drawn) await this.#bringPictures(demo, ...(await drawn))

    const say = this.#speaker(rooms)
    await say('owner', rooms.rules, 2900, announcement)
    await say('admin', rooms.backstage, 2000, backstage)
    const quiet = await this.#makeSmall(demoGuilds.quiet)
    await say('owner', quiet.main, 1600, court)
    const grand = await this.#makeSmall(demoGuilds.grand)
    await this.#adorn(grand.id)
    await say('owner', grand.main, 1580, gallery)
    for (const [who, minutes, content] of conversation) await say(who, rooms.main, minutes, content)
    // Only now, because the muted person took part in the conversation.
    await setRule(tx, emit, rooms.main, { role_id: muted, allow: 0, deny: permission.send_message })

    const userId = this.#people.owner
    for (const guildId of [demo, quiet.id, grand.id])
      await createInvite(tx, { guildId, channelId: null, userId, expiresInMs: null, uses: null })
    for (const shop of Object.values(market)) await sellIn(tx, shop)
    await this.#give(demo, grand.id)
  }

  async #makeDemo(): Promise<GuildId> {
    const [tx, emit, people] = [this.#tx, this.#emit, this.#people]
    const { name, topic } = demoGuilds.demo
    const demo = await createGuild(tx, emit, { name, topic, ownerId: people.owner })
    for (const who of ['admin', 'member', 'unverified', 'muted'] as const)
      await join(tx, emit, demo, people[who])
    return demo
  }

  /** The role of the muted. */
  async #giveRoles(demo: GuildId): Promise<RoleId> {
    const [tx, emit, people] = [this.#tx, this.#emit, this.#people]
    const role = (name: string, color: number, permissions: number, mentionable = 0) =>
      addRole(tx, demo, { name, color, permissions, mentionable, hoist: permissions === 0 ? 0 : 1 })
    const admin = await role(roles.admin, 0x0b7a53, permission.manage)
    const host = await role(roles.host, 0x1f66d0, permission.mention_everyone, 1)
    const muted = await role(roles.muted, 0, 0)
    await giveRole(tx, emit, demo, people.admin, admin.role_id)
    await giveRole(tx, emit, demo, people.member, host.role_id)
    await giveRole(tx, emit, demo, people.muted, muted.role_id)
    return muted.role_id
  }

  async #makeRooms(demo: GuildId): Promise<Rooms> {
    const { text, voice, category } = channelType
    const makeChannel = (name: string, type: 0 | 1 | 2, parentId: ChannelId | null, more = {}) =>
      createChannel(this.#tx, this.#emit, { guildId: demo, name, type, parentId, ...more })
    const talk = await makeChannel(demoGuilds.demo.talk, category, null)
    const main = await makeChannel(demoGuilds.demo.main, text, talk)
    const side = await makeChannel(demoGuilds.demo.side, text, talk)
    const welcome = await makeChannel(demoGuilds.demo.welcome, category, null)
    const rules = await makeChannel(demoGuilds.demo.rules, text, welcome, { isReadonly: true })
    const listen = await makeChannel(demoGuilds.demo.listen, category, null)
    await makeChannel(demoGuilds.demo.voice, voice, listen, { limitAmount: 25 })
    const hidden = [HIDDEN_FROM_EVERYONE]
    const behind = await makeChannel(demoGuilds.demo.backstage, category, null, { rules: hidden })
    return { main, side, rules, backstage: await makeChannel(demoGuilds.demo.private, text, behind) }
  }

  async #bringPictures(demo: GuildId, { assets, spool }: Stores, pictures: Drawn[1]): Promise<void> {
    const bring = async ({ name, png }: (typeof pictures)[number]) => {
      const file = await spool.receive(Readable.from([png]), name, png.length)
      if (!file) throw new Error(`the picture of ${name} is longer than it is`)
      try {
        return await storeEmoji(assets, this.#people.owner, { guildId: demo, name, file })
      } finally {
        await rm(file.path, { force: true })
      }
    }
    const brought = pictures.map((picture) => bring(picture).catch(nullWithoutRoom))
    for (const emoji of await Promise.all(brought)) await emoji?.settle(this.#tx, this.#emit)
  }

  /** Sends what somebody said so many minutes ago. */
  #speaker({ main, side }: Rooms) {
    const people = this.#people
    const now = clock.now()
    const appContext = { db: this.#tx, bus: noopBus, presence: emptyPresence, publicUrl: '' }
    const named = (content: string) =>
      content
        .replace('{#main}', `(chn)${main}(chn)`)
        .replace('{#side}', `(chn)${side}(chn)`)
        .replace(/\{(\w+)\}/g, (_whole, name: PersonName) => `(met)${people[name]}(met)`)
    return (who: PersonName, channelId: ChannelId, minutes: number, content: string) =>
      send(appContext, people[who], {
        channelId,
        content: JSON.stringify({ type: 9, content: named(content) }),
        objectName: 'RC:TxtMsg',
        nonce: '',
        at: now - minutes * MINUTE_MS,
      })
  }

  async #makeSmall(input: {
    readonly name: string
    readonly topic: string
    readonly main: string
  }): Promise<SmallGuild> {
    const [tx, emit, people] = [this.#tx, this.#emit, this.#people]
    const id = await createGuild(tx, emit, { ...input, ownerId: people.owner })
    await join(tx, emit, id, people.member)
    const { text } = channelType
    return { id, main: await createChannel(tx, emit, { guildId: id, name: input.main, type: text }) }
  }

  /** Recommends a guild, and gives its owner a role with a gradient. */
  async #adorn(guildId: GuildId): Promise<void> {
    await setRecommended(this.#tx, guildId, true)
    await setSettings(this.#tx, this.#emit, guildId, { category: 'art' })
    const curator = await addRole(this.#tx, guildId, {
      name: roles.curator,
      color: SUNSET[0]!,
      color_list: [...SUNSET],
      hoist: 1,
      mentionable: 1,
      permissions: 0,
    })
    await giveRole(this.#tx, this.#emit, guildId, this.#people.owner, curator.role_id)
  }

  /** Boosts for guilds, and what people have bought. */
  async #give(demo: GuildId, grand: GuildId): Promise<void> {
    const [tx, emit, people] = [this.#tx, this.#emit, this.#people]
    const now = clock.now()
    for (const { who, count, daysAgo } of boosts)
      await boostByOperator(tx, emit, people[who], { guildId: demo, count, at: now - daysAgo * DAY_MS })
    await boostByOperator(tx, emit, people.owner, { guildId: grand, count: 160, at: now - 10 * DAY_MS })
    await givePacks(tx, emit, people.member, { count: 5, orderId: null })
    // Nobody is there yet who could be told.
    const given = { tx, emit, notify: async () => undefined }
    await giveBuff(given, people.admin, 30)
    await giveGolive(given, people.admin, { type: 'pro', days: 30 })
  }
}

async function sellIn(tx: Tx, where: number): Promise<void> {
  for (const [position, it] of products.entries()) {
    const product = { group_id: 0, period_buy: false, ...it, place: position, market: where }
    // At Apple's shop Apple renews.
    if (where !== market.ios || !product.period_buy) await putProduct(tx, null, product)
  }
}

async function addPerson(tx: Tx, keys: Keys, name: PersonName): Promise<UserId> {
  const { username, mobile } = people[name]
  const verified = name !== 'unverified'
  const { user } = await register(tx, { prefix: CHINA, mobile, verified, makeName: () => username })
  // Stored in plain text, because these accounts are meant to be shared: see demo_cast.
  let password = ''
  while (!isPassword(password)) password = ids.token().slice(0, PASSWORD_LENGTH)
  await setPassword(tx, user.id, password)
  const second_factor = name === 'staff' ? await enrolSecondFactor(tx, user.id, keys) : ''
  if (name === 'staff') await setStaffRole(tx, user.id, 'administrator')
  await tx.insertInto('demo_cast').values({ name, user_id: user.id, password, second_factor }).execute()
  return user.id
}
