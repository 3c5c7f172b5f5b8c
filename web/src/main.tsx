import './ui/tokens.css'
import './ui/base.css'
import { start } from './app/start.tsx'
import { withLibrary } from './kit/browser/withLibrary.ts'

const root = document.getElementById('root')
if (root) withLibrary(() => start(root))
