/** Opening the app from screens that do not wait for its part: it is loaded before the tap. */
import { loadPart } from '../../kit/lazy/lazyPart.ts'

const part = () => loadPart(() => import('./openApp.ts'))

/** Loads what a tap needs: browsers open the app only shortly after it. Never rejects. */
export const prepareApp = (): void => void part().then((it) => it.loadNativeApp())

/**
 * Shows a path of this site in the app, and says how it went. Never rejects. `copied`: a text for an app that
 * is installed first.
 */
export const openAppAt = async (path: string, copied?: string) => (await part()).openAppAloud(path, copied)
