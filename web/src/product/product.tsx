/** What the pages of the shop share: the packages to choose from, and the bar that buys the chosen one. */
export { marketHere, periodHere } from './market.ts'
export { BuyBar, NoPackages, Packages } from './Packages.tsx'
export { ShopLinks } from './ShopLinks.tsx'
export { RenewsLine, ShopPage } from './ShopPage.tsx'
