import { renderToStaticMarkup } from 'react-dom/server'
import { LoginSkeleton } from '../../auth/LoginSkeleton.tsx'
import { ChannelsSkeleton } from '../../channel/ChannelsSkeleton.tsx'
import { UserInviteSkeleton } from '../../invite/UserInviteSkeleton.tsx'
import { PageSkeleton } from '../../ui/state/PageSkeleton.tsx'
import { RoomBesideChannels } from '../RouteSkeleton.tsx'

/**
 * The markup that served pages hold before any script runs, by the names of their files. Only the build
 * imports this (`web/pages.ts`).
 */
export const servedSkeletons = {
  room: renderToStaticMarkup(<RoomBesideChannels />),
  login: renderToStaticMarkup(<LoginSkeleton />),
  'user-invite': renderToStaticMarkup(<UserInviteSkeleton />),
  channels: renderToStaticMarkup(<ChannelsSkeleton />),
  shell: renderToStaticMarkup(<PageSkeleton isShop={false} />),
  account: renderToStaticMarkup(<PageSkeleton isShop={false} />),
  shop: renderToStaticMarkup(<PageSkeleton isShop />),
}
