/** Addresses in texts, also as people write them without `https://`. */

/** What hides within an address, or looks like a part of it. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
/** Bounded everywhere: a hostile text takes no longer than another. */
const WHOLE = /(?:https?:\/\/|(?<![\w.-])www\.)([^\s/?#"'<>()[\]]{1,253})(\/[^\s"'<>()[\]]{0,300})?/g
const BARE =
  /(?<![\w@./-])([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})(?::\d{1,5})?(\/[^\s"'<>()[\]]{0,300})?/g
/** Ends that are taken for an address without `https://` and without a path. */
const ENDS = new Set(
  'com cn net org io gg me cc top xyz app vip club site link info tv co ru shop online fun icu pw'.split(' '),
)

export interface Address {
  readonly host: string
  readonly path: string
}

/** The addresses in a text, lower case. */
export function addressesIn(text: string): Address[] {
  const plain = text.normalize('NFKC').replace(HIDDEN, '').replaceAll('。', '.').toLowerCase()
  const whole = [...plain.matchAll(WHOLE)].map(([, host = '', path = '']) => ({ host: hostOf(host), path }))
  const bare = [...plain.matchAll(BARE)].flatMap(([, host = '', path = '']) =>
    ENDS.has(host.slice(host.lastIndexOf('.') + 1)) ? { host: hostOf(host), path } : [],
  )
  return [...whole, ...bare]
}

/** Without who would log in, and without the port. */
const hostOf = (typed: string): string =>
  typed
    .replace(/^.*@/, '')
    .replace(/:\d*$/, '')
    .replace(/^www\./, '')

/** Whether a host is one of some, or below one. */
export const isHostOf = (host: string, of: readonly string[]): boolean =>
  of.some((each) => host === each || host.endsWith(`.${each}`))

/** Invites to communities elsewhere: hosts, and how the path begins. */
const INVITES: readonly (readonly [host: string, path: string])[] = [
  ['discord.gg', '/'],
  ['discord.com', '/invite/'],
  ['discordapp.com', '/invite/'],
  ['kook.top', '/'],
  ['kook.vip', '/'],
  ['kaihei.co', '/'],
  ['t.me', '/'],
  ['jq.qq.com', '/'],
  ['qm.qq.com', '/'],
]

export const isInviteElsewhere = ({ host, path }: Address): boolean =>
  INVITES.some(
    ([of, begins]) => isHostOf(host, [of]) && path.startsWith(begins) && path.length > begins.length,
  )
