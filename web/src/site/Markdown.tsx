import './markdown.css'
import { markdownElements } from '@guildhall/wire/site/markdownElements.ts'
import type { Block } from '@guildhall/wire/site/site.ts'
import { createElement, Fragment } from 'react'
import { reactFactory } from '../kit/reactFactory.tsx'

/** The operator's Markdown, or the product's own in its place. */
export const Markdown = (props: { blocks: readonly Block[] }) =>
  createElement(Fragment, null, ...markdownElements(reactFactory, props.blocks))
