import process from 'node:process'
import { runLogCommand } from './log-commands.ts'

process.exitCode = await runLogCommand(process.argv.slice(2))
