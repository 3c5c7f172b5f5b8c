/** Which file of the built page a module goes into, where several routes share it. */
import { firstPages, shellPages } from '@guildhall/wire/pages.ts'
import { APP, DESK, SHELL, screenFile } from './screens.ts'

/** What the bundler tells of a module. */
interface Module {
  readonly importedIds: readonly string[]
}
interface ModuleGraph {
  getModuleInfo(id: string): Module | null
}

/**
 * Over HTTP/1.1 a browser loads six files at a time, and each waits a round trip: what routes share is in
 * five files. `base` is what the invite needs, `app` what the first screen of another route needs, `inside`
 * what the shell and both of its screens need, `parts` small things of the room that other pages use too,
 * `room` what the room shares with the parts that it loads later. `pay` is what the pages share that sell,
 * `forms` what is around a login and a changed number, `pages` what each page with a name and a way back has
 * around it and the rules of giving roles, `notes` what stands above the channels of a guild. `list`,
 * `members` and `desk` are what else the list of channels, that of members and the columns of a desk need;
 * `pieces` small things of the list of channels that other pages use too, `contract` calls of those columns.
 * A desk loads all five. `chats` is calls of private chats, `finding` what later pages and sheets of people
 * and rooms share, `rows` what rows and sheets of messages load later, `apps` which apps are offered.
 */
const ROUTES = {
  invite: [
    'index.html',
    'src/main.tsx',
    screenFile(firstPages['/invite/:code']),
    'src/invite/RegisterSheet.tsx',
  ],
  app: [APP],
  shell: SHELL,
  channels: [screenFile(shellPages['/channels/:guildId'])],
  members: [screenFile(shellPages['/channels/userlist/:guildId'])],
  desk: DESK,
  login: [screenFile(firstPages['/login'])],
  room: [screenFile(shellPages['/channels/:guildId/:channelId'])],
  userInvite: [screenFile(firstPages['/user-invite/:code'])],
}

type RouteName = keyof typeof ROUTES

/** What knows nothing of rooms. */
const SMALL =
  /[\\/](?:web[\\/]src[\\/](?:kit|ui)[\\/]|wire[\\/]src[\\/](?:permission[\\/]|channel[\\/]flat\.ts))/
/** What opens the app later: few bytes, in one file with other small things. */
const OPEN_LATER = /[\\/]web[\\/]src[\\/]native[\\/]openApp[\\/]openLater\.ts$/
/** What pages know of buying. In one file: rooms name every file of the pages that they load later. */
const PAY =
  /[\\/]wire[\\/]src[\\/](?:money|payWay|beijing|(?:product|order|pay|buff|golive|renewal)[\\/]\w+)\.ts$/
/** What an invite into a guild and a personal one draw. No other route loads it. */
const LANDING = /[\\/]invite[\\/](?:landing(?:Text)?|inviteView)\.ts$/
/** What belongs to the sheet that registers, and to nothing else. */
const REGISTER = /[\\/]web[\\/]src[\\/]invite[\\/]register/i
/** What pages with a name and a way back have around them, and the looks of their rows. */
const PAGE =
  /[\\/]web[\\/]src[\\/]ui[\\/](?:state[\\/]Loaded\.tsx|page[\\/](?:TitledPage\.tsx|useProductTitle\.ts|useBackToChannels\.ts)|overlay[\\/](?:Menu|Dialog)\.module\.css|SettingRows\.(?:tsx|module\.css))$/
/** What roles may be given by whom. Few bytes, and rooms name no file of their own for it. */
const RIGHTS = /[\\/]wire[\\/]src[\\/](?:role[\\/]role|permission[\\/]hierarchy)\.ts$/
/** What the notes above a guild's channels share with its menus and cards. In one file, as with buying. */
const NOTES =
  /[\\/]wire[\\/]src[\\/](?:invite[\\/]manage|guild[\\/]ownGuild|onboarding[\\/]rolesAddress)\.ts$/
/** What forms with a number, an address or a password share, at the login and in the account. */
const FORMS =
  /[\\/]web[\\/]src[\\/]auth[\\/](?:(?:text|fields|Tabs|useAuthForm)\.tsx?|FormPage\.module\.css)$/
/** What finds people, rooms and pictures, and icons of people. In one file, as with buying. */
const FINDING =
  /[\\/](?:wire[\\/]src[\\/](?:channel[\\/]rooms|search[\\/]search|member[\\/]person)\.ts|web[\\/]src[\\/](?:media[\\/]roomPictures\.ts|kit[\\/](?:find[\\/](?:findable|findNamed)|useDebounced)\.ts|ui[\\/](?:form[\\/](?:SearchField\.tsx|useSearch\.ts)|icon[\\/]personIcons\.tsx|usePresenceRefresh\.ts)))$/
