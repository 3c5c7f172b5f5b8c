import './ui/tokens.css'
import './ui/base.css'
import { startConsole } from './app/startConsole.tsx'
import { withLibrary } from './kit/browser/withLibrary.ts'

const root = document.getElementById('root')
if (root) withLibrary(() => startConsole(root))
