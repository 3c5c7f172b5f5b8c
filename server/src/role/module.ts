/** What the server has of roles. */
import type { AppContext, Module } from '../kit/module.ts'
import { roleRoutes } from './routes.ts'

export const roleModule = ({ live }: AppContext): Module => ({ routes: roleRoutes({ live }) })
