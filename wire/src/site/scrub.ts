/**
 * Removes from an error what is private: tokens, values of queries, numbers, codes of invites, and what
 * people wrote. The page scrubs before it sends, and the server before it stores, so each function leaves its
 * own output as it is.
 */

const LOCATION_MAX = 200
const MESSAGE_MAX = 300
const FRAMES_MAX = 20
/** Longer runs of letters and digits may be tokens. */
const TOKEN = /[\w+/=-]{20,}/g
/** Parts of paths after which a code follows. */
const CODED = /^(\/(?:user-)?invite\/)[^/]+/

/** The path of an address and the names of its parameters, without their values. */
export function scrubLocation(address: string): string {
  const [, path = '', query = ''] =
    /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(address.slice(0, 2_000)) ?? []
  const parts = path
    .replace(CODED, '$1:code')
    .split('/')
    .map((part) => (/^[\w.:@-]{0,60}$/.test(part) && !/[\w=-]{32,}/.test(part) ? part : '…'))
  const names = query.split('&').map((each) => each.replace(/=.*/s, ''))
  const known = [...new Set(names)].filter((name) => /^[a-z_-]{1,20}$/i.test(name))
  return `${parts.join('/')}${known.length > 0 ? `?${known.join('&')}` : ''}`.slice(0, LOCATION_MAX)
}

/**
 * The message of an error. Engines quote what they could not read, so nothing in quotes stays, except names
 * of properties.
 */
export const scrubMessage = (message: string): string =>
  message
    .slice(0, 2_000)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>)]+/gi, scrubLocation)
    .replace(/\/[\w/.:-]*\?[^\s"'`<>)]*/g, scrubLocation)
    .replace(/\((reading|setting|evaluating) '([\w$.[\]]{1,60})'\)/g, '($1 $2)')
    .replace(/"[^"]*(?:"|$)|`[^`]*(?:`|$)|'[^']*'/g, '"…"')
    .replace(/[^\x20-\x7e]+/g, '…')
    .replace(/\S+@\S+/g, '…')
    .replace(TOKEN, '…')
    .replace(/\d{3,}/g, '#')
    .slice(0, MESSAGE_MAX)

const FRAME =
  /^\s*(?:at (?:async )?(?:([\w$.<>[\] ]{1,80}) \()?|([\w$.<>/[\]* ]{0,80})@)(\S+?):(\d+):(\d+)\)?$/

/**
 * The frames of a stack as `at function (path:line:column)`, without the message that engines put before
 * them.
 */
export const scrubStack = (stack: string): string =>
  stack
    .slice(0, 20_000)
    .split('\n')
    .flatMap((line) => {
      const [, name, nameBefore, address = '', row, column] = FRAME.exec(line) ?? []
      if (address === '') return []
      return [
        `at ${name || nameBefore || '?'} (${scrubLocation(address).replace(/\?.*/, '')}:${row}:${column})`,
      ]
    })
    .slice(0, FRAMES_MAX)
    .join('\n')

/** The name of an error; `Error` for what is no name. */
export const scrubName = (name: string): string => (/^[a-z][\w.]{0,40}$/i.test(name) ? name : 'Error')
