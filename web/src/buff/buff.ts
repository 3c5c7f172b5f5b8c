/** What other nouns draw of BUFF. */
export { FrameChoice } from './FrameChoice.tsx'
