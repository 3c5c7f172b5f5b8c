/** What the server has of friends. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { type FriendRouteDeps, friendRoutes } from './routes.ts'

export const friendModule = (
  { appContext }: ModuleContext,
  hooks: Omit<FriendRouteDeps, 'appContext'>,
): Module => ({
  routes: friendRoutes({ appContext, ...hooks }),
})
