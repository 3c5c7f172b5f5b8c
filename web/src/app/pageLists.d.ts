/**
 * Made of `wire/src/pages.ts` by `web/screens.ts`: the pages that `app/AccountPages.tsx` draws. Each gets
 * what some of them need.
 */
declare module 'virtual:account-pages' {
  const pages: readonly (readonly [
    address: string,
    Screen: import('react').ComponentType<{
      readonly guildId: import('@guildhall/wire/id.ts').GuildId
      readonly PaySheet: typeof import('../pay/pay.tsx').PaySheet
      /** What waits for its payment, at the end of a bar. */
      readonly unpaid: import('react').ReactNode
    }>,
  ])[]
  export default pages
}

/** The same for `app/OtherPages.tsx`. */
declare module 'virtual:other-pages' {
  const pages: readonly (readonly [address: string, Screen: import('react').ComponentType])[]
  export default pages
}

/** Patterns of the addresses of `virtual:account-pages`. */
declare const ACCOUNT_ADDRESSES: readonly string[]
