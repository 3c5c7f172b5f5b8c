import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isXml, readWechatXml, writeWechatXml } from './xml.ts'

const read = (text: string) => {
  const fields = readWechatXml(Buffer.from(text))
  return fields && Object.fromEntries(fields)
}
const bomb = `<!DOCTYPE x [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;&a;&a;">'.repeat(9)}]><xml><a>&b;</a></xml>`

describe('nothing is read of', () => {
  it.each([
    ['nothing', ''],
    ['JSON', '{"a":"b"}'],
    ['another element', '<html><a>1</a></html>'],
    ['a declaration of a type, with entities that grow', bomb],
    ['an entity from a file', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xml><a>&a;</a></xml>'],
    ['an instruction', '<?xml version="1.0"?><xml><a>1</a></xml>'],
    ['an entity of its own', '<xml><a>&mine;</a></xml>'],
    ['a reference to a character', '<xml><a>&#60;</a></xml>'],
    ['a bare ampersand', '<xml><a>a & b</a></xml>'],
    ['attributes', '<xml><a b="c">1</a></xml>'],
    ['attributes of the whole', '<xml a="b"><a>1</a></xml>'],
    ['an element in an element', '<xml><a><b>1</b></a></xml>'],
    ['an element in an element, a thousand times', `<xml>${'<a>'.repeat(1_000)}`],
    ['text and a section together', '<xml><a>1<![CDATA[2]]></a></xml>'],
    ['two sections together', '<xml><a><![CDATA[1]]><![CDATA[2]]></a></xml>'],
    ['a section that goes on after its end', '<xml><a><![CDATA[1]]>2]]></a></xml>'],
    ['text between elements', '<xml>1<a>1</a></xml>'],
    ['text after the end', '<xml><a>1</a></xml>1'],
    ['a second document', '<xml><a>1</a></xml><xml><a>1</a></xml>'],
    ['a comment', '<xml><!-- 1 --><a>1</a></xml>'],
    ['an element that is not closed', '<xml><a>1</xml>'],
    ['an element that is closed by another name', '<xml><a>1</b></xml>'],
    ['an element without an end of the whole', '<xml><a>1</a>'],
    ['a name twice', '<xml><a>1</a><a>2</a></xml>'],
    ['a name of a namespace', '<xml><x:a>1</x:a></xml>'],
    ['a name that is too long', `<xml><${'a'.repeat(65)}>1</${'a'.repeat(65)}></xml>`],
    ['a zero', '<xml><a>\0</a></xml>'],
    ['65 elements', `<xml>${Array.from({ length: 65 }, (_, n) => `<a${n}>1</a${n}>`).join('')}</xml>`],
    ['what is too long', `<xml><a>${'a'.repeat(17_000)}</a></xml>`],
  ])('%s', (_what, text) => {
    expect(read(text)).toBeNull()
  })

  it('bytes that are no text', () => {
    expect(
      readWechatXml(Buffer.from([...Buffer.from('<xml><a>'), 0xff, ...Buffer.from('</a></xml>')])),
    ).toBeNull()
  })

  it('any bytes: it never throws, and what it reads is written and read again', () => {
    const parts = fc.constantFrom(
      '<xml>',
      '</xml>',
      '<a>',
      '</a>',
      '<b>',
      '</b>',
      '<![CDATA[',
      ']]>',
      '&amp;',
      '&',
      '<',
      '>',
      ' ',
      'x',
      '"',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 24 }), (given) => {
        const fields = read(given.join(''))
        if (fields) expect(read(writeWechatXml(fields))).toEqual(fields)
      }),
      { numRuns: 5_000 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readWechatXml(bytes)))
  })
})

describe('what WeChat writes is read', () => {
  it('with sections and without, in lines and in one', () => {
    expect(read('<xml><a><![CDATA[SUCCESS]]></a><b>123</b><c></c><d><![CDATA[]]></d></xml>')).toEqual({
      a: 'SUCCESS',
      b: '123',
      c: '',
      d: '',
    })
    expect(
      read(
        '\n<xml>\n  <a> <![CDATA[<x> & "y"]]> </a>\r\n <b>&lt;x&gt; &amp;amp; &quot;y&apos;</b>\n</xml>\n',
      ),
    ).toEqual({
      a: '<x> & "y"',
      b: '<x> &amp; "y\'',
    })
  })

  it('and everything that is written', () => {
    const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,20}$/)
    const text = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .filter((it) => !/\p{Cc}|[\uFFFE\uFFFF]/u.test(it))
    fc.assert(
      fc.property(fc.dictionary(name, text, { maxKeys: 20 }), (fields) => {
        expect(read(writeWechatXml(fields))).toEqual({ ...fields })
      }),
    )
  })

  it('and is told from JSON by how it begins', () => {
    expect(['<xml>', ' \n<xml>'].map((it) => isXml(Buffer.from(it)))).toEqual([true, true])
    expect(['', '{', '{"a":"<"}', 'x<'].map((it) => isXml(Buffer.from(it)))).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
