/** `world`: the demo cast, and every guild, channel and invite. */
import { readWorld } from '../demo/world.ts'
import type { Commands } from './command.ts'

export const worldCommands: Commands = {
  world: {
    usage: '',
    isReading: true,
    async run(_options, { live, config }) {
      const world = await readWorld(live.db)
      const url = (code: string) => `${config.publicUrl}/invite/${code}`
      return { ...world, invites: world.invites.map((each) => ({ ...each, url: url(each.code) })) }
    },
  },
}
