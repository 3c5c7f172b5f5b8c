/** What the server has of profiles of guilds. */
import type { Welcome } from '../invite/invite.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { profileRoutes } from './routes.ts'

export const profileModule = ({ live }: AppContext, welcome: Welcome): Module => ({
  routes: profileRoutes({ live, welcome }),
})
