/** `world`: the demo people, and every guild, channel and invite. */
import { readWorld } from '../demo/world.ts'
import type { Commands } from './command.ts'

export const worldCommands: Commands = {
  world: {
    usage: '',
    isReading: true,
    async run(_options, { appContext, config }) {
      const { people, guilds, channels, invites } = await readWorld(appContext.db)
      const url = (code: string) => `${config.publicUrl}/invite/${code}`
      const withUrls = invites.map((each) => ({ ...each, url: url(each.code) }))
      return { cast: people, guilds, channels, invites: withUrls }
    },
  },
}
