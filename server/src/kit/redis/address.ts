/** Where Redis is: what `REDIS_URL` says. */

export interface RedisAddress {
  /** Whether it is a Redis Cluster; `urls` are then some of its servers, from which the others are found. */
  readonly isCluster: boolean
  /** `redis://` or `rediss://`, with user and password; one, or at least one of a cluster. */
  readonly urls: readonly [string, ...string[]]
}

const CLUSTER = /^(rediss?)\+cluster:\/\/([^@/?#]*@)?([^@/?#]+)\/?$/

/**
 * Reads `redis://user:password@host:6379` for one server, `redis+cluster://user:password@host:6379,host:6379`
 * for a cluster, and both with `rediss` for TLS. Null: it is neither.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  const cluster = CLUSTER.exec(text)
  if (!cluster) return serverUrl(text) ? { isCluster: false, urls: [text] } : null
  const [, scheme, login = '', hosts = ''] = cluster
  const [first, ...others] = hosts.split(',').map((host) => `${scheme}://${login}${host.trim()}`)
  return first !== undefined && [first, ...others].every((url) => serverUrl(url)?.hostname)
    ? { isCluster: true, urls: [first, ...others] }
    : null
}

function serverUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && ['redis:', 'rediss:'].includes(url.protocol) ? url : null
}

/** The hosts, without user and password. */
export const hostsOf = ({ urls }: RedisAddress): string => urls.map((url) => new URL(url).host).join(', ')

/** The URL of another server of the same cluster, with the same user and password. */
export function urlOfPeer(url: string, host: string, port: number): string {
  const { protocol, username, password } = new URL(url)
  const login = username || password ? `${username}:${password}@` : ''
  return `${protocol}//${login}${host.includes(':') ? `[${host}]` : host}:${port}`
}
