/** What the server has of friends. */
import type { AppContext, Module } from '../kit/module.ts'
import { type FriendRouteDeps, friendRoutes } from './routes.ts'

export const friendModule = ({ live }: AppContext, hooks: Omit<FriendRouteDeps, 'live'>): Module => ({
  routes: friendRoutes({ live, ...hooks }),
})
