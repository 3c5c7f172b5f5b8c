import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { NavigateFunction } from 'react-router'
import { paths } from '../kit/paths.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { toastError } from './toastError.ts'

/**
 * Leads away from a guild that is gone after a call. Its event may take what is open away before the answer
 * is there. False: the call failed, and a toast says why.
 */
export async function goneAfter(
  done: Promise<unknown>,
  guildId: string,
  navigate: NavigateFunction,
): Promise<boolean> {
  try {
    await done
  } catch (error) {
    toastError(error)
    return false
  }
  // The list of channels opens the first guild that is left.
  cache.setQueryData<GuildSummary[]>(queryKeyOf(listGuilds, {}), (all) =>
    all?.filter((it) => it.id !== guildId),
  )
  await leaveLayers()
  await navigate(paths.channels(), { replace: true })
  return true
}
