/**
 * Every page of the product, once: its address, and the file that draws it. Made of these tables are the
 * addresses that the server answers (`server/src/app/pages/screens.ts`), the lists of the page's router
 * (`web/screens.ts`), the documents and files of the build (`web/pages.ts`, `web/chunks.ts`), and lists of
 * tests. The page itself imports only the types, so nothing here is loaded by anybody: what it needs of the
 * tables, the build puts where it is needed. Decision 99.
 */

export interface Page {
  /** The file that draws it, below `web/src` and without `.tsx`. Without one nothing is shown. */
  readonly screen?: string
  /**
   * The file of the built page that the server sends: one with the styles and scripts of this page. By
   * default `index.html`.
   */
  readonly document?: string
  /**
   * The server writes into the document before it sends it, in code of its own: `site/startPage.ts`,
   * `invite/landingPage.ts`.
   */
  readonly isWritten?: true
  /** It starts without the router (`web/src/app/start.tsx`). */
  readonly startsAlone?: true
  /** Its code comes with that of its list: it waits for no file of its own. */
  readonly comesWithList?: true
  /**
   * What parameters look like; there is nothing at the address of another. Those that are not named may be
   * anything.
   */
  readonly params?: Readonly<Record<string, string>>
}

type Pages = Readonly<Record<string, Page>>

const ID = '\\d+'
const CODE = '[0-9a-f]{32}'

/**
 * Pages that `web/src/app/App.tsx` draws by itself: the first that people see. `:name` is a part of an
 * address.
 */
export const firstPages = {
  '/': {
    screen: 'site/LandingScreen',
    document: 'pages/landing.html',
    isWritten: true,
  },
  '/login': {
    screen: 'auth/LoginScreen',
    document: 'pages/login.html',
  },
  '/authenticate': { screen: 'auth/AuthenticateScreen' },
  '/forgot': { screen: 'auth/ForgotScreen' },
  '/bindmobile': { screen: 'auth/change/BindMobileScreen' },
  '/invite': {},
  '/invite/:code': {
    screen: 'invite/InviteScreen',
    document: 'pages/invite.html',
    isWritten: true,
    startsAlone: true,
  },
  '/user-invite': {},
  '/user-invite/:code': {
    screen: 'invite/UserInviteScreen',
    document: 'pages/user-invite.html',
    isWritten: true,
  },
} as const satisfies Pages

/** Pages that `web/src/app/App.tsx` draws by itself inside of the shell: guilds, rooms, conversations. */
export const shellPages = {
  '/discover': {
    screen: 'app/shell/GuildsPage',
    document: 'pages/channels.html',
  },
  '/channels': {
    screen: 'app/shell/GuildsPage',
    document: 'pages/channels.html',
  },
  '/channels/userlist/:guildId': {
    screen: 'member/MemberListScreen',
    params: { guildId: ID },
  },
  '/channels/:guildId': {
    screen: 'app/shell/GuildsPage',
    document: 'pages/channels.html',
    params: { guildId: ID },
  },
  '/channels/:guildId/:channelId': {
    screen: 'room/RoomScreen',
    document: 'pages/room.html',
    params: {
      guildId: ID,
      channelId: ID,
    },
  },
  '/chats': { screen: 'chat/ChatsScreen' },
  '/chats/:chatCode': {
    screen: 'chat/ChatsScreen',
    params: { chatCode: CODE },
  },
  '/chats/with/:userId': {
    screen: 'chat/ChatsScreen',
    params: { userId: ID },
  },
  '/friends': { screen: 'friend/FriendsScreen' },
} as const satisfies Pages

/** What the server sends for the golden pages of the shop. */
export const SHOP_DOCUMENT = 'pages/shop.html'

/**
 * Pages of one's own account and of the shop, and the search, inside of the shell. A new page is one line
 * here. Drawn by `web/src/app/AccountPages.tsx`.
 */
