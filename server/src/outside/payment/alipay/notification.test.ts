import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alipay,
  application,
  CLOSED,
  encode,
  FACT,
  formOf,
  GENUINE,
  genuine,
  NO_BODY,
  type Params,
  pairsOf,
  provider,
  REFUNDED,
  read,
  signed,
  stranger,
  TRADE,
  textOf,
  useAlipay,
  without,
} from '../../../testing/pay/alipaySide.ts'

useAlipay()

describe('a message that nobody may believe', () => {
  const kept = (...names: string[]) => formOf(pairsOf(TRADE).filter(([name]) => !names.includes(name)))
  const swapped = (name: string, value: string) =>
    formOf(pairsOf(TRADE).map(([each, before]) => [each, each === name ? value : before]))
  const signature = signed(textOf(TRADE))
  const messages: readonly (readonly [string, string, string])[] = [
    ['nothing', '', 'form'],
    ['no form', '{"trade_status":"TRADE_SUCCESS"}', 'form'],
    ['a form that is too long', `${genuine(TRADE)}&a=${'x'.repeat(65_536)}`, 'form'],
    ['bytes that no form has', genuine(TRADE).replace('utf-8', 'utf-8\u0001'), 'form'],
    ['an empty parameter', `${genuine(TRADE)}&`, 'form'],
    ['a half escape', `${genuine(TRADE)}&a=%3`, 'form'],
    ['an escape that is no UTF-8', `${genuine(TRADE)}&a=%C3%28`, 'signature'],
    ['the same parameter twice', `${genuine(TRADE)}&out_trade_no=T100`, 'form'],
    ['the signature twice', `${genuine(TRADE)}&sign=${encode(signature)}`, 'form'],
    ['the type of the signature twice', `${genuine(TRADE)}&sign_type=RSA2`, 'form'],
    ['no signature', kept('sign'), 'signature'],
    ['an empty signature', swapped('sign', ''), 'signature'],
    ['no type of the signature', kept('sign_type'), 'signature'],
    ['a signature in lower case', swapped('sign_type', 'rsa2'), 'signature'],
    ['a signature with a space', swapped('sign', `${signature} `), 'signature'],
    ['a signature without its end', swapped('sign', signature.replace(/=+$/, '')), 'signature'],
    [
      'a signature for addresses',
      swapped('sign', signature.replace(/\+/g, '-').replace(/\//g, '_')),
      'signature',
    ],
    ['a stranger’s signature', formOf(pairsOf(TRADE, stranger.privateKey)), 'signature'],
    ['the application’s own signature', formOf(pairsOf(TRADE, application.privateKey)), 'signature'],
    ['another amount', swapped('total_amount', '12.31'), 'signature'],
    ['another trade', swapped('out_trade_no', 'T101'), 'signature'],
    ['another state', swapped('trade_status', 'TRADE_FINISHED'), 'signature'],
    ['a parameter more', `${genuine(TRADE)}&refund_fee=0.01`, 'signature'],
    ['an empty parameter more', `${genuine(TRADE)}&body=`, 'signature'],
  ]
  it.each(messages.filter(([, body]) => body !== kept()))('%s', async (_, body, why) => {
    await expect(read(body)).rejects.toMatchObject({ name: 'BadNotification', why })
  })

  it('signed by the weaker type, even rightly', async () => {
    const pairs = Object.entries(TRADE)
    const body = formOf([
      ...pairs,
      ['sign', signed(textOf(TRADE), alipay.privateKey, 'RSA-SHA1')],
      ['sign_type', 'RSA'],
    ])
    await expect(read(body)).rejects.toMatchObject({ why: 'signature' })
  })

  it('that signs the type of its signature as well, which is another kind of message', async () => {
    const params = { ...TRADE, sign_type: 'RSA2' }
    const body = formOf([...Object.entries(params), ['sign', signed(textOf(params))]])
    await expect(read(body)).rejects.toMatchObject({ why: 'signature' })
  })

  it('whose parameters are joined into one, though the signed text is the same', async () => {
    const names = Object.keys(TRADE).sort()
    for (const [index, name] of names.slice(0, -1).entries()) {
      const next = names[index + 1] ?? ''
      const joined = { ...without(TRADE, next), [name]: `${TRADE[name]}&${next}=${TRADE[next]}` }
      expect(textOf(joined)).toBe(textOf(TRADE))
      await expect(read(genuine(joined))).rejects.toMatchObject({ why: 'form' })
    }
  })

  it('with parameters in the name of one', async () => {
    const text = textOf(TRADE)
    const cut = text.lastIndexOf('=')
    const body = formOf([
      [text.slice(0, cut), text.slice(cut + 1)],
      ['sign', signature],
      ['sign_type', 'RSA2'],
    ])
    await expect(read(body)).rejects.toMatchObject({ why: 'form' })
  })

  it.each([
    'notify_id',
    'trade_status',
    'out_trade_no',
    'trade_no',
    'app_id',
    'seller_id',
    'total_amount',
    'gmt_payment',
  ])('genuine, but without %s', async (name) => {
    await expect(read(genuine(without(TRADE, name)))).rejects.toMatchObject({ why: 'form' })
    await expect(read(genuine({ ...TRADE, [name]: '' }))).rejects.toMatchObject({ why: 'form' })
  })

  it.each([
    '12.301',
    '12.',
    '.30',
    '012.30',
    '-12.30',
    '1e1',
    '12,30',
    ' 12.30',
    '１２.３０',
    '0x10.00',
    'NaN',
  ])('genuine, but of %s yuan', async (total_amount) => {
    await expect(read(genuine({ ...TRADE, total_amount }))).rejects.toMatchObject({ why: 'form' })
    await expect(read(genuine({ ...REFUNDED, refund_fee: total_amount }))).resolves.toBeDefined()
    await expect(
      read(genuine({ ...without(REFUNDED, 'gmt_refund'), refund_fee: total_amount })),
    ).rejects.toMatchObject({ why: 'form' })
  })

  it.each(['2026-02-30 10:00:00', '2026-08-01', 'now', '1785556799'])(
    'genuine, but paid at %s',
    async (gmt_payment) => {
      await expect(read(genuine({ ...TRADE, gmt_payment }))).rejects.toMatchObject({ why: 'form' })
    },
  )

  it.each(['big5', 'utf-16le', ' ', 'no charset'])('genuine, but in the charset %j', async (charset) => {
    await expect(read(genuine({ ...TRADE, charset }))).rejects.toMatchObject({ why: 'form' })
  })

  it('of any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expect(read(Buffer.from(bytes))).rejects.toMatchObject({ name: 'BadNotification' })
      }),
      { numRuns: 500 },
    )
  })
})

