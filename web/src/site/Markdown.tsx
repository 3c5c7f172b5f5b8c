import './blocks.css'
import { blocks } from '@guildhall/wire/site/blocks.ts'
import type { Block } from '@guildhall/wire/site/site.ts'
import { createElement, Fragment } from 'react'
import { reactElements } from '../kit/elements.tsx'

/** Words of the operator, and those of the product that stand for them. */
export const Blocks = (props: { blocks: readonly Block[] }) =>
  createElement(Fragment, null, ...blocks(reactElements, props.blocks))
