// The KMarkdown benchmark: compares the parser with two well-known Markdown parsers on the same texts, from
// source to tree (to tokens for markdown-it), without rendering. Rounds alternate, so that other load of the
// machine affects all alike.

import { type KmNode, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import simpleMarkdown from '@khanacademy/simple-markdown'
import MarkdownIt from 'markdown-it'

const ROUNDS = 15
const ROUND_MS = 150

const chat = [
  '今晚八点开荒，缺一个奶和两个输出，语音频道集合，迟到的请大家喝奶茶。',
  'ok',
  '**记得**带药水，*不要*迟到 https://example.com/raid?id=42 see you there!',
  '> 昨天谁打的第一？\n是我，~~运气好~~ 技术好 😄',
  'The build is green again, thanks to `npm ci` and a lot of **patience**.',
  '(met)1789420001(met) 看一下 (chn)2369000000000(chn)，(rol)702(rol) 也来',
  '```ts\nconst answer = 42\nconsole.log(answer)\n```\n跑一下这个',
  '2 * 3 = 6, [攻略在这里](https://example.com/guide) 先看完再来',
]
const article = Array.from(
  { length: 40 },
  (_, index) => `${chat[index % chat.length]}\n\n${chat[(index * 3) % chat.length]}`,
).join('\n---\n')
const hostile = '[*a **b `c ~~d (ins)'.repeat(400)

const texts: Readonly<Record<string, readonly string[]>> = {
  'chat messages': chat,
  'one long message': [article.slice(0, 8_000)],
  'openers that never close': [hostile],
}

const markdownIt = new MarkdownIt()
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  kmarkdown: (text) => parse(text),
  'markdown-it': (text) => markdownIt.parse(text, {}),
  'simple-markdown': (text) => simpleMarkdown.default.defaultBlockParse(text),
}

const nodesIn = (nodes: readonly KmNode[]): number =>
  nodes.reduce(
    (sum, node) => sum + 1 + (node.type === 'tag' && 'children' in node ? nodesIn(node.children) : 0),
    0,
  )
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** How many times a second a parser reads all of `sources`. */
function rate(parseText: (text: string) => unknown, sources: readonly string[]): number {
  const began = performance.now()
  let times = 0
  let took = 0
  do {
    for (const source of sources) parseText(source)
    times += 1
    took = performance.now() - began
  } while (took < ROUND_MS)
  return (times * 1000) / took
}

export async function run(): Promise<void> {
  for (const [name, sources] of Object.entries(texts)) {
    const rates = new Map<string, number[]>()
    for (const parseText of Object.values(parsers)) rate(parseText, sources)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [parser, parseText] of Object.entries(parsers))
        rates.set(parser, [...(rates.get(parser) ?? []), rate(parseText, sources)])
    const ours = rates.get('kmarkdown')!
    const nodes = sources.reduce((sum, source) => sum + nodesIn(parse(source)), 0)
    console.log(`${name}: ${(median(ours) * nodes).toFixed(0)} KMarkdown nodes a second`)
    for (const [parser, each] of rates) {
      const ratio = median(each.map((other, round) => ours[round]! / other))
      console.log(
        `  ${parser.padEnd(16)} ${(median(each) * sources.length).toFixed(0).padStart(9)} texts a second` +
          (parser === 'kmarkdown' ? '' : `, kmarkdown is ${ratio.toFixed(2)} times as fast`),
      )
    }
  }
}
