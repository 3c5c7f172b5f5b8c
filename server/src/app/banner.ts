/**
 * The start-up banner: the demo invite, the address of the SMS codes, the demo accounts, and where to begin.
 */
import { shellAddress } from '@guildhall/wire/site/appsCookie.ts'
import { banner as text } from '../demo/text.ts'
import { personNames, readWorld } from '../demo/world.ts'
import type { Db } from '../kit/database/db.ts'

/** Lines of plain text; none without a demo world. */
export async function bannerOf(
  db: Db,
  input: {
    readonly publicUrl: string
    readonly showsCodes: boolean
    readonly hasDemoApp: boolean
    /** Null: one cannot pay without money. */
    readonly sandbox: { readonly url: string; readonly inBrowser: boolean } | null
  },
): Promise<string[]> {
  const { people, guilds, invites } = await readWorld(db)
  const { sandbox, publicUrl } = input
  const inShell = publicUrl + shellAddress('/account/buff')
  const purchases = sandbox
    ? [
        `${text.sandbox}: ${sandbox.url}${sandbox.inBrowser ? '' : `  (${text.inBrowser})`}`,
        ...(input.hasDemoApp ? [`${text.inApp}: ${inShell}`] : []),
      ]
    : []
  if (Object.keys(people).length === 0) return purchases
  const invite = invites.find(({ guild_id }) => guild_id === guilds[0]?.id)
  const listed = personNames.flatMap((name) => people[name] ?? [])
  const journeys = [
    ...(invite ? [`${text.guest}: ${publicUrl}/invite/${invite.code}`] : []),
    ...(sandbox && input.hasDemoApp ? [`${text.buyer}: ${inShell}`] : []),
    ...(guilds[0] ? [`${text.keeper}: ${publicUrl}/channels/${guilds[0].id}`] : []),
  ]
  return [
    ...(invite ? [`${text.invite}: ${publicUrl}/invite/${invite.code}`] : []),
    ...(input.showsCodes ? [`${text.codes}: ${publicUrl}/dev/outbox?mobile=${listed[0]?.mobile}`] : []),
    ...purchases,
    ...(people.staff && input.showsCodes
      ? [
          `${text.console}: ${publicUrl}/staff  (${publicUrl}/dev/authenticator?mobile=${people.staff.mobile})`,
        ]
      : []),
    `${text.people}:`,
    ...listed.map((each) => `  ${each.name.padEnd(10)}  +${each.prefix} ${each.mobile}  ${each.password}`),
    ...(input.hasDemoApp ? [`${text.journeys}:`, ...journeys.map((line, n) => `  ${n + 1}. ${line}`)] : []),
  ]
}
