import type { Module } from '@guildhall/wire/card/node.ts'
import { CardButton } from './CardButton.tsx'
import { FileBox, Playable } from './CardFile.tsx'
import { CardPicture } from './CardPicture.tsx'
import styles from './Cards.module.css'
import { CardText, Fields } from './CardText.tsx'
import { CountdownBox } from './CountdownBox.tsx'
import type { CardContext } from './cardContext.ts'
import InviteCard from './InviteCard.tsx'

type ModuleOf<Type extends Module['type']> = Extract<Module, { type: Type }>

/** A module of a card, by its type. */
export function ModuleBox({ module, context }: { module: Module; context: CardContext }) {
  switch (module.type) {
    case 'header':
      return (
        <p className={styles.header}>
          <CardText source={module.text} context={context} />
        </p>
      )
    case 'section':
      return <Section module={module} context={context} />
    case 'image-group':
      return (
        <div className={styles.tiles} data-count={module.elements.length}>
          {module.elements.map((image, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of one module never move
            <CardPicture key={index} image={image} shape={styles.tile} />
          ))}
        </div>
      )
    case 'container':
      return module.elements.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of one module never move
        <CardPicture key={index} image={image} shape={styles.whole} whole />
      ))
    case 'action-group':
      return (
        <div className={styles.actions}>
          {module.elements.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of one module never move
            <CardButton key={index} button={button} context={context} />
          ))}
        </div>
      )
    case 'context':
      return <ContextLine module={module} context={context} />
    case 'divider':
      return <hr className={styles.divider} />
    case 'file':
      return <FileBox module={module} />
    case 'video':
    case 'audio':
      return <Playable module={module} />
    case 'countdown':
      return <CountdownBox countdown={module} />
    case 'invite':
      return <InviteCard code={module.code} own={context.own} />
  }
}

/** A text, with a picture or a button beside it. */
function Section({ module, context }: { module: ModuleOf<'section'>; context: CardContext }) {
  const { text, accessory, mode } = module
  return (
    <div className={styles.section} data-mode={mode}>
      <div className={styles.text}>
        {text.type === 'paragraph' ? (
          <Fields paragraph={text} context={context} />
        ) : (
          <CardText source={text} context={context} />
        )}
      </div>
      {accessory?.type === 'image' && (
        <CardPicture
          image={accessory}
          shape={accessory.size === 'lg' ? styles.accessoryLg : styles.accessorySm}
        />
      )}
      {accessory?.type === 'button' && <CardButton button={accessory} context={context} />}
    </div>
  )
}

/** Small texts and pictures in one line. */
function ContextLine({ module, context }: { module: ModuleOf<'context'>; context: CardContext }) {
  return (
    <div className={styles.context}>
      {module.elements.map((element, index) =>
        element.type === 'image' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one module never move
          <CardPicture key={index} image={element} shape={styles.mark} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one module never move
          <span key={index}>
            <CardText source={element} context={context} />
          </span>
        ),
      )}
    </div>
  )
}