export const accountPages = {
  '/account': {
    screen: 'account/AccountScreen',
    comesWithList: true,
  },
  '/account/devices': { screen: 'account/DevicesScreen' },
  '/account/second-factor': { screen: 'auth/secondFactor/SecondFactorScreen' },
  '/account/name': { screen: 'auth/change/ChangeNameScreen' },
  '/account/authentication': { screen: 'realname/RealNameScreen' },
  '/account/digits': { screen: 'auth/change/ChangeDigitsScreen' },
  '/account/avatar': { screen: 'account/AvatarScreen' },
  '/account/password': { screen: 'auth/change/ChangePasswordScreen' },
  '/account/number': { screen: 'auth/change/ChangeNumberScreen' },
  '/account/linked': { screen: 'auth/thirdParty/LinkedScreen' },
  '/account/delete': { screen: 'auth/change/DeleteAccountScreen' },
  '/account/order-list': { screen: 'order/BillScreen' },
  '/account/buff': {
    screen: 'buff/BuffScreen',
    document: SHOP_DOCUMENT,
  },
  '/account/boost': {
    screen: 'boost/BoostScreen',
    document: SHOP_DOCUMENT,
  },
  '/account/golive': {
    screen: 'golive/GoliveScreen',
    document: SHOP_DOCUMENT,
  },
  '/search': { screen: 'search/SearchScreen' },
  '/cdk': { screen: 'coupon/CouponScreen' },
  '/select-guild': { screen: 'boost/SelectGuildScreen' },
  '/select-friend': { screen: 'friend/SelectFriendScreen' },
  '/renewal/management': { screen: 'renewal/RenewalScreen' },
  '/guild/boost': { screen: 'app/NoGuildScreen' },
  '/guild/boost/:guildId': {
    screen: 'boost/GuildBoostScreen',
    document: SHOP_DOCUMENT,
  },
  '/guild/boost-status': { screen: 'app/NoGuildScreen' },
  '/guild/boost-status/:guildId': {
    screen: 'boost/BoostStatusScreen',
    document: SHOP_DOCUMENT,
  },
  '/guild/settings': { screen: 'app/NoGuildScreen' },
  '/guild/settings/:guildId': { screen: 'app/guildSettings/GuildSettingsScreen' },
  '/guild/settings/:guildId/:section': { screen: 'app/guildSettings/GuildSettingsScreen' },
  '/guild/transfer': { screen: 'app/NoGuildScreen' },
  '/guild/transfer/:guildId': { screen: 'channel/owner/TransferScreen' },
  '/guild/profile': { screen: 'app/NoGuildScreen' },
  '/guild/profile/:guildId': { screen: 'profile/ProfileScreen' },
} as const satisfies Pages

/**
 * Pages around the product, outside of the shell. `/*`: all below as well. Drawn by
 * `web/src/app/OtherPages.tsx`.
 */
export const otherPages = {
  '/terms': {
    screen: 'site/DocumentScreen',
  },
  '/privacy': {
    screen: 'site/DocumentScreen',
  },
  '/licenses': {
    screen: 'site/LicensesScreen',
  },
  '/home': {
    screen: 'site/SitePages',
  },
  '/activity/kook717': {
    screen: 'site/SitePages',
  },
  '/buff-refund-info': {
    screen: 'site/SitePages',
  },
  '/go-wild': { screen: 'site/OutsideScreen' },
  '/oia/*': { screen: 'site/app/AppPages' },
  '/app/*': { screen: 'site/app/AppPages' },
  '/download': {
    screen: 'site/app/AppPages',
  },
  '/pay': { screen: 'pay/ScanPayScreen' },
  '/payment/wechat': { screen: 'pay/WechatPayScreen' },
  '/payment/successful': { screen: 'pay/PaidScreen' },
  '/common/jumpapp': { screen: 'site/ConformanceScreen' },
  '/register': {
    screen: 'app/ToLanding',
    comesWithList: true,
  },
} as const satisfies Pages

/** The console of staff, a bundle of its own (`web/src/app/startConsole.tsx`). */
export const consolePages = {
  '/staff/*': {
    screen: 'staff/ConsoleScreen',
    document: 'staff.html',
  },
} as const satisfies Pages

/** What the server sends for the pages of a list that have no document of their own. */
export const SHELL_DOCUMENT = 'pages/shell.html'
export const ACCOUNT_DOCUMENT = 'pages/account.html'

const sentIn = (document: string, of: Pages): Pages =>
  Object.fromEntries(Object.entries(of).map(([address, page]) => [address, { document, ...page }]))

/** All pages by their addresses. */
export const pages: Pages = {
  ...firstPages,
  ...sentIn(SHELL_DOCUMENT, shellPages),
  ...sentIn(ACCOUNT_DOCUMENT, accountPages),
  ...otherPages,
  ...consolePages,
}

/**
 * The addresses of each list, for the compiler alone: a screen that is missing where it is drawn, or a link
 * to no page, is an error.
 */
export type FirstAddress = keyof typeof firstPages
export type ShellAddress = keyof typeof shellPages
export type AccountAddress = keyof typeof accountPages
export type Address = FirstAddress | ShellAddress | AccountAddress | keyof typeof otherPages

/**
 * What robots may read; all other pages are for people alone (`server/src/app/pages/robots.ts`). A list of
 * its own, so that pages do not load it.
 */
export const pagesForRobots: readonly Address[] = [
  '/',
  '/invite',
  '/invite/:code',
  '/user-invite',
  '/user-invite/:code',
  '/discover',
  '/terms',
  '/privacy',
  '/licenses',
  '/home',
  '/activity/kook717',
  '/buff-refund-info',
  '/download',
]
