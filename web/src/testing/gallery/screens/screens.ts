import { accountScreens } from './account.ts'
import { forwardScreens } from './forward.tsx'
import { guestScreens } from './guests.ts'
import { guildScreens } from './guilds.ts'
import { payingScreens } from './paying.tsx'
import { peopleScreens } from './people.ts'
import type { Shown } from './screen.ts'
import { searchScreens } from './search.ts'
import { shopScreens } from './shop.ts'

/** A new state of a screen adds itself here. */
export const screens: readonly Shown[] = [
  ...guestScreens,
  ...guildScreens,
  ...forwardScreens,
  ...peopleScreens,
  ...searchScreens,
  ...shopScreens,
  ...payingScreens,
  ...accountScreens,
]
