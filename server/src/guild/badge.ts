/** A guild as a picture for other sites. protocol.md §4.14. */
import { guildId } from '@guildhall/wire/id.ts'
import type { AppContext } from '../kit/events/events.ts'
import { drawnFile, svgText } from '../kit/files/drawn.ts'
import type { Servable } from '../kit/files/file.ts'
import type { GuildMembers } from './members.ts'
import { byId } from './sql.ts'

/** Its numbers are as old as this, s. */
const CACHED_S = 60
const HEIGHT = 24
const PADDING = 10
const DOT = 14

/**
 * The picture of a guild for anybody who asks. `style` 0: its name; 1: with how many of it are online; 2:
 * with how many of how many. Null: there is no such guild.
 */
export async function guildBadge(
  { db, presence }: Pick<AppContext, 'db' | 'presence'>,
  { countMembers }: Pick<GuildMembers, 'countMembers'>,
  { guild_id, style }: Readonly<Record<string, string>>,
): Promise<Servable | null> {
  const id = guildId.safeParse(guild_id).data
  const guild = id === undefined ? null : await byId(db, id)
  if (!guild) return null
  const online = presence.onlineCount(guild.id)
  const counts =
    style === '1' ? `${online}` : style === '2' ? `${online}/${await countMembers(db, guild.id)}` : ''
  return drawnFile(svgOf(guild.name, counts), { name: 'guild.svg', cachedForS: CACHED_S })
}

/** About as wide as words are drawn, px: a Chinese character is as wide as it is high. */
const widthOf = (text: string): number => [...text].reduce((sum, it) => sum + (it >= '\u1100' ? 13 : 7.5), 0)

function svgOf(name: string, counts: string): string {
  const left = Math.ceil(widthOf(name)) + 2 * PADDING
  const right = counts === '' ? 0 : Math.ceil(widthOf(counts)) + DOT + 2 * PADDING
  const middle = HEIGHT / 2
  const text = (x: number, input: string) =>
    `<text x="${x}" y="${middle}" dy=".36em" fill="#fff">${svgText(input)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" font-size="13"`,
    ' font-family="system-ui, sans-serif">',
    `<rect width="${left + right}" height="${HEIGHT}" rx="5" fill="#1f2a26"/>`,
    text(PADDING, name),
    ...(counts === ''
      ? []
      : [
          `<circle cx="${left + PADDING}" cy="${middle}" r="4" fill="#3ecf8e"/>`,
          text(left + PADDING + DOT - 4, counts),
        ]),
    '</svg>',
  ].join('')
}