/** A small generator of numbers that is the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

describe('a genuine message that was changed', () => {
  const CLASSES = [
    '0123456789',
    'abcdef',
    'ABCDEF',
    'xyz_',
    '&',
    '=',
    '%',
    '+',
    '.-:*',
    ' \t\r\n',
    '\0\u0001',
    'ÿ\u0080é',
  ]
  type Random = (below: number) => number
  const byteOf = (kind: string, random: Random) => kind[random(kind.length)] ?? ''
  /** Changes of the bytes of a parameter, by class of byte. */
  const edits: readonly ((text: string, byte: string, random: Random) => string)[] = [
    (text, byte, random) => {
      const at = random(text.length)
      return text.slice(0, at) + byte + text.slice(at + 1)
    },
    (text, byte, random) => {
      const at = random(text.length + 1)
      return text.slice(0, at) + byte + text.slice(at)
    },
    (text, byte) => text + byte,
    (text, byte) => byte + text,
  ]
  /** Changes of whole parameters. */
  const reshapes: readonly ((pairs: [string, string][], at: number, random: Random) => [string, string][])[] =
    [
      (pairs, at) => pairs.filter((_, index) => index !== at),
      (pairs, at) => [...pairs, pairs[at] ?? ['', '']],
      (pairs, at, random) => [...pairs, [pairs[at]?.[0] ?? '', String(random(1_000))]],
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? '' : value]),
      (pairs, at) => pairs.map(([name, value], index) => [index === at ? name.toUpperCase() : name, value]),
      (pairs, at) => pairs.map(([name, value], index) => [index === at ? `${name}_` : name, value]),
      (pairs, at, random) => {
        const other = random(pairs.length)
        return pairs.map(([name, value], index) => [
          name,
          (index === at ? pairs[other]?.[1] : index === other ? pairs[at]?.[1] : value) ?? '',
        ])
      },
      (pairs, at, random) =>
        pairs.map(([name, value], index) => [
          name,
          index === at ? value.slice(0, random(value.length + 1)) : value,
        ]),
      (pairs, at) =>
        pairs.map(([name, value], index) => [name, index === at ? [...value].reverse().join('') : value]),
      (pairs, _, random) => [...pairs, [`extra_${random(1_000)}`, '1']],
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? `${value}&a=1` : value]),
      (pairs, at) => pairs.map(([name, value], index) => [name, index === at ? encode(value) : value]),
    ]
  /** What a reader of forms makes of it, in order of names: a change that it does not see is none. */
  const meaning = (body: string): string =>
    JSON.stringify([...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

  it('is refused, each of ten thousand and more', async () => {
    const random = seeded(20_260_801)
    const counts = { changed: 0, same: 0 }
    const accepted: string[] = []
    const refusals = new Set<string>()
    const tryOut = async (before: string, after: string) => {
      const isChanged = meaning(after) !== meaning(before)
      counts[isChanged ? 'changed' : 'same'] += 1
      await read(Buffer.from(after, 'latin1')).then(
        () => isChanged && accepted.push(after),
        (error: { name: string; why: string }) => refusals.add(`${error.name} ${error.why}`),
      )
    }
    for (const params of GENUINE) {
      const pairs = pairsOf(params)
      const before = formOf(pairs)
      const parts = before.split('&')
      for (const [index, part] of parts.entries()) {
        const put = (text: string) => parts.map((each, at) => (at === index ? text : each)).join('&')
        for (const kind of CLASSES)
          for (const edit of edits)
            for (let round = 0; round < 3; round += 1)
              await tryOut(before, put(edit(part, byteOf(kind, random), random)))
        for (const reshape of reshapes) await tryOut(before, formOf(reshape(pairs, index, random)))
        await tryOut(before, before.slice(0, random(before.length)))
      }
    }
    expect(accepted).toEqual([])
    expect(counts.changed).toBeGreaterThan(10_000)
    expect(counts.same).toBeLessThan(counts.changed / 10)
    expect([...refusals].sort()).toEqual(['BadNotification form', 'BadNotification signature'])
  })
})

