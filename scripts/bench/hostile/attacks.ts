// What the hostile member sends: requests as bytes, with `#NONCE#` where each request differs.
import sharp from 'sharp'
import type { Seat } from '../room/ask.ts'

/** From another loopback address than the talkers, so that limits by network do not count them together. */
export const HOSTILE_ADDRESS = '127.0.0.2'

/** An attack over HTTP: `connections` repeat `requests` in turn, each with up to `depth` unanswered ones. */
export interface HttpAttack {
  readonly name: string
  readonly connections: number
  readonly depth: number
  readonly requests: readonly Buffer[]
  /** `slow` sends a byte a second; `deaf` never reads an answer. */
  readonly manner?: 'slow' | 'deaf'
}
/** An attack over the gateway: one connection sends `frame` as fast as it can; `isDeaf`: and never reads. */
export interface GatewayAttack {
  readonly name: string
  readonly connections: number
  readonly frame: string
  readonly everyMs: number
  readonly isDeaf: boolean
  /** Leaves as soon as it is welcomed, and comes again. */
  readonly leaves?: boolean
}

/** The member's nonce and the placeholder have the same length. */
export const NONCE = '#NONCE#'
const LONG_BYTES = 7_900
const SIDE_MAX_PX = 5_000
const LARGE_FILE_BYTES = 29 * 1024 * 1024
const BOUNDARY = 'xxBOUNDARYxx'

const request = (method: string, path: string, token: string | null, body: Buffer, type: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${token ? `authorization: ${token}\r\n` : ''}` +
        `${body.length > 0 ? `content-type: ${type}\r\ncontent-length: ${body.length}\r\n` : ''}\r\n`,
    ),
    body,
  ])
const get = (path: string, token: string | null) => request('GET', path, token, Buffer.alloc(0), '')
const post = (path: string, token: string | null, body: object) =>
  request('POST', path, token, Buffer.from(JSON.stringify(body)), 'application/json')
const upload = (token: string, name: string, file: Buffer) =>
  request(
    'POST',
    '/api/v2/assets/file',
    token,
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
          'content-type: application/octet-stream\r\n\r\n',
      ),
      file,
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
    `multipart/form-data; boundary=${BOUNDARY}`,
  )

/** The header of a lossless WebP and nothing else, 40 bytes. */
function webpHeader(side: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(32, 4)
  bytes.write('WEBPVP8L', 8)
  bytes.writeUInt32LE(20, 16)
  bytes[20] = 0x2f
  bytes.writeUInt32LE((side - 1) | ((side - 1) << 14), 21)
  return bytes
}

const noise = (side: number) => ({
  create: {
    width: side,
    height: side,
    channels: 3 as const,
    background: 'grey',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 30 },
  },
})

/** KMarkdown that is expensive for a parser that backtracks. */
const PATHOLOGICAL = [
  '*'.repeat(LONG_BYTES),
  '[('.repeat(LONG_BYTES / 2),
  '(met)'.repeat(LONG_BYTES / 5),
  '> '.repeat(LONG_BYTES / 2),
  '**_~~`'.repeat(LONG_BYTES / 6),
]
/** As many modules of a card as there may be. */
const CARD = JSON.stringify([
  {
    type: 'card',
    modules: Array.from({ length: 50 }, () => ({
      type: 'section',
      text: { type: 'kmarkdown', content: '**_~~'.repeat(18) },
    })),
  },
])

/** All HTTP attacks; the gateway's three connections make them twenty. */
export async function httpAttacks({
  guildId,
  channelId,
  seat,
}: {
  readonly guildId: string
  readonly channelId: string
  readonly seat: Seat
}): Promise<HttpAttack[]> {
  const { token } = seat
  const say = (content: string) =>
    post(`/api/v2/channels/${channelId}/message`, token, {
      content: JSON.stringify({ type: 9, content }),
      objectName: 'RC:TxtMsg',
      nonce: `bad-${NONCE}`,
    })
  const largest = await sharp(noise(SIDE_MAX_PX)).webp({ quality: 10, effort: 0 }).toBuffer()
  const login = (mobile: string) =>
    post('/api/v2/auth/login', null, { mobile, password: `wrong-${NONCE}`, mobile_prefix: '86' })
  return [
    { name: 'v2 reads', connections: 1, depth: 64, requests: [get('/api/v2/user/user-state', token)] },
    {
      name: 'v3 reads',
      connections: 2,
      depth: 64,
      requests: [
        get(`/api/v3/message/list?target_id=${channelId}&page_size=100`, token),
        get('/api/v3/user/me', token),
      ],
    },
    {
      name: 'history',
      connections: 1,
      depth: 16,
      requests: [get(`/api/v2/channels/${channelId}/messages?page_size=50`, token)],
    },
    {
      name: 'member search',
      connections: 1,
      depth: 16,
      requests: [
        get(`/api/v3/guild/user-search?guild_id=${guildId}&channel_id=${channelId}&search=r`, token),
      ],
    },
    {
      name: 'messages of 7.9 kB',
      connections: 2,
      depth: 64,
      requests: [say('刷'.repeat(LONG_BYTES / 3)), say('x'.repeat(LONG_BYTES))],
    },
    { name: 'KMarkdown', connections: 1, depth: 64, requests: PATHOLOGICAL.map(say) },
    {
      name: 'cards',
      connections: 1,
      depth: 64,
      requests: [post('/api/v3/message/check-card', token, { content: CARD })],
    },
    {
      name: 'reactions',
      connections: 1,
      depth: 64,
      requests: [
        post('/api/v3/message/add-reaction', token, {
          msg_id: '7f6d1d1e-0000-4000-8000-000000000000',
          emoji: '👍',
        }),
      ],
    },
    {
      name: 'invites',
      connections: 1,
      depth: 64,
      requests: [get(`/api/v3/invite/view?id=${NONCE}`, null), get(`/api/v2/invites/${NONCE}`, token)],
    },
    {
      name: 'passwords',
      connections: 2,
      depth: 64,
      requests: Array.from({ length: 200 }, (_, n) => login(`138${String(n).padStart(8, '0')}`)),
    },
    {
      name: 'pictures',
      connections: 2,
      depth: 1,
      requests: [
        upload(token, 'noise.webp', largest),
        upload(token, 'bomb.webp', webpHeader(10_000)),
        upload(token, 'broken.png', Buffer.from('\x89PNG\r\n\x1a\nnothing of the kind', 'latin1')),
      ],
    },
    {
      name: 'large files',
      connections: 1,
      depth: 1,
      requests: [upload(token, 'large.bin', Buffer.alloc(LARGE_FILE_BYTES, 7))],
    },
    { name: 'half requests', connections: 1, depth: 1, manner: 'slow', requests: [say('slow')] },
    // Each answer is a page of long messages, and none is read.
    {
      name: 'unread answers',
      connections: 1,
      depth: 1_000,
      manner: 'deaf',
      requests: [get(`/api/v2/channels/${channelId}/messages?page_size=50`, token)],
    },
  ]
}

export const GATEWAY_ATTACKS: readonly GatewayAttack[] = [
  // Below the limit of frames, because a connection that floods is closed.
  { name: 'replays', connections: 1, frame: '{"s":2,"sn":1}', everyMs: 180, isDeaf: false },
  { name: 'unread frames', connections: 1, frame: '{"s":2,"sn":1}', everyMs: 0, isDeaf: true },
  { name: 'handshakes', connections: 1, frame: '', everyMs: 1_000, isDeaf: false, leaves: true },
]
