/** The calls of the site itself. */
import { latestVersion } from '@guildhall/wire/site/site.ts'
import { type Binding, bind } from '../kit/http/binding.ts'

/** The newest app of a platform. */
interface AppVersion {
  readonly url: string
  readonly version: string
}

export const siteRoutes = ({
  apps,
}: {
  readonly apps: Readonly<Record<'ios' | 'android', AppVersion>>
}): Binding[] => [
  bind(latestVersion, async (_context, { platform }) => {
    const name = platform.toLowerCase()
    return name === 'ios' || name === 'android' ? apps[name] : { url: '', version: '' }
  }),
]
