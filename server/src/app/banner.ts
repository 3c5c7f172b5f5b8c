/** The start-up banner: the demo invite, the address of the SMS codes, and the demo accounts. */
import { banner as text } from '../demo/text.ts'
import { castNames, readWorld } from '../demo/world.ts'
import type { Db } from '../kit/db.ts'

/** Lines of plain text; none without a demo world. */
export async function bannerOf(
  db: Db,
  it: {
    readonly publicUrl: string
    readonly showsCodes: boolean
    /** Null: one cannot pay without money. */
    readonly sandbox: { readonly url: string; readonly inBrowser: boolean } | null
  },
): Promise<string[]> {
  const { cast, guilds, invites } = await readWorld(db)
  const { sandbox } = it
  const purchases = sandbox
    ? [`${text.sandbox}: ${sandbox.url}${sandbox.inBrowser ? '' : `  (${text.inBrowser})`}`]
    : []
  if (Object.keys(cast).length === 0) return purchases
  const invite = invites.find(({ guild_id }) => guild_id === guilds[0]?.id)
  const people = castNames.flatMap((name) => cast[name] ?? [])
  return [
    ...(invite ? [`${text.invite}: ${it.publicUrl}/invite/${invite.code}`] : []),
    ...(it.showsCodes ? [`${text.codes}: ${it.publicUrl}/dev/outbox?mobile=${people[0]?.mobile}`] : []),
    ...purchases,
    ...(cast.staff && it.showsCodes
      ? [
          `${text.console}: ${it.publicUrl}/staff  (${it.publicUrl}/dev/authenticator?mobile=${cast.staff.mobile})`,
        ]
      : []),
    `${text.people}:`,
    ...people.map((each) => `  ${each.name.padEnd(10)}  +${each.prefix} ${each.mobile}  ${each.password}`),
  ]
}
