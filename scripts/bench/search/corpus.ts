/// <reference path="../../../server/src/screening/opencc.d.ts" />
/** Messages of the lengths and words of a chat in Chinese, the same ones for the same seed. */

/** The words that are in nearly every sentence, the most frequent first. */
const COMMON =
  '的 了 我 是 不 你 在 有 这 就 吗 都 好 也 人 去 说 要 他 吧 没 一个 什么 啊 我们 可以 知道 那 大家 今天 现在 还 呢 怎么 想 看 会 没有 真的 觉得 自己 时候 明天 一起 哈哈 哈哈哈 谢谢 问题 晚上 开始 东西 已经 因为 所以 但是 朋友 喜欢 游戏 时间'.split(
    ' ',
  )
const LATIN =
  'ok lol gg hi bug 666 2333 yyds hello nice server update v2.3.1 iPhone15 https://example.org/a/1 README.md'.split(
    ' ',
  )
const ENDS = ['', '', '', '', '。', '？', '！', '～', '😂', ' ']

export class Corpus {
  readonly #phrases: readonly string[]
  #state = 20_261_128

  private constructor(phrases: readonly string[]) {
    this.#phrases = phrases
  }

  /**
   * With the phrases of a dictionary, whose order is mixed: how often a word is used depends on its place.
   */
  static async open(): Promise<Corpus> {
    const { default: pairs } = await import('opencc-js/dict/STPhrases')
    const corpus = new Corpus(pairs.split('|').map((pair) => pair.split(' ')[0]!))
    const phrases = [...corpus.#phrases]
    for (let at = phrases.length - 1; at > 0; at -= 1) {
      const other = corpus.below(at + 1)
      ;[phrases[at], phrases[other]] = [phrases[other]!, phrases[at]!]
    }
    const mixed = new Corpus(phrases)
    return mixed
  }

  below(most: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * most)
  }

  /** By Zipf's law: the word of rank n is used 1/n as often as the first. */
  #zipf(count: number): number {
    return Math.floor(count ** (this.below(1_000_000) / 1_000_000)) - 1
  }

  phrase(rank: number): string {
    return this.#phrases[rank % this.#phrases.length]!
  }

  /** Twelve characters or so, sometimes very few or very many. */
  message(): string {
    const words = 1 + Math.floor(-Math.log(1 - this.below(1_000_000) / 1_000_001) * 7)
    let text = ''
    for (let word = 0; word < words; word += 1) {
      const kind = this.below(100)
      if (kind < 45) text += COMMON[this.#zipf(COMMON.length + 1)] ?? '的'
      else if (kind < 95) text += this.phrase(this.#zipf(this.#phrases.length))
      else text += ` ${LATIN[this.below(LATIN.length)]} `
      if (this.below(6) === 0) text += '，'
    }
    return text + ENDS[this.below(ENDS.length)]
  }
}
