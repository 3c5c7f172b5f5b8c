import { readFileSync } from 'node:fs'
import path from 'node:path'

const FLOOR = /^(chrome|ios_saf) >= (\d+)$/

/** The oldest browsers that the page is for: `browserslist` of the root package. */
function readFloor(): { readonly chrome: number; readonly safari: number } {
  const file = path.join(import.meta.dirname, '../package.json')
  const { browserslist } = JSON.parse(readFileSync(file, 'utf8')) as { browserslist: string[] }
  const versions = new Map(
    browserslist.map((line) => {
      const [, name, version] = FLOOR.exec(line) ?? []
      if (!name) throw new Error(`browserslist in package.json: ${line} is not of the form "chrome >= 86"`)
      return [name, Number(version)]
    }),
  )
  const [chrome, safari] = [versions.get('chrome'), versions.get('ios_saf')]
  if (!chrome || !safari) throw new Error('browserslist in package.json needs chrome and ios_saf')
  return { chrome, safari }
}

export const floor = readFloor()

/** For the build, which lowers the syntax of scripts and styles to it. */
export const styleTargets = [`safari${floor.safari}`, `chrome${floor.chrome}`]
export const scriptTargets = ['es2020', ...styleTargets]

const WORDS = `请更新浏览器或系统，并允许网页运行脚本（需要 iOS ${floor.safari} 或 Chrome ${floor.chrome} 以上）`
const ENGLISH = `Please update your browser or system, and allow scripts (iOS ${floor.safari} or Chrome ${floor.chrome} and newer)`

/**
 * What every page says without scripts, and in a browser that is older. The script has to run in those:
 * `Promise.any` is as old as the floor, and nothing in it is newer than 2009.
 */
export const floorNotice = [
  `<p class="floor" hidden>${WORDS}<br><span lang="en">${ENGLISH}</span></p>`,
  '<noscript><style>.floor{display:block!important}</style></noscript>',
  "<script>if(!window.Promise||!Promise.any)document.querySelector('.floor').hidden=false</script>",
].join('')
