/** What the server has of people: their calls, and the pictures that are drawn for them. */
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { userRoutes } from './routes.ts'
import { drawnPictureAt } from './user.ts'

export const userModule = (
  { appContext }: ModuleContext,
  hooks: {
    /** Closes the connections of a login; the login stays. */
    readonly closeSessions: (sessionId: string) => void
  },
): Module => ({
  routes: userRoutes({ appContext, ...hooks }),
  endpoints: fileEndpoints(['/avatars/:colour/:name'], async (path) => drawnPictureAt(path)),
})
