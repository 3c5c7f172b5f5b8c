/**
 * What the server has of messages: their calls, the pipeline and link previews, and the deletion of what the
 * banned wrote.
 */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Assets } from '../asset/asset.ts'
import type { Welcome } from '../invite/invite.ts'
import { type Module, type ModuleContext, untilNone, work } from '../kit/module.ts'
import { deleteBannedJob } from '../member/member.ts'
import type { SafeFetch } from '../outside/safeFetch.ts'
import { deleteSomeIn, type FetchPicture, openSendPipeline, type SendPipeline } from './message.ts'
import { welcome } from './posted/welcome.ts'
import { openLinkPreviews } from './preview/preview.ts'
import { messageRoutes } from './routes.ts'

/** Messages of somebody banned that are deleted in one transaction. */
const DELETED_AT_ONCE = 50

interface MessageModule extends Module {
  readonly pipeline: SendPipeline
  /** Null: no pictures of the web are fetched. */
  readonly fetchPicture: FetchPicture | null
  readonly welcome: Welcome
}

export function messageModule(
  { appContext, limits, log, metrics }: ModuleContext,
  { assets, safeFetch }: { readonly assets: Assets; readonly safeFetch: SafeFetch | null },
): MessageModule {
  const previews = openLinkPreviews({ appContext, assets, safeFetch, ownUrls: [appContext.publicUrl], log })
  const fetchPicture: FetchPicture | null =
    safeFetch &&
    (async (userId, address, it) => (await assets.fetchPicture(userId, address, it))?.url ?? null)
  const pipeline = openSendPipeline(appContext.db, metrics.sends, appContext.bus, {
    ...(fetchPicture && { fetchPicture }),
    onSent: ({ id, type, author, content }, origin) =>
      previews.schedule({ id, kind: kindOf(type, 'specification'), authorId: author.id, content }, origin),
  })
  return {
    pipeline,
    fetchPicture,
    welcome: (tx, emit, it) => welcome(tx, emit, appContext, it),
    routes: messageRoutes({ appContext, pipeline, limits, onEdited: previews.schedule }),
    jobs: [
      work(deleteBannedJob, ({ guild_id, user_id, since }, signal) => {
        const whose = { guildId: guild_id as GuildId, authorId: user_id as UserId, since }
        return untilNone(() => deleteSomeIn(appContext, whose, DELETED_AT_ONCE), signal)
      }),
    ],
    settled: previews.settled,
  }
}
