/** What browsers have that are newer than the oldest ones that the page is for, by the tables of MDN. */
import data from '@mdn/browser-compat-data' with { type: 'json' }
import { floor } from '../web/floor.ts'

const FLOOR = { chrome: floor.chrome, safari_ios: floor.safari }

interface Support {
  readonly version_added: string | false | null
  readonly flags?: unknown
  readonly prefix?: unknown
  readonly alternative_name?: unknown
}
interface Feature {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[] | undefined>> }
}
type Features = Feature & { readonly [name: string]: Features }

/** Whether the oldest version of a browser has it, under its own name. */
function isOld(support: Support | readonly Support[] | undefined, oldest: number): boolean {
  return [support ?? []].flat().some((it) => {
    if (it.flags || it.prefix || it.alternative_name) return false
    return Number.parseFloat(String(it.version_added).replace('≤', '')) <= oldest
  })
}

function collect(features: Features, path: readonly string[], found: string[]): void {
  for (const [name, feature] of Object.entries(features)) {
    if (name === '__compat') continue
    const support = feature.__compat?.support
    const isNewer =
      support && Object.entries(FLOOR).some(([browser, oldest]) => !isOld(support[browser], oldest))
    if (isNewer) found.push([...path, name].join('.'))
    else if (path.length === 0) collect(feature, [...path, name], found)
  }
}

/**
 * Names such as `Array.at`, `AbortSignal.timeout` and `structuredClone`; a member may be of the object or of
 * its prototype.
 */
export function aboveFloor(): string[] {
  const found: string[] = []
  const { javascript, api } = data as unknown as { javascript: { builtins: Features }; api: Features }
  collect(javascript.builtins, [], found)
  collect(api, [], found)
  return found.map((name) => name.replace(/_static$/, '').replace(/\.(\w+)_event$/, '.on$1'))
}

/**
 * Takes these away in the page that runs it, before any script of the page. It is passed to the browser: it
 * may use nothing around it.
 */
export function takeAway(names: readonly string[]): void {
  const all = globalThis as unknown as Record<string, unknown>
  for (const name of names) {
    const [of = '', member] = name.split('.')
    if (member === undefined) {
      Reflect.deleteProperty(all, of)
      continue
    }
    if (of === 'Window') Reflect.deleteProperty(all, member)
    const owner = all[of]
    if (owner === null || (typeof owner !== 'function' && typeof owner !== 'object')) continue
    Reflect.deleteProperty(owner, member)
    const prototype = (owner as { prototype?: object }).prototype
    if (prototype) Reflect.deleteProperty(prototype, member)
    if (of === 'TypedArray') Reflect.deleteProperty(Object.getPrototypeOf(Uint8Array.prototype), member)
  }
}