describe('a genuine message', () => {
  it('of a payment has what pay compares with the order', async () => {
    const fact = { ...FACT, fee: 1_230 }
    const id = TRADE.notify_id
    expect(await read(genuine(TRADE))).toEqual({ kind: 'paid', id, fact })
    expect(await read(genuine({ ...TRADE, trade_status: 'TRADE_FINISHED' }))).toEqual({
      kind: 'paid',
      id,
      fact,
    })
  })

  it('may be read again, and in any order of parameters', async () => {
    const pairs = pairsOf(TRADE)
    const first = await read(formOf(pairs))
    expect(await read(formOf(pairs))).toEqual(first)
    expect(await read(formOf(pairs.toReversed()))).toEqual(first)
  })

  it('tells of another application, seller and currency: pay refuses them', async () => {
    const other = { ...TRADE, app_id: '2021999', seller_id: '2088999', trans_currency: 'USD' }
    expect(await read(genuine(other))).toMatchObject({
      fact: { app: '2021999', merchant: '2088999', currency: 'USD' },
    })
  })

  it('of a refund names ours, and how much is to be asked: it has only the sum of all', async () => {
    const refund = { kind: 'refund', tradeNo: 'T100', refundNo: 'R200', answer: { state: 'waiting' } }
    for (const trade_status of ['TRADE_SUCCESS', 'TRADE_CLOSED'])
      expect(await read(genuine({ ...REFUNDED, trade_status }))).toMatchObject(refund)
    expect(await read(genuine(without(REFUNDED, 'gmt_refund')))).toMatchObject(refund)
    expect(await read(genuine(without(REFUNDED, 'refund_fee')))).toMatchObject(refund)
  })

  it('of a refund that is not ours changes nothing', async () => {
    const { kind } = await read(genuine(without(REFUNDED, 'out_biz_no')))
    expect(kind).toBe('other')
  })

  it.each([
    ['of a trade that was closed without a payment', CLOSED],
    ['of a trade that waits', { ...CLOSED, trade_status: 'WAIT_BUYER_PAY' }],
    ['of a state that is new', { ...TRADE, trade_status: 'TRADE_DREAMT' }],
    ['of another kind', { ...TRADE, notify_type: 'servicemarket_order_notify' }],
  ])('%s changes nothing', async (_, params) => {
    expect(await read(genuine(params))).toEqual({ kind: 'other', id: TRADE.notify_id })
  })

  it('with every letter there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (subject) => {
        fc.pre(!/&\w+=/.test(subject))
        expect((await read(genuine({ ...TRADE, subject: subject.toWellFormed() }))).kind).toBe('paid')
      }),
      { numRuns: 300 },
    )
  })

  it('is answered with the one word that Alipay knows', () => {
    expect(provider.reply('taken', NO_BODY)).toEqual({ status: 200, type: 'text', body: 'success' })
    for (const result of ['refused', 'later'] as const)
      expect(provider.reply(result, NO_BODY).body).not.toContain('success')
  })
})

