import process from 'node:process'
import { testKills } from '../../testing/kills.ts'

/** A soak asks for more. */
testKills(Number(process.env.KILL_ROUNDS ?? 10))
