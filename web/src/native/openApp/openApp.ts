/** Opens the native app from the page. Loaded when somebody may want it: see `appOffer.ts`. Decision 66. */
import { offeredApps, SHELL_IS_APP, shellAddress } from '@guildhall/wire/site/appsCookie.ts'
import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { call } from '../../kit/call.ts'
import { currentText } from '../../kit/i18n.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { here, isInChatApp } from '../environment.ts'
import { shell } from '../shell.ts'
import { text } from '../text.ts'
import { type AppIdentity, addressOf, appTarget } from './appAddress.ts'
import { text as maskText } from './maskText.ts'
import {
  type OpenAppEnvironment,
  type OpenAppOutcome,
  type OpenAppSteps,
  openAppOrStore,
  WAITS,
} from './openAppOrStore.ts'

export { appTarget, WAITS }

type Phone = 'ios' | 'android'

/** The native app as the operator set it. */
export interface NativeApp extends AppIdentity {
  /** Its id at WeChat's open platform; empty without one. */
  readonly wechatId: string
  /**
   * Its addresses in the stores; null without one. `latest-version` goes before the site's own. chat.md §7,
   * §9.
   */
  readonly stores: Readonly<Record<Phone, string | null>>
}

/** An address of a store that may be followed. */
const storeOf = (...addresses: (string | undefined)[]): string | null =>
  addresses.find((it) => it && /^https?:\/\/./.test(it)) ?? null

let loading: Promise<NativeApp | null> | null = null

/** The app, asked for once. Null when the server does not answer; then it is asked again. Never rejects. */
export function loadNativeApp(): Promise<NativeApp | null> {
  loading ??= askForApp().then((app) => {
    if (!app) loading = null
    return app
  })
  return loading
}

async function askForApp(): Promise<NativeApp | null> {
  const newest = (platform: Phone) => call(latestVersion, { platform }).catch(() => null)
  const [info, ios, android] = await Promise.all([
    call(siteInfo, {}).catch(() => null),
    newest('ios'),
    newest('android'),
  ])
  if (!info) return null
  const { scheme, android_package: androidPackage, wechat_app_id: wechatId, ios_url, android_url } = info.app
  const stores = { ios: storeOf(ios?.url, ios_url), android: storeOf(android?.url, android_url) }
  return { scheme, androidPackage, wechatId, stores }
}

/** Forgets the app. For tests. */
export function forgetNativeApp(): void {
  loading = null
}

/** The app's address in the store of this phone; null without one. Never rejects. */
export async function storeLink(): Promise<string | null> {
  const { platform } = here()
  return platform === 'desktop' ? null : ((await loadNativeApp())?.stores[platform] ?? null)
}

const browserEnvironment: OpenAppEnvironment = {
  document,
  window,
  go: (address) => location.assign(address),
  // That of `kit/` is in the room's file, which an invite does not load.
  copy: async (content) =>
    navigator.clipboard.writeText(content).then(
      () => true,
      () => false,
    ),
  now: () => Date.now(),
}

/**
 * Shows a path of this site in the native app: inside of its shell directly, else by its address or its
 * store. Never rejects. `copied`: a text for an app that is installed first.
 */
export async function openApp(
  path: string,
  options: Pick<OpenAppSteps, 'copied' | 'waitMs'> = {},
): Promise<OpenAppOutcome> {
  const target = appTarget(path)
  if (shell()) {
    const [, guildId, channelId = null] = /^\/channels\/(\d+)(?:\/(\d+))?$/.exec(target) ?? []
    return guildId && (await jumpInShell(guildId, channelId)) ? 'opened' : 'nothing'
  }
  const environment = here()
  if (isShellTheApp())
    return openAppOrStore({ app: shellAddress(path), store: null, ...options }, browserEnvironment)
  const app = await loadNativeApp()
  if (!app || environment.platform === 'desktop') return 'nothing'
  const store = app.stores[environment.platform]
  const address = addressOf(app, environment, target, { host: location.host, store })
  return openAppOrStore({ app: address, store, ...options }, browserEnvironment)
}

/** Whether the reference shell stands in for the app, as in the demo world. */
const isShellTheApp = (): boolean => offeredApps(document.cookie).includes(SHELL_IS_APP)

/**
 * Shows this page in the app that stands in for a real one, once the words that say to open it were read.
 * Elsewhere it does nothing.
 */
export function openHereInShell(): void {
  if (!isShellTheApp()) return
  const { href, pathname, search } = location
  setTimeout(() => {
    if (location.href === href) location.assign(shellAddress(pathname + search))
  }, WAITS.store)
}

/** As `openApp`, with words for whoever waits and for whom nothing opened. chat.md §8. */
export async function openAppAloud(path: string, copied?: string): Promise<OpenAppOutcome> {
  const t = currentText(text)
  if (path.startsWith('/channels') && appTarget(path) === '/') {
    toast(t.noGuildId)
    return 'nothing'
  }
  if (!shell() && isInChatApp(here())) {
    // It opens no app, and on Android no store.
    toast(currentText(maskText).openInBrowser)
    return 'nothing'
  }
  if (!shell()) toast(t.opening)
  const ended = await openApp(path, { copied })
  if (ended === 'nothing') toast(t.openInApp)
  return ended
}

/** Joins a voice channel in the shell, and says so when it cannot. */
export async function joinAudioAloud(guildId: string, channelId: string): Promise<void> {
  if (!(await joinAudio(guildId, channelId))) toast(currentText(text).useInApp)
}

/**
 * Shows a guild or a channel in the shell around the page, or joins a voice channel there; false where it
 * cannot. chat.md §4.
 */
export const showInShell = async (guildId: string, channelId: string | null, isAudio: boolean) =>
  (isAudio && channelId && (await joinAudio(guildId, channelId))) || jumpInShell(guildId, channelId)

const joinAudio = (guild_id: string, channel_id: string): Promise<boolean> =>
  did(shell()?.call('join_audio', { guild_id, channel_id }))

const jumpInShell = (guild_id: string, channel_id: string | null): Promise<boolean> =>
  did(shell()?.call('jump_guild', { guild_id, ...(channel_id && { channel_id }) }))

const did = (asked: Promise<unknown> | undefined): Promise<boolean> =>
  Promise.resolve(asked).then(
    () => asked !== undefined,
    () => false,
  )
