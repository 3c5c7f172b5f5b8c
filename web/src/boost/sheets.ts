/** The sheets of boosts, loaded when they open. */
import { lazy } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'

const load = () => loadPart(() => import('./BoostSheets.tsx'))

export const UseSheet = lazy(async () => ({ default: (await load()).UseSheet }))
export const ChooseSheet = lazy(async () => ({ default: (await load()).ChooseSheet }))
export const BuySheets = lazy(async () => ({ default: (await load()).BuySheets }))