/** What rows and sheets of messages share that are loaded later. In one file, as with buying. */
const LATER_ROWS =
  /[\\/]web[\\/]src[\\/](?:message[\\/](?:joined[\\/]\w+\.tsx?|menu[\\/]sheetText\.ts)|kit[\\/]reportText\.ts)$/
/** What says which apps are offered. In one file, as with buying. */
const APPS =
  /[\\/](?:wire[\\/]src[\\/]site[\\/]appsCookie|web[\\/]src[\\/]native[\\/]openApp[\\/]appOffer)\.ts$/
/** Calls that the columns share with pages of guilds and chats, and no page of an account loads. */
const CONTRACT = /[\\/]wire[\\/]src[\\/](?:chat|member|moderation)[\\/]/
/** Calls of private chats, whose count stands beside the guilds. */
const CHATS = /[\\/]wire[\\/]src[\\/]chat[\\/]/
/** The screens that are columns at a desk. */
const COLUMNS = /[\\/]web[\\/]src[\\/](?:app[\\/]desk|channel|member)[\\/]/

/**
 * The shared files as groups of the bundler. The earlier ones take what they import, so the order matters.
 */
export function sharedFiles(root: string) {
  const nameOf = sharedFileOf(root)
  return [
    'base',
    'app',
    'inside',
    'parts',
    'room',
    'pay',
    'forms',
    'pages',
    'notes',
    'pieces',
    'chats',
    'contract',
    'list',
    'members',
    'desk',
    'finding',
    'rows',
    'apps',
  ].map((name, at) => ({
    // Zero would be none.
    priority: 100 - at,
    // What else imports the contract of a friend, say, does not load the list of channels for it.
    includeDependenciesRecursively: !['forms', 'list', 'members', 'desk', 'finding', 'rows', 'apps'].includes(
      name,
    ),
    name: (id: string, graph: ModuleGraph) => (nameOf(id, graph) === name ? name : null),
  }))
}

/** The name of the shared file of a module; null: it stays with the one route that imports it. */
function sharedFileOf(root: string): (id: string, graph: ModuleGraph) => string | null {
  const entries = new Set(Object.values(ROUTES).flatMap((files) => files.map((file) => `${root}/${file}`)))
  let reached: Record<RouteName, ReadonlySet<string>> | null = null
  return (id, graph) => {
    if (entries.has(id) || REGISTER.test(id) || LANDING.test(id)) return null
    reached ??= reachedModules(root, graph)
    const { invite, app, shell, channels, members, desk, login, room, userInvite } = reached
    if (invite.has(id))
      return [app, shell, channels, login, room, userInvite].some((route) => route.has(id)) ? 'base' : null
    if (app.has(id) || (login.has(id) && [shell, channels, room].some((it) => it.has(id)))) return 'app'
    if (shell.has(id) || (channels.has(id) && room.has(id))) return 'inside'
    if (room.has(id)) return SMALL.test(id) ? 'parts' : 'room'
    const later = laterFileOf(id)
    if (later) return later
    if (!desk.has(id)) return null
    if (SMALL.test(id)) return channels.has(id) ? 'pieces' : null
    if (CHATS.test(id) && channels.has(id)) return 'chats'
    if (CONTRACT.test(id) && !channels.has(id)) return 'contract'
    if (!COLUMNS.test(id)) return null
    return channels.has(id) ? 'list' : members.has(id) ? 'members' : 'desk'
  }
}

/** The shared file of a module that no room needs at its start; null: none. */
function laterFileOf(id: string): string | null {
  if (PAY.test(id)) return 'pay'
  if (OPEN_LATER.test(id)) return 'pieces'
  if (FORMS.test(id)) return 'forms'
  if (PAGE.test(id) || RIGHTS.test(id)) return 'pages'
  if (FINDING.test(id)) return 'finding'
  if (LATER_ROWS.test(id)) return 'rows'
  if (APPS.test(id)) return 'apps'
  return NOTES.test(id) ? 'notes' : null
}

function reachedModules(root: string, graph: ModuleGraph): Record<RouteName, ReadonlySet<string>> {
  const from = (entries: readonly string[]): ReadonlySet<string> => {
    const found = new Set<string>()
    const walk = (id: string): void => {
      if (found.has(id)) return
      found.add(id)
      for (const each of graph.getModuleInfo(id)?.importedIds ?? []) walk(each)
    }
    for (const entry of entries) walk(`${root}/${entry}`)
    return found
  }
  return Object.fromEntries(Object.entries(ROUTES).map(([name, entries]) => [name, from(entries)])) as Record<
    RouteName,
    ReadonlySet<string>
  >
}
