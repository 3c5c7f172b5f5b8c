/** What later nouns show of messages. */
export { useMessageLine } from './Quoted.tsx'
