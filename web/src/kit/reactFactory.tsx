import { type ElementFactory, smallCopy } from '@guildhall/wire/elementFactory.ts'
import { drawnGround, letterGround, letters } from '@guildhall/wire/user/letter.ts'
import { createElement, type ReactNode, useState } from 'react'

/** What `wire` describes of pages that the server draws first, made by React where the server makes HTML. */
export const reactFactory: ElementFactory<ReactNode> = {
  element: (tag, props, ...children) =>
    createElement(tag, typeof props === 'string' ? { className: props } : props, ...children),
  picture: (className, src, name, id) => <NamedPicture className={className} src={src} name={name} id={id} />,
}

function NamedPicture({
  className,
  src,
  name,
  id,
}: Readonly<Record<'className' | 'src' | 'name' | 'id', string>>) {
  const [broken, setBroken] = useState(false)
  if (src && !drawnGround(src) && !broken)
    return <img className={className} src={smallCopy(src)} alt="" onError={() => setBroken(true)} />
  return (
    <span className={`${className} letters`} style={{ background: letterGround(id, src) }} aria-hidden="true">
      {letters(name)}
    </span>
  )
}
