/** What the server has of roles. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { roleRoutes } from './routes.ts'

export const roleModule = ({ appContext }: ModuleContext): Module => ({ routes: roleRoutes({ appContext }) })
