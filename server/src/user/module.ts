import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { userRoutes } from './routes.ts'
import { drawnPictureAt } from './user.ts'

export const userModule = (
  { live }: AppContext,
  hooks: Omit<Parameters<typeof userRoutes>[0], 'live'>,
): Module => ({
  routes: userRoutes({ live, ...hooks }),
  endpoints: fileEndpoints(['/avatars/:colour/:name'], async (path) => drawnPictureAt(path)),
})
