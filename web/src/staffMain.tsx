import './ui/tokens.css'
import './ui/base.css'
import { startConsole } from './app/startConsole.tsx'

const root = document.getElementById('root')
if (root) startConsole(root)
