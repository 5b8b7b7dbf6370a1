import process from 'node:process'
import { testKills } from './test-kills.ts'

/** A soak asks for more. */
testKills(Number(process.env.KILL_ROUNDS ?? 10))
