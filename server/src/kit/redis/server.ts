/** A Redis of one server. */
import { randomUUID } from 'node:crypto'
import type { RedisAddress } from './address.ts'
import { Link } from './link.ts'
import { RedisLinks } from './links.ts'

export class RedisServer extends RedisLinks {
  readonly #link: Link

  constructor({ urls: [url] }: RedisAddress, answerWithinMs: number) {
    super()
    this.#link = new Link({
      url,
      answerWithinMs,
      isShard: false,
      heartbeatChannel: `guildhall:echo:${randomUUID()}`,
      channels: () => this.channels(),
      receive: (channel, text) => this.receive(channel, text),
      onChange: (why) => this.update(why),
      onMoved() {},
    })
  }

  protected override links(): readonly Link[] {
    return [this.#link]
  }

  protected override linkOf(): Link {
    return this.#link
  }

  protected override isMapped(): boolean {
    return true
  }
}
