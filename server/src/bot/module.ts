/** What the server has of bots that people make: their calls. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { botRoutes } from './routes.ts'

export const botModule = ({ appContext, jobs }: ModuleContext): Module => ({
  routes: botRoutes({ appContext, jobs }),
})
