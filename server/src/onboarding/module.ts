/** What the server has of what newcomers are shown. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { onboardingRoutes } from './routes.ts'

export const onboardingModule = ({ appContext }: ModuleContext): Module => ({
  routes: onboardingRoutes(appContext),
})
