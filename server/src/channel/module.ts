/** What the server has of channels. */
import type { AppContext, Module } from '../kit/module.ts'
import { channelRoutes } from './routes.ts'

export const channelModule = ({ live }: AppContext): Module => ({ routes: channelRoutes({ live }) })
