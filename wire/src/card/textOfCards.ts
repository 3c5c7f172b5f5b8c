/** The content of cards: text for mentions and previews, files, buttons. protocol.md §7.6. */

import { parse } from '../kmarkdown/kmarkdown.ts'
import type { KmNode } from '../kmarkdown/node.ts'
import { isVisible } from '../words.ts'
import type { Button, Card, Image, Module, Words } from './node.ts'

const modulesOf = (cards: readonly Card[]): readonly Module[] => cards.flatMap(({ modules }) => modules)

function wordsIn(module: Module): readonly Words[] {
  switch (module.type) {
    case 'header':
      return [module.text]
    case 'section': {
      const { text, accessory } = module
      const button = accessory?.type === 'button' ? [accessory.text] : []
      return [...(text.type === 'paragraph' ? text.fields : [text]), ...button]
    }
    case 'action-group':
      return module.elements.map(({ text }) => text)
    case 'context':
      return module.elements.filter((it): it is Words => it.type !== 'image')
    default:
      return []
  }
}

/**
 * All text of cards as KMarkdown nodes, a line for each, in reading order. The mentions of a card message and
 * its
 * `raw_content` are derived from it.
 */
export function nodesOf(cards: readonly Card[]): KmNode[] {
  const lines = modulesOf(cards)
    .flatMap(wordsIn)
    .filter(({ content }) => isVisible(content))
  return lines.flatMap((line, index) => {
    const nodes: KmNode[] =
      line.type === 'kmarkdown'
        ? parse(line.content, { font: true })
        : [{ type: 'text', content: line.content }]
    return index === 0 ? nodes : [{ type: 'text', content: '\n' }, ...nodes]
  })
}

/** The words of cards as they were typed, and what their pictures say to those who do not see them. */
export const typedIn = (cards: readonly Card[]): string[] => {
  const found = modulesOf(cards)
    .flatMap(wordsIn)
    .map(({ content }) => content)
  withFiles(cards, {
    image(image) {
      found.push(image.alt)
      return image
    },
    file: (module) => module,
  })
  return found.filter((each) => isVisible(each))
}

/** All buttons of cards. */
export const buttonsIn = (cards: readonly Card[]): Button[] =>
  modulesOf(cards).flatMap((module) => {
    if (module.type === 'action-group') return module.elements
    return module.type === 'section' && module.accessory?.type === 'button' ? [module.accessory] : []
  })

/**
 * The cards with each picture, and each file, video and audio, replaced by the results of the functions; in
 * the same order.
 */
export function withFiles(
  cards: readonly Card[],
  to: {
    readonly image: (image: Image, at: string) => Image
    readonly file: <M extends Extract<Module, { src: string }>>(module: M, at: string) => M
  },
): Card[] {
  return cards.map((card, c) => ({
    ...card,
    modules: card.modules.map((module, m): Module => {
      const at = `[${c}].modules[${m}]`
      switch (module.type) {
        case 'section':
          return module.accessory?.type === 'image'
            ? { ...module, accessory: to.image(module.accessory, `${at}.accessory`) }
            : module
        case 'image-group':
        case 'container':
          return {
            ...module,
            elements: module.elements.map((it, i) => to.image(it, `${at}.elements[${i}]`)),
          }
        case 'context':
          return {
            ...module,
            elements: module.elements.map((it, i) =>
              it.type === 'image' ? to.image(it, `${at}.elements[${i}]`) : it,
            ),
          }
        case 'file':
        case 'video':
        case 'audio':
          return to.file(module, at)
        default:
          return module
      }
    }),
  }))
}
