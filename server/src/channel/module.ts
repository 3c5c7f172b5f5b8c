/** What the server has of channels. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { channelRoutes } from './routes.ts'

export const channelModule = ({ appContext }: ModuleContext): Module => ({
  routes: channelRoutes({ appContext }),
})
