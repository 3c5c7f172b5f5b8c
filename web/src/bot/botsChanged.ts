import { listBots } from '@guildhall/wire/bot/bot.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'

/** The bots of a guild changed: what is on screen of them is asked for again. */
export const botsChanged = (): void => invalidateRoute(listBots)