describe('what Alipay sends otherwise than documented', () => {
  /** A message whose parameters are the bytes of these letters. */
  const inBytes = (params: Params): string => {
    const byte = (char: string) =>
      /[\w.*-]/.test(char) ? char : `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
    const bytes = (text: string) => [...text].map(byte).join('')
    const pairs = [
      ...Object.entries(params),
      ['sign', signed(Buffer.from(textOf(params), 'latin1'))],
      ['sign_type', 'RSA2'],
    ]
    return pairs.map(([name = '', value = '']) => `${name}=${bytes(value)}`).join('&')
  }
  /** 会员 in GBK. */
  const GBK = '\xbb\xe1\xd4\xb1'
  const paid = { kind: 'paid', id: TRADE.notify_id, fact: FACT }

  it.each([
    ['in GBK, as it tells', inBytes({ ...TRADE, subject: GBK, charset: 'GBK' })],
    ['in GB2312, in lower case', inBytes({ ...TRADE, subject: GBK, charset: 'gb2312' })],
    ['in GB18030', inBytes({ ...TRADE, subject: GBK, charset: 'GB18030' })],
    ['in GBK, which it does not tell', inBytes({ ...TRADE, subject: GBK })],
    [
      'with a letter of GBK that ends with a backslash',
      inBytes({ ...TRADE, subject: '\x81\x5c', charset: 'GBK' }),
    ],
    ['with capitals in the charset', genuine({ ...TRADE, charset: 'UTF-8' })],
    ['without a charset', genuine(without(TRADE, 'charset'))],
    ['with small letters in the escapes', genuine(TRADE).replace(/%[0-9A-F]{2}/g, (it) => it.toLowerCase())],
    ['with %20 for spaces', genuine(TRADE).replaceAll('+', '%20')],
    ['with a plus, a percent and a tilde in a word', genuine({ ...TRADE, subject: '1+1=2 100% ~' })],
    ['with parameters of a later version', genuine({ ...TRADE, mdiscount_amount: '0.00', new_one: 'x' })],
    ['with nothing given back', genuine({ ...TRADE, refund_fee: '0.00' })],
    ['with nothing given back, without decimals', genuine({ ...TRADE, refund_fee: '0' })],
    ['with an empty refund', genuine({ ...TRADE, refund_fee: '', gmt_refund: '', out_biz_no: '' })],
    ['with one decimal', genuine({ ...TRADE, total_amount: '12.3' })],
    ['with three decimals', genuine({ ...TRADE, total_amount: '12.300' })],
    ['with an empty currency', genuine({ ...TRADE, trans_currency: '' })],
    ['later, when the time to give back is over', genuine({ ...TRADE, trade_status: 'TRADE_FINISHED' })],
  ])('tells of the payment: %s', async (_what, body) => {
    expect(await read(body)).toEqual(paid)
  })

  it('tells of whole yuan without decimals', async () => {
    expect(await read(genuine({ ...TRADE, total_amount: '12' }))).toMatchObject({ fact: { fee: 1_200 } })
  })

  it('in GBK, tells the number of somebody else’s trade as it is', async () => {
    const body = inBytes({ ...TRADE, subject: GBK, out_trade_no: GBK, charset: 'GBK' })
    expect(await read(body)).toMatchObject({ fact: { tradeNo: '会员' } })
  })

  it.each([
    ['the same parameter with two values', `${genuine(TRADE)}&total_amount=0.01`],
    ['escaped twice', genuine(TRADE).replaceAll('%', '%25')],
    ['with an end of line', `${genuine(TRADE)}\r\n`],
    ['with the signature’s plus signs as spaces', genuine(TRADE).replaceAll('%2B', '+')],
  ])('is refused, and answered so that it comes again: %s', async (_what, body) => {
    if (body !== genuine(TRADE)) await expect(read(body)).rejects.toMatchObject({ name: 'BadNotification' })
    expect(provider.reply('refused', NO_BODY).body).not.toContain('success')
  })
})
