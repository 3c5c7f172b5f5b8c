import type { AppContext, Module } from '../kit/module.ts'
import { friendRoutes } from './routes.ts'

export const friendModule = (
  { live }: AppContext,
  hooks: Omit<Parameters<typeof friendRoutes>[0], 'live'>,
): Module => ({ routes: friendRoutes({ live, ...hooks }) })
