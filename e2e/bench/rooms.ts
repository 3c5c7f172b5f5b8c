/** The guild of the phone bench, with its rooms, who reads them and who talks in them. */
import { readWorld } from '../../server/src/demo/world.ts'
import { inspect } from '../../server/src/testing/process.ts'
import { openPhone, type Phone } from '../phone.ts'
import { login, type Measured, post, say } from './measured.ts'
import { prepareRecording } from './recorder.ts'

/** Of each room of the list. */
const MESSAGES = 60
/** Of the room that is scrolled. */
const LONG = 600

/** A guild in which `member` reads what `talkers` say. */
export interface Rooms extends Measured {
  readonly guild: string
  /** A room of `LONG` messages. */
  readonly long: string
  readonly reader: string
  readonly talkers: readonly string[]
  /** A new room of `MESSAGES`; its name. */
  readonly newRoom: (name: string) => Promise<string>
}

/** The text of a message by its number in its room. */
export const textOf = (n: number): string =>
  `第 ${n} 条：今晚八点开荒，缺一个奶和两个输出。${'记得带药水。'.repeat(n % 4)}`

export async function openRooms(all: Measured): Promise<Rooms> {
  const { location, url } = all
  const world = await inspect(location, readWorld)
  const guild = world.guilds[0]!.id
  const talkers = await Promise.all((['owner', 'admin'] as const).map((it) => login(url, world.people[it]!)))
  const [owner] = talkers
  const newRoom = async (name: string, count = MESSAGES) => {
    const { data } = await post<{ data: { id: string } }>(url, owner!, '/api/v3/channel/create', {
      guild_id: guild,
      name,
    })
    for (let n = 1; n <= count; n += 1) await say(url, talkers[n % talkers.length]!, data.id, textOf(n))
    return data.id
  }
  return {
    ...all,
    guild,
    talkers,
    newRoom,
    reader: await login(url, world.people.member!),
    long: await newRoom('长谈', LONG),
  }
}

/** A phone with the reader on a page; `prepare`: before the page has any document. */
export async function openReader(all: Rooms, path: string, prepare = prepareRecording): Promise<Phone> {
  const phone = await openPhone(all.browser, all.url)
  await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), all.reader)
  await prepare(phone.page)
  await phone.page.goto(path)
  return phone
}
